"""How often intervals contain the true value: ``python bench/coverage.py``.

Each cell of the tables is the share of simulated runs whose interval contains the true value, which
is known because the runs are simulated. The aim is 0.95, and at least 0.93 in every cell. The tables
are on the page ``docs/evidence/coverage.md``.
"""

import argparse
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple, TypeAlias

import numpy as np
from family import SHAPES, Cell, simulated, table
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from assay.records import Metric
from assay.stats.analysis import Analysis, analyse
from assay.stats.interval import Interval
from assay.stats.scores import Scores

Values: TypeAlias = NDArray[np.float64]
Value: TypeAlias = Callable[[Values], Values]

SIZES = (5, 10, 20, 50, 100, 300)
LARGER = SIZES[2:]
DOCUMENTS = (10, 15, 20, 30, 60)
QUESTIONS = (10, 20, 50)
DRAWS = 20
"""How often each question is asked."""
RESAMPLES = 999
"""Fewer sign flips than by default, because thousands of runs are analysed."""
SCORE = Metric(name="score", field="score")
LATENCY = Metric(name="latency", field="score", better="lower", unit="s")
P50 = Metric(name="p50", field="score", kind="p50", better="lower", unit="s")
P95 = Metric(name="p95", field="score", kind="p95", better="lower", unit="s")


class Shape(NamedTuple):
    """What a uniform number becomes as the score of a question, and the true value."""

    name: str
    truth: float
    value: Value
    metric: Metric = SCORE


def latency(u: Values) -> Values:
    """Seconds with a median of 1."""
    return np.asarray(np.exp(ndtri(u) / 2), np.float64)


def steps(*shares: tuple[float, float]) -> Value:
    """A few values, each with its share, in ascending order of the shares' sum."""
    limits = np.cumsum([share for _, share in shares])[:-1]
    levels = np.array([value for value, _ in shares])
    return lambda u: levels[np.searchsorted(limits, u, side="right")]


SHAPES_OF_VALUES = (
    Shape("rate", 0.7, steps((1.0, 0.7), (0.0, 0.3))),
    Shape("rate near 1", 0.94, steps((1.0, 0.94), (0.0, 0.06))),
    Shape("three values", 0.8, steps((1.0, 0.7), (0.5, 0.2), (0.0, 0.1))),
    Shape("three values near 1", 0.94, steps((1.0, 0.9), (0.5, 0.08), (0.0, 0.02))),
    Shape("graded near 1", 0.94, lambda u: np.where(u < 0.8, 1.0, 0.4 + 3 * (u - 0.8))),
    Shape("skewed", 1 / 3, lambda u: u * u),
    Shape("mostly 0.05, rarely 1", 0.0975, steps((0.05, 0.95), (1.0, 0.05))),
    Shape("latency", math.exp(0.125), latency, LATENCY),
    Shape("median latency", 1.0, latency, P50),
    Shape("p95 of latency", math.exp(ndtri(0.95) / 2), latency, P95),
)


def scores_of(values: Values, **groups: Values | None) -> Scores:
    """The values of one or more variants as the scores of a run."""
    rows = np.atleast_2d(values)
    return Scores(
        items=[f"{item:06d}" for item in range(rows.shape[1])],
        variants=tuple(f"v{number}" for number in range(len(rows))),
        status=np.ones(rows.shape, dtype=np.uint8),
        values={"score": rows},
        **groups,
    )


def contains(interval: Interval | None, truth: float) -> float:
    """1 if the interval contains the truth, 0 if not, NaN if there is none."""
    if interval is None:
        return math.nan
    return float(interval.low - 1e-9 <= truth <= interval.high + 1e-9)


def share(inside: Sequence[float]) -> str:
    """The share of intervals with the truth; a dash if there were none in half of the runs."""
    known = [each for each in inside if not math.isnan(each)]
    return "–" if len(known) < len(inside) / 2 else f"{np.mean(known):.3f}"


def value_cell(job: tuple[int, int, int]) -> str:
    """The interval of the value of one variant."""
    place, n, draws = job
    shape = SHAPES_OF_VALUES[place]
    rng = np.random.default_rng([1, place, n])
    runs = (scores_of(shape.value(rng.random(n))) for _ in range(draws))
    return share([_value(run, shape) for run in runs])


def _value(scores: Scores, shape: Shape) -> float:
    found = analyse(scores, [shape.metric], baseline=None, resamples=RESAMPLES)
    return contains(found.variants[0].cells[shape.metric.name].interval, shape.truth)


def compared(scores: Scores, seed: int) -> Analysis:
    """All variants compared with the first one."""
    return analyse(scores, [SCORE], baseline="v0", primary="score", seed=seed, resamples=RESAMPLES)


class Comparison(NamedTuple):
    """A setting of differences, and the true difference of the first variant."""

    cell: Cell
    gain: float
    draws: int


def difference_cell(job: Comparison) -> str:
    """The intervals of the differences of all variants: all of them must contain the truth."""
    cell, gain, draws = job
    rng = np.random.default_rng([2, cell.size, cell.variants, cell.documents])
    inside = []
    for seed in range(draws):
        effects = compared(simulated(cell, rng, gain), seed).effects
        truths = [gain, *[0.0] * (cell.variants - 1)]
        inside.append(
            min(contains(each.interval, truth) for each, truth in zip(effects, truths, strict=True))
        )
    return share(inside)


class Documents(NamedTuple):
    """Documents whose questions are related: ``a`` and ``b`` say how their means vary."""

    name: str
    a: float
    b: float
    is_yes_no: bool


DOCUMENT_SHAPES = (
    Documents("rate, 0.70", 7, 3, True),
    Documents("rate, 0.94", 9.4, 0.6, True),
    Documents("graded, 0.50", 9, 9, False),
    Documents("graded, 0.90", 9, 1, False),
)


def document_cell(job: tuple[int, int, int]) -> str:
    """The interval of a value over documents with 5 to 59 questions each."""
    place, count, draws = job
    shape = DOCUMENT_SHAPES[place]
    rng = np.random.default_rng([3, place, count])
    truth = shape.a / (shape.a + shape.b)
    inside = []
    for _ in range(draws):
        clusters = np.repeat(np.arange(count), rng.integers(5, 60, count))
        means = rng.beta(shape.a, shape.b, count)[clusters]
        drawn = (
            (rng.random(len(clusters)) < means).astype(np.float64)
            if shape.is_yes_no
            else rng.beta(4 * means, 4 * (1 - means))
        )
        inside.append(_value(scores_of(drawn, clusters=clusters), Shape("", truth, np.abs)))
    return share(inside)


def fixed_cell(job: tuple[int, int, int]) -> str:
    """The intervals of differences on these documents, whose own effects are the truth."""
    count, variants, draws = job
    rng = np.random.default_rng([5, count, variants])
    inside = []
    for seed in range(draws):
        shift = rng.normal(0, 0.1, (variants, count))
        base = rng.uniform(0.3, 0.7, 30 * count)
        noise = rng.normal(0, 0.1, (variants, len(base)))
        others = base + np.repeat(shift, 30, axis=1) + noise
        clusters = np.repeat(np.arange(count), 30)
        effects = compared(scores_of(np.vstack([base, others]), clusters=clusters), seed).effects
        truths = zip(effects, shift.mean(axis=1), strict=True)
        inside.append(min(contains(each.interval, truth) for each, truth in truths))
    return share(inside)


RELATED = {"all the same": 1.0, "half related": 0.5, "independent": 0.0}


def repeated_cell(job: tuple[int, float, int, int]) -> str:
    """The interval of a value of questions that are asked several times."""
    place, related, count, draws = job
    shape = SHAPES_OF_VALUES[place]
    rng = np.random.default_rng([4, place, int(10 * related), count])
    inside = []
    for _ in range(draws):
        common = np.repeat(rng.standard_normal(count), DRAWS)
        own = rng.standard_normal(len(common))
        normal = math.sqrt(related) * common + math.sqrt(1 - related) * own
        questions = np.repeat(np.arange(count), DRAWS)
        inside.append(_value(scores_of(shape.value(ndtr(normal)), questions=questions), shape))
    return share(inside)


def grid(
    title: str, head: Sequence[object], names: Sequence[Sequence[str]], cells: Sequence[str]
) -> None:
    """Print a table with one line for each name, and the lowest cell."""
    width = len(cells) // len(names)
    rows = [[*name, *cells[row * width : (row + 1) * width]] for row, name in enumerate(names)]
    lowest = min(float(cell) for cell in cells if cell != "–")
    print(f"{title}\n\n{table([*map(str, head)], rows)}\nlowest {lowest:.3f}\n", flush=True)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2_000, help="simulated runs for each cell")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    draws = options.draws
    places = range(len(SHAPES_OF_VALUES))
    names = [[f"{shape.name}, {shape.truth:.2f}"] for shape in SHAPES_OF_VALUES]
    with ProcessPoolExecutor(options.workers) as pool:
        cells = list(pool.map(value_cell, [(p, n, draws) for p in places for n in SIZES]))
        grid("Values", ["questions", *SIZES], names, cells)
        lines = [
            (shape, variants, gain)
            for shape in SHAPES
            for variants in (1, 5)
            for gain in (
                (0.0,) if shape.is_skewed else (0.0, shape.spread / (8 if shape.is_rate else 4))
            )
        ]
        jobs = [
            Comparison(Cell(shape, n, variants), gain, draws)
            for shape, variants, gain in lines
            for n in LARGER
        ]
        named = [
            [shape.name, f"{100 * gain:+.1f}", str(variants)] for shape, variants, gain in lines
        ]
        head = ["differences", "points", "variants", *LARGER]
        grid("Differences", head, named, list(pool.map(difference_cell, jobs)))
        jobs = [
            Comparison(Cell(shape, 10, variants, count), 0.0, draws)
            for shape in (SHAPES[0], SHAPES[2])
            for variants in (1, 5)
            for count in DOCUMENTS
        ]
        named = [[shape.name, str(v)] for shape in (SHAPES[0], SHAPES[2]) for v in (1, 5)]
        head = ["10 questions a document", "variants", *DOCUMENTS]
        grid("Differences over documents", head, named, list(pool.map(difference_cell, jobs)))
        jobs = [(n, v, draws) for v in (1, 5) for n in (1, 3, 9)]
        head = ["graded, 30 questions a document", 1, 3, 9]
        named = [["1 variant"], ["5 variants"]]
        grid("Differences on these documents", head, named, list(pool.map(fixed_cell, jobs)))
        documents = [(p, n, draws) for p in range(len(DOCUMENT_SHAPES)) for n in DOCUMENTS]
        cells = list(pool.map(document_cell, documents))
        named = [[shape.name] for shape in DOCUMENT_SHAPES]
        grid("Values over documents", ["documents", *DOCUMENTS], named, cells)
        chosen = [place for place in places if SHAPES_OF_VALUES[place].metric is not P95][:5:2]
        chosen += [place for place in places if SHAPES_OF_VALUES[place].metric in (LATENCY, P50)]
        repeated = [(p, r, n, draws) for p in chosen for r in RELATED.values() for n in QUESTIONS]
        named = [[*names[place], name] for place in chosen for name in RELATED]
        head = ["value", f"{DRAWS} answers to a question", *QUESTIONS]
        grid("Questions asked several times", head, named, list(pool.map(repeated_cell, repeated)))


if __name__ == "__main__":
    main()
