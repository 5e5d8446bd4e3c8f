"""Confidence intervals of a rate and of a mean of scores, and the distributions behind them."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.resample import Floats

# The normal distribution without SciPy, because importing SciPy takes longer than an analysis.

_STANDARD = NormalDist()
_SMALLEST_SHARE = 1e-15


def normal_cdf(z: float) -> float:
    """The probability that a standard normal variable is below ``z``.

    >>> round(normal_cdf(1.959964), 4)
    0.975
    """
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(share: float) -> float:
    """The value that a standard normal variable is below with the probability ``share``.

    For 0 and 1 the result would be infinite; they are replaced by ``1e-15`` and ``1 - 1e-15``.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return _STANDARD.inv_cdf(min(max(share, _SMALLEST_SHARE), 1 - _SMALLEST_SHARE))


ROUNDING: Final = 1e-12
"""A spread that is smaller than this share of the values comes from rounding: it is no spread."""


class Interval(Struct, frozen=True, kw_only=True):
    """A confidence interval for the true value.

    ``method`` says how it was computed. For the value of one variant see ``mean_interval``;
    ``order-statistics`` and ``woodruff`` belong to percentiles, ``jackknife`` to kappa and F scores.
    For a difference it is ``max-t`` if the interval belongs to a test, and ``t`` if it is about this
    difference alone.
    """

    low: float
    high: float
    level: float = 0.95
    method: str


def wilson(successes: int, n: int, level: float = 0.95) -> Interval | None:
    """Wilson's score interval for a rate (JASA 22, 1927); ``None`` if ``n`` is 0.

    With ``p = successes / n`` and the normal quantile ``z`` of ``(1 + level) / 2``::

        (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)

    It stays between 0 and 1, and it has a width even if all trials succeed.

    >>> interval = wilson(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    check_level(level)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials are impossible")
    if n == 0:
        return None
    low, high = wilson_ends(successes / n, n, normal_quantile((1 + level) / 2))
    return Interval(
        low=0.0 if successes == 0 else low,
        high=1.0 if successes == n else high,
        level=level,
        method="wilson",
    )


def with_width(interval: Interval, size: float | None = None) -> Interval | None:
    """The interval; ``None`` if its width is zero or comes from rounding only.

    Such an interval would claim that the value is certain, where nothing is known about its spread.
    ``size`` is that of the values from which the interval was computed, and that of its ends by
    default.

    >>> with_width(Interval(low=0.3, high=0.1 + 0.2, method="percentile")) is None
    True
    """
    of_ends = max(abs(interval.low), abs(interval.high))
    is_wide = interval.high - interval.low > ROUNDING * (of_ends if size is None else size)
    return interval if is_wide else None


def check_level(level: float) -> None:
    """Raise ``ValueError`` if ``level`` is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")


def wilson_ends(rate: float, n: float, z: float) -> tuple[float, float]:
    """Both ends of Wilson's interval for any quantile ``z``; ``n`` may be a fraction.

    >>> low, high = wilson_ends(0.8, 10, 1.96)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)


# The interval of a mean of scores between 0 and 1: nobody knows what the next score will be.
#
# N. Gaffke ("Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
# variable", Mathematical Methods of Statistics 14, 2005; E. Learned-Miller and P. Thomas, "A new
# confidence interval for the mean of a bounded random variable", 2019): the values get random weights, and
# for the upper end one item with the value 1 is added, for the lower end one with the value 0. It stands
# for scores that could occur but did not occur among these items, so the interval has a width even if all
# values are equal. For yes/no values it is Clopper and Pearson's.
#
# The distribution is computed, not drawn. The weighted mean is below ``t`` if ``Σ E (x - t) < 0``
# for independent exponential variables ``E``, and the saddlepoint approximation of such a sum is
# accurate to a thousandth (R. Lugannani and S. Rice, Advances in Applied Probability 12, 1980).

MOST_DISTINCT = 2_000
"""More values are rounded outwards to one of ``_LEVELS``, which is much faster."""
_LEVELS = 1 << 13
_STEPS = 60
_CLOSE = 1e-6
"""How close an end must be, in standard errors; the approximation itself is less accurate."""


def bounded_mean_ends(values: Floats, level: float) -> tuple[float, float]:
    """Both ends of the interval for the mean of values between 0 and 1.

    >>> low, high = bounded_mean_ends(np.array([1.0, 1.0, 1.0, 0.5, 1.0]), 0.95)
    >>> round(low, 2), round(high, 2)
    (0.41, 1.0)
    """
    share = (1 + level) / 2
    if len(values) > MOST_DISTINCT:
        lows, highs = (
            _counted_levels(np.floor(values * _LEVELS)),
            _counted_levels(np.ceil(values * _LEVELS)),
        )
    else:
        lows = highs = np.unique(values, return_counts=True)
    return 1 - _upper_end(1 - lows[0], lows[1], share), _upper_end(*highs, share)


def _counted_levels(rounded: Floats) -> tuple[Floats, NDArray[np.integer]]:
    counts = np.bincount(rounded.astype(np.intp))
    levels = np.flatnonzero(counts)
    return levels / _LEVELS, counts[levels]


def _upper_end(points: Floats, items: NDArray[np.integer], share: float) -> float:
    """The value that this share of the weighted means is below, with an item at 1.

    There are ``items`` with each of the values ``points``.
    """
    least = float(points.min())
    points, shapes = np.append(points, 1.0), np.append(items, 1.0)
    total = float(shapes.sum())
    mean = float(shapes @ points) / total
    variance = float(shapes @ (points - mean) ** 2)
    if variance == 0:  # all values are 1
        return 1.0
    error = math.sqrt(variance) / total
    target = normal_quantile(share)

    def missing(value: float) -> float:
        return target - normal_quantile(_share_below(points - value, shapes))

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


# Student's t distribution without SciPy, because importing SciPy takes longer than an analysis.

MOST_SUMMED = 100
"""Up to this many degrees of freedom, the distribution function is summed exactly."""
_STUDENT_STEPS = 200


@lru_cache(maxsize=1024)
def t_quantile(share: float, freedom: int) -> float:
    """The value that a t variable with ``freedom`` degrees is below with the probability ``share``.

    The distribution function for a whole number of degrees is a finite sum (M. Abramowitz and
    I. A. Stegun, "Handbook of mathematical functions", 26.7.3 and 26.7.4), which is inverted by
    bisection. Above 100 degrees, the expansion around the normal quantile is used (26.7.5).

    >>> round(t_quantile(0.975, 4), 3), round(t_quantile(0.975, 1000), 3)
    (2.776, 1.962)
    """
    if freedom < 1 or not 0 < share < 1:
        raise ValueError(f"no quantile of t at {share} with {freedom} degrees of freedom")
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    z = normal_quantile(share)
    if freedom > MOST_SUMMED:
        return (
            z
            + (z**3 + z) / (4 * freedom)
            + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        )
    low, high = 0.0, 1.0
    while t_cdf(high, freedom) < share:
        low, high = high, 2 * high
    for _ in range(_STUDENT_STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if t_cdf(middle, freedom) < share else (low, middle)
    return high


def t_cdf(t: float, freedom: int) -> float:
    """The probability that a t variable is below ``t``, which must not be negative.

    Above 100 degrees it is the approximation 26.7.8 of the handbook.

    >>> round(t_cdf(2.776, 4), 3), round(t_cdf(1.962, 1000), 3)
    (0.975, 0.975)
    """
    if freedom > MOST_SUMMED:
        return normal_cdf(t * (1 - 1 / (4 * freedom)) / math.sqrt(1 + t * t / (2 * freedom)))
    angle = math.atan2(t, math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    is_odd = freedom % 2 == 1
    # the terms of the sum: cos θ + 2/3 cos³ θ + …, or 1 + 1/2 cos² θ + …
    term = cosine if is_odd else 1.0
    total = 0.0
    for power in range(1 if is_odd else 0, freedom - 1, 2):
        total += term
        term *= (power + 1) / (power + 2) * cosine * cosine
    inside = 2 / math.pi * (angle + sine * total) if is_odd else sine * total
    return (1 + inside) / 2
