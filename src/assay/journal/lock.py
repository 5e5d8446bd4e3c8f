"""An advisory lock that allows only one writer for a journal and names its owner.

The lock is an ``flock`` on ``NAME.lock``. The operating system releases it when the process
ends for any reason. The content of the file (process, host, start time) is only for the error
message that a second process shows. The file is removed while the lock is still held. A process
that then acquires the lock of the removed file notices that the name no longer refers to this
file, and tries again.
"""

import errno
import fcntl
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.errors import JournalLocked, JournalReadOnly
from assay.journal.disk import error_text

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
        self._fd = _acquire(path, protected)

    def release(self) -> None:
        """Remove the lock file and release the lock. It is safe to call this twice."""
        if self._fd >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1


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
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
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
                "wait until it ends, or use another name or --out-dir for this run"
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
    except FileNotFoundError:
        return False
    locked = os.fstat(fd)
    return (by_name.st_dev, by_name.st_ino) == (locked.st_dev, locked.st_ino)
