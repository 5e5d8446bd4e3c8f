"""One writer a journal: an advisory lock that says who holds it.

The lock is ``flock`` on ``NAME.lock``, so it ends with its process however that ends; the
file's text (process, host, start) only serves the message to a second process. On release
the file is removed while the lock is still held, and whoever then gets the old file's lock
notices that it is no longer the file of that name and tries again.
"""

import fcntl
import os
import socket
from datetime import UTC, datetime
from pathlib import Path

from assay.errors import JournalLocked, JournalReadOnly


class FileLock:
    """An exclusive lock on ``path``, held from construction to ``release``."""

    def __init__(self, path: Path, holding: Path) -> None:
        self.path = path
        self._fd = _acquire(path, holding)

    def release(self) -> None:
        """Remove the lock file and let the lock go. Safe to call twice."""
        if self._fd >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1


def _acquire(path: Path, holding: Path) -> int:
    while True:
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise JournalReadOnly(
                f"{path.parent}: results cannot be written here: {error.strerror}"
            ) from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(fd, 200).decode("utf-8", "replace").strip() or "another process"
            os.close(fd)
            raise JournalLocked(
                f"{holding}: another run is writing it ({holder}); "
                "wait for it to end, or give this one another name or --out-dir"
            ) from None
        if _is_still(path, fd):
            break
        os.close(fd)
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    os.ftruncate(fd, 0)
    os.write(fd, f"process {os.getpid()} on {socket.gethostname()} since {now}\n".encode())
    return fd


def _is_still(path: Path, fd: int) -> bool:
    """Whether the locked file is the one that bears the name now."""
    try:
        named = path.stat()
    except FileNotFoundError:
        return False
    held = os.fstat(fd)
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
