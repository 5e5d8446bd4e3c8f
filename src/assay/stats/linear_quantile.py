"""Quantiles with linear interpolation, as ``np.quantile`` has them.

``np.quantile`` itself imports ``numpy.ma``, which takes a fifth of the time of importing NumPy.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.stats.resample import Floats

_STEP = 32
"""After how many values it is looked whether the quantiles of all resamples are reached."""


def quantile(values: Floats, q: float) -> float:
    """What ``np.quantile(values, q)`` returns for finite values, of which there must be one.

    >>> quantile(np.array([3.0, 1.0, 2.0, 10.0]), 0.5)
    2.5
    """
    (found,) = quantiles(values, q)
    return found


def quantiles(values: Floats, *shares: float) -> list[float]:
    """Several quantiles of the same values, found together.

    >>> quantiles(np.array([3.0, 1.0, 2.0, 10.0]), 0.5, 1.0)
    [2.5, 10.0]
    """
    places = [_place(len(values), q) for q in shares]
    ordered = np.partition(values, [end for first, last, _ in places for end in (first, last)])
    return [float(_between(ordered[first], ordered[last], part)) for first, last, part in places]


def resampled_quantiles(values: Floats, counts: NDArray[np.uint16], q: float) -> Floats:
    """The quantile of each resample: what ``np.quantile`` returns for the chosen values.

    ``counts`` says how often each value is in each resample (see ``resample_counts``). From the
    smallest value on, the values are counted up to the two beside the quantile; sorting
    each resample would take ten times as long.

    >>> resampled_quantiles(np.array([3.0, 1.0, 8.0]), np.array([[1, 1], [2, 1], [0, 1]]), 0.5)
    array([1., 3.])
    """
    order = np.argsort(values)
    first, last, part = _place(len(values), q)
    start, counted = _counted_before(counts, order, first, q)
    low, high = np.full_like(counted, start), np.full_like(counted, start)
    for begin in range(start, len(order), _STEP):
        # small integers are added without conversion, which would take most of the time
        few_low, few_high = np.zeros((2, len(counted)), np.uint8)
        for item in order[begin : begin + _STEP]:
            counted += counts[item].astype(np.uint16, copy=False)
            few_low += (counted <= first).view(np.uint8)
            few_high += (counted <= last).view(np.uint8)
        low += few_low
        high += few_high
        if counted.min() > last:
            break
    ordered = values[order]
    quantiles: Floats = _between(ordered[low], ordered[high], part)
    return quantiles


def _counted_before(
    counts: NDArray[np.uint16], order: NDArray[np.intp], first: int, q: float
) -> tuple[int, NDArray[np.uint16]]:
    """How many of the smallest values are before the quantile of every resample, and their counts.

    They are more than six standard deviations below it; if that is not enough, none are.
    """
    spread = 6 * math.sqrt(len(order) * q * (1 - q)) + 4
    start = max(0, math.floor(first - spread))
    if start <= len(order) // 2:
        counted = np.add.reduce(counts[order[:start]], axis=0, dtype=np.uint16)
    else:  # fewer are left to count: a resample has as many values as there are items
        rest = np.add.reduce(counts[order[start:]], axis=0, dtype=np.uint16)
        counted = np.uint16(len(order)) - rest
    if start and counted.max() > first:
        return 0, np.zeros_like(counted)
    return start, counted


def _place(n: int, q: float) -> tuple[int, int, float]:
    """The numbers of the two sorted values beside the quantile, and its place between them."""
    position = (n - 1) * q
    first = math.floor(position)
    return first, min(first + 1, n - 1), position - first


def _between(low: Any, high: Any, part: float) -> Any:
    # as NumPy does it: from the nearer end, so that rounding never leads past the other one
    if part < 0.5:
        return low + (high - low) * part
    return high - (high - low) * (1 - part)
