"""``NAME.json``: the header of a run, written at its start, and its results, added at its end.

The file is written atomically: a reader sees either the old or the new content, never a part.
"""

import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from assay import __version__
from assay.errors import JournalError, JournalWriteFailed
from assay.records import RunHeader, Tally

State = Literal["running", "complete", "partial"]


class Summary(RunHeader, frozen=True, kw_only=True):
    """The header, the state of the run, and the results that the job computed from the rows."""

    state: State = "running"
    tally: Tally = Tally()
    paid: float | None = None
    elapsed_s: float | None = None
    results: Mapping[str, Any] = {}


def now() -> str:
    """The current time in UTC as ISO 8601 text, to the second.

    >>> now().endswith("Z")
    True
    """
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def start_summary(header: RunHeader) -> Summary:
    """The summary of a run that starts now, with its time and the versions in use."""
    fields = {name: getattr(header, name) for name in RunHeader.__struct_fields__}
    fields.update(
        started_at=header.started_at or now(),
        assay_version=__version__,
        python_version=platform.python_version(),
    )
    return Summary(**fields)


def summary_path(journal: Path) -> Path:
    """The path of the summary: ``NAME.json`` next to ``NAME.jsonl``."""
    return journal.with_suffix(".json")


def read_summary(path: Path) -> Summary | None:
    """Read a summary; return ``None`` if the file does not exist."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise JournalError(f"{path}: not a summary of a run ({error})") from None


def write_summary(path: Path, summary: Summary) -> None:
    """Write the summary to ``path``, atomically and durably."""
    write_atomically(path, msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file, sync it to disk and rename it to ``path``.

    After a crash the file has either the old or the new content.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise JournalWriteFailed(f"{path}: cannot be written: {error.strerror}") from None


def set_aside(journal: Path) -> list[Path]:
    """Rename a journal, its summary and its ``.torn`` file to new names ending in ``.old``.

    Nothing is deleted or overwritten. Returns the new paths.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    moved = []
    for path in (journal, summary_path(journal), journal.with_name(journal.name + ".torn")):
        if path.exists():
            target = path.with_name(f"{path.name}.{stamp}.old")
            number = 1
            while target.exists():
                number += 1
                target = path.with_name(f"{path.name}.{stamp}-{number}.old")
            path.rename(target)
            moved.append(target)
    return moved
