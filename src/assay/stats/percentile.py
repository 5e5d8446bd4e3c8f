"""Percentile bootstrap intervals of percentiles, and of their differences between pairs.

A resample's percentile is an order statistic of it, and which of the sorted values that is
can be drawn without drawing the rest: ranks of a resample are uniform order statistics, which
are beta-distributed. Between two columns over the same items, or with whole documents
resampled, what is drawn is how many values fall below today's percentile; the percentile
moves by as many ranks the other way (Bahadur's representation).
"""

import math

import numpy as np
from numpy.typing import NDArray

from assay.stats.interval import Interval, checked_level
from assay.stats.resample import Floats, defined, grouped, stream

MOST_SORTED = 400
"""Paired items up to which the resamples of a difference are drawn whole."""
MOST_DRAWN = 1_000
"""Units up to which ranks are drawn by resampling; beyond, they are as good as normal."""

_BLOCK = 1 << 18


def quantile_interval(
    values: NDArray[np.floating],
    q: float,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
    names: tuple[str, ...] = (),
) -> Interval | None:
    """The percentile bootstrap interval of ``numpy.quantile(values, q)``.

    ``None`` for fewer than two values or clusters. NaN is undefined and left out. ``names``
    give this interval random numbers of its own (see ``stream``).

    >>> interval = quantile_interval(np.arange(101.0), 0.5)
    >>> 35 < interval.low < 45, 55 < interval.high < 65
    (True, True)
    """
    checked_level(level)
    rng = stream(seed, *names)
    known = np.isfinite(values)
    ordered = np.sort(defined(values))
    if len(ordered) < 2:
        return None
    if clusters is None:
        return _interval(_resampled(ordered, q, resamples, rng), level, "percentile")
    wide = np.asarray(values, np.float64)[known]
    shifts = _rank_shifts([wide], q, np.asarray(clusters)[known], resamples, rng)
    if shifts is None:
        return None
    return _interval(_read(ordered, q - shifts[0]), level, "cluster-percentile")


def quantile_difference_interval(
    values: NDArray[np.floating],
    baseline: NDArray[np.floating],
    q: float,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
    names: tuple[str, ...] = (),
) -> Interval | None:
    """The interval of ``quantile(values, q) - quantile(baseline, q)``, items resampled in pairs.

    Items where either is undefined are left out; ``None`` for fewer than two pairs or
    clusters.

    >>> fast = np.arange(200.0)
    >>> interval = quantile_difference_interval(fast + 5, fast, 0.5)
    >>> interval.low, interval.high
    (5.0, 5.0)
    """
    checked_level(level)
    rng = stream(seed, *names)
    both = np.isfinite(values) & np.isfinite(baseline)
    ours, theirs = (np.asarray(each, np.float64)[both] for each in (values, baseline))
    if len(ours) < 2:
        return None
    if clusters is None and len(ours) <= MOST_SORTED:
        draws = _sorted_differences(ours, theirs, q, resamples, rng)
        return _interval(draws, level, "percentile")
    groups = None if clusters is None else np.asarray(clusters)[both]
    shifts = _rank_shifts([ours, theirs], q, groups, resamples, rng)
    if shifts is None:
        return None
    draws = _read(np.sort(ours), q - shifts[0]) - _read(np.sort(theirs), q - shifts[1])
    return _interval(draws, level, "percentile" if clusters is None else "cluster-percentile")


def _interval(draws: Floats, level: float, method: str) -> Interval:
    ends = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=float(ends[0]), high=float(ends[1]), level=level, method=method)


def _resampled(ordered: Floats, q: float, resamples: int, rng: np.random.Generator) -> Floats:
    """Percentiles of resamples, by the ranks of the one or two order statistics they rest on."""
    n = len(ordered)
    place = q * (n - 1)
    first = math.floor(place)
    part = place - first
    lower = rng.beta(first + 1, n - first, resamples)
    values = ordered[_index(lower, n)]
    if part == 0:
        return values
    # Of the n - first - 1 uniforms above the lower one, the next is the smallest.
    upper = lower + (1 - lower) * rng.beta(1, n - first - 1, resamples)
    return np.asarray(values * (1 - part) + ordered[_index(upper, n)] * part, np.float64)


def _index(shares: Floats, n: int) -> NDArray[np.intp]:
    return np.minimum((shares * n).astype(np.intp), n - 1)


def _sorted_differences(
    ours: Floats, theirs: Floats, q: float, resamples: int, rng: np.random.Generator
) -> Floats:
    n = len(ours)
    draws = np.empty(resamples)
    rows = max(1, _BLOCK // n)
    for start in range(0, resamples, rows):
        chosen = rng.integers(0, n, size=(min(rows, resamples - start), n))
        draws[start : start + rows] = np.quantile(ours[chosen], q, axis=1) - np.quantile(
            theirs[chosen], q, axis=1
        )
    return draws


def _rank_shifts(
    columns: list[Floats],
    q: float,
    clusters: NDArray[np.integer] | None,
    resamples: int,
    rng: np.random.Generator,
) -> list[Floats] | None:
    """For each column, by how much the share below its percentile differs in resamples."""
    pulls = []
    sizes = np.ones(len(columns[0]))
    for column in columns:
        below = (column <= np.quantile(column, q)).astype(np.float64)
        below -= below.mean()
        if clusters is None:
            pulls.append(below)
        else:
            sums, sizes = grouped(below, clusters)
            pulls.append(sums)
    units = len(sizes)
    if units < 2:
        return None
    if units > MOST_DRAWN:
        return _normal_shifts(pulls, float(sizes.sum()), resamples, rng)
    shifts = [np.empty(resamples) for _ in pulls]
    rows = max(1, _BLOCK // units)
    for start in range(0, resamples, rows):
        chosen = rng.integers(0, units, size=(min(rows, resamples - start), units))
        weight = sizes[chosen].sum(axis=1)
        for pull, shift in zip(pulls, shifts, strict=True):
            shift[start : start + rows] = pull[chosen].sum(axis=1) / weight
    return shifts


def _normal_shifts(
    pulls: list[Floats], items: float, resamples: int, rng: np.random.Generator
) -> list[Floats]:
    """One or two columns of normal numbers with the pulls' variances and correlation."""
    normals = rng.standard_normal((2, resamples))
    first = math.sqrt(float(pulls[0] @ pulls[0])) / items
    shifts = [first * normals[0]]
    if len(pulls) == 2:
        second = math.sqrt(float(pulls[1] @ pulls[1])) / items
        both = float(pulls[0] @ pulls[1]) / items**2
        tied = both / (first * second) if first * second > 0 else 0.0
        free = math.sqrt(max(0.0, 1 - tied * tied))
        shifts.append(second * (tied * normals[0] + free * normals[1]))
    return shifts


def _read(ordered: Floats, shares: Floats) -> Floats:
    """Quantiles of sorted values, as ``numpy.quantile`` reads them."""
    places = np.clip(shares, 0.0, 1.0) * (len(ordered) - 1)
    return np.interp(places, np.arange(len(ordered)), ordered)
