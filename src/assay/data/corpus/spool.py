"""The chunks of a corpus to be, in a folder that is removed afterwards, by a later one if need be.

The folder has a file ``owner`` with an ``flock``, which the operating system releases when the
process ends, also by ``kill -9``. The next spool beside it removes folders that nobody owns. Folders
of earlier versions have no such file; they are removed when they are a day old.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from assay.data.corpus.chunk import Chunk
from assay.errors import DatasetError

PREFIX: Final = ".assay-ingest-"
_OWNER: Final = "owner"
_DAY_S: Final = 86_400


class SourceFile(NamedTuple):
    """The content of the file of a source: its lines, or a file that has them."""

    content: bytes | Path
    chunks: int
    sha256: str


class Spool:
    """The chunks of a corpus to be, one file a source, so that they need not be in memory.

    The files lie beside the future corpus until it is written; ``close`` removes them.
    """

    def __init__(self, folder: Path) -> None:
        beside = folder.resolve().parent
        while not beside.is_dir():
            beside = beside.parent
        try:
            with _alone_in(beside):
                _remove_leftovers(beside)
                self._folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=beside))
                self._owner = os.open(self._folder / _OWNER, os.O_RDWR | os.O_CREAT, 0o600)
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(self._owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DatasetError(f"{beside}: cannot be written: {error.strerror or error}") from None
        self.files: dict[str, SourceFile] = {}

    def add(self, source: str, chunks: Iterable[Chunk]) -> None:
        """Write the chunks of a source."""
        path = self._folder / f"{len(self.files)}.jsonl"
        digest, count = hashlib.sha256(), 0
        try:
            with path.open("wb") as file:
                for chunk in chunks:
                    line = msgspec.json.encode(chunk) + b"\n"
                    digest.update(line)
                    file.write(line)
                    count += 1
        except OSError as error:
            raise DatasetError(f"{path}: cannot be written: {error.strerror or error}") from None
        self.files[source] = SourceFile(path, count, digest.hexdigest())

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._folder, ignore_errors=True)
        with suppress(OSError):
            os.close(self._owner)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Nobody else makes or removes such a folder at the same time."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_leftovers(beside: Path) -> None:
    for path in beside.glob(f"{PREFIX}*"):
        if path.is_dir() and not path.is_symlink() and _is_left(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Whether the process that made a folder is gone."""
    try:
        handle = os.open(folder / _OWNER, os.O_RDWR)
    except FileNotFoundError:
        with suppress(OSError):
            return time.time() - folder.stat().st_mtime > _DAY_S
        return False
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
