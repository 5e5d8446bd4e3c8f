"""The files that a command goes through: ``python bench/walk.py [--source FOLDER] [-- COMMAND …]``.

The command runs in this process, in a new workspace of samples, offline; by default it is an
ablation of two questions with its report. A file of ``src/assay`` is *walked* if one of its
functions is entered while the command runs. Code that runs only because a file is imported, and
what it calls, does not count; the number of imported files is printed beside it. Files are listed
in the order in which they are first entered. A *switch* is a function that is entered right after
a function of another file was; processes that the command starts are not followed.

``--source`` names another checkout, whose ``src`` is measured with the installed dependencies, so
that two versions can be compared.
"""

import argparse
import os
import runpy
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType

ABLATION = ("ablate", "-e", "hyde", "--limit", "2")
"""A command of every version that has been measured."""


class Walk:
    """What was entered of the files below ``folder``, by all threads."""

    def __init__(self, folder: Path) -> None:
        self.imported: list[str] = []
        self.walked: dict[str, str] = {}
        """The function that was entered first, by file."""
        self.switches = 0
        self._folder = f"{folder}{os.sep}"
        self._names: dict[CodeType, str | None] = {}
        self._last = ""
        self._importing = threading.local()

    def trace(self, call: Callable[[], object]) -> None:
        """Call ``call`` and record what it enters."""
        threading.setprofile(self._event)
        sys.setprofile(self._event)
        try:
            call()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]

    def _event(self, frame: FrameType, event: str, _argument: object) -> None:
        if event not in {"call", "return"}:
            return
        code = frame.f_code
        name = self._names.get(code, "")
        if name == "":
            name = self._names[code] = self._name(code)
        if name is None:
            return
        if not code.co_flags & CO_OPTIMIZED:  # the body of a module or of a class
            self._import(name, code, event, is_main=frame.f_globals["__name__"] == "__main__")
        elif event == "call" and not getattr(self._importing, "depth", 0):
            self.walked.setdefault(name, code.co_qualname)
            self.switches += name != self._last
            self._last = name

    def _name(self, code: CodeType) -> str | None:
        """The file of some code, or ``None`` if it is elsewhere."""
        path = code.co_filename
        return path.removeprefix(self._folder) if path.startswith(self._folder) else None

    def _import(self, name: str, code: CodeType, event: str, *, is_main: bool) -> None:
        if event == "call" and code.co_name == "<module>":
            self.imported.append(name)
        if not is_main:  # the program itself is not over before the command is
            depth = getattr(self._importing, "depth", 0)
            self._importing.depth = depth + (1 if event == "call" else -1)


def walk_of(source: Path, command: Sequence[str]) -> Walk:
    """The walk of a command of the checkout ``source`` in a new workspace."""
    package = source.resolve() / "src" / "assay"
    os.environ.update(PYTHONPATH=str(package.parent), LC_ALL="C.UTF-8", ASSAY_LANG="en")
    sys.path.insert(0, str(package.parent))
    with tempfile.TemporaryDirectory() as folder:
        init = [sys.executable, "-m", "assay", "init", "work"]
        subprocess.run(init, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        before = Path.cwd()
        os.chdir(Path(folder, "work"))
        walk = Walk(package)
        try:
            with redirect_stdout(sys.stderr):
                walk.trace(lambda: _run(command))
        finally:
            os.chdir(before)
    return walk


def _run(command: Sequence[str]) -> None:
    sys.argv = ["assay", *command]
    try:
        runpy.run_module("assay", run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        if stop.code:
            raise


def main() -> None:
    """Print the walk of a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("command", nargs="*", default=ABLATION)
    options = parser.parse_args()
    walk = walk_of(options.source, options.command)
    for number, (name, function) in enumerate(walk.walked.items(), start=1):
        print(f"{number:4}  {name}  {function}")
    print(
        f"{len(walk.walked)} files walked, {walk.switches:,} switches,"
        f" {len(walk.imported)} files imported"
    )


if __name__ == "__main__":
    main()
