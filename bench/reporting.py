"""Reporting on a long journal: memory, and time compared with only reading the journal.

``reporting_task.py`` contains the measured programs; this module runs and compares them.
``ASSAY_REPORT_QUESTIONS`` sets the number of questions: 1,000,000 questions give six million rows
(9 GB).
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
    """Measure CPU and peak memory of a whole report, compared with the readers."""
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
        fastest = min(samples, key=lambda reader: min(sample.cpu_s for sample in samples[reader]))
        for reader, reads in samples.items():
            yield compared(
                f"report of {rows:,} rows, {VARIANTS} variants, CPU",
                [sample.cpu_s for sample in reports],
                f"{reader}, every row decoded",
                [sample.cpu_s for sample in reads],
                unit="s",
                target=1.1 if reader == fastest else None,
            )
        yield compared(
            f"report of {rows:,} rows, peak memory",
            [sample.peak_mb for sample in reports],
            f"{fastest}, every row decoded",
            [sample.peak_mb for sample in samples[fastest]],
            unit="MB",
            target=800,
            bounded="value",
        )
