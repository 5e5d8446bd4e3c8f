"""The page on a large run: opening it, its memory, filters and searches, and a run as one file.

``page_task.py`` and ``scroll_task.py`` contain the measured programs. All times are CPU time of one
process or thread, so that a busy machine does not matter. ``ASSAY_PAGE_QUESTIONS`` sets the number of questions.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import Measure, compared

TASK = (sys.executable, str(Path(__file__).with_name("page_task.py")))
SCROLL_TASK = (sys.executable, str(Path(__file__).with_name("scroll_task.py")))
SCROLL_LIMITS = {
    "longest_cpu_ms": ("longest task of the page while scrolling, CPU", "ms", 50.0),
    "most_rows": ("rows in the page while scrolling", "rows", 200.0),
    "largest_reply_mb": ("largest reply while scrolling", "MB", 1.0),
}
QUESTIONS = int(os.environ.get("ASSAY_PAGE_QUESTIONS", "100000"))
VARIANTS = 6
SENT_QUESTIONS = 5_000
SENT_VARIANTS = 4
REPEATS = 3


def measures() -> Iterator[Measure]:
    """Measure the page on a large run, and the file of a smaller one."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        large = Path(name) / "large.jsonl"
        _task("make", large, QUESTIONS, VARIANTS)
        reads, opens = [], []
        for _ in range(REPEATS):
            reads.append(_task("read", large))
            opens.append(_task("open", large))
        yield from _large(reads, opens)
        yield from _scrolling([_run(*SCROLL_TASK, large) for _ in range(REPEATS)])
        sent = Path(name) / "sent.jsonl"
        _task("make", sent, SENT_QUESTIONS, SENT_VARIANTS)
        export = _task("export", sent)
        yield compared(
            f"a file of {SENT_QUESTIONS:,} questions, {SENT_VARIANTS} variants",
            [export["file_mb"]],
            "its journal",
            [sent.stat().st_size / 1e6],
            unit="MB",
            target=25,
            bounded="value",
        )


def _large(reads: list[dict[str, Any]], opens: list[dict[str, Any]]) -> Iterator[Measure]:
    """Opening, memory, and each query of a large run."""
    rows = QUESTIONS * VARIANTS
    read_s = [each["cpu_s"] for each in reads]
    yield compared(
        f"open a run of {rows:,} rows, CPU",
        [each["cpu_s"] for each in opens],
        "msgspec, every row decoded",
        read_s,
        unit="s",
        target=3,
    )
    yield compared(
        f"open and query {rows:,} rows, peak memory",
        [each["peak_mb"] for each in opens],
        "limit",
        [700.0] * len(opens),
        unit="MB",
        target=700,
        bounded="value",
    )
    for name in opens[0]["cpu"]:
        if name.startswith(("first page", "count")):
            limit = 0.5 if name.startswith("first page") else 5.0
            yield compared(
                name,
                [each["cpu"][name] for each in opens],
                "limit",
                [limit] * len(opens),
                unit="s",
                target=limit,
                bounded="value",
            )


def _scrolling(figures: list[dict[str, Any]]) -> Iterator[Measure]:
    """What scrolling through the questions costs the reader's browser."""
    for field, (name, unit, limit) in SCROLL_LIMITS.items():
        yield compared(
            name,
            [each[field] for each in figures],
            "limit",
            [limit] * len(figures),
            unit=unit,
            target=limit,
            bounded="value",
        )


def _task(task: str, path: Path, *numbers: int) -> dict[str, Any]:
    return _run(*TASK, task, path, *numbers)


def _run(python: str, program: str, *words: object) -> dict[str, Any]:
    print(" ", Path(program).stem, *words, file=sys.stderr, flush=True)
    command = [python, program, *map(str, words)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures: dict[str, Any] = json.loads(output) if output else {}
    return figures
