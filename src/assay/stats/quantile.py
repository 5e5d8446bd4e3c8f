"""Percentile bootstrap intervals for percentiles, and for paired differences of percentiles.

The percentile of a resample is an order statistic. Its rank can be drawn without drawing the
other values: the ranks of a resample are uniform order statistics, which have a beta
distribution. For two columns over the same items, or if whole documents are resampled, the number
of values below the observed percentile is drawn instead; the percentile moves by the same number
of ranks in the opposite direction (Bahadur's representation).
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assay.stats.interval import (
    ROUNDING,
    Interval,
    check_level,
    normal_quantile,
    t_quantile,
    with_width,
)
from assay.stats.resample import (
    Floats,
    chosen_values,
    cluster_sums,
    finite_values,
    quantile,
    quantiles,
    resample_counts,
    resampled_quantiles,
    stream,
)

MOST_PAIRS = 400
"""Up to this many pairs, a difference is computed from complete resamples."""
MOST_DRAWN = 1_000
"""Up to this many items or documents, ranks are drawn by resampling. Above, they are practically
normal."""

_BLOCK = 1 << 18


def fewest_values(q: float, level: float) -> int:
    """How many values a percentile needs before both ends of its interval can be values.

    With fewer, all of them may be on one side of the true percentile more often than the level
    allows: for a median the smallest number is 6, for p95 it is 72.

    >>> fewest_values(0.5, 0.95), fewest_values(0.95, 0.95)
    (6, 72)
    """
    return math.ceil(math.log((1 - level) / 2) / math.log(max(q, 1 - q)))


def quantile_interval(
    values: NDArray[np.floating],
    q: float,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
    few_clusters: bool = False,
    names: tuple[str, ...] = (),
) -> Interval | None:
    """The percentile bootstrap interval for ``numpy.quantile(values, q)``.

    Returns ``None`` for fewer values than ``fewest_values``, for fewer than two clusters, and if
    the values are equal, because then nothing is known about their spread. NaN means undefined,
    and such values are left out. With ``few_clusters``, the draws are spread as Student's t would
    have it. ``names`` selects an independent stream of random numbers (see ``stream``).

    >>> interval = quantile_interval(np.arange(101.0), 0.5)
    >>> 35 < interval.low < 45, 55 < interval.high < 65
    (True, True)
    """
    check_level(level)
    rng = stream(seed, *names)
    known = np.isfinite(values)
    ordered = np.sort(finite_values(values))
    if len(ordered) < fewest_values(q, level):
        return None
    if clusters is None:
        draws = _resampled_quantiles(ordered, q, resamples, rng)
        return _interval(draws, level, "percentile")
    known_values = chosen_values(np.asarray(values, np.float64), known)
    groups = chosen_values(np.asarray(clusters), known)
    shifts = _rank_shifts([known_values], q, groups, resamples, rng)
    if shifts is None:
        return None
    if few_clusters:
        shifts = _widened(shifts, groups, level)
    draws = _quantiles_of_sorted(ordered, q - shifts[0])
    return _interval(draws, level, "cluster-percentile")


def quantile_difference_interval(
    values: NDArray[np.floating],
    baseline: NDArray[np.floating],
    q: float,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
    few_clusters: bool = False,
    names: tuple[str, ...] = (),
) -> Interval | None:
    """The percentile bootstrap interval for ``quantile(values, q) - quantile(baseline, q)``.

    The values of an item are resampled together, as a pair. Items for which either value is
    undefined are left out. If all pairs differ by the same amount, resampling shows no variation.
    But three in ``n`` other pairs could still differ in another way, and the interval has the
    width that this gives. Returns ``None`` for fewer pairs than ``fewest_values``, for fewer than
    two clusters, and if all values are equal.

    >>> fast = np.arange(200.0)
    >>> interval = quantile_difference_interval(fast + 5, fast, 0.5)
    >>> round(interval.low, 1), round(interval.high, 1)
    (2.0, 8.0)
    """
    check_level(level)
    rng = stream(seed, *names)
    both = np.isfinite(values) & np.isfinite(baseline)
    paired_values = chosen_values(np.asarray(values, np.float64), both)
    paired_base = chosen_values(np.asarray(baseline, np.float64), both)
    if len(paired_values) < fewest_values(q, level):
        return None
    size = _largest(paired_values, paired_base)
    if clusters is None and len(paired_values) <= MOST_PAIRS:
        counts = resample_counts(len(paired_values), resamples, seed)
        draws = resampled_quantiles(paired_values, counts, q)
        draws -= _draws_of_baseline(paired_base.tobytes(), q, resamples, seed)
        draws = _with_width(draws, paired_values, paired_base, q)
        return _interval(draws, level, "percentile", size)
    groups = None if clusters is None else chosen_values(np.asarray(clusters), both)
    shifts = _rank_shifts([paired_values, paired_base], q, groups, resamples, rng)
    if shifts is None:
        return None
    if few_clusters and groups is not None:
        shifts = _widened(shifts, groups, level)
    draws = _quantiles_of_sorted(np.sort(paired_values), q - shifts[0])
    draws -= _quantiles_of_sorted(np.sort(paired_base), q - shifts[1])
    draws = _with_width(draws, paired_values, paired_base, q)
    method = "percentile" if clusters is None else "cluster-percentile"
    return _interval(draws, level, method, size)


@lru_cache(maxsize=4)
def _draws_of_baseline(values: bytes, q: float, resamples: int, seed: int) -> Floats:
    """The resampled percentiles of a column with which several others are compared."""
    column = np.frombuffer(values)
    draws = resampled_quantiles(column, resample_counts(len(column), resamples, seed), q)
    draws.flags.writeable = False
    return draws


def _interval(
    draws: Floats, level: float, method: str, size: float | None = None
) -> Interval | None:
    """The interval of the draws; ``size`` is that of the values, if the draws are differences."""
    low, high = quantiles(draws, (1 - level) / 2, (1 + level) / 2)
    return with_width(Interval(low=low, high=high, level=level, method=method), size)


def _largest(values: Floats, baseline: Floats) -> float:
    return max(float(np.abs(values).max()), float(np.abs(baseline).max()))


def _with_width(draws: Floats, values: Floats, baseline: Floats, q: float) -> Floats:
    """The draws, or if they are all equal, the differences that three other items could give."""
    if np.ptp(draws) > ROUNDING * _largest(values, baseline):
        return draws
    shares = np.clip([q - 3 / len(values), q + 3 / len(values)], 0.0, 1.0)
    ends = [quantile(values, share) - quantile(baseline, q) for share in shares]
    return np.repeat(ends, len(draws) // 2)


def _resampled_quantiles(
    ordered: Floats, q: float, resamples: int, rng: np.random.Generator
) -> Floats:
    """The quantiles of resamples of sorted values.

    A quantile depends on one or two order statistics; only their ranks are drawn.
    """
    n = len(ordered)
    position = q * (n - 1)
    first = math.floor(position)
    part = position - first
    lower = rng.beta(first + 1, n - first, resamples)
    values = ordered[_index(lower, n)]
    if part == 0:
        return values
    # The next order statistic is the smallest of the n - first - 1 uniform values above the lower.
    upper = lower + (1 - lower) * rng.beta(1, n - first - 1, resamples)
    return np.asarray(values * (1 - part) + ordered[_index(upper, n)] * part, np.float64)


def _index(shares: Floats, n: int) -> NDArray[np.intp]:
    return np.minimum((shares * n).astype(np.intp), n - 1)


def _rank_shifts(
    columns: list[Floats],
    q: float,
    clusters: NDArray[np.integer] | None,
    resamples: int,
    rng: np.random.Generator,
) -> list[Floats] | None:
    """For each column, how much the share of values below its percentile changes in resamples.

    Returns ``None`` for fewer than two items or clusters.
    """
    influences = []
    sizes = np.ones(len(columns[0]))
    for column in columns:
        below = (column <= quantile(column, q)).astype(np.float64)
        below -= below.mean()
        if clusters is None:
            influences.append(below)
        else:
            sums, sizes = cluster_sums(below, clusters)
            influences.append(sums)
    units = len(sizes)
    if units < 2:
        return None
    if units > MOST_DRAWN:
        return _normal_shifts(influences, float(sizes.sum()), resamples, rng)
    shifts = [np.empty(resamples) for _ in influences]
    rows = max(1, _BLOCK // units)
    for start in range(0, resamples, rows):
        chosen = rng.integers(0, units, size=(min(rows, resamples - start), units))
        weight = sizes[chosen].sum(axis=1)
        for influence, shift in zip(influences, shifts, strict=True):
            shift[start : start + rows] = influence[chosen].sum(axis=1) / weight
    return shifts


def _widened(shifts: list[Floats], clusters: NDArray[np.integer], level: float) -> list[Floats]:
    """The shifts as far apart as t with one degree less than there are clusters demands.

    A bootstrap of few clusters varies too little, by ``(k - 1) / k`` and by what t exceeds the
    normal distribution.
    """
    units = len(np.unique(clusters))
    share = (1 + level) / 2
    factor = t_quantile(share, units - 1) / normal_quantile(share) * math.sqrt(units / (units - 1))
    return [factor * shift for shift in shifts]


def _normal_shifts(
    influences: list[Floats], items: float, resamples: int, rng: np.random.Generator
) -> list[Floats]:
    """One or two arrays of normal numbers, with the variances and correlation of ``influences``."""
    normals = rng.standard_normal((2, resamples))
    first = math.sqrt(float(influences[0] @ influences[0])) / items
    shifts = [first * normals[0]]
    if len(influences) == 2:
        second = math.sqrt(float(influences[1] @ influences[1])) / items
        covariance = float(influences[0] @ influences[1]) / items**2
        correlation = covariance / (first * second) if first * second > 0 else 0.0
        independent = math.sqrt(max(0.0, 1 - correlation * correlation))
        shifts.append(second * (correlation * normals[0] + independent * normals[1]))
    return shifts


def _quantiles_of_sorted(ordered: Floats, shares: Floats) -> Floats:
    """The quantiles of sorted values, interpolated as in ``numpy.quantile``."""
    positions = np.clip(shares, 0.0, 1.0) * (len(ordered) - 1)
    return np.interp(positions, np.arange(len(ordered)), ordered)
