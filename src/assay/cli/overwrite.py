"""What ``--out`` may replace: an output that the same command wrote before, and nothing else.

The workspace remembers in ``.assay/outputs`` which files its commands wrote: a digest of the
command, the path and the content of each, so that the list names no file. A file that is not in it
is somebody's work, even if it was once written by assay and edited since.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from assay.cli.output import refuse_results
from assay.config.workspace import Workspace, make_folder
from assay.errors import UseError
from assay.mask import OWN_FOLDER, private_opener

_LIST: Final = "outputs"


class Output:
    """A file that a command is asked to write, checked before the command does anything.

    ``results`` are files that it reads, ``is_own`` recognises an output of the command by its
    content, and ``option`` is the option that names the file.

    Raises ``UseError`` if the file must not be replaced.
    """

    def __init__(
        self,
        path: Path | None,
        command: str,
        *,
        root: Path | None = None,
        option: str = "--out",
        results: Iterable[Path] = (),
        is_own: Callable[[Path], bool] | None = None,
    ) -> None:
        self.path = path
        self._command = command
        self._root = root
        self._option = option
        if path is None:
            return
        refuse_results(path, *results)
        if path.is_dir():
            raise UseError(f"{option} {path}: is a folder; name a file in it")
        if not _has_content(path) or self._is_recorded() or (is_own is not None and is_own(path)):
            return
        raise UseError(
            f"{option} {path}: exists and is not an output of {command} as it was written "
            "there; name another file, or delete it first"
        )

    def record(self) -> None:
        """Remember that the command wrote the file, so that it may replace it."""
        if self.path is None or not self.path.is_file():
            return
        folder = self._list.parent
        with suppress(OSError):
            make_folder(folder)
            digest = self._digest()
            if digest not in self._recorded():
                with open(self._list, "a", encoding="ascii", opener=private_opener) as file:
                    file.write(f"{digest}\n")

    @property
    def _list(self) -> Path:
        return Workspace.find(self._root).root / OWN_FOLDER / _LIST

    def _is_recorded(self) -> bool:
        with suppress(OSError):
            return self._digest() in self._recorded()
        return False

    def _recorded(self) -> set[str]:
        with suppress(OSError):
            return set(self._list.read_bytes().decode("ascii", "replace").split())
        return set()

    def _digest(self) -> str:
        assert self.path is not None
        place = os.path.relpath(self.path.resolve(), self._list.parent)
        found = hashlib.sha256(f"{self._command}\0{place}\0".encode("utf-8", "surrogateescape"))
        with self.path.open("rb") as file:
            while part := file.read(1 << 20):
                found.update(part)
        return found.hexdigest()


def _has_content(path: Path) -> bool:
    """Whether a file would lose something; devices and pipes keep nothing."""
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        return False
