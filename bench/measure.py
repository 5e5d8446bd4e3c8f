"""What all benchmarks share: programs run in turns, each in a fresh process.

A benchmark is a module with ``measures()``, which yields ``Measure`` objects. It gets its figures
from ``rounds``: the measured program and its reference run in turns, so that a busy machine slows
down both, and only their ratio is compared with a target.
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
    """One run of a program in a separate process.

    ``cpu_s`` is the user and system time of all threads: of the part that the program measured
    itself, if it prints ``cpu_s``, otherwise of the whole process. ``peak_mb`` is always the peak
    memory of the whole process.
    """

    cpu_s: float
    peak_mb: float


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table, with the raw repeats behind it.

    ``value`` and ``reference`` are medians. ``ratio`` is the median of the ratios of all rounds, and
    ``ratio_low`` and ``ratio_high`` are the smallest and the largest of them. ``target`` is the upper
    limit of the value or of the ratio, as ``bounded`` says; without a target the line is only for
    comparison.
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
        """Whether the target is met; ``None`` if there is no target."""
        if self.target is None:
            return None
        return (self.value if self.bounded == "value" else self.ratio) <= self.target


class Benchmark(Protocol):
    """The interface of a benchmark module."""

    def measures(self) -> Iterable[Measure]:
        """Run the benchmark and return its measures."""


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
    """The measure of a program and its reference; values at the same index are of one round."""
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

    ``fresh`` empties the folder after each program, for programs that would resume from the files
    of an earlier one.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in programs}
    for number in range(1, repeats + 1):
        for name, command in programs.items():
            print(f"  round {number}/{repeats}: {name}", file=sys.stderr, flush=True)
            samples[name].append(run(command, folder))
            for file in folder.iterdir() if fresh else ():
                file.unlink()
    return samples


def run(command: Sequence[str | Path], folder: Path) -> Sample:
    """Run one program to its end; it may print its own ``cpu_s`` as a JSON object.

    The peak memory is the figure of the operating system for the process. It includes the memory of
    the parent at the time of the fork, so the parent must stay smaller than the programs that it
    measures: it does not import assay.
    """
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    with subprocess.Popen(
        [*map(str, command)], cwd=folder, env=environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[-1]}: ended with {process.returncode}")
    timed = msgspec.json.decode(output, type=dict[str, float]) if output.startswith(b"{") else {}
    return Sample(
        cpu_s=timed.get("cpu_s", usage.ru_utime + usage.ru_stime),
        # bytes on macOS, kilobytes elsewhere
        peak_mb=usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10),
    )
