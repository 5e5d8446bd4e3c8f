"""The confidence interval of the mean of one variant's values.

``docs/evidence/coverage.md`` shows for each method how often it contains the true mean.
"""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.stats.difference import FEWEST_VALUES, Moments, flip_statistic, moments, share_of_others
from assay.stats.interval import (
    ROUNDING,
    Interval,
    bounded_mean_ends,
    check_level,
    t_quantile,
    wilson,
    wilson_ends,
)
from assay.stats.resample import Floats, chosen_values, finite_values


def mean_interval(
    values: NDArray[np.floating],
    *,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
    is_score: bool = True,
) -> Interval | None:
    """The interval of a mean; no such interval claims more than its values can show.

    - ``wilson``: all values are 0 or 1;
    - ``gaffke``: all values are between 0 and 1 (see ``bounded_mean_ends``);
    - ``t``: other values, such as seconds, from six values on (see ``assay.stats.difference``);
    - ``cluster-t``: whole documents (or questions) are drawn. For values between 0 and 1 it is
      Wilson's interval for as many independent items as would have this variance (C. Franco and
      others, "Comparative study of confidence intervals for proportions in complex sample surveys",
      Journal of Survey Statistics and Methodology 7, 2019), and never narrower than without
      documents;
    - ``clopper-pearson``: all documents are equal, but as large a share of others may be different as
      Clopper and Pearson allow for none of so many.

    Args:
        values: one value for each item; NaN means undefined and is left out.
        level: the confidence level.
        clusters: the number of each item's document, or ``None`` if items are independent.
        is_score: whether values are known to be between 0 and 1. It is ignored if one of
            them is outside.

    >>> interval = mean_interval(np.array([0.0, 0.25, 0.5, 0.5, 1.0, 1.0]))
    >>> round(interval.low, 2), round(interval.high, 2), interval.method
    (0.21, 0.85, 'gaffke')
    >>> mean_interval(np.array([7.0, 7.0, 7.0])) is None
    True
    """
    check_level(level)
    known = np.isfinite(values)
    finite = finite_values(values)
    if len(finite) == 0:
        return None
    is_score = is_score and bool(finite.min() >= 0 and finite.max() <= 1)
    if clusters is None:
        return _score_interval(finite, level) if is_score else _t_interval(finite, None, level)
    groups = chosen_values(np.asarray(clusters), known)
    if not is_score:
        return _t_interval(finite, groups, level)
    return _clustered_score_interval(finite, groups, level)


def is_yes_no(values: NDArray[np.floating]) -> bool:
    """Whether every value is 0 or 1; NaN means undefined and is left out.

    >>> is_yes_no(np.array([0.0, 1.0, np.nan])), is_yes_no(np.array([0.5]))
    (True, False)
    """
    # most columns that are not yes or no show it in their first values
    return all(
        bool(((part == 0) | (part == 1) | np.isnan(part)).all()) for part in (values[:1024], values)
    )


def _score_interval(values: Floats, level: float) -> Interval | None:
    if is_yes_no(values):
        return wilson(int(np.count_nonzero(values)), len(values), level)
    low, high = bounded_mean_ends(values, level)
    return Interval(low=low, high=high, level=level, method="gaffke")


def _t_interval(
    values: Floats, clusters: NDArray[np.integer] | None, level: float
) -> Interval | None:
    found = moments(values, clusters)
    if found is None or not found.error or (clusters is None and found.n < FEWEST_VALUES):
        return None
    if not math.isfinite(found.error):  # squares that no number can hold say nothing of the spread
        return None
    low, high = found.ends(_statistic(found, level))
    return Interval(
        low=low, high=high, level=level, method="t" if clusters is None else "cluster-t"
    )


def _statistic(found: Moments, level: float) -> float:
    return flip_statistic(t_quantile((1 + level) / 2, found.units - 1), found.units)


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


def jackknife_interval(
    value: float,
    left_out: Floats,
    counts: Floats | None = None,
    *,
    count: float,
    most: float = math.inf,
    chance: float = 0.0,
    level: float = 0.95,
) -> Interval | None:
    """The interval of a value that is 1 at best, from its values without each unit.

    The variance is that of the delete-one jackknife, ``(G - 1) / G · Σ (v - mean v)²`` for the values ``v``
    without each of the ``G`` units (R. G. Miller, "The jackknife: a review", Biometrika 61, 1974). The
    ends are those of ``clustered_share``. A value beyond chance, ``(p - chance) / (1 - chance)``, has the
    interval of its share ``p``.

    If all is right, or all is wrong, it is the interval of ``count`` independent items. It is never
    narrower than that of ``most``. Returns ``None`` if the value is undefined; and unless all is right or
    wrong, if it is undefined without one of the units, or the same without each.

    Args:
        value: the value of all units.
        left_out: the value without each unit.
        counts: how many units have each value of ``left_out``; one by default.
        count: how many independent items there are at best.
        most: a limit, for values whose variance one unit more can raise by much.
        chance: the value of ``p`` by chance.
        level: the confidence level.

    >>> interval = jackknife_interval(1.0, np.ones(10), count=10)
    >>> round(interval.low, 2), interval.high
    (0.66, 1.0)
    """
    if chance >= 1 - ROUNDING or not math.isfinite(value):
        return None
    weights = np.ones(len(left_out)) if counts is None else counts
    units = round(float(weights.sum()))
    deviations = left_out - float(weights @ left_out) / units
    variance = (units - 1) / units * float(weights @ (deviations * deviations))
    share = min(max(value * (1 - chance) + chance, 0.0), 1.0)
    if min(share, 1 - share) < ROUNDING:
        share, most, variance = float(round(share)), min(count, most), 0.0
    elif not variance > ROUNDING**2:
        return None
    found = clustered_share(share, most, (1 - chance) ** 2 * variance, units, level)
    if found is None:
        return None
    low, high = ((end - chance) / (1 - chance) for end in (found.low, found.high))
    return msgspec.structs.replace(found, low=max(low, -1.0), high=high, method="jackknife")


def _clustered_score_interval(
    values: Floats, clusters: NDArray[np.integer], level: float
) -> Interval | None:
    found = moments(values, clusters)
    assert found is not None
    if not found.error:
        other = share_of_others(found.units, level)
        if found.units < 2 and 0 < found.mean < 1:
            return None
        low, high = found.mean * (1 - other), found.mean + (1 - found.mean) * other
        return Interval(low=low, high=high, level=level, method="clopper-pearson")
    interval = clustered_share(found.mean, math.inf, found.error**2, found.freedom + 1, level)
    alone = _score_interval(values, level)
    assert interval is not None
    assert alone is not None
    return msgspec.structs.replace(
        interval, low=min(interval.low, alone.low), high=max(interval.high, alone.high)
    )
