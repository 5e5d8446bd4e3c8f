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
- If another program deletes or replaces the file while it is open, the next write or the end of the
  run notices it: the rows go back to their name, and what was found there is set aside as
  ``NAME.jsonl.replaced``. If another program cuts the file itself, the run stops and says so.

A case whose row has an ``error`` is not done: it is asked again. If a key has several rows, only
the last one counts.
"""

import errno
import fcntl
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, Self

import msgspec
from msgspec import Struct

from assay.data.jsonl import BLOCK_BYTES
from assay.errors import (
    JournalError,
    JournalLocked,
    JournalReadOnly,
    JournalWriteFailed,
    UseError,
)
from assay.mask import file_mode, mask_json, private_opener, read_environment
from assay.runs.read import parse_head, read_heads
from assay.runs.row import RowHead

# What an error of the operating system means for whoever runs assay, and what to do.


def error_text(error: OSError) -> str:
    """The error in words, with a remedy if there is one.

    >>> error_text(OSError(errno.ENOSPC, "No space left on device"))
    'the disk is full; free some space and run again'
    """
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "the disk is full; free some space and run again"
        case errno.EFBIG:
            return "the file may not grow further (file-size limit); raise the limit and run again"
        case errno.EMFILE | errno.ENFILE:
            return "too many open files (EMFILE); raise the limit (ulimit -n) and run again"
        case errno.ENOLCK | errno.EOPNOTSUPP | errno.ENOSYS:
            return (
                "this file system has no locks (ENOLCK), for example a network folder without a "
                "lock service; use a folder on a local disk (--root or --out)"
            )
        case _:
            return error.strerror or str(error)


# An advisory lock that allows only one writer for a journal and names its owner.
#
# The lock is an ``flock`` on ``NAME.lock``. The operating system releases it when the process
# ends for any reason. The content of the file (process, host, start time) is only for the error
# message that a second process shows. The file is removed while the lock is still held. A process
# that then acquires the lock of the removed file notices that the name no longer refers to this
# file, and tries again.

_HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
"""The errors of a lock that another process holds."""


_OWNER: Final = re.compile(r"process (\d+) on (\S+) since (.+)")


class LockOwner(Struct, frozen=True):
    """Who holds a lock, as its file says."""

    process: int
    host: str
    since: str


class FileLock:
    """An exclusive lock on the file ``path``, from construction to ``release``.

    ``protected`` is the file that the lock protects; error messages name it.
    """

    def __init__(self, path: Path, protected: Path) -> None:
        self.path = path
        self._protected = protected
        self._fd = _acquire(path, protected)

    def release(self) -> None:
        """Remove the lock file and release the lock. It is safe to call this twice."""
        if self._fd >= 0:
            if _is_current_file(self.path, self._fd):  # otherwise it may be the lock of another run
                self.path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1

    def renew(self) -> None:
        """Take the lock again if another program has removed its file.

        Raises:
            JournalError: another process has taken it meanwhile, or it cannot be taken.
        """
        if self._fd >= 0 and not _is_current_file(self.path, self._fd):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fd = _acquire(self.path, self._protected)
            os.close(self._fd)
            self._fd = fd


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock ``path`` at this moment. Nothing is written."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def lock_owner(path: Path) -> LockOwner | None:
    """Who holds the lock ``path`` at this moment; ``None`` if nobody does or its file is empty."""
    if not is_locked(path):
        return None
    try:
        text = path.read_bytes()[:200].decode("utf-8", "replace").strip()
    except OSError:
        return None
    found = _OWNER.fullmatch(text)
    return LockOwner(int(found[1]), found[2], found[3]) if found else None


def _acquire(path: Path, protected: Path) -> int:
    while True:
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, file_mode())
        except OSError as error:
            raise JournalReadOnly(
                f"{path.parent}: cannot write results to this folder: {error_text(error)}"
            ) from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _HELD:
                os.close(fd)
                raise JournalReadOnly(f"{path}: cannot be locked: {error_text(error)}") from None
            owner = os.read(fd, 200).decode("utf-8", "replace").strip() or "another process"
            os.close(fd)
            raise JournalLocked(
                f"{protected}: another run is writing to it ({owner}); "
                "wait until it ends, or use another name or --out for this run"
            ) from None
        if _is_current_file(path, fd):
            break
        os.close(fd)
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    with suppress(OSError):  # a full disk: the lock holds without its owner's name
        os.ftruncate(fd, 0)
        os.write(fd, f"process {os.getpid()} on {os.uname().nodename} since {now}\n".encode())
    return fd


def _is_current_file(path: Path, fd: int) -> bool:
    """Whether the open file ``fd`` is still the file named ``path``."""
    try:
        by_name = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    opened = os.fstat(fd)
    return (by_name.st_dev, by_name.st_ino) == (opened.st_dev, opened.st_ino)


# The files of a run: its journal ``NAME.jsonl`` and what is beside it.

PLAN_SUFFIX: Final = ".plan.jsonl"
VERDICTS_SUFFIX: Final = ".verdicts.jsonl"
DRAW_SUFFIX: Final = ".draw.jsonl"
ORDER_SUFFIX: Final = ".order.jsonl"
COMPANIONS: Final = (PLAN_SUFFIX, VERDICTS_SUFFIX, DRAW_SUFFIX, ORDER_SUFFIX)
"""How the names of files end that are beside a journal and have lines of their own."""


def summary_path(journal: Path) -> Path:
    """The path of the summary: ``NAME.json`` next to ``NAME.jsonl``."""
    return journal.with_suffix(".json")


def plan_path(journal: Path) -> Path:
    """The path of the stored plan: ``NAME.plan.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(PLAN_SUFFIX)


def verdicts_path(journal: Path) -> Path:
    """The path of the judges' verdicts: ``NAME.verdicts.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(VERDICTS_SUFFIX)


def draw_path(journal: Path) -> Path:
    """The path of the answers drawn for labelling: ``NAME.draw.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(DRAW_SUFFIX)


def order_path(journal: Path) -> Path:
    """The path of the order of asking: ``NAME.order.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(ORDER_SUFFIX)


def check_rows_path(path: Path) -> Path:
    """The path of a journal; raises ``UseError`` if its companions would have the same name.

    The summary of ``NAME.jsonl`` is ``NAME.json``: rows in a file of that name would be
    overwritten by it.
    """
    if path.suffix != ".jsonl":
        raise UseError(
            f"{path}: rows are written to a file ending in .jsonl (the summary is beside it, in "
            ".json); give such a name"
        )
    if not without_companions([path]):
        raise UseError(
            f"{path}: this is the name of a file that stands beside the rows of "
            f"{path.name.split('.')[0]}; give another name"
        )
    return path


def torn_path(journal: Path) -> Path:
    """The path of incomplete last lines that were set aside: ``NAME.jsonl.torn``."""
    return journal.with_name(journal.name + ".torn")


def find_journals(folder: Path) -> list[Path]:
    """The journals in ``folder``, without the other files that are beside them.

    A pipe or a device is no journal: reading it would wait for ever.
    """
    return [path for path in without_companions(sorted(folder.glob("*.jsonl"))) if path.is_file()]


def without_companions(paths: Sequence[Path]) -> list[Path]:
    """The paths without plans, verdicts, draws and orders of asking.

    >>> [path.name for path in without_companions([Path("a.jsonl"), Path("a.plan.jsonl")])]
    ['a.jsonl']
    """
    return [path for path in paths if not path.name.endswith(COMPANIONS)]


def replaced_path(journal: Path) -> Path:
    """A free name for a file that another program put in the place of the journal."""
    path = journal.with_name(journal.name + ".replaced")
    number = 1
    while os.path.lexists(path):
        number += 1
        path = journal.with_name(f"{journal.name}.replaced-{number}")
    return path


FSYNC_EVERY_S = 1.0
_MOST_RESTORED: Final = 3
"""How often a journal is put back; then a program is at work that would replace it for ever."""

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
        self._changed: JournalWriteFailed | None = None
        self._restored = 0
        self._earlier_fds: list[int] = []  # another thread may be syncing them

    @classmethod
    def open(cls, path: Path, observer: RowObserver | None = None) -> "Journal":
        """Lock and open ``path``, pass its rows to ``observer``, and repair an incomplete end."""
        read_environment()
        lock = _lock(path)
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            fd = os.open(path, flags, file_mode())
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
        later writes then fail as well. If another program has changed the file, the rows are
        written, and ``JournalWriteFailed`` says what it has done.
        """
        if self._broken:
            raise self._broken
        self._check_file()
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
        if self._changed:
            raise self._changed

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
        was_known = self._changed or self._broken
        try:
            if not self._broken:
                self._check_file()
            self.sync()
        finally:
            for fd in (*self._earlier_fds, self._fd):
                os.close(fd)
            self._fd = -1
            self._lock.release()
        if self._changed and not was_known:
            raise self._changed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _check_file(self) -> None:
        """Notice that another program has deleted, replaced or changed the file since the last write.

        Rows written to a file without a name would be gone when it is closed.
        """
        try:
            self._lock.renew()
            if not _is_current_file(self.path, self._fd):
                self._restore()
            size = os.fstat(self._fd).st_size
            if size != self._size:
                self._take_change(size)
        except (OSError, JournalError) as error:
            problem = error_text(error) if isinstance(error, OSError) else str(error)
            self._broken = JournalWriteFailed(
                f"{self.path}: another program has changed or deleted the file while the run was "
                f"writing to it, and the rows cannot be put back: {problem}"
            )
            raise self._broken from None

    def _restore(self) -> None:
        """Put the rows back under their name; what is there now is set aside."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        copy = self.path.with_name(f"{self.path.name}.{os.getpid()}.tmp")
        fd = os.open(copy, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(fd, stat.S_IMODE(os.fstat(self._fd).st_mode))
            offset = 0
            while block := os.pread(self._fd, BLOCK_BYTES, offset):
                offset += len(block)
                view = memoryview(block)
                while view:
                    view = view[os.write(fd, view) :]
            os.fsync(fd)
            what = "was deleted"
            if os.path.lexists(self.path):
                aside = replaced_path(self.path)
                self.path.rename(aside)
                what = f"was replaced by another file, which is now {aside.name},"
            copy.rename(self.path)
        except OSError:
            os.close(fd)
            copy.unlink(missing_ok=True)
            raise
        self._earlier_fds.append(self._fd)
        self._fd = fd
        self._restored += 1
        message = f"{self.path} {what} while the run was writing to it; its rows are in it again"
        sys.stderr.write(f"assay: {message}\n")
        if self._restored > _MOST_RESTORED:
            self._changed = JournalWriteFailed(
                f"{message}. This was the {self._restored}th time: end the program that does it "
                "(a sync tool or an editor) and run again"
            )

    def _take_change(self, size: int) -> None:
        """Go on after what another program appended; stop if it has cut the file."""
        if size < self._size and self._changed is None:
            self._changed = JournalWriteFailed(
                f"{self.path}: another program has cut the file from {self._size} to {size} bytes "
                "while the run was writing to it, so rows may be missing; end that program (an "
                "editor or a sync tool) and run again: what is missing is asked again"
            )
        with suppress(JournalError):
            _repair_tail(self.path, self._fd)
        self._size = os.fstat(self._fd).st_size

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
        with open(torn_path(path), "ab", opener=private_opener) as torn:
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
