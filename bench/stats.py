"""Statistics: the paired bootstrap compared with SciPy's, and the analysis of a million questions.

The module is not called ``statistics``, because this is a module of the standard library and this
folder comes first on the path. Each program below is this file, run in a separate process with the
name of the program, so that its CPU time and peak memory are measured alone.
"""

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from measure import Measure, compared, rounds
from numpy.typing import NDArray

QUESTIONS = 10_000
RESAMPLES = 10_000
BATCH = 100
"""About the fastest for SciPy: 30 to 300 take the same time, 1,000 takes twice as long."""
REPEATS = 5
SPREAD_RUNS = 6

ITEMS = 1_000_000
VARIANTS = 6
ANALYSES = 3


def measures() -> Iterator[Measure]:
    """Measure the bootstrap of graded and of yes/no differences, then complete analyses."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("graded", "yes-no"):
            yield from _bootstrap_measures(kind, folder)
        yield from _analysis_measures(folder)


def _bootstrap_measures(kind: str, folder: Path) -> Iterator[Measure]:
    programs = {
        name: _program(name, kind) for name in ("computed", "drawn", "scipy", "scipy-batch")
    }
    cpu_s = {
        name: [sample.cpu_s for sample in samples]
        for name, samples in rounds(programs, REPEATS, folder).items()
    }
    title = f"BCa of {QUESTIONS:,} {kind} pairs"
    for method, what in (("computed", "computed"), ("drawn", f"{RESAMPLES:,} resamples drawn")):
        for reference, reference_name in (
            ("scipy", f"SciPy, {RESAMPLES:,} resamples"),
            ("scipy-batch", f"SciPy, batches of {BATCH}"),
        ):
            # The target refers to SciPy with its default batch; the best batch is for comparison.
            yield compared(
                f"{title}, {what}",
                cpu_s[method],
                reference_name,
                cpu_s[reference],
                unit="s",
                target=0.2 if reference == "scipy" else None,
            )
    output = subprocess.run(_program("gap", kind), capture_output=True, check=True).stdout
    gap = msgspec.json.decode(output, type=dict[str, float])
    yield compared(
        f"{title}: end points from the mean of {SPREAD_RUNS} SciPy runs",
        [gap["distance"]],
        "standard error of that mean",
        [gap["error"]],
        unit="of the width",
        target=3.0,
    )


def _analysis_measures(folder: Path) -> Iterator[Measure]:
    names = ("analysis", "cluster-analysis", "means")
    samples = rounds({name: _program(name, "") for name in names}, ANALYSES, folder)
    means = samples["means"]
    for name, clusters in (("analysis", ""), ("cluster-analysis", ", 50,000 documents")):
        title = f"analysis of {ITEMS:,} × {VARIANTS} × 10 metrics{clusters}"
        yield compared(
            f"{title}: CPU",
            [sample.cpu_s for sample in samples[name]],
            "plain means",
            [sample.cpu_s for sample in means],
            unit="s",
        )
        yield compared(
            f"{title}: peak memory",
            [sample.peak_mb for sample in samples[name]],
            "plain means",
            [sample.peak_mb for sample in means],
            unit="MB",
            target=1500,
            bounded="value",
        )


def _program(name: str, kind: str) -> list[str | Path]:
    return [sys.executable, Path(__file__).resolve(), name, kind]


def main(name: str, kind: str) -> None:
    """Run one program and print its CPU seconds or, for ``gap``, how far the intervals differ."""
    if name == "gap":
        print(msgspec.json.encode(_gap(kind)).decode())
        return
    program = _prepare(name, kind)
    began = time.process_time()
    program()
    print(msgspec.json.encode({"cpu_s": time.process_time() - began}).decode())


def _prepare(name: str, kind: str) -> Callable[[], object]:
    """Load the libraries and create the data of a program; returns the function to measure."""
    if name in ("analysis", "cluster-analysis", "means"):
        return _prepare_table(name)
    differences = _differences(kind)
    if name.startswith("scipy"):
        batch = BATCH if name == "scipy-batch" else None
        return lambda: _scipy_interval(differences, seed=0, batch=batch)
    from assay.stats import bca_mean  # noqa: PLC0415 - SciPy's programs do not load assay

    resamples = RESAMPLES if name == "drawn" else None
    return lambda: bca_mean(differences, resamples=resamples)


def _differences(kind: str) -> NDArray[np.float64]:
    """Paired differences of a skewed score, or of a yes/no score."""
    rng = np.random.default_rng(7)
    if kind == "yes-no":
        return rng.choice([-1.0, 0.0, 1.0], size=QUESTIONS, p=[0.05, 0.87, 0.08])
    return rng.exponential(size=QUESTIONS) - rng.exponential(0.97, size=QUESTIONS)


def _scipy_interval(differences: NDArray[np.float64], *, seed: int, batch: int | None) -> Any:
    from scipy import stats  # noqa: PLC0415 - only SciPy's programs load it

    return stats.bootstrap(
        (differences,), np.mean, n_resamples=RESAMPLES, method="BCa", batch=batch, rng=seed
    ).confidence_interval


def _gap(kind: str) -> dict[str, float]:
    """The distance of the computed ends from the mean of SciPy's ends, and the error of that mean.

    Both are relative to the width of the interval.
    """
    from assay.stats import bca_mean  # noqa: PLC0415 - as above

    differences = _differences(kind)
    computed = bca_mean(differences)
    assert computed is not None
    runs = [_scipy_interval(differences, seed=seed, batch=BATCH) for seed in range(SPREAD_RUNS)]
    ends = np.array([[run.low, run.high] for run in runs])
    width = computed.high - computed.low
    distance = np.abs(ends.mean(axis=0) - [computed.low, computed.high]).max() / width
    error = ends.std(axis=0, ddof=1).max() / width / math.sqrt(SPREAD_RUNS)
    return {"distance": float(distance), "error": float(error)}


def _prepare_table(name: str) -> Callable[[], object]:
    """Create a table of scores; returns the analysis, or plain means, as the function to measure."""
    from assay.records import Metric  # noqa: PLC0415 - as above
    from assay.stats import Scores, analyse  # noqa: PLC0415 - as above

    rng = np.random.default_rng(1)
    shape = (VARIANTS, ITEMS)
    values: dict[str, NDArray[np.floating]] = {}
    metrics = []
    for number in range(4):
        values[f"rate{number}"] = (rng.random(shape, np.float32) < 0.7).astype(np.float32)
        metrics.append(Metric(name=f"rate{number}", field=f"rate{number}", kind="rate"))
    for number in range(2):
        values[f"graded{number}"] = rng.integers(0, 5, shape).astype(np.float32) / 4
        metrics.append(Metric(name=f"graded{number}", field=f"graded{number}"))
    values["ndcg"] = rng.random(shape, np.float32)
    values["elapsed_s"] = rng.standard_exponential(shape, np.float32)
    values["elapsed_s"][rng.random(shape, np.float32) < 0.01] = np.nan
    metrics += [
        Metric(name="ndcg", field="ndcg"),
        Metric(name="mean latency", field="elapsed_s", better="lower"),
        Metric(name="p50 latency", field="elapsed_s", kind="p50", better="lower"),
        Metric(name="p95 latency", field="elapsed_s", kind="p95", better="lower"),
    ]
    if name == "means":
        return lambda: [np.nanmean(values[metric.field], axis=1) for metric in metrics]
    scores = Scores(
        items=range(ITEMS),  # type: ignore[arg-type]  # only the number of ids is used
        variants=tuple(f"v{number}" for number in range(VARIANTS)),
        status=np.ones(shape, dtype=np.uint8),
        values=values,
        clusters=rng.integers(0, 50_000, ITEMS) if name == "cluster-analysis" else None,
    )
    return lambda: analyse(scores, metrics, baseline="v0")


if __name__ == "__main__":
    main(*sys.argv[1:])
