"""Statistics: the paired bootstrap beside SciPy's, and the analysis of a million questions.

Not named for what it measures: ``statistics`` is a standard module, and this folder comes
first on the path. Each program below is this file run by itself with the program's name, so
that its CPU time and peak memory are its own.
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
"""About SciPy's fastest: 30 to 300 are alike, 1,000 takes twice as long."""
REPEATS = 5
SPREAD_RUNS = 6

ITEMS = 1_000_000
VARIANTS = 6
ANALYSES = 3


def measures() -> Iterator[Measure]:
    """Measure the bootstrap of graded and of yes/no differences, then whole analyses."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("graded", "yes-no"):
            yield from _bootstrap_measures(kind, folder)
        yield from _analysis_measures(folder)


def _bootstrap_measures(kind: str, folder: Path) -> Iterator[Measure]:
    programs = {
        each: _program(each, kind) for each in ("computed", "drawn", "scipy", "scipy-batch")
    }
    taken = {
        each: [sample.cpu_s for sample in samples]
        for each, samples in rounds(programs, REPEATS, folder).items()
    }
    title = f"BCa of {QUESTIONS:,} {kind} pairs"
    for ours, what in (("computed", "computed"), ("drawn", f"{RESAMPLES:,} resamples drawn")):
        for theirs, named in (
            ("scipy", f"SciPy, {RESAMPLES:,} resamples"),
            ("scipy-batch", f"SciPy, batches of {BATCH}"),
        ):
            # The target is against SciPy as one calls it; its best batch is for comparison.
            yield compared(
                f"{title}, {what}",
                taken[ours],
                named,
                taken[theirs],
                unit="s",
                target=0.2 if theirs == "scipy" else None,
            )
    said = subprocess.run(_program("gap", kind), capture_output=True, check=True).stdout
    gap = msgspec.json.decode(said, type=dict[str, float])
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
    samples = rounds({each: _program(each, "") for each in names}, ANALYSES, folder)
    means = samples["means"]
    for each, how in (("analysis", ""), ("cluster-analysis", ", 50,000 documents")):
        title = f"analysis of {ITEMS:,} × {VARIANTS} × 10 metrics{how}"
        yield compared(
            f"{title}: CPU",
            [sample.cpu_s for sample in samples[each]],
            "plain means",
            [sample.cpu_s for sample in means],
            unit="s",
        )
        yield compared(
            f"{title}: peak memory",
            [sample.peak_mb for sample in samples[each]],
            "plain means",
            [sample.peak_mb for sample in means],
            unit="MB",
            target=1500,
            bounded="value",
        )


def _program(name: str, kind: str) -> list[str | Path]:
    return [sys.executable, Path(__file__).resolve(), name, kind]


def main(name: str, kind: str) -> None:
    """Run one program and print its CPU seconds, or the gap between the intervals."""
    if name == "gap":
        print(msgspec.json.encode(_gap(kind)).decode())
        return
    work = _prepared(name, kind)
    began = time.process_time()
    work()
    print(msgspec.json.encode({"cpu_s": time.process_time() - began}).decode())


def _prepared(name: str, kind: str) -> Callable[[], object]:
    """The work of a program, its libraries loaded and its data made."""
    if name in ("analysis", "cluster-analysis", "means"):
        return _table_work(name)
    changes = _changes(kind)
    if name.startswith("scipy"):
        batch = BATCH if name == "scipy-batch" else None
        return lambda: _scipy_interval(changes, seed=0, batch=batch)
    from assay.stats import bca_mean  # noqa: PLC0415 - SciPy's programs go without

    resamples = RESAMPLES if name == "drawn" else None
    return lambda: bca_mean(changes, resamples=resamples)


def _changes(kind: str) -> NDArray[np.float64]:
    """Paired differences: of a skewed score, or of yes and no."""
    rng = np.random.default_rng(7)
    if kind == "yes-no":
        return rng.choice([-1.0, 0.0, 1.0], size=QUESTIONS, p=[0.05, 0.87, 0.08])
    return rng.exponential(size=QUESTIONS) - rng.exponential(0.97, size=QUESTIONS)


def _scipy_interval(changes: NDArray[np.float64], *, seed: int, batch: int | None) -> Any:
    from scipy import stats  # noqa: PLC0415 - only SciPy's programs load it

    return stats.bootstrap(
        (changes,), np.mean, n_resamples=RESAMPLES, method="BCa", batch=batch, rng=seed
    ).confidence_interval


def _gap(kind: str) -> dict[str, float]:
    """How far the computed ends lie from SciPy's on average, and how sure that average is."""
    from assay.stats import bca_mean  # noqa: PLC0415 - as above

    changes = _changes(kind)
    ours = bca_mean(changes)
    assert ours is not None
    runs = [_scipy_interval(changes, seed=seed, batch=BATCH) for seed in range(SPREAD_RUNS)]
    ends = np.array([[run.low, run.high] for run in runs])
    width = ours.high - ours.low
    distance = np.abs(ends.mean(axis=0) - [ours.low, ours.high]).max() / width
    error = ends.std(axis=0, ddof=1).max() / width / math.sqrt(SPREAD_RUNS)
    return {"distance": float(distance), "error": float(error)}


def _table_work(name: str) -> Callable[[], object]:
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
        items=range(ITEMS),  # type: ignore[arg-type]  # ids would only be counted
        variants=tuple(f"v{number}" for number in range(VARIANTS)),
        status=np.ones(shape, dtype=np.uint8),
        values=values,
        clusters=rng.integers(0, 50_000, ITEMS) if name == "cluster-analysis" else None,
    )
    return lambda: analyse(scores, metrics, baseline="v0")


if __name__ == "__main__":
    main(*sys.argv[1:])
