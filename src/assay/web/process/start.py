"""Commands that the page starts: each is a process of its own, in a session of its own.

Closing the page or the server does not end it. What was started is written to
``.assay/started/ID.json`` before it starts, and what it prints to ``ID.log``. A server that is
started again finds a run by its lock, as it finds those of a terminal.
"""

import os
import secrets
import shlex
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

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.journal import write_atomically, writer_of
from assay.mask import mask_text
from assay.web.library import Library
from assay.web.live_api import Started, StartRequest
from assay.web.process.command import command_words
from assay.words import VARIABLE

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
        with self._log(record.id).open("ab") as log:
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
            self._folder.mkdir(parents=True, exist_ok=True)
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
