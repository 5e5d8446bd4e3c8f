"""Reporting on a long journal: time beside merely reading it, and memory.

What runs stands in ``reporting_task.py``; this compares it. ``ASSAY_REPORT_QUESTIONS``
changes the number of questions: 1,000,000 of them make six million rows, 9 GB.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Measure, compared, rounds, run

TASK = (sys.executable, str(Path(__file__).with_name("reporting_task.py")))
QUESTIONS = int(os.environ.get("ASSAY_REPORT_QUESTIONS", "166667"))
VARIANTS = 6
REPEATS = 3
READERS = ("msgspec", "orjson")


def measures() -> Iterator[Measure]:
    """Time and peak memory of the whole report, beside the readers."""
    rows = QUESTIONS * VARIANTS
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        run((*TASK, "make", "long.jsonl", str(QUESTIONS)), folder)
        samples = rounds(
            {
                "report": (*TASK, "report", "long.jsonl"),
                **{reader: (*TASK, "read", "long.jsonl", reader) for reader in READERS},
            },
            REPEATS,
            folder,
        )
        reports = samples.pop("report")
        fastest = min(samples, key=lambda reader: min(one.cpu_s for one in samples[reader]))
        for reader, taken in samples.items():
            yield compared(
                f"report of {rows:,} rows, {VARIANTS} variants, CPU",
                [one.cpu_s for one in reports],
                f"{reader}, every row decoded",
                [one.cpu_s for one in taken],
                unit="s",
                target=3 if reader == fastest else None,
            )
        yield compared(
            f"report of {rows:,} rows, peak memory",
            [one.peak_mb for one in reports],
            f"{fastest}, every row decoded",
            [one.peak_mb for one in samples[fastest]],
            unit="MB",
            target=1500,
            bounded="value",
        )
