"""How often intervals contain the true value: ``python bench/coverage.py``.

Each cell of the tables is the share of simulated runs whose interval contains the true value, which
is known because the runs are simulated. The aim is 0.95: at least 0.93 in every cell, and at most
0.99 from 200 questions on, because a wider interval than necessary is of no use either. The tables
are on the page ``docs/evidence/coverage.md``.
"""

import argparse
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.analysis import analyse
from assay.stats.interval import Interval, bca_bounds
from assay.stats.scores import Scores

Values: TypeAlias = NDArray[np.float64]
Draw: TypeAlias = Callable[[np.random.Generator, int], Values]

SIZES = (5, 10, 20, 50, 200)
DOCUMENTS = (3, 5, 7, 9, 10, 15, 20, 40)
RESAMPLES = 1_999
"""Fewer sign flips than by default, because thousands of runs are analysed."""
SCORE = Metric(name="score", field="score")
LATENCY = Metric(name="latency", field="score", better="lower", unit="s")


class Shape(NamedTuple):
    """Simulated questions: ``draw`` returns the values of one variant, or of baseline and variant.

    ``truth`` is the true mean, or the true mean difference.
    """

    name: str
    truth: float
    draw: Draw
    metric: Metric = SCORE


class Cell(NamedTuple):
    """Of many intervals: the share that contains the truth, and the share of runs without any."""

    covered: float
    missing: float


def choice(values: Sequence[float], shares: Sequence[float]) -> Draw:
    """Draws from a few values."""
    return lambda rng, n: rng.choice(values, size=n, p=shares)


def near_ceiling(right: float, least: float) -> Draw:
    """Full marks for most questions, and a part of them for the others."""
    return lambda rng, n: np.where(rng.random(n) < right, 1.0, rng.uniform(least, 1.0, n))


def both(base: Draw, variant: Draw, redrawn: float = 1.0) -> Draw:
    """Pairs of values; a share of the questions keeps the value of the baseline."""

    def draw(rng: np.random.Generator, n: int) -> Values:
        before = base(rng, n)
        after = np.where(rng.random(n) < redrawn, variant(rng, n), before)
        return np.stack([before, after])

    return draw


def rates(gained: float, lost: float) -> Draw:
    """Pairs of yes/no values, with the shares of questions that gain and lose."""

    def draw(rng: np.random.Generator, n: int) -> Values:
        change = rng.choice([1.0, -1.0, 0.0], size=n, p=[gained, lost, 1 - gained - lost])
        before = np.where(change == 0, rng.random(n) < 0.8, change < 0)
        return np.stack([before, before + change])

    return draw


def slower(rng: np.random.Generator, n: int) -> Values:
    """Latencies of two variants, in seconds."""
    before = rng.lognormal(0, 0.5, n)
    return np.stack([before, before * rng.lognormal(0.1, 0.4, n)])


CEILING = choice([0.0, 0.5, 1.0], [0.02, 0.08, 0.90])
BELOW_CEILING = choice([0.0, 0.5, 1.0], [0.05, 0.2, 0.75])
THREE = choice([0.0, 0.5, 1.0], [0.1, 0.2, 0.7])
LOWER_THREE = choice([0.0, 0.5, 1.0], [0.3, 0.3, 0.4])
VALUES = (
    Shape("rate", 0.7, choice([0.0, 1.0], [0.3, 0.7])),
    Shape("rate near the ceiling", 0.94, choice([0.0, 1.0], [0.06, 0.94])),
    Shape("three values", 0.8, THREE),
    Shape("three values near the ceiling", 0.94, CEILING),
    Shape("graded near the ceiling", 0.94, near_ceiling(0.8, 0.4)),
    Shape("skewed scores", 0.2, lambda rng, n: rng.beta(0.5, 2, n)),
    Shape("skewed scores", 2 / 2.3, lambda rng, n: rng.beta(2, 0.3, n)),
    Shape("mostly 0.05, rarely 1", 0.0975, choice([0.05, 1.0], [0.95, 0.05])),
    Shape("latency, s", math.exp(0.125), lambda rng, n: rng.lognormal(0, 0.5, n), LATENCY),
)
PAIRS = (
    Shape("rates", 0.0, rates(0.1, 0.1)),
    Shape("rates", 0.12, rates(0.15, 0.03)),
    Shape("rates near the ceiling", 0.04, rates(0.06, 0.02)),
    Shape("three values", 0.0, both(THREE, THREE, 0.5)),
    Shape("three values", -0.125, both(THREE, LOWER_THREE, 0.5)),
    Shape("three values near the ceiling", 0.0, both(CEILING, CEILING)),
    Shape("three values near the ceiling", -0.09, both(CEILING, BELOW_CEILING)),
    Shape("graded near the ceiling", -0.10, both(near_ceiling(0.8, 0.4), near_ceiling(0.6, 0.2))),
    Shape(
        "skewed scores",
        0.0,
        both(lambda rng, n: rng.beta(0.5, 2, n), lambda rng, n: rng.beta(0.5, 2, n)),
    ),
    Shape(
        "skewed scores",
        1 / 3 - 0.2,
        both(lambda rng, n: rng.beta(0.5, 2, n), lambda rng, n: rng.beta(0.5, 1, n)),
    ),
    Shape("latency, s", math.exp(0.125) * (math.exp(0.18) - 1), slower, LATENCY),
)


def scores_of(values: Values, clusters: NDArray[np.integer] | None = None) -> Scores:
    """The values of one or more variants as the scores of a run."""
    table = np.atleast_2d(values)
    return Scores(
        items=[f"{item:06d}" for item in range(table.shape[1])],
        variants=tuple(f"v{number}" for number in range(len(table))),
        status=np.ones(table.shape, dtype=np.uint8),
        values={"score": table},
        clusters=clusters,
    )


def summary(intervals: Sequence[Interval | None], truths: float | Sequence[float]) -> Cell:
    """Count the intervals that contain the truth, up to a rounding error.

    ``truths`` is the truth of all runs, or that of each run.
    """
    each_truth = [truths] * len(intervals) if isinstance(truths, float) else truths
    known = [
        (interval, truth)
        for interval, truth in zip(intervals, each_truth, strict=True)
        if interval is not None
    ]
    missing = 1 - len(known) / len(intervals)
    if not known:
        return Cell(math.nan, missing)
    covered = [each.low - 1e-9 <= truth <= each.high + 1e-9 for each, truth in known]
    return Cell(float(np.mean(covered)), missing)


def value_cell(job: tuple[int, int, int]) -> Cell:
    """The intervals of a single variant's mean."""
    place, n, draws = job
    shape = VALUES[place]
    rng = np.random.default_rng([1, place, n])
    intervals = [
        analyse(scores_of(shape.draw(rng, n)), [shape.metric], baseline=None)
        .variants[0]
        .cells[shape.metric.name]
        .interval
        for _ in range(draws)
    ]
    return summary(intervals, shape.truth)


def pair_cell(job: tuple[int, int, int]) -> tuple[Cell, Cell]:
    """The intervals of a difference: that of the test, and the plain one."""
    place, n, draws = job
    shape = PAIRS[place]
    rng = np.random.default_rng([2, place, n])
    tested, plain = [], []
    for seed in range(draws):
        scores = scores_of(shape.draw(rng, n))
        (effect,) = analyse(
            scores,
            [shape.metric],
            baseline="v0",
            primary=shape.metric.name,
            seed=seed,
            resamples=RESAMPLES,
        ).effects
        tested.append(effect.interval)
        plain.append(effect.plain_interval)
    return summary(tested, shape.truth), summary(plain, shape.truth)


class Documents(NamedTuple):
    """Documents whose questions are related: ``rate`` draws the mean of each document."""

    name: str
    rate: Draw
    is_yes_no: bool
    truth: float


DOCUMENT_SHAPES = (
    Documents("rate, 0.70", lambda rng, n: rng.beta(7, 3, n), True, 0.7),
    Documents("rate near the ceiling, 0.94", lambda rng, n: rng.beta(9.4, 0.6, n), True, 0.94),
    Documents("graded, 0.50", lambda rng, n: rng.beta(9, 9, n), False, 0.5),
    Documents("graded, 0.90", lambda rng, n: rng.beta(9, 1, n), False, 0.9),
)


def document_scores(shape: Documents, count: int, rng: np.random.Generator) -> Scores:
    """Five to sixty questions about each document."""
    clusters = np.repeat(np.arange(count), rng.integers(5, 60, count))
    means = shape.rate(rng, count)[clusters]
    if shape.is_yes_no:
        return scores_of((rng.random(len(clusters)) < means).astype(np.float64), clusters)
    return scores_of(rng.beta(4 * means, 4 * (1 - means)), clusters)


def document_cell(job: tuple[int, int, int]) -> tuple[Cell, Cell, Cell]:
    """The interval of documents, a bootstrap of documents, and the interval of items."""
    place, count, draws = job
    shape = DOCUMENT_SHAPES[place]
    rng = np.random.default_rng([3, place, count])
    intervals: list[list[Interval | None]] = [[], [], []]
    for _ in range(draws):
        scores = document_scores(shape, count, rng)
        for kind, clustered in ((0, True), (2, False)):
            analysis = analyse(scores, [SCORE], baseline=None, clustered=clustered)
            intervals[kind].append(analysis.variants[0].cells["score"].interval)
        intervals[1].append(document_bootstrap(scores, rng))
    cells = [summary(each, shape.truth) for each in intervals]
    return cells[0], cells[1], cells[2]


def document_bootstrap(scores: Scores, rng: np.random.Generator) -> Interval:
    """The BCa bootstrap of whole documents, which assay used before."""
    assert scores.clusters is not None
    sums = np.bincount(scores.clusters, weights=scores.values["score"][0])
    sizes = np.bincount(scores.clusters).astype(np.float64)
    chosen = rng.integers(0, len(sums), (1_000, len(sums)))
    draws = sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
    mean = float(sums.sum() / sizes.sum())
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    influence = without.mean() - without
    squares = float(influence @ influence)
    skew = float(np.sum(influence**3)) / (6 * squares**1.5) if squares > 0 else 0.0
    low, high = bca_bounds(draws, mean, skew)
    return Interval(low=low, high=high, method="cluster-bca")


class PairedDocuments(NamedTuple):
    """Two variants over documents; the difference varies from document to document."""

    name: str
    difference: float


DIFFERENCES = (PairedDocuments("no difference", 0.0), PairedDocuments("+8 points", 0.08))


def document_pair_cell(job: tuple[int, int, int]) -> tuple[Cell, Cell]:
    """Both intervals of a difference whose size depends on the document.

    With fewer than ten documents the interval of the test is about these documents, and the
    truth is their own mean difference. The plain interval is always about all documents.
    """
    place, count, draws = job
    truth = DIFFERENCES[place].difference
    rng = np.random.default_rng([4, place, count])
    tested, plain, truths = [], [], []
    for seed in range(draws):
        clusters = np.repeat(np.arange(count), rng.integers(5, 60, count))
        shift = rng.normal(truth, 0.06, count)[clusters]
        base = rng.uniform(0.25, 0.55, len(clusters))
        values = np.stack([base, base + shift + rng.uniform(-0.1, 0.1, len(clusters))])
        (effect,) = analyse(
            scores_of(np.clip(values, 0, 1), clusters),
            [SCORE],
            baseline="v0",
            seed=seed,
            resamples=RESAMPLES,
        ).effects
        tested.append(effect.interval)
        plain.append(effect.plain_interval)
        truths.append(truth if effect.test == "cluster-permutation" else float(shift.mean()))
    return summary(tested, truths), summary(plain, truth)


def number(value: float) -> str:
    """A share with three digits; a dash if there was no interval at all."""
    return "–" if math.isnan(value) else f"{value:.3f}"


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def grid(names: Sequence[str], sizes: Sequence[int], cells: Sequence[Cell], what: str) -> str:
    """One row for each shape, one column for each size, and the extremes below the table."""
    rows = (
        [
            name,
            *(
                number(cell.covered) + (f" ({cell.missing:.0%} –)" if cell.missing > 0 else "")
                for cell in cells[len(sizes) * place : len(sizes) * (place + 1)]
            ),
        ]
        for place, name in enumerate(names)
    )
    known = [cell.covered for cell in cells if not math.isnan(cell.covered)]
    large = [
        cell.covered for cell, n in zip(cells, list(sizes) * len(names), strict=True) if n >= 200
    ]
    least = f"lowest {min(known):.3f}"
    most = f"; highest at 200 or more {max(large):.3f}" if large else ""
    return f"{table([what, *map(str, sizes)], iter(rows))}\n\n{least}{most}\n"


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2_000, help="simulated runs for each cell")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = [(*each, options.draws) for each in product(range(len(VALUES)), SIZES)]
        names = [f"{shape.name}, {shape.truth:.2f}" for shape in VALUES]
        print("Values\n")
        print(grid(names, SIZES, list(pool.map(value_cell, jobs)), "questions"), flush=True)
        jobs = [(*each, options.draws) for each in product(range(len(PAIRS)), SIZES)]
        names = [f"{shape.name}, {shape.truth:+.2f}" for shape in PAIRS]
        pairs = list(pool.map(pair_cell, jobs))
        print("Differences, interval of the test\n")
        print(grid(names, SIZES, [cells[0] for cells in pairs], "questions"))
        print("Differences, plain interval\n")
        print(grid(names, SIZES, [cells[1] for cells in pairs], "questions"), flush=True)
        jobs = [
            (*each, options.draws // 2) for each in product(range(len(DOCUMENT_SHAPES)), DOCUMENTS)
        ]
        names = [shape.name for shape in DOCUMENT_SHAPES]
        documents = list(pool.map(document_cell, jobs))
        for kind, title in enumerate(("assay", "bootstrap of documents", "as if no documents")):
            print(f"Values over documents, {title}\n")
            cells = [each[kind] for each in documents]
            print(grid(names, DOCUMENTS, cells, "documents"), flush=True)
        jobs = [(*each, options.draws // 2) for each in product(range(2), DOCUMENTS)]
        compared = list(pool.map(document_pair_cell, jobs))
        for kind, title in enumerate(("interval of the test", "plain interval")):
            print(f"Differences over documents, {title}\n")
            cells = [each[kind] for each in compared]
            print(grid([each.name for each in DIFFERENCES], DOCUMENTS, cells, "documents"))


if __name__ == "__main__":
    main()
