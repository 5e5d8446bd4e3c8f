"""The journal: an append-only file of JSON lines, from which all results are computed.

It guarantees the following:

- Each finished case is written with one ``write`` on an O_APPEND descriptor before the next
  case takes its place. After SIGKILL no written row is lost; after a power failure at most the
  rows of the last second are lost.
- Opening a journal moves an incomplete last line to ``NAME.jsonl.torn``. Any other line that is
  not a row is an error with its line number, and the file is not changed.
- There is only one writer (``assay.journal.lock``). Readers need no lock and see complete lines
  only.
- If a write fails part of the way (disk full), the file is truncated to its last complete row.

A case whose row has an ``error`` is not done: it is asked again. If a key has several rows, only
the last one counts.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self

import msgspec

from assay.data.jsonl import BLOCK_BYTES
from assay.errors import JournalReadOnly, JournalWriteFailed
from assay.journal.disk import error_text
from assay.journal.lock import FileLock, LockOwner, is_locked, lock_owner
from assay.journal.path import torn_path
from assay.journal.read import parse_head, read_heads
from assay.journal.row import RowHead
from assay.mask import mask_json, read_environment

FSYNC_EVERY_S = 1.0

encode_row = msgspec.json.Encoder().encode
"""Encodes a row as the bytes of its line, without the newline."""
UNWRITABLE = (TypeError, ValueError, OverflowError, RecursionError)
"""What encoding raises for a value that JSON cannot represent; nesting without end is one."""


def is_being_written(path: Path) -> bool:
    """Whether a run is writing to this journal at this moment."""
    return is_locked(path.with_name(path.name + ".lock"))


def writer_of(path: Path) -> LockOwner | None:
    """The process that is writing to this journal at this moment."""
    return lock_owner(path.with_name(path.name + ".lock"))


def _lock(path: Path) -> FileLock:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalReadOnly(f"{path.parent}: cannot be created: {error_text(error)}") from None
    return FileLock(path.with_name(path.name + ".lock"), path)


@contextmanager
def locked_journal(path: Path) -> Iterator[None]:
    """Lock the journal ``path`` against other writers, without opening or reading it."""
    lock = _lock(path)
    try:
        yield
    finally:
        lock.release()


class RowObserver(Protocol):
    """Receives the rows that a journal contains when it is opened."""

    def add(self, heads: list[RowHead]) -> None:
        """Receive the next rows, in file order."""


class Journal:
    """An open journal, to which rows are appended.

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
    def open(cls, path: Path, observer: RowObserver | None = None) -> "Journal":
        """Lock and open ``path``, pass its rows to ``observer``, and repair an incomplete end."""
        read_environment()
        lock = _lock(path)
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            lock.release()
            raise JournalReadOnly(f"{path}: cannot be written: {error_text(error)}") from None
        try:
            for heads in read_heads(path):  # before the repair: a corrupt file is not changed
                if observer is not None:
                    observer.add(heads)
            try:
                completed = _repair_tail(path, fd)
            except OSError as error:
                raise JournalReadOnly(
                    f"{path}: its incomplete last line cannot be set aside: {error_text(error)}"
                ) from None
            if completed is not None and observer is not None:
                observer.add([completed])
            return cls(path, lock, fd)
        except BaseException:
            os.close(fd)
            lock.release()
            raise

    def write(self, rows: list[bytes]) -> None:
        """Append encoded rows in one write. Known secrets in them are masked.

        If it fails, an incomplete row is removed again and ``JournalWriteFailed`` is raised; all
        later writes then fail as well.
        """
        if self._broken:
            raise self._broken
        data = b"\n".join((*map(mask_json, rows), b""))
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self._truncate_to_last_row()
            self._broken = JournalWriteFailed(
                f"{self.path}: a row could not be written: {error_text(error)}; "
                "earlier rows are intact"
            )
            raise self._broken from None
        self._size += len(data)
        self._unsynced = True

    def sync(self) -> None:
        """Sync written rows to disk, so that they survive a power failure."""
        if self._unsynced:
            self._unsynced = False  # before fsync: rows written meanwhile need the next sync
            try:
                os.fsync(self._fd)
            except OSError as error:
                self._unsynced = True
                if error.errno not in (
                    errno.EINVAL,
                    errno.ENOTSUP,
                ):  # a pipe or an unusual file system
                    raise JournalWriteFailed(
                        f"{self.path}: could not be synced to disk: {error_text(error)}"
                    ) from None

    async def sync_regularly(self) -> None:
        """Call ``sync`` about once a second in another thread until cancelled."""
        # imported here because it is slow to import, and commands that only read do not need it
        import asyncio  # noqa: PLC0415

        while True:
            await asyncio.sleep(FSYNC_EVERY_S)
            await asyncio.to_thread(self.sync)

    def close(self) -> None:
        """Sync and close the file and release the lock. It is safe to call this twice."""
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

    def _truncate_to_last_row(self) -> None:
        """Remove an incomplete row that a failed write may have left."""
        try:
            if os.fstat(self._fd).st_size > self._size:
                os.ftruncate(self._fd, self._size)
        except OSError:
            pass  # the next opening of the journal repairs it


def _repair_tail(path: Path, fd: int) -> RowHead | None:
    """Complete the last line, or move it to ``NAME.jsonl.torn``, if it has no newline.

    Returns the head of the last row if only its newline was missing.
    """
    size = os.fstat(fd).st_size
    start, tail = incomplete_line(fd, size)
    if not tail:
        return None
    head = parse_head(path, tail)
    if head is None or (start and not head.key):
        with torn_path(path).open("ab") as torn:
            torn.write(tail + b"\n")
            torn.flush()
            os.fsync(torn.fileno())
        os.ftruncate(fd, start)
        return None
    os.write(fd, b"\n")
    return head if head.key else None


def incomplete_line(fd: int, size: int) -> tuple[int, bytes]:
    """Offset and bytes of the text after the last newline of a file of this size."""
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
