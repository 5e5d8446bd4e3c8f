"""A cluster: how much faster several workers are, what a case costs, and the driver's memory.

``cluster_task.py`` contains the measured programs; this module runs and compares them.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Measure, compared, rounds

TASK = (sys.executable, str(Path(__file__).with_name("cluster_task.py")))


def measures() -> Iterator[Measure]:
    """Measure all parts, each in a temporary folder."""
    for part in (waiting, burning, overhead, memory):
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
            yield from part(Path(name))


def _compared(
    name: str,
    folder: Path,
    programs: tuple[tuple[str, ...], tuple[str, ...]],
    target: float,
    reference: str,
    repeats: int = 1,
) -> Measure:
    samples = rounds(
        {name: (*TASK, *programs[0]), reference: (*TASK, *programs[1])}, repeats, folder, fresh=True
    )
    return compared(
        name,
        [sample.cpu_s for sample in samples[name]],
        reference,
        [sample.cpu_s for sample in samples[reference]],
        unit="s",
        target=target,
    )


def waiting(folder: Path) -> Iterator[Measure]:
    """A system that waits 50 ms and takes one question at a time: 8 workers and 1."""
    programs = (("wait", "400", "8"), ("wait", "400", "1"))
    yield _compared("400 cases of 50 ms waiting, 8 workers", folder, programs, 1 / 7, "1 worker")


def burning(folder: Path) -> Iterator[Measure]:
    """A system that computes for 50 ms: 2 workers and 1."""
    programs = (("burn", "200", "2"), ("burn", "200", "1"))
    yield _compared(
        "200 cases of 50 ms computing, 2 workers", folder, programs, 1 / 1.4, "1 worker"
    )


def overhead(folder: Path) -> Iterator[Measure]:
    """Cases that need no work, through assay, and bare awaited calls of actors."""
    programs = (("nothing", "5000", "2"), ("bare", "5000", "2"))
    yield _compared(
        "5,000 cases without work, 2 workers", folder, programs, 1.5, "bare awaited calls", 3
    )


def memory(folder: Path) -> Iterator[Measure]:
    """Memory of the driver after 100,000 cases and after 10,000."""
    many, few = "100,000 cases, memory of the driver", "10,000 cases"
    samples = rounds(
        {many: (*TASK, "nothing", "100000", "2"), few: (*TASK, "nothing", "10000", "2")},
        1,
        folder,
        fresh=True,
    )
    yield compared(
        many,
        [sample.peak_mb for sample in samples[many]],
        few,
        [sample.peak_mb for sample in samples[few]],
        unit="MB",
        target=1.2,
    )
