"""Streams of random numbers, and what is drawn with them: finite values and whole documents."""

import hashlib
import math
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

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
    """The number of different clusters.

    >>> cluster_count(np.array([3, 0, 3]))
    2
    """
    # without an option, ``np.unique`` imports ``numpy.ma``, a fifth of the time of importing NumPy
    return len(np.unique(clusters, return_counts=True)[0])


# Quantiles with linear interpolation, as ``np.quantile`` has them.
#
# ``np.quantile`` itself imports ``numpy.ma``, which takes a fifth of the time of importing NumPy.

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
