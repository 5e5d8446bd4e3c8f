"""The journal: append-only JSON lines, the record every result is made from.

What is guaranteed:

- One ``write`` on an O_APPEND descriptor for each batch of finished cases. After SIGKILL,
  nothing that was written is lost; after a power cut, at most the last second.
- Opening for resume sets a torn last line aside in ``NAME.jsonl.torn`` and cuts it off.
  Any other line that is not a row is an error with its number, and nothing is changed.
- One writer (``assay.runner.lock``). Readers need no lock and see whole lines only.
- Where a write fails half-way (disk full), the file is cut back to its last whole row.

A row with ``error`` is not done: it is asked again, and the last row of a key wins.
"""

import asyncio
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self, TypeVar

import msgspec

from assay.datasets.jsonl import BLOCK_BYTES, BadLine, read_blocks
from assay.errors import JournalCorrupt, JournalReadOnly, JournalWriteFailed
from assay.records import Tally
from assay.runner.lock import FileLock

FSYNC_EVERY_S = 1.0
REMEDY = "Mend or delete that line, or start anew with --fresh"

R = TypeVar("R")


class RowHead(msgspec.Struct, frozen=True, gc=False):
    """The part of a row that resuming needs.

    ``status`` is empty in rows of other programs, which say only ``error`` or nothing; a
    line without ``key`` is the file's metadata and can only be the first.
    """

    key: str = ""
    fingerprint: str = ""
    status: Literal["", "scored", "failed", "skipped"] = ""
    error: str | None = None
    paid: float | None = None


class JournalIndex:
    """What a journal holds, by key: enough to skip what is done and to count the rest."""

    def __init__(self) -> None:
        self.done: dict[str, str] = {}
        self.failed: set[str] = set()
        self.skipped: set[str] = set()
        self.paid = 0.0
        self.keyless = 0

    def __len__(self) -> int:
        """Distinct keys."""
        return len(self.done) + len(self.failed)

    def add(self, heads: list[RowHead]) -> None:
        """Take rows in file order; the last of a key wins."""
        done, failed, skipped = self.done, self.failed, self.skipped
        for head in heads:
            if head.status == "scored":
                done[head.key] = head.fingerprint
                if failed:
                    failed.discard(head.key)
                if skipped:
                    skipped.discard(head.key)
            else:
                self._add_unusual(head)
            if head.paid is not None:
                self.paid += head.paid

    def _add_unusual(self, head: RowHead) -> None:
        key = head.key
        if not key:
            self.keyless += 1
        elif head.error is not None or head.status == "failed":
            self.done.pop(key, None)
            self.skipped.discard(key)
            self.failed.add(key)
        else:
            self.done[key] = head.fingerprint
            self.failed.discard(key)
            if head.status == "skipped":
                self.skipped.add(key)

    def tally(self) -> Tally:
        """Scored, failed and skipped, kept apart."""
        return Tally(
            scored=len(self.done) - len(self.skipped),
            failed=len(self.failed),
            skipped=len(self.skipped),
        )


def read_rows(path: Path, as_type: type[R]) -> Iterator[list[R]]:
    """Whole rows of a journal in blocks, in file order; a torn last line is left out.

    Raises ``JournalCorrupt`` naming the first line that is not such a row.
    """
    try:
        yield from read_blocks(path, as_type, torn_end=True)
    except BadLine as bad:
        raise JournalCorrupt(
            f"{path}:{bad.line}: not a row of results ({bad.reason}); nothing was changed. {REMEDY}"
        ) from None


def index_journal(path: Path) -> JournalIndex:
    """Read a journal's keys; an absent file gives an empty index."""
    index = JournalIndex()
    if not path.exists():
        return index
    metadata_lines = 0
    for heads in read_rows(path, RowHead):
        if not len(index) and heads and not heads[0].key:
            metadata_lines = 1
        index.add(heads)
    if index.keyless > metadata_lines:
        raise JournalCorrupt(
            f"{path}:{_first_keyless_line(path)}: a row without its key; nothing was changed. "
            f"{REMEDY}"
        )
    return index


def _first_keyless_line(path: Path) -> int:
    number = 0
    for heads in read_rows(path, RowHead):
        for head in heads:
            number += 1
            if number > 1 and not head.key:
                return number
    return number


class Journal:
    """An open journal: its index as found, and the one place rows are appended.

    Open it with ``Journal.open``; it is a context manager.
    """

    def __init__(self, path: Path, lock: FileLock, fd: int, index: JournalIndex) -> None:
        self.path = path
        self.index = index
        self._lock = lock
        self._fd = fd
        self._size = os.fstat(fd).st_size
        self._unsynced = False
        self._buffer: list[bytes] = []
        self._batch: asyncio.Future[None] | None = None
        self._broken: JournalWriteFailed | None = None

    @classmethod
    def open(cls, path: Path) -> "Journal":
        """Lock ``path``, mend a torn end, index what is there."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalReadOnly(f"{path.parent}: cannot be made: {error.strerror}") from None
        lock = FileLock(path.with_name(path.name + ".lock"), path)
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            lock.release()
            raise JournalReadOnly(f"{path}: cannot be written: {error.strerror}") from None
        try:
            index = index_journal(path)  # first: a corrupt file is left exactly as it is
            _mend_tail(path, fd, index)
            return cls(path, lock, fd, index)
        except BaseException:
            os.close(fd)
            lock.release()
            raise

    def append(self, row: bytes) -> asyncio.Future[None]:
        """Queue one encoded row; the future ends once it is written.

        All rows queued in one turn of the event loop go out as one write. Whoever asks the
        next question first awaits the future, so that a crash can repeat no more calls
        than were in flight.
        """
        if self._batch is None:
            loop = asyncio.get_running_loop()
            self._batch = loop.create_future()
            loop.call_soon(self._write_batch)
        self._buffer.append(row)
        return self._batch

    def write(self, rows: list[bytes]) -> None:
        """Append encoded rows in one write; on failure leave whole rows only and raise."""
        if self._broken:
            raise self._broken
        data = b"\n".join((*rows, b""))
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self._cut_back()
            self._broken = JournalWriteFailed(
                f"{self.path}: a row could not be written: {_disk_trouble(error)}; "
                "earlier rows are intact"
            )
            raise self._broken from None
        self._size += len(data)
        self._unsynced = True

    def sync(self) -> None:
        """Make what was written survive a power cut."""
        if self._unsynced:
            self._unsynced = False
            try:
                os.fsync(self._fd)
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a pipe or odd file system
                    raise JournalWriteFailed(
                        f"{self.path}: could not be made durable: {_disk_trouble(error)}"
                    ) from None

    async def sync_regularly(self) -> None:
        """``sync`` about once a second until cancelled, off the event loop."""
        while True:
            await asyncio.sleep(FSYNC_EVERY_S)
            await asyncio.to_thread(self.sync)

    def close(self) -> None:
        """Write what is queued, make it durable, release the lock. Safe to call twice."""
        if self._fd < 0:
            return
        try:
            self._write_batch()
            self.sync()
        finally:
            os.close(self._fd)
            self._fd = -1
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _write_batch(self) -> None:
        batch, rows = self._batch, self._buffer
        if batch is None:
            return
        self._batch, self._buffer = None, []
        try:
            self.write(rows)
        except JournalWriteFailed as error:
            if not batch.cancelled():
                batch.set_exception(error)
        else:
            if not batch.cancelled():
                batch.set_result(None)

    def _cut_back(self) -> None:
        """Drop the part of a row that a failed write may have left."""
        try:
            if os.fstat(self._fd).st_size > self._size:
                os.ftruncate(self._fd, self._size)
        except OSError:
            pass  # the torn end is then mended when the journal is next opened


def _mend_tail(path: Path, fd: int, index: JournalIndex) -> None:
    """End the file with a whole line: complete the last one, or set it aside and cut it off."""
    size = os.fstat(fd).st_size
    start, tail = _tail(fd, size)
    if not tail:
        return
    try:
        head = msgspec.json.decode(tail, type=RowHead)
    except (msgspec.DecodeError, UnicodeDecodeError):
        with path.with_name(path.name + ".torn").open("ab") as torn:
            torn.write(tail + b"\n")
            torn.flush()
            os.fsync(torn.fileno())
        os.ftruncate(fd, start)
    else:
        os.write(fd, b"\n")
        index.add([head])


def _tail(fd: int, size: int) -> tuple[int, bytes]:
    """Offset and bytes of what follows the last newline."""
    start = size
    tail = b""
    while start > 0:
        step = min(BLOCK_BYTES, start)
        block = os.pread(fd, step, start - step)
        newline = block.rfind(b"\n")
        if newline >= 0:
            return start - step + newline + 1, block[newline + 1 :] + tail
        tail = block + tail
        start -= step
    return 0, tail


def _disk_trouble(error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "the disk is full; free some space and run again"
        case errno.EFBIG:
            return "the file may not grow further (file-size limit); raise the limit and run again"
        case _:
            return error.strerror or str(error)
