"""Replacing a user's file as a whole: under a lock, and after a crash it is the old or the new one."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.errors import UseError


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Only one process writes at a time; a rename would take away the lock of the file itself."""
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
        with suppress(OSError):
            os.fsync(fd)
    finally:
        os.close(fd)


def replace_file(path: Path, data: bytes) -> None:
    """Write a new file and rename it to ``path``; it keeps the mode of the old one."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise UseError(f"{path}: cannot be written: {error.strerror or error}") from None
