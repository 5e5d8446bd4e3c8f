import subprocess
import sys
import threading
from pathlib import Path

import pytest
from bench.walk import Walk

from tests.support.path import ROOT

MOST = 140
"""So many files at most does a newcomer read to follow an ablation."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three modules: one that is imported only, and two whose functions call each other."""
    package = tmp_path / "walked_package"
    package.mkdir()
    files = {
        "__init__": "",
        "table": "def register(name):\n    return name\n",
        "constant": "from walked_package.table import register\n\nNAME = register('a')\n",
        "low": "def half(n):\n    return n / 2\n",
        "high": (
            "from walked_package import constant\nfrom walked_package.low import half\n\n"
            "class Sum:\n    def of(self, *numbers):\n        return sum(half(n) for n in numbers)\n"
        ),
    }
    for name, text in files.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith("walked_package")]:
        monkeypatch.delitem(sys.modules, name)
    return package


def test_a_file_is_walked_if_a_function_of_it_is_entered_by_the_command(folder: Path):
    """Functions that an import calls do not count, and files are listed in order."""

    def call() -> None:
        from walked_package.high import Sum  # type: ignore[import-not-found]  # noqa: PLC0415

        assert Sum().of(2, 4) == 3

    walk = Walk(folder)
    walk.trace(call)
    assert walk.imported == ["__init__.py", "high.py", "constant.py", "table.py", "low.py"]
    assert walk.walked == {"high.py": "Sum.of", "low.py": "half"}
    # the generator goes on after each half
    assert walk.switches == 5


def test_other_threads_are_walked_too(folder: Path):
    """A thread that the command starts is part of the walk."""
    walk = Walk(folder)

    def call() -> None:
        from walked_package.low import half  # type: ignore[import-not-found]  # noqa: PLC0415

        thread = threading.Thread(target=half, args=(2,))
        thread.start()
        thread.join()

    walk.trace(call)
    assert walk.walked == {"low.py": "half"}


@pytest.mark.slow
def test_an_ablation_walks_through_few_files():
    """The walk of two questions is printed, begins at the command, and is not longer than it was."""
    program = [sys.executable, "bench/walk.py"]
    lines = subprocess.run(
        program, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    *files, total = lines
    assert files[0].split()[:2] == ["1", "cli/main.py"]
    names = [line.split()[1] for line in files]
    assert len(set(names)) == len(names)
    stations = ["jobs/answers/preparation.py", "runs/run.py", "runs/row.py", "study/table.py"]
    assert sorted(stations, key=names.index) == stations
    assert total.startswith(f"{len(files)} files walked, ")
    assert len(files) <= MOST
