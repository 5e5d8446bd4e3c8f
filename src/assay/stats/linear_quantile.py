"""Quantiles with linear interpolation, as ``np.quantile`` has them.

``np.quantile`` itself imports ``numpy.ma``, which takes a fifth of the time of importing NumPy.
"""

import math
from typing import Any

import numpy as np

from assay.stats.resample import Floats


def quantile(values: Floats, q: float) -> float:
    """What ``np.quantile(values, q)`` returns for finite values, of which there must be one.

    >>> quantile(np.array([3.0, 1.0, 2.0, 10.0]), 0.5)
    2.5
    """
    first, last, part = _place(len(values), q)
    ordered = np.partition(values, (first, last))
    return float(_between(ordered[first], ordered[last], part))


def row_quantiles(rows: Floats, q: float) -> Floats:
    """What ``np.quantile(rows, q, axis=1)`` returns, in a fifth of its time; ``rows`` are sorted.

    NumPy sorts short rows several times as fast as it finds the one or two values that count.

    >>> row_quantiles(np.array([[3.0, 1.0, 2.0], [6.0, 4.0, 8.0]]), 0.5)
    array([2., 6.])
    """
    first, last, part = _place(rows.shape[1], q)
    rows.sort(axis=1)
    quantiles: Floats = _between(rows[:, first], rows[:, last], part)
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
