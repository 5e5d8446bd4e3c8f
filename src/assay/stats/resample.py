"""Streams of random numbers, and what is drawn with them: finite values and whole documents."""

import hashlib
from functools import lru_cache
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Value = TypeVar("Value", bound=np.generic)

_BLOCK = 1 << 16
"""How many draws are counted at once, so that they stay in the processor's cache."""


def stream(seed: int, *names: str) -> np.random.Generator:
    """A random number generator that depends only on the seed and the names.

    >>> stream(1, "cite_ok", "fast").random() == stream(1, "cite_ok", "fast").random()
    True
    """
    text = "\x1f".join((str(seed), *names))
    key = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(key))


@lru_cache(maxsize=2)
def resample_counts(items: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    """How often each item is in each resample: a row for each item, a column for each resample.

    All values over the same number of items are resampled alike, so that the draws are made once.

    >>> counts = resample_counts(5, 1000, seed=0)
    >>> counts.shape, set(counts.sum(axis=0).tolist())
    ((5, 1000), {5})
    """
    rng = stream(seed, "resample")
    counts = np.empty((items, resamples), np.uint16)
    columns = max(1, _BLOCK // items)
    for start in range(0, resamples, columns):
        width = min(columns, resamples - start)
        chosen = rng.integers(0, items, size=(width, items))
        chosen += items * np.arange(width)[:, np.newaxis]
        found = np.bincount(chosen.ravel(), minlength=width * items)
        counts[:, start : start + width] = found.reshape(width, items).T
    counts.flags.writeable = False
    return counts


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
    """The number of different clusters. Cluster numbers must not be negative, and not very large.

    Counting needs an array up to the largest number, but is much faster than sorting.

    >>> cluster_count(np.array([3, 0, 3]))
    2
    """
    return int(np.count_nonzero(np.bincount(clusters)))
