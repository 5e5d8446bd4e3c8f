"""Differences within each item: one variant minus another, or a weighted sum of several."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.stats.resample import Floats

EVERYTHING = slice(None)


class Contrast:
    """A weighted sum of columns, computed for the items that are asked for.

    0.3 - 0.1 and 0.6 - 0.4 are the same difference and must be equal. Therefore the last digits
    of the floating-point numbers (about three) are rounded away. The result is NaN if any value
    is undefined.

    >>> contrast = Contrast([(1.0, np.array([0.3, 0.6])), (-1.0, np.array([0.1, 0.4]))])
    >>> contrast.changes().tolist()
    [0.2, 0.2]
    """

    def __init__(
        self,
        parts: Sequence[tuple[float, NDArray[np.floating]]],
        sizes: Sequence[float] | None = None,
    ) -> None:
        """``sizes`` has the size of the largest value of each column, if they are known."""
        self._parts = tuple(parts)
        if sizes is None:
            sizes = [largest_size(column) for _, column in self._parts]
        self._decimals = _decimals(self._parts, sizes)

    def __len__(self) -> int:
        return len(self._parts[0][1])

    def changes(self, items: slice = EVERYTHING) -> Floats:
        """The weighted sums of these items."""
        (weight, column), *others = self._parts
        total: Floats = column[items].astype(np.float64)
        if weight != 1:
            total *= weight
        for weight, column in others:
            total += weight * column[items].astype(np.float64)
        if self._decimals is not None:
            np.round(total, self._decimals, out=total)
            total += 0.0  # removes a negative zero
        return total


def largest_size(column: NDArray[np.floating]) -> float:
    """The size of the value that is furthest from 0; 0 if none is defined.

    >>> largest_size(np.array([0.5, -2.0, np.nan]))
    2.0
    """
    # fmin and fmax pass over NaN
    return max(
        float(np.fmax.reduce(column, initial=0.0)), -float(np.fmin.reduce(column, initial=0.0))
    )


def _decimals(
    parts: Sequence[tuple[float, NDArray[np.floating]]], sizes: Sequence[float]
) -> int | None:
    """How many decimals are certain, or ``None`` if nothing has to be rounded."""
    is_single = any(column.dtype == np.float32 for _, column in parts)
    largest = max(abs(weight) * size for (weight, _), size in zip(parts, sizes, strict=True))
    if not 0 < largest < math.inf:
        return None
    return (6 if is_single else 13) - 1 - math.floor(math.log10(largest))
