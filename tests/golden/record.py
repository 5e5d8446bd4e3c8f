"""Write the records anew: ``python -m tests.golden.record [SCENARIO…]``.

Without names all scenarios are played. It refuses nothing: it writes what the program does now
and prints what changed, to the byte. Look at the difference before it is committed: a changed
record of data is a changed behaviour.
"""

import difflib
import shutil
import sys
import tempfile
from pathlib import Path

from tests.golden.compared import Stage, recorded
from tests.golden.scenarios import SCENARIOS
from tests.golden.step import RECORDS
from tests.support.command_server import close_shared


def main(names: list[str]) -> None:
    """Play the scenarios and store what came of them."""
    if not names:
        for path in RECORDS.glob("*"):
            if path.name not in SCENARIOS:
                _say(f"{path.name}: no such scenario any more, its records are removed")
                shutil.rmtree(path)
    stage = Stage()
    try:
        for name in names or SCENARIOS:
            with tempfile.TemporaryDirectory() as work:
                store(name, stage.play(name, Path(work).resolve()))
    finally:
        close_shared()


def store(name: str, after: dict[str, str]) -> None:
    """Replace the records of a scenario and print how they differ."""
    before = recorded(name)
    shutil.rmtree(RECORDS / name, ignore_errors=True)
    (RECORDS / name).mkdir(parents=True)
    for record, text in after.items():
        (RECORDS / name / record).write_text(text, encoding="utf-8")
    size = sum(len(text.encode()) for text in after.values())
    _say(f"{name}: {len(after)} records, {size / 1024:.0f} KB")
    for record in sorted(before.keys() | after.keys()):
        old, new = before.get(record), after.get(record)
        if old is None or new is None:
            _say(f"  {record}: {'new' if old is None else 'gone'}")
        elif old != new:
            _say(f"  {record}: changed")
            lines = difflib.unified_diff(
                old.splitlines(), new.splitlines(), "was", "now", "", "", 2
            )
            _say("\n".join(f"    {line.rstrip()}" for line in lines))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
