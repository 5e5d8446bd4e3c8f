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
COUNTS = {"read": 10, "watch": 50}
"""How many readers of rows and of progress there are."""
REPEATS = int(os.environ.get("ASSAY_LIVE_REPEATS", "3"))
SLOWEST = 0.9
"""The speed with readers is at least this share of that without."""


def measures() -> Iterator[Measure]:
    """Run in turns without readers, with readers of rows, and with readers of progress."""
    alone: list[float] = []
    read: dict[str, list[tuple[float, float]]] = {"read": [], "watch": []}
    for number in range(1, REPEATS + 1):
        print(f"  round {number}/{REPEATS}", file=sys.stderr, flush=True)
        alone.append(_alone())
        for readers, seen in read.items():
            seen.append(_watched(readers, COUNTS[readers]))
    pace = CASES / sorted(alone)[len(alone) // 2]
    print(f"{pace:,.0f} cases a second without readers", file=sys.stderr)
    for readers, what in (("read", "rows"), ("watch", "progress")):
        name = f"{COUNTS[readers]} readers of {what}"
        seconds, cpu = zip(*read[readers], strict=True)
        yield compared(f"a run, {name}", seconds, "without", alone, unit="s", target=1 / SLOWEST)
        yield compared(f"CPU of the server, {name}", cpu, "the run", seconds, unit="s")
    _watched("read", COUNTS["read"], asleep_s=ASLEEP_S)


def _alone() -> float:
    """The seconds of a run that nobody reads."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        return float(_output(_task("run", Path(name) / "run.jsonl", CASES))["seconds"])


def _watched(readers: str, count: int, asleep_s: float = 0.0) -> tuple[float, float]:
    """The seconds of a run with readers, and the CPU seconds of the server; checks what they got."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        journal = folder / "run.jsonl"
        with _serving(folder) as (address, token, server):
            reading = _task(readers, address, token, count, journal, asleep_s)
            before = _cpu_s(server)
            seconds = float(_output(_task("run", journal, CASES))["seconds"])
            cpu_s = _cpu_s(server) - before
            seen = _output(reading)
        if readers == "read":
            assert seen["is_same"], f"readers got other rows than the journal: {seen}"
            assert seen["rows"] == [CASES] * count, seen
        else:
            assert min(seen["events"]) > seconds, seen  # more than one a second
        return seconds, cpu_s


def _cpu_s(process: int) -> float:
    """The CPU seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[str, str, int]]:
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
            yield found[1], found[2], server.pid
        finally:
            server.terminate()


def _task(*words: object) -> "subprocess.Popen[str]":
    return subprocess.Popen([*TASK, *map(str, words)], stdout=subprocess.PIPE, text=True)


def _output(process: "subprocess.Popen[str]") -> dict[str, Any]:
    text, _ = process.communicate()
    assert process.returncode == 0, process.args
    found: dict[str, Any] = json.loads(text)
    return found
