"""Playing a scenario in a process of its own, and comparing what came of it with its records."""

import difflib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.golden.step import RECORDS

ROOT = Path(__file__).parents[2]
_KEPT = ("HOME", "MPLCONFIGDIR", "PATH", "PYTHONHASHSEED", "PYTHONPATH", "TMPDIR")
_DECIMAL = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_CHART_STEP = 0.11  # charts are rounded to a tenth of a point
_STEP = 2e-6  # rows are rounded to six decimals; another processor may add up otherwise


class Stage:
    """A process that plays scenarios one after another; close it after use."""

    def __init__(self) -> None:
        environment = {key: os.environ[key] for key in _KEPT if key in os.environ}
        environment |= {
            "COLUMNS": "120",
            "LC_ALL": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # an edit within a second looks unchanged to byte code
            "PYTHONUTF8": "1",
            "TZ": "UTC",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.golden.play"],
            cwd=ROOT,
            env=environment,
            text=True,
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def play(self, name: str, work: Path) -> dict[str, str]:
        """Play a scenario below the folder ``work``; the texts of its records."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        records = work / "records"
        words = [name, str(work / "folder"), str(records)]
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        problem = json.loads(self._process.stdout.readline())
        assert problem is None, problem
        return stored(records)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


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
