"""The confidence interval of the mean of one variant's values.

Which method is used depends on the values; ``docs/evidence/coverage.md`` shows for each how often it
contains the true mean.
"""

import math

import numpy as np
from numpy.typing import NDArray

from assay.stats.interval import (
    ROUNDING,
    Interval,
    bounded_mean_ends,
    check_level,
    normal_quantile,
    t_quantile,
    wilson,
    wilson_ends,
)
from assay.stats.resample import Floats, chosen_values, cluster_sums, finite_values

FEWEST_VALUES = 6
"""The smallest number of values for an interval if nothing limits how far off the next value is."""
MOST_WEIGHTED = 20_000
"""Above this many scores, the extra part of an item is negligible, and moments give the interval."""


def mean_interval(
    values: NDArray[np.floating],
    *,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
    is_score: bool = True,
) -> Interval | None:
    """The interval of a mean; no such interval claims more than its values can show.

    - ``wilson``: all values are 0 or 1;
    - ``bounded``: all values are between 0 and 1 (see ``bounded.py``);
    - ``skewed-t``: other values. It is Student's interval with half an item added at each end
      of the values, and it reaches further in the direction of their skew;
    - ``cluster-t``: the values come from several documents, and the mean of new documents is
      estimated. It uses the jackknife over documents and t with ``documents - 1`` degrees; for
      scores it has Wilson's form (see ``clustered_share``), so it stays between 0 and 1;
    - ``cluster-wilson``: as above, but all values are 0, or all are 1.

    NaN means undefined, and such values are left out. Returns ``None`` if nothing is known about
    the spread of the values: there is none, or all come from one document, or they are not
    scores and either are fewer than six or are all equal.

    Args:
        values: one value for each item.
        level: the probability that such an interval contains the true mean.
        clusters: the number of the document of each value.
        is_score: whether the values are known to be between 0 and 1. It is ignored if one of
            them is outside.

    >>> interval = mean_interval(np.array([0.0, 0.25, 0.5, 0.5, 1.0, 1.0]))
    >>> round(interval.low, 2), round(interval.high, 2), interval.method
    (0.23, 0.84, 'bounded')
    >>> mean_interval(np.array([7.0, 7.0, 7.0])) is None
    True
    """
    check_level(level)
    known = np.isfinite(values)
    finite = finite_values(values)
    if len(finite) == 0:
        return None
    is_score = is_score and bool(finite.min() >= 0 and finite.max() <= 1)
    if clusters is not None:
        groups = chosen_values(np.asarray(clusters), known)
        return _cluster_interval(finite, groups, level, is_score=is_score)
    if is_score and is_yes_no(finite):
        return wilson(int(np.count_nonzero(finite)), len(finite), level)
    if is_score and (len(finite) <= MOST_WEIGHTED or not _is_quiet(finite)):
        low, high = bounded_mean_ends(finite, level)
        return Interval(low=low, high=high, level=level, method="bounded")
    return _skewed_interval(finite, level, is_score=is_score)


def is_yes_no(values: NDArray[np.floating]) -> bool:
    """Whether every value is 0 or 1; NaN means undefined and is left out.

    >>> is_yes_no(np.array([0.0, 1.0, np.nan])), is_yes_no(np.array([0.5]))
    (True, False)
    """
    # most columns that are not yes or no show it in their first values
    return all(
        bool(((part == 0) | (part == 1) | np.isnan(part)).all()) for part in (values[:1024], values)
    )


def skewness(deviations: Floats) -> float:
    """The sample skewness of deviations from their mean, without bias for normal values.

    Returns 0 for fewer than three values, and if all are 0.

    >>> round(skewness(np.array([-1.0, -1.0, 2.0])), 3)
    1.732
    """
    n = len(deviations)
    square = float(np.mean(deviations * deviations))
    if n < 3 or square == 0:
        return 0.0
    cube = float(np.mean(deviations * deviations * deviations))
    return float(cube / math.sqrt(square) ** 3 * math.sqrt(n * (n - 1)) / (n - 2))


def skew_reach(skew: float, n: int, z: float) -> float:
    """By how many standard errors the end in the direction of the skew moves outwards.

    ``γ (2 z² + 1) / 6 √n`` for the normal quantile ``z`` is the first term of the expansion of
    the studentised bootstrap (P. Hall, "Theoretical comparison of bootstrap confidence
    intervals", Annals of Statistics 16, 1988). The result has the sign of the skew.

    >>> round(skew_reach(2.0, 25, 1.96), 2)
    0.58
    """
    return skew * (2 * z * z + 1) / (6 * math.sqrt(n))


def _is_quiet(values: Floats) -> bool:
    """Whether the mean is practically normal: no few values cause most of the spread."""
    return abs(skewness(values - values.mean())) < 0.05 * math.sqrt(len(values))


def _skewed_interval(values: Floats, level: float, *, is_score: bool) -> Interval | None:
    n = len(values)
    mean = float(values.mean())
    deviations = values - mean
    furthest = float(np.abs(deviations).max())
    if n < FEWEST_VALUES or furthest <= ROUNDING * abs(mean):
        return None
    # half an item at each end: n + 1 items, and n degrees of freedom for their spread
    error = math.sqrt((float(deviations @ deviations) + furthest * furthest) / (n * (n + 1)))
    if not math.isfinite(error):  # values whose squares no number can hold have no spread to tell
        return None
    low, high = _ends(mean, error, t_quantile((1 + level) / 2, n - 1), deviations, level)
    if is_score:
        low, high = max(low, 0.0), min(high, 1.0)
    return Interval(low=low, high=high, level=level, method="skewed-t")


def _ends(
    mean: float, error: float, quantile: float, deviations: Floats, level: float
) -> tuple[float, float]:
    z = normal_quantile((1 + level) / 2)
    reach = skew_reach(skewness(deviations), len(deviations), z)
    return mean - (quantile - min(reach, 0.0)) * error, mean + (quantile + max(reach, 0.0)) * error


def jackknife_variance(deviations: Floats, counts: Floats | None = None) -> float:
    """The variance of a value between samples of documents.

    ``(G - 1) / (G + 1) · (Σ d² + max d²)``, where ``d`` is how far the value moves if one of the
    ``G`` documents is left out. It is the jackknife (R. G. Miller, Biometrika 61, 1974) with half
    a document added on each side, as far off as the furthest one: few documents rarely contain
    the worst that there is. ``counts`` says how many documents have each deviation.

    >>> round(jackknife_variance(np.array([0.1, -0.1, 0.0])), 6)
    0.015
    """
    weights = np.ones(len(deviations)) if counts is None else counts
    squares = deviations * deviations
    documents = float(weights.sum())
    total = float(weights @ squares) + float(squares.max(initial=0.0))
    return (documents - 1) / (documents + 1) * total


def clustered_share(
    rate: float, count: float, variance: float, units: int, level: float = 0.95
) -> Interval | None:
    """The interval of a share or a mean of scores whose ``count`` items belong to ``units``.

    It is Wilson's interval for as many independent yes/no items as would have this variance, and
    at most for ``count``, with the quantile of t with ``units - 1`` degrees. ``variance`` is that
    of the rate between samples of units. Returns ``None`` for fewer than two units.

    >>> interval = clustered_share(0.5, 100, 0.01, 10)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.29, 0.71)
    """
    if units < 2:
        return None
    largest = rate * (1 - rate)
    items = min(count, largest / variance if variance > 0 else math.inf)
    low, high = wilson_ends(rate, items, t_quantile((1 + level) / 2, units - 1))
    return Interval(low=low, high=high, level=level, method="cluster-t")


def _cluster_interval(
    values: Floats, clusters: NDArray[np.integer], level: float, *, is_score: bool
) -> Interval | None:
    sums, sizes = cluster_sums(values, clusters)
    documents = len(sums)
    mean = float(sums.sum() / sizes.sum())
    largest = mean * (1 - mean)
    if is_score and largest <= 0:
        interval = wilson(documents if mean >= 1 else 0, documents, level)
        assert interval is not None
        return Interval(low=interval.low, high=interval.high, level=level, method="cluster-wilson")
    if documents < 2:
        return None
    deviations = mean - (sums.sum() - sums) / (sizes.sum() - sizes)
    variance = jackknife_variance(deviations)
    # the rounding errors of equal values add up in their sums
    rounding = max(ROUNDING, len(values) * np.finfo(np.float64).eps) * abs(mean)
    if variance <= rounding**2:
        variance = 0.0
    if is_score:
        # graded scores may vary less than yes/no values, so their number is no limit
        count = float(len(values)) if variance == 0 or is_yes_no(values) else math.inf
        return clustered_share(mean, count, variance, documents, level)
    if variance == 0:
        return None
    quantile = t_quantile((1 + level) / 2, documents - 1)
    low, high = _ends(mean, math.sqrt(variance), quantile, deviations, level)
    return Interval(low=low, high=high, level=level, method="cluster-t")
