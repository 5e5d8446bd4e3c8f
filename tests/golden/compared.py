"""Playing a scenario, and comparing what came of it with its records."""

import difflib
import os
import re
import subprocess
from pathlib import Path

from tests.golden.play import play
from tests.golden.step import RECORDS
from tests.support.command_server import shared_server

_KEPT = ("HOME", "MPLCONFIGDIR", "PATH", "PYTHON", "TMPDIR")
"""How the names of the caller's variables begin that commands see."""
_DECIMAL = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_CHART_STEP = 0.11  # charts are rounded to a tenth of a point
_STEP = 2e-6  # rows are rounded to six decimals; another processor may add up otherwise


class Stage:
    """Plays scenarios; commands see only what is declared here of the caller's environment.

    Every command is forked from a process that has imported the program: as fresh as from the
    shell, without the seconds that importing takes.
    """

    def __init__(self) -> None:
        environment = {key: value for key, value in os.environ.items() if key.startswith(_KEPT)}
        self._environment = environment | {
            "COLUMNS": "120",
            "LC_ALL": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # an edit within a second looks unchanged to byte code
            "TZ": "UTC",
        }
        self._server = shared_server(self._environment)

    def play(self, name: str, work: Path) -> dict[str, str]:
        """Play a scenario below the folder ``work``; the texts of its records."""
        return play(name, work / "folder", self._run)

    def _run(self, words: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
        return self._server.run(words, folder, self._environment)


def stored(folder: Path) -> dict[str, str]:
    """The texts of a folder's files by their names."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*"))}


def recorded(name: str) -> dict[str, str]:
    """The records of a scenario."""
    return stored(RECORDS / name)


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """A unified diff for each record that differs by more than the last digit of a decimal."""
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, ""), after.get(name, "")
        step = _CHART_STEP if name.endswith(".chart.txt") else _STEP
        if name not in before or name not in after or not _alike(old, new, step):
            lines = difflib.unified_diff(
                old.splitlines(), new.splitlines(), f"recorded {name}", f"now {name}", lineterm=""
            )
            found.append("\n".join(lines))
    return found


def _alike(old: str, new: str, step: float) -> bool:
    """Whether two texts are equal but for decimals that lie within ``step`` of each other."""
    if old == new:
        return True
    if _DECIMAL.sub("#", old) != _DECIMAL.sub("#", new):
        return False
    numbers = zip(_DECIMAL.findall(old), _DECIMAL.findall(new), strict=True)
    return all(abs(float(one) - float(other)) <= step for one, other in numbers)
