"""Statistics: the sign-flip test compared with SciPy's, and the analysis of a million questions.

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
"""About the fastest for SciPy."""
REPEATS = 5
SPREAD_RUNS = 6

ITEMS = 1_000_000
VARIANTS = 6
ANALYSES = 3


def measures() -> Iterator[Measure]:
    """Measure the test of graded differences, then complete analyses."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _flip_measures(folder)
        yield from _analysis_measures(folder)


def _flip_measures(folder: Path) -> Iterator[Measure]:
    programs = {name: _program(name) for name in ("flips", "scipy")}
    cpu_s = {
        name: [sample.cpu_s for sample in samples]
        for name, samples in rounds(programs, REPEATS, folder).items()
    }
    title = f"{RESAMPLES:,} sign flips of {QUESTIONS:,} pairs"
    yield compared(
        title,
        cpu_s["flips"],
        f"SciPy, batches of {BATCH}",
        cpu_s["scipy"],
        unit="s",
        target=0.2,
    )
    output = subprocess.run(_program("gap"), capture_output=True, check=True).stdout
    gap = msgspec.json.decode(output, type=dict[str, float])
    yield compared(
        f"{title}: p-value from the mean of {SPREAD_RUNS} SciPy runs",
        [gap["distance"]],
        "standard error of that difference",
        [gap["error"]],
        unit="",
        target=3.0,
    )


def _analysis_measures(folder: Path) -> Iterator[Measure]:
    names = ("analysis", "cluster-analysis", "means")
    samples = rounds({name: _program(name) for name in names}, ANALYSES, folder)
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


def _program(name: str) -> list[str | Path]:
    return [sys.executable, Path(__file__).resolve(), name]


def main(name: str) -> None:
    """Run one program and print its CPU seconds or, for ``gap``, how far the p-values differ."""
    if name == "gap":
        print(msgspec.json.encode(_gap()).decode())
        return
    program = _prepare(name)
    began = time.process_time()
    program()
    print(msgspec.json.encode({"cpu_s": time.process_time() - began}).decode())


def _prepare(name: str) -> Callable[[], object]:
    """Load the libraries and create the data of a program; returns the function to measure."""
    if name in ("analysis", "cluster-analysis", "means"):
        return _prepare_table(name)
    differences = _differences()
    if name == "scipy":
        return lambda: _scipy_p_value(differences, seed=0)
    return lambda: _flipped_p_value(differences)


def _flipped_p_value(differences: NDArray[np.float64]) -> float:
    from assay.stats.flip import Flips  # noqa: PLC0415 - SciPy's program loads no assay
    from assay.stats.resample import stream  # noqa: PLC0415 - as above

    flips = Flips.of_rows(differences[:, None], resamples=RESAMPLES, rng=stream(0))
    return flips.p_value(0)


def _differences() -> NDArray[np.float64]:
    """Paired differences of a skewed score."""
    rng = np.random.default_rng(7)
    return rng.exponential(size=QUESTIONS) - rng.exponential(0.98, size=QUESTIONS)


def _scipy_p_value(differences: NDArray[np.float64], *, seed: int) -> float:
    from scipy import stats  # noqa: PLC0415 - only SciPy's program loads it

    result: Any = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        vectorized=True,
        batch=BATCH,
        rng=seed,
    )
    return float(result.pvalue)


def _gap() -> dict[str, float]:
    """The distance of the p-value from the mean of SciPy's p-values, and the error of it."""
    differences = _differences()
    p_value = _flipped_p_value(differences)
    runs = [_scipy_p_value(differences, seed=seed) for seed in range(SPREAD_RUNS)]
    mean = float(np.mean(runs))
    error = math.sqrt(mean * (1 - mean) / RESAMPLES * (1 + 1 / SPREAD_RUNS))
    return {"distance": abs(mean - p_value), "error": error}


def _prepare_table(name: str) -> Callable[[], object]:
    """Create a table of scores; returns the analysis, or plain means, as the function to measure."""
    from assay.records import Metric  # noqa: PLC0415 - as above
    from assay.stats.analysis import analyse  # noqa: PLC0415 - as above
    from assay.stats.scores import Scores  # noqa: PLC0415 - as above

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
