"""How often the intervals of percentiles contain the true value: ``python bench/percentile.py``.

Latencies are lognormal. Each cell has the share of simulated runs whose interval contains the truth,
and its mean width. The aim is at least 0.93; the table is on ``docs/evidence/coverage.md``.
"""

import argparse
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from assay.stats.interval import Interval
from assay.stats.quantile import quantile_difference_interval, quantile_interval

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats, NDArray[np.intp] | None]]
QUESTIONS, DOCUMENTS = (20, 72, 100, 300), (5, 10, 20, 60)


def pairs(noise: float, *, step: float = 0.0, related: bool = True) -> Draw:
    """The seconds of a variant and of the baseline, over independent questions."""

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats, None]:
        base = rng.lognormal(0, 0.5, n)
        values = (base if related else rng.lognormal(0, 0.5, n)) * rng.lognormal(0.1, noise, n)
        if step:
            base, values = np.ceil(base / step) * step, np.ceil(values / step) * step
        return values, base, None

    return draw


def documents(spread: float) -> Draw:
    """About ten questions on each of ``n`` documents."""

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats, NDArray[np.intp]]:
        clusters = np.repeat(np.arange(n), rng.integers(5, 16, n))
        slow, slower = np.exp(rng.normal(0, spread, (2, n)))[:, clusters]
        base = slow * rng.lognormal(0, 0.4, len(clusters))
        return base * slower * rng.lognormal(0.1, 0.2, len(clusters)), base, clusters

    return draw


SHAPES: dict[str, tuple[Draw, Sequence[int]]] = {
    "unrelated pairs": (pairs(0.0, related=False), QUESTIONS),
    "pairs, noise 0.4": (pairs(0.4), QUESTIONS),
    "pairs, noise 0.02": (pairs(0.02), QUESTIONS),
    "pairs that differ by a factor": (pairs(0.0), QUESTIONS),
    "pairs in steps of 0.2 s": (pairs(0.3, step=0.2), QUESTIONS),
    "documents, spread 0.1": (documents(0.1), DOCUMENTS),
    "documents, spread 0.3": (documents(0.3), DOCUMENTS),
}


def cell(intervals: Sequence[Interval | None], truth: float) -> str:
    """The share of intervals that contain the truth, and their mean width."""
    known = np.array([(each.low, each.high) for each in intervals if each is not None])
    if len(known) < len(intervals) / 2:
        return "–"
    covered = np.mean((known[:, 0] - 1e-9 <= truth) & (truth <= known[:, 1] + 1e-9))
    return f"{covered:.3f} ({np.ptp(known, axis=1).mean():.2f})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1_000, help="simulated runs for each cell")
    count = parser.parse_args().draws
    for q, place in product((0.5, 0.95), range(len(SHAPES))):
        name, (draw, sizes) = list(SHAPES.items())[place]
        many, base, _ = draw(np.random.default_rng(place), 100_000)
        truth, before = float(np.quantile(many, q)), float(np.quantile(base, q))
        for n in sizes:
            rng = np.random.default_rng([place, n])
            runs = [draw(rng, n) for _ in range(count)]
            one = cell([quantile_interval(x, q, clusters=c) for x, _, c in runs], truth)
            two = [quantile_difference_interval(x, y, q, clusters=c) for x, y, c in runs]
            print(f"| p{q * 100:.0f}, {name} | {n} | {one} | {cell(two, truth - before)} |")
