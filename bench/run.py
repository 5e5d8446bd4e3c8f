"""Run all benchmarks, or those that are named (``bench/run.py kernel``).

Prints a table for each benchmark and writes ``bench/results/NAME.json``. A missed target is printed
and has no other effect: a benchmark informs, tests decide.

To add a benchmark, write a module in this folder (see ``measure.py``) and add its name to
``BENCHMARKS``. Do not use the name of a module of the standard library, because this folder comes
first on the path.
"""

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import msgspec
from measure import Benchmark, Measure

BENCHMARKS = (
    "kernel",
    "models",
    "latency",
    "search",
    "extractive",
    "stats",
    "reporting",
    "library",
    "page",
    "live",
    "depth",
    "cluster",
    "verify",
    "question_check",
    "xquad",
    "draft",
    "xquad_ablation",
)
RESULTS = Path(__file__).parent / "results"


def main(argv: Sequence[str] | None = None) -> None:
    """Run the benchmarks named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description="Measure assay; see docs/evidence/benchmarks.md.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}")
    names = parser.parse_args(argv).names or BENCHMARKS
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name!r}; there are: {', '.join(BENCHMARKS)}")
    for name in names:
        benchmark: Benchmark = import_module(name)
        print(f"{name}:", file=sys.stderr)
        measures = list(benchmark.measures())
        print(f"{name} ({os.cpu_count()} cores, Python {platform.python_version()})")
        print(table(measures), flush=True)
        write_results(name, measures)


def table(measures: Sequence[Measure]) -> str:
    """The measures as a table with aligned columns."""
    rows = [("measure", "value", "reference", "ratio (lowest to highest)", "target", "")]
    rows += [
        (
            measure.name,
            quantity(measure.value, measure.unit),
            f"{quantity(measure.reference, measure.unit)} {measure.reference_name}",
            f"{measure.ratio:.2f} ({measure.ratio_low:.2f} to {measure.ratio_high:.2f})",
            _target(measure),
            {True: "met", False: "MISSED", None: ""}[measure.met],
        )
        for measure in measures
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def quantity(value: float, unit: str) -> str:
    """A number with three significant digits and its unit: ``0.287 s``, ``41.3 µs``, ``1540 MB``."""
    return f"{float(f'{value:.3g}'):g} {unit}"


def _target(measure: Measure) -> str:
    if measure.target is None:
        return "–"
    if measure.bounded == "value":
        return f"at most {measure.target:g} {measure.unit}"
    return f"ratio at most {measure.target:g}"


def write_results(name: str, measures: Sequence[Measure]) -> None:
    """Write the measures with the properties of the machine, but without its name."""
    results = {
        "benchmark": name,
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": {
            "cores": os.cpu_count(),
            "system": platform.system(),
            "architecture": platform.machine(),
            "python": platform.python_version(),
        },
        "measures": [{**msgspec.to_builtins(each), "met": each.met} for each in measures],
    }
    RESULTS.mkdir(exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(results), indent=2)
    (RESULTS / f"{name}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
