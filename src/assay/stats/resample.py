"""Streams of random numbers, and what is drawn with them: finite values and whole documents."""

import hashlib
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def stream(seed: int, *names: str) -> np.random.Generator:
    """A random number generator that depends only on the seed and the names.

    >>> stream(1, "cite_ok", "fast").random() == stream(1, "cite_ok", "fast").random()
    True
    """
    text = "\x1f".join((str(seed), *names))
    key = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(key))


def finite_values(values: NDArray[np.floating]) -> Floats:
    """The values that are finite; NaN means undefined, and infinity is not a measurement.

    >>> finite_values(np.array([1.0, np.nan, 0.5])).tolist()
    [1.0, 0.5]
    """
    doubles = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(doubles)
    return doubles if finite.all() else doubles[finite]


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
    """The number of different clusters. Cluster numbers must not be negative, and not very large.

    Counting needs an array up to the largest number, but is much faster than sorting.

    >>> cluster_count(np.array([3, 0, 3]))
    2
    """
    return int(np.count_nonzero(np.bincount(clusters)))
