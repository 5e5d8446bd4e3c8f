"""The library: rows of a run as a DataFrame, and a run from Python, each beside what it is built on.

``library_task.py`` contains the measured programs; this module runs and compares them.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Measure, compared, rounds, run

TASK = (sys.executable, str(Path(__file__).with_name("library_task.py")))
CASES = 100_000
ASKED = 5_000
REPEATS = 5


def measures() -> Iterator[Measure]:
    """Measure the CPU of a DataFrame beside decoding, and of a run beside the command."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        run((*TASK, "make", str(CASES)), folder)
        samples = rounds(
            {each: (*TASK, each) for each in ("decode", "pandas", "polars")}, REPEATS, folder
        )
        for library in ("pandas", "polars"):
            yield compared(
                f"{CASES:,} rows as a DataFrame of {library}, CPU",
                [sample.cpu_s for sample in samples[library]],
                "decoding every row",
                [sample.cpu_s for sample in samples["decode"]],
                unit="s",
                target=2.0,
            )
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        asked = rounds(
            {each: (*TASK, each, str(ASKED)) for each in ("command", "program")},
            REPEATS,
            Path(name),
        )
        yield compared(
            f"assay.run with {ASKED:,} questions, CPU",
            [sample.cpu_s for sample in asked["program"]],
            "the command assay run",
            [sample.cpu_s for sample in asked["command"]],
            unit="s",
            target=1.05,
        )
