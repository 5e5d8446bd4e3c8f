"""The journal: append-only JSON lines, the record every result is made from.

What is guaranteed:

- One ``write`` on an O_APPEND descriptor for each finished case, before its place is given
  to the next. After SIGKILL, nothing that was written is lost; after a power cut, at most
  the last second.
- Opening for resume sets a torn last line aside in ``NAME.jsonl.torn`` and cuts it off.
  Any other line that is not a row is an error with its number, and nothing is changed.
- One writer (``assay.journal.lock``). Readers need no lock and see whole lines only.
- Where a write fails half-way (disk full), the file is cut back to its last whole row.

A row with ``error`` is not done: it is asked again, and the last row of a key wins.
"""

import asyncio
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self

import msgspec

from assay.data.jsonl import BLOCK_BYTES
from assay.errors import JournalReadOnly, JournalWriteFailed
from assay.journal.lock import FileLock
from assay.journal.read import RowHead, read_heads

FSYNC_EVERY_S = 1.0

encode_row = msgspec.json.Encoder().encode
"""A row as the bytes of its line, without the line end."""


def _lock(path: Path) -> FileLock:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalReadOnly(f"{path.parent}: cannot be made: {error.strerror}") from None
    return FileLock(path.with_name(path.name + ".lock"), path)


@contextmanager
def locked_journal(path: Path) -> Iterator[None]:
    """Keep other writers of ``path`` out without opening or reading it."""
    lock = _lock(path)
    try:
        yield
    finally:
        lock.release()


class RowObserver(Protocol):
    """Whoever wants to know what a journal holds when it is opened."""

    def add(self, heads: list[RowHead]) -> None:
        """The next rows, in file order."""


class Journal:
    """An open journal: the one place rows are appended.

    Open it with ``Journal.open``; it is a context manager.
    """

    def __init__(self, path: Path, lock: FileLock, fd: int) -> None:
        self.path = path
        self._lock = lock
        self._fd = fd
        self._size = os.fstat(fd).st_size
        self._unsynced = False
        self._broken: JournalWriteFailed | None = None

    @classmethod
    def open(cls, path: Path, reader: RowObserver | None = None) -> "Journal":
        """Lock ``path``, show ``reader`` what is there, mend a torn end."""
        lock = _lock(path)
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            lock.release()
            raise JournalReadOnly(f"{path}: cannot be written: {error.strerror}") from None
        try:
            for heads in read_heads(path):  # first: a corrupt file is left exactly as it is
                if reader is not None:
                    reader.add(heads)
            try:
                completed = _mend_tail(path, fd)
            except OSError as error:
                raise JournalReadOnly(
                    f"{path}: its torn end cannot be set aside: {_disk_trouble(error)}"
                ) from None
            if completed is not None and reader is not None:
                reader.add([completed])
            return cls(path, lock, fd)
        except BaseException:
            os.close(fd)
            lock.release()
            raise

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
            self._unsynced = False  # before: what is written meanwhile is for the next time
            try:
                os.fsync(self._fd)
            except OSError as error:
                self._unsynced = True
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
        """Make what was written durable, release the lock. Safe to call twice."""
        if self._fd < 0:
            return
        try:
            self.sync()
        finally:
            os.close(self._fd)
            self._fd = -1
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _cut_back(self) -> None:
        """Drop the part of a row that a failed write may have left."""
        try:
            if os.fstat(self._fd).st_size > self._size:
                os.ftruncate(self._fd, self._size)
        except OSError:
            pass  # the torn end is then mended when the journal is next opened


def _mend_tail(path: Path, fd: int) -> RowHead | None:
    """End the file with a whole line: complete the last one, or set it aside and cut it off.

    Returns the row that only lacked its newline, if there was one.
    """
    size = os.fstat(fd).st_size
    start, tail = _tail(fd, size)
    if not tail:
        return None
    head = _whole_row(tail)
    if head is None or (start and not head.key):
        with path.with_name(path.name + ".torn").open("ab") as torn:
            torn.write(tail + b"\n")
            torn.flush()
            os.fsync(torn.fileno())
        os.ftruncate(fd, start)
        return None
    os.write(fd, b"\n")
    return head if head.key else None


def _whole_row(line: bytes) -> RowHead | None:
    try:
        return msgspec.json.decode(line, type=RowHead)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


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
