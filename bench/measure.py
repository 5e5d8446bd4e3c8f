"""The common part of all benchmarks: programs run in fresh processes, side by side.

A benchmark is a module with ``measures()``, which yields ``Measure`` objects. It takes its
figures from ``rounds``: what is measured and what it is measured against take turns, so
that a busy machine slows both, and only their ratio is compared with a target.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec

Bounded = Literal["value", "ratio"]


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a program in a process of its own.

    ``cpu_s`` is user and system time of all its threads: of the part the program timed
    itself where it says so, else of the whole process. ``peak_mb`` is always the whole.
    """

    cpu_s: float
    peak_mb: float


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table, with the raw repeats it was made from.

    ``value`` and ``reference`` are medians, ``ratio`` is the median of the ratios of each
    round, and ``ratio_low`` and ``ratio_high`` are the smallest and the largest of them.
    ``target`` bounds ``bounded``; without a target the line is there for comparison.
    """

    name: str
    unit: str
    value: float
    reference_name: str
    reference: float
    ratio: float
    ratio_low: float
    ratio_high: float
    values: Sequence[float]
    references: Sequence[float]
    target: float | None = None
    bounded: Bounded = "ratio"

    @property
    def met(self) -> bool | None:
        """Whether the target is kept; ``None`` where there is none."""
        if self.target is None:
            return None
        return (self.value if self.bounded == "value" else self.ratio) <= self.target


class Benchmark(Protocol):
    """What a module of ``bench/`` offers."""

    def measures(self) -> Iterable[Measure]:
        """Run it."""


def compared(
    name: str,
    values: Sequence[float],
    reference_name: str,
    references: Sequence[float],
    *,
    unit: str,
    target: float | None = None,
    bounded: Bounded = "ratio",
) -> Measure:
    """The measure that repeats of two programs, taken in turns, amount to."""
    ratios = [value / reference for value, reference in zip(values, references, strict=True)]
    return Measure(
        name=name,
        unit=unit,
        value=statistics.median(values),
        reference_name=reference_name,
        reference=statistics.median(references),
        ratio=statistics.median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        values=values,
        references=references,
        target=target,
        bounded=bounded,
    )


def rounds(
    programs: Mapping[str, Sequence[str | Path]],
    repeats: int,
    folder: Path,
    *,
    fresh: bool = False,
) -> dict[str, list[Sample]]:
    """Run the programs in turns (ABAB…) ``repeats`` times, in ``folder``.

    ``fresh`` empties the folder after each, for programs that go on with what they find.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in programs}
    for number in range(1, repeats + 1):
        for name, command in programs.items():
            print(f"  round {number}/{repeats}: {name}", file=sys.stderr, flush=True)
            samples[name].append(run(command, folder))
            for left in folder.iterdir() if fresh else ():
                left.unlink()
    return samples


def run(command: Sequence[str | Path], folder: Path) -> Sample:
    """Run one program to its end; it may print ``cpu_s`` of its own as a JSON object.

    The peak is the kernel's figure for the process. It begins at what the parent held when
    it forked, so the parent must stay smaller than what it measures: it imports no assay.
    """
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    with subprocess.Popen(
        [*map(str, command)], cwd=folder, env=environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[-1]}: ended with {process.returncode}")
    timed = msgspec.json.decode(said, type=dict[str, float]) if said.startswith(b"{") else {}
    return Sample(
        cpu_s=timed.get("cpu_s", usage.ru_utime + usage.ru_stime),
        # bytes on macOS, kilobytes elsewhere
        peak_mb=usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10),
    )
