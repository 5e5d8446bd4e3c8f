"""False verdicts and power if changes are skewed: ``python bench/skew.py``.

The tables are on the page ``docs/evidence/coverage.md``. "Flips" is the sign-flip test alone, and "assay" the
test that verdicts use, which takes the skew of the changes into account.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.comparison import paired_effect
from assay.stats.effect import Method
from assay.stats.paired import paired_permutation

Draw: TypeAlias = Callable[[np.random.Generator, int], NDArray[np.float64]]

SIZES = (20, 30, 50, 100, 200)
RESAMPLES = 999
SCORE = Metric(name="score", field="score")


class Shape(NamedTuple):
    """Changes of questions, drawn independently."""

    name: str
    draw: Draw


def choice(values: Sequence[float], shares: Sequence[float]) -> Draw:
    """Draws from a few values."""
    return lambda rng, n: rng.choice(values, size=n, p=shares)


NO_DIFFERENCE = (
    Shape("90% +0.05, 10% −0.45", choice([0.05, -0.45], [0.9, 0.1])),
    Shape("90% −0.05, 10% +0.45", choice([-0.05, 0.45], [0.9, 0.1])),
    Shape("80% +0.10, 20% −0.40", choice([0.1, -0.4], [0.8, 0.2])),
    Shape("50% 0, 33% +0.5, 17% −1", choice([0.0, 0.5, -1.0], [1 / 2, 1 / 3, 1 / 6])),
    Shape("70% 0, 24% +0.1, 6% −0.4", choice([0.0, 0.1, -0.4], [0.7, 0.24, 0.06])),
    Shape("95% +0.05, 5% −0.95", choice([0.05, -0.95], [0.95, 0.05])),
    Shape("exponential", lambda rng, n: 0.1 * (1 - rng.exponential(1, n))),
    Shape("normal", lambda rng, n: rng.normal(0, 0.2, n)),
    Shape("beta minus beta", lambda rng, n: rng.beta(0.5, 2, n) - rng.beta(0.5, 2, n)),
    Shape("80% 0, 10% +1, 10% −1", choice([0.0, 1.0, -1.0], [0.8, 0.1, 0.1])),
)
DIFFERENCE = (
    Shape("normal", lambda rng, n: rng.normal(0.28 / np.sqrt(n), 0.1, n)),
    Shape("Laplace", lambda rng, n: rng.laplace(0.28 / np.sqrt(n / 2), 0.1, n)),
    Shape("75% 0, 21% +0.5, 4% −0.5", choice([0.0, 0.5, -0.5], [0.75, 0.21, 0.04])),
    Shape("beta minus beta", lambda rng, n: rng.beta(0.5, 1, n) - rng.beta(0.5, 2, n)),
    Shape(
        "exponential, with the skew",
        lambda rng, n: 0.1 * (rng.exponential(1, n) - 1 + 2.8 / np.sqrt(n)),
    ),
    Shape(
        "exponential, against it",
        lambda rng, n: 0.1 * (1 - rng.exponential(1, n) + 2.8 / np.sqrt(n)),
    ),
)


def shares(job: tuple[int, int, int, int]) -> str:
    """The shares of runs with a verdict, by sign flips alone and by assay."""
    kind, place, n, draws = job
    shape = (NO_DIFFERENCE, DIFFERENCE)[kind][place]
    rng = np.random.default_rng([kind, place, n])
    flips = verdicts = 0
    for seed in range(draws):
        changes = shape.draw(rng, n)
        alone = paired_permutation(changes, resamples=RESAMPLES, seed=seed)
        flips += alone is not None and alone < 0.05
        # half of each change on both sides of 0.5, so that the values are scores if they can be
        values, base = 0.5 + changes / 2, 0.5 - changes / 2
        method = Method(seed=seed, resamples=RESAMPLES)
        effect = paired_effect(SCORE, "b", "a", values, base, method)
        verdicts += effect.verdict in {"better", "worse"}
    return f"{flips / draws:.1%} → {verdicts / draws:.1%}"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2_000, help="simulated runs for each cell")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        for kind, shapes in enumerate((NO_DIFFERENCE, DIFFERENCE)):
            jobs = [
                (kind, place, n, options.draws) for place, n in product(range(len(shapes)), SIZES)
            ]
            cells = list(pool.map(shares, jobs))
            title = ("false verdicts, flips → assay", "power, flips → assay")[kind]
            print(f"| {title} | {' | '.join(map(str, SIZES))} |\n|{'---|' * (len(SIZES) + 1)}")
            for place, shape in enumerate(shapes):
                row = cells[place * len(SIZES) : (place + 1) * len(SIZES)]
                print(f"| {shape.name} | {' | '.join(row)} |")
            print(flush=True)


if __name__ == "__main__":
    main()
