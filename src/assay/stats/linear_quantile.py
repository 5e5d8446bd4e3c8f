"""Quantiles with linear interpolation, as ``np.quantile`` has them.

``np.quantile`` itself imports ``numpy.ma``, which takes a fifth of the time of importing NumPy.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.stats.resample import Floats


def quantile(values: Floats, q: float) -> float:
    """What ``np.quantile(values, q)`` returns for finite values, of which there must be one.

    >>> quantile(np.array([3.0, 1.0, 2.0, 10.0]), 0.5)
    2.5
    """
    first, last, part = _place(len(values), q)
    ordered = np.partition(values, (first, last))
    return float(_between(ordered[first], ordered[last], part))


def resampled_quantiles(values: Floats, chosen: NDArray[np.integer], q: float) -> Floats:
    """What ``np.quantile(values[chosen], q, axis=1)`` returns, in a tenth of its time.

    NumPy sorts short rows several times as fast as it finds the one or two values that count, and
    single-precision numbers three times as fast as others: so ranks are sorted, not values.

    >>> resampled_quantiles(np.array([3.0, 1.0, 8.0]), np.array([[0, 1, 1], [2, 0, 1]]), 0.5)
    array([1., 3.])
    """
    order = np.argsort(values)
    ranks = np.empty(len(values), np.float32)  # exact up to 2²⁴ values
    ranks[order] = np.arange(len(values))
    ordered = values[order]
    rows = ranks[chosen]
    rows.sort(axis=1)
    first, last, part = _place(rows.shape[1], q)
    low, high = (ordered[rows[:, place].astype(np.intp)] for place in (first, last))
    quantiles: Floats = _between(low, high, part)
    return quantiles


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
