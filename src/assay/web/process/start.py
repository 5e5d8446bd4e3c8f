"""Commands that the page starts: each is a process of its own, in a session of its own.

Closing the page or the server does not end it. What was started is written to
``.assay/started/ID.json`` before it starts, and what it prints to ``ID.log``. A server that is
started again finds a run by its lock, as it finds those of a terminal.
"""

import math
import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.workspace import Workspace, make_folder
from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.jobs.quality.results_file import check_out
from assay.mask import mask_text, private_opener
from assay.registry import nearest
from assay.runs.summary import write_atomically
from assay.runs.write import LockOwner, check_rows_path, is_being_written, writer_of
from assay.web.library import Library
from assay.web.live_api import Started, StartRequest
from assay.web.process.form import COMMANDS, FORMS, Choices, Option, current_fields
from assay.words.language import VARIABLE

# The command of a request: every value is checked, and none can become another option.

_SETTING: Final = re.compile(r"[^\W\d][\w.]{0,80}=[^\x00-\x1f]{0,500}")
_PLACE: Final = re.compile(r"(experiments|eval/runs)(/[^\W_][\w.-]{0,80}){0,3}")
Value = str | int | float | bool
_TEXT: Final = re.compile(r"[\w.,-]{1,80}")
"""What a free text may have: a name, or numbers with commas."""


def command_words(request: StartRequest, root: Path) -> list[str]:
    """The words after ``assay``; raises ``UseError`` if the command line would not accept them.

    >>> command_words(StartRequest(job="bench", options={"sample": True, "top_k": 3}), Path())
    ['bench', 'run', '--sample', '--top-k=3']
    """
    options = {option.name: option for option in FORMS.get(request.job, ())}
    if not options:
        raise UseError(f"{request.job!r} is not one of {', '.join(FORMS)}")
    given = current_fields(request.options)
    for name in given:
        if name not in options:
            raise UseError(f"{request.job}: there is no field {name!r}{nearest(name, options)}")
    choices = Choices(root)
    words = [*COMMANDS[request.job]]
    path = []
    for name, option in options.items():
        value = given.get(name, "")
        if value == "" or value is False:
            if option.is_required:
                raise UseError(f"{name}: choose one")
            continue
        texts = _checked(option, value, choices, root)
        if not option.flag:
            path += [text if not text.startswith("-") else f"./{text}" for text in texts]
        else:
            is_switch = option.kind == "switch"
            words += [option.flag if is_switch else f"{option.flag}={text}" for text in texts]
    if request.is_dry:
        words.append("--dry-run")
    found = Workspace.find(start=root).root
    if found != root.resolve():
        words.append("--root=.")
    return [*words, *path]


def _checked(option: Option, value: Value, choices: Choices, root: Path) -> list[str]:
    """The texts of a value that fits its option: one, or one for each setting."""
    name, text = option.name, str(value)
    match option.kind:
        case "switch":
            if value is not True:
                raise UseError(f"{name}: {value!r} is not yes or no")
            return [""]
        case "choice":
            allowed = choices.of(option)
            if value not in allowed:
                raise UseError(f"{name}: {value!r} is not a choice{nearest(text, allowed)}")
            return [text]
        case "count" | "number":
            return [_number(option, value)]
        case "settings":
            return _settings(name, text)
        case "place" | "folder":
            return [_place(option, text, root)]
    check = {"file": _path, "text": _free_text}[option.kind]
    return [check(name, text, root)]


def _free_text(name: str, text: str, _: Path) -> str:
    if not _TEXT.fullmatch(text) or text.startswith((".", "-")):
        raise UseError(f"{name}: use letters, digits, and . , - _ only")
    return text


def _settings(name: str, text: str) -> list[str]:
    """The lines of a text, each ``NAME=VALUE``."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if not _SETTING.fullmatch(line):
            raise UseError(f"{name}: write {line[:80]!r} as NAME=VALUE")
    return lines


def _place(option: Option, text: str, root: Path) -> str:
    """A file or folder for results, in a folder where the page looks for runs."""
    if not _PLACE.fullmatch(text) or not (root / text).resolve().is_relative_to(root.resolve()):
        raise UseError(
            f"{option.name}: results go into experiments/… or eval/runs/…, not {text[:80]!r}"
        )
    path = root / text
    if option.suffixes == (".json",):
        check_out(path)
    elif option.kind == "place":
        check_rows_path(path)
    elif path.exists() and not path.is_dir():
        raise UseError(f"{option.name}: {text} is a file; name a folder")
    return text


def _number(option: Option, value: Value) -> str:
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
    except ValueError:
        number = math.nan
    is_whole = option.kind == "count"
    if not math.isfinite(number) or number < 0 or (is_whole and number != int(number)):
        kind = "a whole number" if is_whole else "a number"
        raise UseError(f"{option.name}: {value!r} is not {kind} of 0 or more")
    return str(int(number)) if is_whole else f"{number:g}"


def _path(name: str, text: str, root: Path) -> str:
    """A file of the workspace by its path from there; a link may not lead out of it."""
    if "\0" in text:
        raise UseError(f"{name}: not a path")
    path = (root / text).resolve()
    if not path.is_relative_to(root.resolve()):
        raise UseError(f"{name}: {text} is outside the workspace")
    if not path.exists():
        raise UseError(f"{name}: {text}: no such file in the workspace")
    return path.relative_to(root.resolve()).as_posix()


SETTLE_S: Final = 2.0
"""How long a start is waited for: until its run is locked, or it has refused."""
DRY_S: Final = 120.0
"""How long an estimate is waited for."""
_KEPT: Final = 50
"""How many records of starts are kept."""
_OUTPUT: Final = 8000
"""How many bytes of the output are shown, from its end."""


class StartRecord(Struct, frozen=True, kw_only=True):
    """What the page started; ``process`` is 0 until it has a number."""

    id: str
    request: StartRequest
    command: str
    started_at: str
    process: int = 0
    run: str = ""


def _environment(request: StartRequest) -> dict[str, str] | None:
    """The environment of an estimate in the language of the page; ``None`` for that of the server."""
    if not (request.is_dry and request.lang):
        return None
    return {**os.environ, VARIABLE: request.lang, "PYTHONIOENCODING": "utf-8"}


class Starts:
    """Starts commands in a workspace and knows what became of them. Safe in several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._folder = library.root / ".assay" / "started"
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = Lock()
        self.closing = Event()

    def close(self) -> None:
        """Wait for nothing any more; what was started goes on."""
        self.closing.set()

    def start(self, request: StartRequest, more: tuple[str, ...] = ()) -> Started:
        """Start a command and wait a moment for its run; raises ``UseError`` if it is wrong."""
        words = [*command_words(request, self._library.root), *more]
        self._forget_old()
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        record = StartRecord(
            id=f"{stamp}-{secrets.token_hex(4)}",
            request=request,
            command=shlex.join(["assay", *words]),
            started_at=stamp,
        )
        self._write(record)
        process = self._spawn(record, words)
        with self._lock:
            self._processes[record.id] = process
        self._write(replace(record, process=process.pid))
        return self._settled(record.id, DRY_S if request.is_dry else SETTLE_S)

    def state(self, start_id: str) -> Started:
        """What became of a start."""
        record = self._read(start_id)
        if record is None:
            raise UseError(f"nothing was started as {start_id!r}")
        code, is_alive = self._outcome(record)
        if is_alive and not record.run:
            record = self._with_run(record)
        if not is_alive:
            self._mask_log(record.id)
        state = "ended" if not is_alive else "running" if record.run else "starting"
        return Started(
            id=record.id,
            job=record.request.job,
            command=mask_text(record.command),
            state=state,  # type: ignore[arg-type]
            run=record.run or None,
            code=code,
            output=self._output(record.id),
        )

    def request_of(self, run: str) -> StartRequest | None:
        """The request by which the page started a run; ``None`` if it did not."""
        for path in sorted(self._folder.glob("*.json"), reverse=True):
            record = self._read(path.stem)
            if record is not None and record.run == run:
                return record.request
        return None

    def reap(self) -> None:
        """Note which commands have ended, so that the system can forget them."""
        with self._lock:
            for process in self._processes.values():
                process.poll()

    def _spawn(self, record: StartRecord, words: list[str]) -> subprocess.Popen[bytes]:
        with open(self._log(record.id), "ab", opener=private_opener) as log:
            return subprocess.Popen(  # noqa: S603 - every word was checked against its form
                # -P: files of the workspace are no modules of ours
                [sys.executable, "-P", "-m", "assay", *words],
                cwd=self._library.root,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=_environment(record.request),
            )

    def _settled(self, start_id: str, seconds: float) -> Started:
        until = time.monotonic() + seconds
        while (state := self.state(start_id)).state == "starting" and time.monotonic() < until:
            if self.closing.wait(0.05):
                break
        return state

    def _outcome(self, record: StartRecord) -> tuple[int | None, bool]:
        """The exit code if it is known, and whether the process is alive."""
        with self._lock:
            process = self._processes.get(record.id)
        if process is not None:
            code = process.poll()
            return code, code is None
        # the server was started again since: only a lock proves that it is still the same process
        return None, bool(self._with_run(record).run) and self._owns(record)

    def _owns(self, record: StartRecord) -> bool:
        owners = map(writer_of, self._library.journals().values())
        return any(owner is not None and owner.process == record.process for owner in owners)

    def _with_run(self, record: StartRecord) -> StartRecord:
        """The record with the run whose lock names its process."""
        if record.run or not record.process:
            return record
        for run, journal in self._library.journals().items():
            owner = writer_of(journal)
            if owner is not None and owner.process == record.process:
                record = replace(record, run=run)
                self._write(record)
                break
        return record

    def _output(self, start_id: str) -> str:
        try:
            with self._log(start_id).open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _OUTPUT))
                return mask_text(file.read().decode("utf-8", "replace").strip())
        except OSError:
            return ""

    def _mask_log(self, start_id: str) -> None:
        """Mask what a command printed before it read its configuration."""
        path = self._log(start_id)
        with suppress(OSError):
            data = path.read_bytes()
            masked = mask_text(data.decode("utf-8", "surrogateescape"))
            if masked.encode("utf-8", "surrogateescape") != data:
                write_atomically(path, masked.encode("utf-8", "surrogateescape"), is_masked=True)

    def _log(self, start_id: str) -> Path:
        return self._folder / f"{start_id}.log"

    def _write(self, record: StartRecord) -> None:
        try:
            make_folder(self._folder)
        except OSError as error:
            raise UseError(f"{self._folder}: cannot be created: {error.strerror}") from None
        write_atomically(self._folder / f"{record.id}.json", msgspec.json.encode(record) + b"\n")

    def _read(self, start_id: str) -> StartRecord | None:
        if not all(letter.isalnum() or letter == "-" for letter in start_id):
            return None
        try:
            data = (self._folder / f"{start_id}.json").read_bytes()
            return msgspec.json.decode(data, type=StartRecord)
        except (OSError, *UNREADABLE):
            return None

    def _forget_old(self) -> None:
        self.reap()
        for path in sorted(self._folder.glob("*.json"))[:-_KEPT]:
            for each in (path, path.with_suffix(".log"), *self._folder.glob(f".{path.name}.*")):
                with suppress(OSError):
                    each.unlink()


# Stopping a run as Ctrl+C does, whoever started it: its lock names its process.


def stop_run(journal: Path) -> None:
    """Ask the run that writes to a journal to stop; its rows are kept, and it can go on later."""
    owner = writer_of(journal)
    if owner is None:
        raise UseError(f"{journal.stem}: this run does not go on, so it cannot be stopped")
    if owner.host != os.uname().nodename:
        raise UseError(
            f"{journal.stem}: this run goes on at another computer ({owner.host}, process "
            f"{owner.process}); stop it there"
        )
    if owner.process == os.getpid() or owner.process < 2:
        raise UseError(f"{journal.stem}: its files are being moved; try again")
    _interrupt(owner, journal)


def _interrupt(owner: LockOwner, journal: Path) -> None:
    """Send SIGINT to exactly this process: a number may belong to another one a moment later."""
    try:
        if not hasattr(os, "pidfd_open"):
            os.kill(owner.process, signal.SIGINT)
            return
        handle = os.pidfd_open(owner.process)
        try:
            if writer_of(journal) == owner:
                signal.pidfd_send_signal(handle, signal.SIGINT)
        finally:
            os.close(handle)
    except ProcessLookupError:
        return  # it has ended by itself
    except PermissionError:
        raise UseError(
            f"{journal.stem}: process {owner.process} belongs to another user; only they can stop it"
        ) from None


def wait_for_end(journal: Path, seconds: float, closing: Event) -> bool:
    """Wait until nobody writes to a journal; false if somebody still does, or on ``closing``."""
    until = time.monotonic() + seconds
    while is_being_written(journal):
        if time.monotonic() > until or closing.wait(0.05):
            return False
    return True
