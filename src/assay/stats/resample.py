"""Streams of random numbers, sums of documents, and quantiles."""

import hashlib
import math
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Value = TypeVar("Value", bound=np.generic)


def stream(seed: int, *names: str) -> np.random.Generator:
    """A random number generator that depends only on the seed and the names.

    >>> stream(1, "cite_ok", "fast").random() == stream(1, "cite_ok", "fast").random()
    True
    """
    text = "\x1f".join((str(seed), *names))
    key = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(key))


def chosen_values(values: NDArray[Value], chosen: NDArray[np.bool_]) -> NDArray[Value]:
    """The chosen values; the array itself if all are, which is usual and spares a copy.

    >>> chosen_values(np.array([1.0, 0.5]), np.array([False, True])).tolist()
    [0.5]
    """
    return values if chosen.all() else values[chosen]


def finite_values(values: NDArray[np.floating]) -> Floats:
    """The values that are finite; NaN means undefined, and infinity is not a measurement.

    >>> finite_values(np.array([1.0, np.nan, 0.5])).tolist()
    [1.0, 0.5]
    """
    doubles = np.asarray(values, dtype=np.float64)
    return chosen_values(doubles, np.isfinite(doubles))


def cluster_sums(values: Floats, clusters: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """The sums and the sizes of the clusters that contain a value, ordered by cluster number.

    >>> cluster_sums(np.array([1.0, 2.0, 5.0]), np.array([7, 7, 2]))
    (array([5., 3.]), array([1., 2.]))
    """
    numbers = np.asarray(clusters, dtype=np.intp)
    if numbers.size and (numbers.min() < 0 or numbers.max() > 4 * numbers.size + 1024):
        numbers = np.unique(numbers, return_inverse=True)[1]
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.asarray(np.bincount(numbers, weights=values), dtype=np.float64)
    present = sizes > 0
    return sums[present], sizes[present]


def cluster_count(clusters: NDArray[np.integer]) -> int:
    """The number of different clusters.

    >>> cluster_count(np.array([3, 0, 3]))
    2
    """
    # without an option, ``np.unique`` imports ``numpy.ma``, a fifth of the time of importing NumPy
    return len(np.unique(clusters, return_counts=True)[0])


# Quantiles with linear interpolation, as ``np.quantile`` has them.
#
# ``np.quantile`` itself imports ``numpy.ma``, which takes a fifth of the time of importing NumPy.


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
    return [
        _between(float(ordered[first]), float(ordered[last]), part) for first, last, part in places
    ]


def _place(n: int, q: float) -> tuple[int, int, float]:
    """The numbers of the two sorted values beside the quantile, and its place between them."""
    position = (n - 1) * q
    first = math.floor(position)
    return first, min(first + 1, n - 1), position - first


def _between(low: float, high: float, part: float) -> float:
    # as NumPy does it: from the nearer end, so that rounding never leads past the other one
    if part < 0.5:
        return low + (high - low) * part
    return high - (high - low) * (1 - part)
