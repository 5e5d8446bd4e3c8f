"""Questions that are asked at 20 placements: ``python bench/question_coverage.py``.

A depth test asks one question at many lengths and depths. Here the answers to one question are all
the same, half related, or independent. Each table compares what assay does, which counts a question
once, with what an analysis of single answers would say about new questions: how often intervals
contain the true value (0.95 is promised), how often equal variants get a verdict (at most 5% is
promised), and how often a true difference is found. The tables are on the page
``docs/evidence/coverage.md``.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from assay.records import Metric
from assay.stats.analysis import analyse
from assay.stats.interval import Interval
from assay.stats.scores import Scores

Values: TypeAlias = NDArray[np.float64]

QUESTIONS = (10, 20, 50)
PLACEMENTS = 20
RELATED = {"all the same": 1.0, "half related": 0.5, "independent": 0.0}
RESAMPLES = 1_999
"""Fewer draws than by default, because thousands of runs are analysed."""
SCORE = Metric(name="score", field="score")
LATENCY = Metric(name="latency", field="score", better="lower", unit="s")
MEDIAN = Metric(name="median", field="score", better="lower", unit="s", kind="p50")


class Shape(NamedTuple):
    """Values of one variant: ``value`` turns uniform numbers into them."""

    name: str
    truth: float
    value: Callable[[Values], Values]
    metric: Metric = SCORE


class Pairs(NamedTuple):
    """The true rates of the baseline and of a variant."""

    name: str
    base: float
    variant: float


class Found(NamedTuple):
    """Shares of simulated runs: whose interval holds the truth, and which have a verdict."""

    covered: float
    plain: float = math.nan
    verdicts: float = math.nan


SHAPES = (
    Shape("rate, 0.70", 0.7, lambda u: (u < 0.7).astype(np.float64)),
    Shape("rate near the ceiling, 0.94", 0.94, lambda u: (u < 0.94).astype(np.float64)),
    Shape("three values, 0.80", 0.8, lambda u: np.where(u < 0.7, 1.0, np.where(u < 0.9, 0.5, 0.0))),
    Shape("latency, s, 1.13", math.exp(0.125), lambda u: np.exp(ndtri(u) / 2), LATENCY),
    Shape("median latency, s, 1.00", 1.0, lambda u: np.exp(ndtri(u) / 2), MEDIAN),
)
PAIRS = (Pairs("no difference", 0.7, 0.7), Pairs("+15 points", 0.7, 0.85))


def uniform(rng: np.random.Generator, count: int, related: float, variants: int) -> Values:
    """Uniform numbers for each variant and answer; the answers to a question are related.

    Half of what is special about a question is the same for all variants.
    """
    shared = rng.standard_normal((1, count, 1))
    own = rng.standard_normal((variants, count, 1))
    single = rng.standard_normal((variants, count, PLACEMENTS))
    question = math.sqrt(0.5) * (shared + own)
    normal = math.sqrt(related) * question + math.sqrt(1 - related) * single
    return np.asarray(ndtr(normal).reshape(variants, -1), np.float64)


def scores_of(values: Values, count: int, *, by_question: bool) -> Scores:
    """The scores of a run with every question at every placement."""
    questions = np.repeat(np.arange(count), PLACEMENTS)
    return Scores(
        items=[f"{item:06d}" for item in range(values.shape[1])],
        variants=tuple(f"v{number}" for number in range(len(values))),
        status=np.ones(values.shape, dtype=np.uint8),
        values={"score": values},
        questions=questions if by_question else None,
    )


def contains(interval: Interval | None, truth: float) -> float:
    """1 if the interval contains the truth, 0 if not, NaN if there is none."""
    if interval is None:
        return math.nan
    return float(interval.low - 1e-9 <= truth <= interval.high + 1e-9)


def value_cell(job: tuple[int, float, int, int]) -> tuple[Found, Found]:
    """The interval of a value: by answers, and by questions."""
    place, related, count, draws = job
    shape = SHAPES[place]
    rng = np.random.default_rng([5, place, int(10 * related), count])
    inside: tuple[list[float], list[float]] = ([], [])
    for _ in range(draws):
        values = shape.value(uniform(rng, count, related, 1))
        for by_question, found in enumerate(inside):
            scores = scores_of(values, count, by_question=bool(by_question))
            table = analyse(scores, [shape.metric], baseline=None, resamples=RESAMPLES)
            cell = table.variants[0].cells[shape.metric.name]
            found.append(contains(cell.interval, shape.truth))
    return Found(float(np.nanmean(inside[0]))), Found(float(np.nanmean(inside[1])))


def pair_cell(job: tuple[int, float, int, int]) -> tuple[Found, Found]:
    """The intervals and the verdict of a difference: by answers, and by questions."""
    place, related, count, draws = job
    rates = np.array([[PAIRS[place].base], [PAIRS[place].variant]])
    truth = PAIRS[place].variant - PAIRS[place].base
    rng = np.random.default_rng([6, place, int(10 * related), count])
    rows: tuple[list[Found], list[Found]] = ([], [])
    for seed in range(draws):
        values = (uniform(rng, count, related, 2) < rates).astype(np.float64)
        for by_question, found in enumerate(rows):
            scores = scores_of(values, count, by_question=bool(by_question))
            (effect,) = analyse(
                scores, [SCORE], baseline="v0", seed=seed, resamples=RESAMPLES
            ).effects
            is_shown = float(effect.verdict in {"better", "worse"})
            ends = contains(effect.interval, truth), contains(effect.plain_interval, truth)
            found.append(Found(*ends, is_shown))
    before, after = (Found(*np.nanmean(np.array(found), axis=0).tolist()) for found in rows)
    return before, after


def table(title: str, rows: Iterator[list[str]]) -> str:
    """A Markdown table: by single answers, then by questions, for each number of questions."""
    sizes = [f"{count}, {how}" for how in ("answers", "questions") for count in QUESTIONS]
    lines = [[title, "answers to a question", *sizes], ["---"] * (2 + len(sizes)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def rows_of(
    names: list[str], found: list[tuple[Found, Found]], field: str, shown: str
) -> Iterator[list[str]]:
    """One row for each name and relation."""
    for number, (name, related) in enumerate(product(names, RELATED)):
        cells = found[number * len(QUESTIONS) : (number + 1) * len(QUESTIONS)]
        shares = [getattr(cell[how], field) for how in (0, 1) for cell in cells]
        yield [name, related, *(format(share, shown) for share in shares)]


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2_000, help="simulated runs for each cell")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    grid = list(product(RELATED.values(), QUESTIONS))
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = [(place, *each, options.draws) for place in range(len(SHAPES)) for each in grid]
        values = list(pool.map(value_cell, jobs))
        jobs = [(place, *each, options.draws) for place in range(len(PAIRS)) for each in grid]
        pairs = list(pool.map(pair_cell, jobs))
    shapes, kinds = [shape.name for shape in SHAPES], [pair.name for pair in PAIRS]
    print(table("value", rows_of(shapes, values, "covered", ".3f")))
    print(table("difference, beside p", rows_of(kinds, pairs, "covered", ".3f")))
    print(table("difference, plain", rows_of(kinds, pairs, "plain", ".3f")))
    print(table("verdicts", rows_of(kinds, pairs, "verdicts", ".1%")))


if __name__ == "__main__":
    main()
