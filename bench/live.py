"""Runs that are watched: their speed with readers of rows and of progress, and without any.

``live_task.py`` contains the programs. A run records more than a thousand cases a second; each round
runs it without a server, with ten readers of rows, and with fifty of progress. In one more round a
reader takes nothing for a minute and then catches up. What readers got is compared with the journal.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measure import Measure, compared

TASK = (sys.executable, str(Path(__file__).with_name("live_task.py")))
CASES = int(os.environ.get("ASSAY_LIVE_CASES", "20000"))
ASLEEP_S = float(os.environ.get("ASSAY_LIVE_ASLEEP_S", "60"))
ROW_READERS = 10
PROGRESS_READERS = 50
REPEATS = 3
SLOWEST = 0.9
"""The speed with readers is at least this share of that without."""


def measures() -> Iterator[Measure]:
    """Run in turns without readers, with readers of rows, and with readers of progress."""
    alone: list[float] = []
    with_rows: list[float] = []
    with_progress: list[float] = []
    for _ in range(REPEATS):
        alone.append(_run("", 0))
        with_rows.append(_run("read", ROW_READERS))
        with_progress.append(_run("watch", PROGRESS_READERS))
    pace = CASES / sorted(alone)[len(alone) // 2]
    print(f"{pace:,.0f} cases a second without readers", file=sys.stderr)
    for name, values in (
        (f"a run with {ROW_READERS} readers of rows", with_rows),
        (f"a run with {PROGRESS_READERS} readers of progress", with_progress),
    ):
        yield compared(name, values, "without", alone, unit="s", target=1 / SLOWEST)
    _run("read", ROW_READERS, asleep_s=ASLEEP_S)


def _run(readers: str, count: int, asleep_s: float = 0.0) -> float:
    """The seconds of a run that is read by ``count`` readers; checks what they got."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        journal = folder / "run.jsonl"
        if not readers:
            return float(_output(_task("run", journal, CASES))["seconds"])
        with _serving(folder) as (address, token):
            reading = _task(readers, address, token, count, journal, asleep_s)
            seconds = float(_output(_task("run", journal, CASES))["seconds"])
            seen = _output(reading)
        if readers == "read":
            assert seen["is_same"], f"readers got other rows than the journal: {seen}"
            assert seen["rows"] == [CASES] * count, seen
        else:
            assert min(seen["events"]) > seconds, seen  # more than one a second
        return seconds


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[str, str]]:
    words = ["view", str(folder), "--no-open", "--port", "0", "--token-file", str(folder / "token")]
    with subprocess.Popen(
        [sys.executable, "-m", "assay", *words], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            found = next(
                each
                for line in server.stdout
                if (each := re.search(r"(http\S+)\?token=(\S+)", line))
            )
            yield found[1], found[2]
        finally:
            server.terminate()


def _task(*words: object) -> "subprocess.Popen[str]":
    return subprocess.Popen([*TASK, *map(str, words)], stdout=subprocess.PIPE, text=True)


def _output(process: "subprocess.Popen[str]") -> dict[str, Any]:
    text, _ = process.communicate()
    assert process.returncode == 0, process.args
    found: dict[str, Any] = json.loads(text)
    return found
