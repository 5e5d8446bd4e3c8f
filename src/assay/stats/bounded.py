"""The interval of a mean of scores between 0 and 1: nobody knows what the next score will be.

The values get random weights, as in D. B. Rubin's "The Bayesian bootstrap" (Annals of Statistics
9, 1981). For the upper end, two thirds of an item with the value 1 are added, and for the lower end
as much with the value 0. They stand for scores that could occur but did not occur among these items,
so the interval has a width even if all values are equal. With a whole item this is the bound of N.
Gaffke ("Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
variable", 2005), which for yes/no values is Clopper and Pearson's: it always covers and is wider
than necessary. If a score is rare, no item may have it: with ``a`` of an item the interval misses
the mean in at most ``exp(-g)`` of such runs, where ``g`` is the 97.5% quantile of a gamma variable
of shape ``a``. That is 5% for two thirds, and 8% for a half.

Items that count unequally, because they were drawn with unequal probabilities, keep what they count:
each still gets one random weight, times what it counts. So a rare value among items that count little
moves the mean little, and one among items that count much moves it much. The added item counts as
much as the others on average. (The same is done for rates of unequal strata: M. P. Fay and E. J. Feuer,
Statistics in Medicine 16, 1997, add an item that counts as much as the largest, which is wider than
necessary; R. C. Tiwari and others, Statistical Methods in Medical Research 15, 2006, an average one.)

The distribution is computed, not drawn. The weighted mean is below ``t`` if ``Σ E (x - t) < 0``
for independent exponential variables ``E``, and the saddlepoint approximation of such a sum is
accurate to a thousandth (R. Lugannani and S. Rice, Advances in Applied Probability 12, 1980).
"""

import math
from collections.abc import Callable

import numpy as np

from assay.stats.gaussian import normal_cdf, normal_quantile
from assay.stats.resample import Floats

EXTRA_ITEM = 2 / 3
"""How many items with the largest (or smallest) possible value are added."""
_STEPS = 60
_CLOSE = 1e-6
"""How close an end must be, in standard errors; the approximation itself is less accurate."""


def bounded_mean_ends(
    values: Floats, level: float, weights: Floats | None = None, extra: float = EXTRA_ITEM
) -> tuple[float, float]:
    """Both ends of the interval for the mean of values between 0 and 1.

    ``weights`` says how much each value counts, all alike by default; ``extra`` is how much of an
    item is added.

    >>> low, high = bounded_mean_ends(np.array([1.0, 1.0, 1.0, 0.5, 1.0]), 0.95)
    >>> round(low, 2), round(high, 2)
    (0.47, 1.0)
    """
    counted = np.ones(len(values)) if weights is None else weights / weights.mean()
    kinds, count = np.unique(
        np.column_stack([values, counted.round(9)]), axis=0, return_counts=True
    )
    (points, sizes), items = kinds.T, count.astype(np.float64)
    share = (1 + level) / 2
    high = _upper_end(points, sizes, items, share, extra)
    low = 1 - _upper_end(1 - points, sizes, items, share, extra)
    return low, high


def _upper_end(points: Floats, sizes: Floats, items: Floats, share: float, extra: float) -> float:
    """The value that this share of the weighted means is below, with a part of an item at 1.

    Of each kind there are ``items`` with the value ``points``, which count ``sizes`` each.
    """
    least = float(points.min())
    points, sizes, items = np.append(points, 1.0), np.append(sizes, 1.0), np.append(items, extra)
    total = float(items @ sizes)
    mean = float(items @ (sizes * points)) / total
    variance = float(items @ (sizes * (points - mean)) ** 2)
    if variance == 0:  # all values are 1
        return 1.0
    error = math.sqrt(variance) / total
    target = normal_quantile(share)

    def missing(value: float) -> float:
        return target - normal_quantile(_share_below(sizes * (points - value), items))

    return _root(missing, least, 1.0, mean + target * error, error)


def _root(
    missing: Callable[[float], float], low: float, high: float, start: float, error: float
) -> float:
    """The value between ``low`` and ``high`` where ``missing`` falls to 0.

    The first step assumes a normal distribution, the next ones are those of the secant method. A
    step that leaves the bracket is replaced by one that halves it.
    """
    value = start if low < start < high else (low + high) / 2
    slope = -1 / error
    before: tuple[float, float] | None = None
    for _ in range(_STEPS):
        gap = missing(value)
        low, high = (value, high) if gap > 0 else (low, value)
        if abs(gap) < _CLOSE or high - low < _CLOSE * error:
            break
        if before is not None and gap != before[1]:
            slope = min((gap - before[1]) / (value - before[0]), -1e-3 / error)
        before = value, gap
        value -= gap / slope
        if not low < value < high:
            value = (low + high) / 2
    return value


def _share_below(deviations: Floats, weights: Floats) -> float:
    """The probability that ``Σ G d`` is negative, where ``G`` are gamma variables of these shapes.

    With the cumulant function ``K(s) = -Σ w log(1 - s d)`` and its saddlepoint ``K'(s) = 0``, it is
    ``Φ(r + log(v / r) / r)`` with ``r = sign(s) √(-2 K(s))`` and ``v = s √K''(s)``.
    """
    least, most = float(deviations.min()), float(deviations.max())
    if least >= 0 or most <= 0:
        return float(most <= 0)
    saddle = _saddlepoint(deviations, weights, 1 / least, 1 / most)
    slack = 1 - saddle * deviations
    cumulant = -float(weights @ np.log(slack))
    curvature = float(weights @ (deviations / slack) ** 2)
    root = math.copysign(math.sqrt(max(-2 * cumulant, 0.0)), saddle)
    if abs(root) < 1e-3:  # the limit of the formula where both terms vanish
        skew = 2 * float(weights @ deviations**3) / curvature**1.5
        return normal_cdf(root + skew / 6)
    return normal_cdf(root + math.log(saddle * math.sqrt(curvature) / root) / root)


def _saddlepoint(deviations: Floats, weights: Floats, low: float, high: float) -> float:
    """The point between ``low`` and ``high`` where the derivative of the cumulants is 0."""
    point = 0.0
    for _ in range(_STEPS):
        ratios = deviations / (1 - point * deviations)
        slope = float(weights @ ratios)
        low, high = (low, point) if slope > 0 else (point, high)
        step = slope / float(weights @ (ratios * ratios))
        following = point - step
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - point) <= 1e-9 * abs(following):
            return following
        point = following
    return point
