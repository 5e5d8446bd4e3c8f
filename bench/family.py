"""False alarms and power of differences: ``python bench/family.py``.

Runs with a baseline and one or five variants are simulated. In the first table the variants are equal
in truth, so every verdict is a false alarm. In the second one the first variant is better. Beside
assay stands the textbook test of the same runs: McNemar's mid-p test for yes/no, the paired t test
for graded scores, the t test of document means for documents, with Holm's correction for five variants.
The tables are on the page ``docs/evidence/coverage.md``.
"""

import argparse
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from assay.records import Metric
from assay.stats.analysis import analyse
from assay.stats.effect import Effect, holm
from assay.stats.scores import Scores

Values: TypeAlias = NDArray[np.float64]
Draw: TypeAlias = Callable[[np.random.Generator, int, Values], tuple[Values, Values]]
"""Draws scores of questions, given the true gain of each variant."""

SIZES = (20, 50, 100, 300)
DOCUMENTS = ((10, 10), (10, 30), (30, 10), (30, 30))
"""Numbers of documents, and of questions about each."""
RESAMPLES = 999
"""Fewer sign flips than by default, because thousands of runs are analysed."""
SCORE = Metric(name="score", field="score")


class Shape(NamedTuple):
    """Scores of a baseline and of variants.

    ``spread`` is the standard deviation of the differences, ``is_rate`` whether they are yes/no.
    """

    name: str
    draw: Draw
    spread: float
    is_rate: bool = False
    is_skewed: bool = False


def yes_no(
    rng: np.random.Generator, n: int, gains: Values, *, rate: float, changed: float
) -> tuple[Values, Values]:
    """Answers of which a share changes in either direction."""
    base = rng.random(n) < rate
    gained, lost = (changed + gains[:, None]) / 2, (changed - gains[:, None]) / 2
    chance = np.where(base, lost / rate, gained / (1 - rate))
    return base.astype(np.float64), (base ^ (rng.random(chance.shape) < chance)).astype(np.float64)


def graded(rng: np.random.Generator, n: int, gains: Values) -> tuple[Values, Values]:
    """Scores with normal differences."""
    base = rng.uniform(0.3, 0.7, n)
    return base, base + rng.normal(0, 0.1, (len(gains), n)) + gains[:, None]


def tied(rng: np.random.Generator, n: int, gains: Values) -> tuple[Values, Values]:
    """Scores of 0, 0.5 and 1, most of which stay as they are."""
    levels, shares = [0.0, 0.5, 1.0], [0.2, 0.3, 0.5]
    base = rng.choice(levels, n, p=shares)
    drawn = rng.choice(levels, (len(gains), n), p=shares)
    return base, np.where(rng.random(drawn.shape) < 0.3, drawn, base) + gains[:, None]


def near_ceiling(rng: np.random.Generator, n: int, gains: Values) -> tuple[Values, Values]:
    """Full marks for four fifths of the questions, and a part of them for the others."""
    shape = (len(gains) + 1, n)
    values = np.where(rng.random(shape) < 0.8, 1.0, rng.uniform(0.4, 1.0, shape))
    return values[0], values[1:] + gains[:, None]


def skewed(
    rng: np.random.Generator, n: int, gains: Values, *, share: float, often: float, rarely: float
) -> tuple[Values, Values]:
    """A share of the questions changes a little, the others much in the other direction."""
    shape = (len(gains), n)
    size = np.where(rng.random(shape) < share, often, rarely)
    return np.full(n, 0.5), 0.5 + size * rng.uniform(0.25, 0.75, shape)


SHAPES = (
    Shape("yes/no, 20% change", partial(yes_no, rate=0.6, changed=0.2), 0.2**0.5, is_rate=True),
    Shape("yes/no near 1", partial(yes_no, rate=0.94, changed=0.06), 0.06**0.5, is_rate=True),
    Shape("graded", graded, 0.1),
    Shape("tied at 0, 0.5, 1", tied, 0.302),
    Shape("graded near 1", near_ceiling, 0.213),
    *(
        Shape(
            f"{share:.0%} {often:+.2f}, {1 - share:.0%} {rarely:+.2f}",
            partial(skewed, share=share, often=often, rarely=rarely),
            0.0,
            is_skewed=True,
        )
        for share, often, rarely in ((0.8, 0.1, -0.4), (0.9, 0.05, -0.45), (0.95, 0.05, -0.95))
    ),
)
DOCUMENT_SHAPES = (SHAPES[0], SHAPES[2])


def scores_of(base: Values, others: Values, documents: int = 0) -> Scores:
    """A run; its questions belong to ``documents`` of the same size, or to none."""
    values = np.vstack([base[None], others])
    n = values.shape[1]
    return Scores(
        items=[f"{question:06d}" for question in range(n)],
        variants=tuple(f"v{number}" for number in range(len(values))),
        status=np.ones(values.shape, dtype=np.uint8),
        values={"score": values},
        clusters=np.repeat(np.arange(documents), n // documents) if documents else None,
    )


def with_documents(
    rng: np.random.Generator, shape: Shape, gains: Values, documents: int, questions: int
) -> tuple[Values, Values]:
    """A run whose differences vary from document to document."""
    base, others = shape.draw(rng, documents * questions, gains)
    shift = rng.normal(0, 0.5 * shape.spread, (len(gains), documents))
    shift = np.repeat(shift, questions, axis=1)
    if not shape.is_rate:
        return base, others + shift
    rises = (rng.random(shift.shape) < shift) & (base == 0)
    falls = (rng.random(shift.shape) < -shift * 2 / 3) & (base == 1)
    return base, np.where(rises, 1.0, np.where(falls, 0.0, others))


def effects_of(scores: Scores, seed: int) -> tuple[Effect, ...]:
    """The effects of all variants on the score, as a report has them."""
    return analyse(
        scores, [SCORE], baseline="v0", primary="score", seed=seed, resamples=RESAMPLES
    ).effects


def is_shown(effect: Effect) -> bool:
    """Whether the verdict is that the variant is better or worse."""
    return effect.verdict in {"better", "worse"}


def textbook_p_values(shape: Shape, scores: Scores) -> list[float]:
    """The p-value of each variant by the textbook, corrected by Holm's method."""
    values = scores.values["score"]
    found: list[float | None] = []
    for changes in values[1:] - values[0]:
        if scores.clusters is not None:
            means = changes.reshape(int(scores.clusters.max()) + 1, -1).mean(axis=1)
            found.append(float(stats.ttest_1samp(means, 0).pvalue) if means.any() else 1.0)
        elif shape.is_rate:
            gained, lost = int((changes > 0).sum()), int((changes < 0).sum())
            tail = 2 * stats.binom.cdf(min(gained, lost), gained + lost, 0.5)
            found.append(min(1.0, tail - stats.binom.pmf(gained, gained + lost, 0.5)))
        else:
            found.append(float(stats.ttest_1samp(changes, 0).pvalue) if np.ptp(changes) else 1.0)
    return [1.0 if p is None or math.isnan(p) else p for p in holm(found)]


class Cell(NamedTuple):
    """A simulated setting; ``documents`` is 0 for independent questions, then ``size`` of them."""

    shape: Shape
    size: int
    variants: int
    documents: int = 0


def simulated(cell: Cell, rng: np.random.Generator, gain: float = 0.0) -> Scores:
    """One run; the first variant is better by ``gain`` in truth."""
    gains = np.array([gain, *[0.0] * (cell.variants - 1)])
    if cell.documents:
        drawn = with_documents(rng, cell.shape, gains, cell.documents, cell.size)
    else:
        drawn = cell.shape.draw(rng, cell.size, gains)
    return scores_of(*drawn, cell.documents)


def findable(cell: Cell, power: float) -> float:
    """About the difference that the textbook test finds with this power."""
    between = 0.04 if cell.shape.is_rate else 0.25  # see with_documents
    spread = cell.shape.spread * (math.sqrt(1 / cell.size + between) if cell.documents else 1)
    critical = stats.norm.isf(0.025 / cell.variants)
    gain = (critical + stats.norm.ppf(power)) * spread / math.sqrt(cell.documents or cell.size)
    return min(gain, 0.9 * cell.shape.spread**2) if cell.shape.is_rate else gain


def false_alarms(job: tuple[Cell, int]) -> tuple[float, float]:
    """The share of runs with a verdict where no variant differs, by assay and by the textbook."""
    cell, draws = job
    rng = np.random.default_rng([1, cell.size, cell.variants, cell.documents])
    ours = theirs = 0
    for seed in range(draws):
        scores = simulated(cell, rng)
        ours += any(map(is_shown, effects_of(scores, seed)))
        theirs += min(textbook_p_values(cell.shape, scores)) < 0.05
    return ours / draws, theirs / draws


def powers(job: tuple[Cell, int]) -> tuple[float, float]:
    """The share of runs that show the better variant, by assay and by the textbook."""
    cell, draws = job
    rng = np.random.default_rng([2, cell.size, cell.variants, cell.documents])
    ours = theirs = 0
    for seed in range(draws):
        scores = simulated(cell, rng, findable(cell, 0.8))
        ours += effects_of(scores, seed)[0].verdict == "better"
        values = scores.values["score"]
        rises = float((values[1] - values[0]).mean()) > 0
        theirs += textbook_p_values(cell.shape, scores)[0] < 0.05 and rises
    return ours / draws, theirs / draws


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2_000, help="simulated runs for each cell")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    head = ["differences", "variants", *map(str, SIZES)]
    in_documents = [f"{count} × {each}" for count, each in DOCUMENTS]
    with ProcessPoolExecutor(options.workers) as pool:
        for title, measure in (("False alarms", false_alarms), ("Power", powers)):
            chosen = [each for each in SHAPES if title == "False alarms" or not each.is_skewed]
            grids = (
                (head, chosen, [(0, size) for size in SIZES]),
                (["documents", "variants", *in_documents], DOCUMENT_SHAPES, DOCUMENTS),
            )
            for names, shapes, sizes in grids:
                lines = [(shape, variants) for shape in shapes for variants in (1, 5)]
                jobs = [
                    (Cell(shape, size, variants, documents), options.draws)
                    for shape, variants in lines
                    for documents, size in sizes
                ]
                found = [f"{ours:.1%} / {theirs:.1%}" for ours, theirs in pool.map(measure, jobs)]
                rows = [
                    [shape.name, str(variants), *found[row * len(sizes) : (row + 1) * len(sizes)]]
                    for row, (shape, variants) in enumerate(lines)
                ]
                print(f"{title}\n\n{table(names, rows)}", flush=True)


if __name__ == "__main__":
    main()
