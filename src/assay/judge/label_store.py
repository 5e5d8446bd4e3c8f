"""``labels/NAME.jsonl``: labels on disk, in a file that only grows.

It guarantees the following:

- A label is on the disk (``fsync``) before ``append`` returns.
- Any number of people and processes may write at once: each takes an ``flock`` on the file itself
  and waits for it. Readers need no lock and see complete lines only.
- A writer that is killed leaves a whole line, a part of a line, or nothing. The next writer
  completes the line if only its newline is missing, or moves the part to ``NAME.jsonl.torn``.
- Saying the same thing twice writes one line, so that a request can be repeated safely.
- If a write fails part of the way (disk full), the file is cut to its last complete line.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from assay.data.jsonl import (
    UNREADABLE,
    BadLine,
    LineBlock,
    decode_block,
    read_line_blocks,
    refuse_repeated_keys,
)
from assay.errors import DatasetError, UseError
from assay.judge.label import (
    LABEL_VERSION,
    LONGEST,
    DraftDecision,
    Label,
    Preference,
    Row,
    after,
    current,
    shown_time,
    utc_time,
)
from assay.mask import file_mode, mask_identifier, mask_secrets, mask_text, private_opener

FOLDER: Final = "labels"
_PAIRS: Final = "pairs"
_DRAFTS: Final = "drafts"
_encode = msgspec.json.Encoder().encode


def labels_path(journal: Path) -> Path:
    """The file of the labels of a run: ``labels/NAME.jsonl`` in the workspace of its journal.

    A journal that is not in ``experiments`` or ``eval/runs`` has it beside itself.

    >>> labels_path(Path("w/experiments/hyde.jsonl")).as_posix()
    'w/labels/hyde.jsonl'
    >>> labels_path(Path("w/eval/runs/hyde.jsonl")).as_posix()
    'w/labels/hyde.jsonl'
    """
    folder = journal.parent
    if folder.name == "experiments":
        folder = folder.parent
    elif folder.parts[-2:] == ("eval", "runs"):
        folder = folder.parent.parent
    return folder / FOLDER / journal.name


def pairs_path(labels: Path) -> Path:
    """The file of the preferences that is with a file of labels: ``labels/pairs/NAME.jsonl``."""
    return labels.parent / _PAIRS / labels.name


def decisions_path(root: Path, drafts: str) -> Path:
    """The file of the decisions about drafts: ``labels/drafts/NAME.jsonl`` in the workspace."""
    return root / FOLDER / _DRAFTS / f"{drafts}.jsonl"


def read_labels(path: Path, *, torn_end: bool = True) -> list[Label]:
    """All labels of a file in its order, replaced ones too; none if there is no file.

    ``current`` keeps those that count. Times are those of UTC, whatever zone the file has. Raises
    ``DatasetError`` with the number of a wrong line.
    With ``torn_end`` a last line without a newline does not count: somebody is writing it.
    """
    return _read(path, Label, torn_end=torn_end)


def read_preferences(path: Path) -> list[Preference]:
    """All preferences of a file in its order, as ``read_labels``."""
    return _read(path, Preference)


def read_decisions(path: Path) -> list[DraftDecision]:
    """All decisions of a file in its order, as ``read_labels``."""
    return _read(path, DraftDecision)


def append(path: Path, row: Row, *, now: datetime | None = None) -> tuple[Row, bool]:
    """Write a row with the present time, unless the same person has just said the same.

    Returns the row that counts now, and whether it was written. Its time is always later than
    that of the row it replaces, also if the clock was set back.
    """
    row = masked_label(row)
    with _locked(path) as fd:
        rows = _read(path, type(row))
        known = next((each for each in current(rows) if each.identity == row.identity), None)
        if known is not None and replace(row, time=known.time) == known:
            os.fsync(fd)  # the writer of the known row may have been killed before its own
            return known, False
        time = shown_time(now or datetime.now(UTC))
        if known is not None and time <= known.time:
            time = after(known.time)
        stamped = replace(row, time=time)
        _write(path, fd, [stamped])
        return stamped, True


def merge(path: Path, rows: Iterable[Row], kind: type[Row]) -> int:
    """Add rows of another file with their own times; returns how many were not there yet."""
    with _locked(path) as fd:
        known = {_encode(row) for row in _read(path, kind)}
        new = [row for row in map(masked_label, rows) if _is_new(_encode(row), known)]
        if new:
            _write(path, fd, new)
        return len(new)


def masked_label(row: Row) -> Row:
    """The row with what people typed masked. What says which answer it is about stays.

    A masked text may be longer, so it is cut to what is allowed. The texts of a decision about a
    draft become a part of the user's own set, which is never masked.
    """
    if isinstance(row, DraftDecision):
        return replace(row, reviewer=mask_identifier(row.reviewer))
    changed: dict[str, str] = {"labeller": mask_identifier(row.labeller)}
    for name, longest in LONGEST.items():
        text = getattr(row, name, None)
        if text:
            changed[name] = mask_text(text)[:longest]
    return replace(row, **changed)


def _is_new(line: bytes, known: set[bytes]) -> bool:
    is_new = line not in known
    known.add(line)
    return is_new


def _read(path: Path, kind: type[Row], *, torn_end: bool = True) -> list[Row]:
    decoder = msgspec.json.Decoder(kind)
    try:
        return [
            row
            for block in read_line_blocks(path, torn_end=torn_end)
            for row in _rows(path, block, decoder)
        ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None


class _Version(msgspec.Struct, frozen=True):
    schema_version: int = 0


def _rows(path: Path, block: LineBlock, decoder: "msgspec.json.Decoder[Row]") -> Sequence[Row]:
    versions = decode_block(path, block, msgspec.json.Decoder(_Version))
    if any(each.schema_version > LABEL_VERSION for each in versions):
        raise DatasetError(
            f"{path}: was written by a newer version of assay (layout "
            f"{max(each.schema_version for each in versions)}, this version reads up to "
            f"{LABEL_VERSION}); install a newer assay to read it"
        )
    refuse_repeated_keys(block, path)
    try:
        rows = decode_block(path, block, decoder)
        return [_in_utc(row, path, block, index) for index, row in enumerate(rows)]
    except BadLine as bad:
        raise DatasetError(f"{path}:{bad.line}: not a label: {bad.reason}") from None


def _in_utc(row: Row, path: Path, block: LineBlock, index: int) -> Row:
    """The row with its time in UTC; ``index`` is its place among the rows of the block."""
    try:
        time = utc_time(row.time)
    except ValueError as error:
        lines = enumerate(block.data.split(b"\n"), block.lines_before + 1)
        numbers = [number for number, line in lines if line.strip()]
        raise BadLine(path, numbers[index], str(error)) from None
    return row if time == row.time else replace(row, time=time)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, opened and locked, with its incomplete end repaired."""
    try:
        fd = _open(path)
    except OSError as error:
        raise UseError(f"{path}: cannot be written: {error.strerror or error}") from None
    try:
        try:
            _mend_end(path, fd)
        except OSError as error:
            raise UseError(
                f"{path}: its incomplete last line cannot be set aside: {error.strerror or error}"
            ) from None
        yield fd
    finally:
        os.close(fd)  # releases the lock


def _open(path: Path) -> int:
    """The locked file. If it was deleted or replaced while we waited, the new one is taken."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        fd = os.open(path, flags, file_mode())
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            ours = os.fstat(fd)
            with suppress(FileNotFoundError):
                named = path.stat()
                if (named.st_dev, named.st_ino) == (ours.st_dev, ours.st_ino):
                    if not ours.st_size:
                        _sync_folder(path.parent)
                    return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file survive a power failure."""
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # a file system that does not sync folders
            os.fsync(fd)
    finally:
        os.close(fd)


def _mend_end(path: Path, fd: int) -> None:
    size = os.fstat(fd).st_size
    if not size or os.pread(fd, 1, size - 1) == b"\n":
        return
    data = os.pread(fd, size, 0)
    start = data.rfind(b"\n") + 1
    try:
        msgspec.json.decode(data[start:], type=dict)
    except UNREADABLE:
        torn_path = path.with_name(path.name + ".torn")
        with open(torn_path, "ab", opener=private_opener) as torn:
            torn.write(data[start:] + b"\n")
            torn.flush()
            os.fsync(torn.fileno())
        os.ftruncate(fd, start)
    else:
        os.write(fd, b"\n")


def _write(path: Path, fd: int, rows: Sequence[Row]) -> None:
    size = os.fstat(fd).st_size
    view = memoryview(b"".join(mask_secrets(_encode(row)) + b"\n" for row in rows))
    try:
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    except OSError as error:
        with suppress(OSError):
            os.ftruncate(fd, size)
        raise UseError(
            f"{path}: a label could not be written: {error.strerror or error}; "
            "earlier labels are intact"
        ) from None
