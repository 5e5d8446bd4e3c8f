"""How often the interval of Lang and Reiczigel contains the truth with few labels of a kind.

The coverage is computed exactly, not simulated: all numbers of answers that the judge may call right
among the labelled right ones, the labelled wrong ones and the answers without a label are gone
through, with their probabilities. The labelled right answers are the few ones; by symmetry, the same
holds for few labels of wrong answers. ``bench/judge_coverage.py`` writes the table.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

KINDS: Final = (5, 8, 10, 12, 15, 20, 30)
OTHERS: Final = (50, 185, 485)
"""The number of labels of the other kind."""
ANSWERS: Final = (50, 200, 1000)
RATES: Final = (0.05, 0.2, 0.35, 0.5, 0.8)
ERRORS: Final = (0.7, 0.8, 0.9, 0.95, 0.99)
Z: Final = 1.959964
UNLIKELY: Final = 1e-8
Floats = NDArray[np.float64]


def likely(n: int, share: float) -> tuple[Floats, Floats]:
    """The numbers of successes that are not very unlikely, and their probabilities."""
    numbers = np.arange(n + 1.0)
    chances = binom.pmf(numbers, n, share)
    kept = chances > UNLIKELY
    return numbers[kept], chances[kept] / chances[kept].sum()


def coverage(rate: float, errors: tuple[float, float], kinds: tuple[int, int], n: int) -> float:
    """The probability that the interval contains the rate, if there is an interval."""
    sensitivity, specificity = errors
    right, wrong = kinds
    found, found_chances = likely(right, sensitivity)
    rejected, rejected_chances = likely(wrong, specificity)
    said, said_chances = likely(n, rate * sensitivity + (1 - rate) * (1 - specificity))
    se = ((found + 1) / (right + 2))[:, None, None]
    sp = ((rejected + 1) / (wrong + 2))[None, :, None]
    size = n + Z * Z
    apparent = ((said + Z * Z / 2) / size)[None, None, :]
    informative = se + sp - 1
    missed, invented = se * (1 - se) / (right + 2), sp * (1 - sp) / (wrong + 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = (apparent + sp - 1) / informative
        centre = estimate + 2 * Z * Z * (estimate * missed - (1 - estimate) * invented)
        variance = apparent * (1 - apparent) / size
        variance = variance + estimate**2 * missed + (1 - estimate) ** 2 * invented
        half = Z * np.sqrt(variance) / informative
        low, high = np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)
    exists = np.broadcast_to(informative > 0, low.shape)
    chances = found_chances[:, None, None] * rejected_chances[None, :, None] * said_chances
    inside = exists & (low <= rate) & (rate <= high)
    return float(chances[inside].sum() / chances[exists].sum())


def kind_lines() -> Iterator[str]:
    """The table: how low the coverage gets with this many labels of one kind."""
    yield "| labels of the rarer kind | lowest | settings below 0.93 |"
    yield "|---:|---:|---:|"
    for few in KINDS:
        shares = [
            coverage(rate, errors, (few, others), n)
            for rate, errors, others, n in product(RATES, product(ERRORS, ERRORS), OTHERS, ANSWERS)
        ]
        below = sum(share < 0.93 for share in shares)
        yield f"| {few} | {min(shares):.3f} | {below} of {len(shares)} |"
