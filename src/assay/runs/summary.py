"""``NAME.json``: the header of a run, written at its start, and its results, added at its end.

The file is written atomically: a reader sees either the old or the new content, never a part.
"""

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from assay import __version__
from assay.checks import registered as ruler
from assay.data.jsonl import UNREADABLE
from assay.errors import JournalError, JournalTooNew, JournalWriteFailed, RunStopped
from assay.mask import mask_json, mask_secrets, private_opener
from assay.records import SCHEMA_VERSION, Estimand, RunHeader, Tally
from assay.runs.row import check_free_fields
from assay.runs.write import (
    error_text,
    order_path,
    plan_path,
    summary_path,
    torn_path,
    verdicts_path,
)

LOOKS: Final = "looks"
State = Literal["running", "complete", "partial"]


class RunSession(Struct, frozen=True, kw_only=True):
    """One command that worked on the run, from its start to its end.

    ``ended_at`` is ``None`` while it runs, and for ever if it was killed. ``paid`` is what was
    spent in this session. The counts are ``None`` if they are not known. ``max_cost`` is what the
    run might cost at most; it is absent if nothing was said. ``command`` has the words that were
    typed, the first is ``assay``; it is absent if the run was started from Python.
    """

    started_at: str
    ended_at: str | None = None
    asked: int | None = None
    judged: int | None = None
    elapsed_s: float | None = None
    paid: float | None = None
    assay_version: str = ""
    max_cost: float | UnsetType = UNSET
    command: tuple[str, ...] | UnsetType = UNSET


class Summary(RunHeader, frozen=True, kw_only=True):
    """The header, the state of the run, and the results that the job computed from the rows.

    ``paid`` is everything that was spent: on the rows, of which ``judge_paid`` is the judges'
    part, and ``prepare_paid`` on preparing the system. ``started_at`` is the start of the first of
    the ``stretches``, and ``elapsed_s`` is the time of all of them together.
    """

    state: State = "running"
    tally: Tally = Tally()
    paid: float | None = None
    judge_paid: float | None = None
    prepare_paid: float | None = None
    elapsed_s: float | None = None
    stretches: tuple[RunSession, ...] = ()
    results: Mapping[str, Any] = {}

    @property
    def estimand(self) -> Estimand | None:
        """What the run is about, as it was chosen; ``None``: that depends on its documents.

        A run that stops early is about what its decisions are about.
        """
        rule = self.extra.get("early_stop")
        chosen = rule.get("documents", "fixed") if rule else self.extra.get("estimand")
        return chosen if chosen in get_args(Estimand) else None

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many questions the results were shown, if the run grew after that."""
        found = self.extra.get(LOOKS)
        return tuple(found) if isinstance(found, list | tuple) else ()

    @property
    def last_command(self) -> str:
        """The command of assay that the run was last continued with; empty if none is known."""
        typed = next((each.command for each in reversed(self.stretches) if each.command), ())
        return typed[1] if typed and len(typed) > 1 else ""

    @property
    def kind(self) -> str:
        """What people call it: its job, or ``run`` if the command ``assay run`` made it."""
        return kind_of(self.job, self.last_command)


def kind_of(job: str, command: str) -> str:
    """What people call a run of a job that this command made.

    >>> kind_of("ablation", "run"), kind_of("ablation", "ablate")
    ('run', 'ablation')
    """
    return "run" if command == "run" else job


def now() -> str:
    """The current time in UTC as ISO 8601 text, to the second.

    >>> now().endswith("Z")
    True
    """
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def start_summary(
    header: RunHeader,
    previous: Summary | None = None,
    *,
    max_cost: float | None = None,
    command: Sequence[str] = (),
) -> Summary:
    """The summary of a run that starts now, with its time and the versions in use.

    If it continues the run of ``previous``, its start and its earlier parts are kept.
    ``max_cost`` is what the run may cost at most, ``command`` what was typed to start it.
    """
    moment = header.started_at or now()
    fields = {name: getattr(header, name) for name in RunHeader.__struct_fields__}
    fields.update(
        started_at=moment,
        assay_version=__version__,
        extra={**header.extra, ruler.FIELD: ruler.RULER},
        python_version=platform.python_version(),
    )
    sessions: tuple[RunSession, ...] = ()
    if previous is not None:
        sessions = previous.stretches or _unrecorded_sessions(previous)
        fields.update(started_at=previous.started_at or moment, prepare_paid=previous.prepare_paid)
    ceiling = UNSET if max_cost is None else max_cost
    session = RunSession(
        started_at=moment,
        assay_version=__version__,
        max_cost=ceiling,
        command=tuple(command) or UNSET,
    )
    return Summary(**fields, stretches=(*sessions, session))


def _unrecorded_sessions(summary: Summary) -> tuple[RunSession, ...]:
    """What a summary of an older version, which recorded no parts, tells about the last one."""
    if not summary.started_at:
        return ()
    return (
        RunSession(
            started_at=summary.started_at,
            ended_at=summary.completed_at,
            elapsed_s=summary.elapsed_s,
            assay_version=summary.assay_version,
        ),
    )


def end_session(
    summary: Summary, *, asked: int, judged: int, elapsed_s: float, paid: float | None
) -> Summary:
    """The summary with its last part ended now, and the time of all parts together."""
    last = replace(
        summary.stretches[-1],
        ended_at=now(),
        asked=asked,
        judged=judged,
        elapsed_s=round(elapsed_s, 3),
        paid=paid,
    )
    sessions = (*summary.stretches[:-1], last)
    total_s = round(sum(session.elapsed_s or 0.0 for session in sessions), 3)
    return replace(summary, stretches=sessions, elapsed_s=total_s)


def read_summary(path: Path) -> Summary | None:
    """Read a summary; return ``None`` if the file does not exist.

    A summary of an older version is read as it is; fields that it lacks have their defaults.
    """
    try:
        data = path.read_bytes()
        version = msgspec.json.decode(data, type=_Version).schema_version
        summary = msgspec.json.decode(data, type=Summary) if version <= SCHEMA_VERSION else None
        if summary is not None:
            check_free_fields(summary.extra, summary.results)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from None
    except UNREADABLE as error:
        raise JournalError(f"{path}: not a summary of a run ({error})") from None
    if summary is None:
        raise JournalTooNew(
            f"{path}: was written by a newer version of assay (layout {version}, this version "
            f"reads up to {SCHEMA_VERSION}); install a newer assay to read it"
        )
    return summary


class _Version(Struct, frozen=True):
    schema_version: int = 1


def write_summary(path: Path, summary: Summary) -> None:
    """Write the summary to ``path``, atomically and durably. Known secrets in it are masked."""
    encoded = mask_json(msgspec.json.encode(summary))
    write_atomically(path, msgspec.json.format(encoded, indent=2) + b"\n", is_masked=True)


def write_atomically(path: Path, data: bytes | Iterable[bytes], *, is_masked: bool = False) -> None:
    """Write a temporary file, sync it to disk and rename it to ``path``.

    Secrets are masked, and values that must not leak, unless ``is_masked`` says that they are
    already. After a crash the file has either the old or the new content.
    """
    mask = mask_secrets if is_masked else mask_json
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    remove_leftovers(path)
    try:
        with open(temporary, "wb", opener=private_opener) as file:
            if path.exists():  # what somebody changed stays so
                os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
            file.writelines([mask(data)] if isinstance(data, bytes) else map(mask, data))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise JournalWriteFailed(f"{path}: cannot be written: {error_text(error)}") from None
        raise


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files of processes that were killed while they wrote ``path``."""
    with suppress(OSError):
        for beside in path.parent.iterdir():
            if beside.stem == f".{path.name}" and is_leftover(beside):
                beside.unlink()


def is_leftover(path: Path) -> bool:
    """Whether this is the temporary file of a process that was killed while it wrote a file.

    >>> is_leftover(Path(".run.json.999999999")), is_leftover(Path("run.json"))
    (True, False)
    """
    process = path.suffix[1:]
    return path.name.startswith(".") and process.isdecimal() and not _is_alive(int(process))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it belongs to somebody else; no process has such a number
        return True
    return True


def set_aside(journal: Path) -> list[Path]:
    """Rename a journal and the files that belong to it to new names ending in ``.old``.

    Nothing is deleted or overwritten. Returns the new paths. The rows are the last: as long as they
    are there after a crash, the rest can still be renamed.
    """
    verdicts = verdicts_path(journal)
    torn = torn_path(journal), torn_path(verdicts)
    beside = (plan_path(journal), order_path(journal), verdicts, *torn)
    moved = _rename(beside)
    return [*set_rows_aside(journal), *moved]


def set_rows_aside(journal: Path) -> list[Path]:
    """Like ``set_aside``, but the plan and the verdicts stay: other rows take the place."""
    return _rename((summary_path(journal), journal))[::-1]


def _rename(paths: Iterable[Path]) -> list[Path]:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    moved = []
    for path in paths:
        if path.exists():
            target = path.with_name(f"{path.name}.{stamp}.old")
            number = 1
            while target.exists():
                number += 1
                target = path.with_name(f"{path.name}.{stamp}-{number}.old")
            path.rename(target)
            moved.append(target)
    return moved


# How a run ended.


class RunResult(Struct, frozen=True, kw_only=True):
    """How a run ended. ``tally`` counts the whole plan, ``asked`` only the cases of this run.

    ``judged`` counts the recorded answers that this run judged without asking: those that were
    not judged yet, and those that were judged again because what they are compared with changed.
    ``unjudged`` says why some of the latter could not be judged again. ``outside`` is the number
    of recorded cases that are not part of the plan; nothing else counts them. ``outside_top_k`` are
    their values of ``top_k`` if that is why. ``earlier_ruler`` names
    the rules that had scored the recorded answers, if they are not those of today.
    """

    tally: Tally
    asked: int
    total: int
    paid: float | None
    judge_paid: float | None = None
    elapsed_s: float
    summary: Summary
    judged: int = 0
    unjudged: str = ""
    outside: int = 0
    outside_top_k: tuple[int, ...] = ()
    earlier_ruler: str | None = None
    stopped: RunStopped | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every case has been scored, skipped or spared."""
        finished = self.tally.scored + self.tally.skipped + (self.tally.spared or 0)
        return finished == self.total
