"""The kernel: CPU per case, resuming a long journal, memory of long runs, start-up.

``kernel_task.py`` contains the measured programs; this module runs and compares them.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Bounded, Measure, Sample, compared, rounds, run

TASK = (sys.executable, str(Path(__file__).with_name("kernel_task.py")))
CASES = 20_000
MANY_CASES = 200_000
ROWS = 1_000_000
REPEATS = 5


def measures() -> Iterator[Measure]:
    """Measure all four parts, each in a temporary folder."""
    for part in (case_cost, resuming, growth, start_up):
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
            yield from part(Path(name))


def case_cost(folder: Path) -> Iterator[Measure]:
    """CPU per case of ``run_plan`` with a no-op system, compared with a bare loop."""
    samples = rounds(
        {
            "run_plan": (*TASK, "run_noop", "run.jsonl", str(CASES)),
            "bare loop": (*TASK, "run_bare", "bare.jsonl", str(CASES)),
        },
        REPEATS,
        folder,
        fresh=True,
    )
    yield compared(
        f"CPU per case, no-op system, {CASES:,} cases",
        [sample.cpu_s / CASES * 1e6 for sample in samples["run_plan"]],
        "bare loop",
        [sample.cpu_s / CASES * 1e6 for sample in samples["bare loop"]],
        unit="µs",
        target=100,
        bounded="value",
    )


def resuming(folder: Path) -> Iterator[Measure]:
    """CPU from opening a long journal to the first question, compared with decoding all its rows.

    It is measured twice: for an ablation, where 20 variants share a question, and for a plain run,
    where every row has a different question that must be compared.
    """
    yield from _resuming(folder, variants=20)
    yield from _resuming(folder, variants=1)


def _resuming(folder: Path, variants: int) -> Iterator[Measure]:
    journal = folder / "long.jsonl"
    shape = (str(ROWS), str(variants))
    run((*TASK, "write_journal", journal, *shape), folder)
    size = f"{journal.stat().st_size // ROWS} bytes"
    samples = rounds(
        {
            "resume": (*TASK, "resume", journal, *shape),
            "typed decode": (*TASK, "decode_whole", journal),
            "head decode": (*TASK, "decode_head", journal),
        },
        REPEATS,
        folder,
    )
    name = f"resume {ROWS:,} rows of {size}, {variants} variant{'s' * (variants > 1)}"
    yield _cpu(name, samples, "resume", "typed decode", target=1.3)
    yield _cpu(name, samples, "resume", "head decode")
    if variants > 1:  # with one variant, the list of questions needs more memory than the kernel
        yield compared(
            "  its peak memory",
            [sample.peak_mb for sample in samples["resume"]],
            "typed decode",
            [sample.peak_mb for sample in samples["typed decode"]],
            unit="MB",
            target=300,
            bounded="value",
        )


def growth(folder: Path) -> Iterator[Measure]:
    """Peak memory of a long run compared with a short one; questions are generated lazily."""
    samples = rounds(
        {
            "many": (*TASK, "run_noop", "many.jsonl", str(MANY_CASES)),
            "few": (*TASK, "run_noop", "few.jsonl", str(CASES)),
        },
        3,
        folder,
        fresh=True,
    )
    yield compared(
        f"peak memory of a run, {MANY_CASES:,} cases",
        [sample.peak_mb for sample in samples["many"]],
        f"{CASES:,} cases",
        [sample.peak_mb for sample in samples["few"]],
        unit="MB",
        target=1.2,
    )


def start_up(folder: Path) -> Iterator[Measure]:
    """CPU of ``assay --help`` and of ``import assay``, after the byte code was compiled."""
    python = sys.executable
    programs = {
        "assay --help": (str(Path(python).with_name("assay")), "--help"),
        "import assay": (python, "-c", "import assay"),
        "import typer": (python, "-c", "import typer"),
        "pass": (python, "-c", "pass"),
    }
    rounds(programs, 1, folder)  # compiles the byte code
    samples = rounds(programs, 2 * REPEATS, folder)
    for name, reference in (
        ("assay --help", "import typer"),
        ("assay --help", "pass"),
        ("import assay", "pass"),
    ):
        yield _cpu(f"CPU of {name}", samples, name, reference, target=0.3, bounded="value")


def _cpu(
    name: str,
    samples: dict[str, list[Sample]],
    measured: str,
    reference: str,
    *,
    target: float | None = None,
    bounded: Bounded = "ratio",
) -> Measure:
    return compared(
        name,
        [sample.cpu_s for sample in samples[measured]],
        reference,
        [sample.cpu_s for sample in samples[reference]],
        unit="s",
        target=target,
        bounded=bounded,
    )
