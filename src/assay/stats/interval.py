"""Intervals: Wilson's for a rate, the BCa bootstrap for a mean.

BCa: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987). Wilson: E. B. Wilson,
"Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
"""

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.gaussian import normal_cdf, normal_quantile
from assay.stats.resample import (
    Floats,
    defined,
    drawn_means,
    grouped,
    mean_distribution,
    stream,
)

_STEPS = 40
_RATIO_CELLS = 1 << 13
"""A coarser grid where each end takes several distributions; it is read between its points."""


class Interval(Struct, frozen=True, kw_only=True):
    """Where the true value may lie.

    ``method`` is ``wilson``, ``bca``, ``bca-expansion`` (of very many values, by their
    moments), ``percentile``, or one of them after ``cluster-``, where whole documents were
    resampled.
    """

    low: float
    high: float
    level: float = 0.95
    method: str


def wilson(successes: int, n: int, level: float = 0.95) -> Interval | None:
    """Wilson's score interval of a rate; ``None`` where nothing was tried.

    With ``p = successes / n`` and ``z`` the normal quantile of the level::

        (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)

    It stays inside 0..1 and has width where all succeed.

    >>> interval = wilson(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    checked_level(level)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if n == 0:
        return None
    low, high = _wilson_bounds(successes / n, n, level)
    return Interval(
        low=0.0 if successes == 0 else low,
        high=1.0 if successes == n else high,
        level=level,
        method="wilson",
    )


def bca_mean(
    values: NDArray[np.floating],
    *,
    resamples: int | None = None,
    seed: int = 0,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
) -> Interval | None:
    """The bias-corrected and accelerated bootstrap interval of a mean.

    With ``z0`` the normal quantile of the share of resampled means below the mean, ``a`` the
    jackknife's skewness over six, and ``z`` the quantile of either end, an end is the
    resampled means' quantile at ``Φ(z0 + (z0 + z) / (1 - a (z0 + z)))``.

    Values that are NaN are undefined and left out. ``None`` for fewer than two values (or
    clusters); values that are all equal give an interval without width. Without
    ``resamples`` the bootstrap distribution is computed, not drawn, and the seed changes
    nothing; with a number, that many resamples are drawn.

    Args:
        values: one for each item.
        resamples: how many to draw; none computes their limit.
        seed: of the draws.
        level: how often such intervals hold the true value.
        clusters: a number for each value; whole clusters are resampled, and the mean stays
            the mean of items.

    >>> interval = bca_mean(np.array([0.0, 0.25, 0.5, 0.5, 1.0, 1.0]))
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.25, 0.83)
    """
    checked_level(level)
    if clusters is None:
        sums, sizes = defined(values), None
    else:
        known = np.isfinite(values)
        sums, sizes = grouped(np.asarray(values, np.float64)[known], np.asarray(clusters)[known])
    if len(sums) < 2:
        return None
    mean = float(sums.mean()) if sizes is None else float(sums.sum() / sizes.sum())
    residuals = sums - mean * (1.0 if sizes is None else sizes)
    if np.abs(residuals).max() <= 1e-12 * max(1e-300, float(np.abs(sums).max())):
        low, high, method = mean, mean, "bca"
    elif resamples is not None:
        draws = drawn_means(sums, sizes, resamples, stream(seed))
        low, high = bca_bounds(draws, mean, acceleration(sums, sizes), level)
        method = "bca"
    elif sizes is None:
        low, high, method = _mean_bounds(sums, level)
    else:
        low, high, method = _ratio_bounds(sums, sizes, level)
    prefix = "" if clusters is None else "cluster-"
    return Interval(low=low, high=high, level=level, method=prefix + method)


def bca_bounds(
    draws: Floats, observed: float, skew: float, level: float = 0.95
) -> tuple[float, float]:
    """The BCa interval of any statistic, from its resampled values.

    ``skew`` is the jackknife's ``acceleration``. Draws equal to what was observed count half
    as being below it.
    """
    below = (np.count_nonzero(draws < observed) + np.count_nonzero(draws <= observed)) / 2
    low, high = _adjusted(below / len(draws), skew, level)
    ends = np.quantile(draws, [low, high])
    return float(ends[0]), float(ends[1])


def acceleration(sums: Floats, sizes: Floats | None = None) -> float:
    """The jackknife's ``Σu³ / 6 (Σu²)^{3/2}``, ``u`` being a value's pull on the mean.

    >>> acceleration(np.array([1.0, 2.0, 3.0]))
    0.0
    """
    if sizes is None:
        pull = sums - sums.mean()
    else:
        left_out = (sums.sum() - sums) / (sizes.sum() - sizes)
        pull = left_out.mean() - left_out
    square = float(np.mean(pull * pull))
    if square == 0:
        return 0.0
    cube = float(np.mean(pull * pull * pull))
    return cube / (6 * math.sqrt(square) ** 3 * math.sqrt(len(sums)))


def checked_level(level: float) -> float:
    """The level itself, where it is one."""
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    return level


def _wilson_bounds(rate: float, n: float, level: float) -> tuple[float, float]:
    z = normal_quantile((1 + level) / 2)
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)


def _adjusted(below: float, skew: float, level: float) -> tuple[float, float]:
    """The shares at which BCa reads its two ends."""
    bias = normal_quantile(below)

    def share(end: float) -> float:
        reach = bias + normal_quantile(end)
        slope = 1 - skew * reach
        if slope <= 0:  # past the formula's pole: the furthest end is what it tends to
            return 1.0 if reach > 0 else 0.0
        return normal_cdf(bias + reach / slope)

    return share((1 - level) / 2), share((1 + level) / 2)


def _mean_bounds(values: Floats, level: float) -> tuple[float, float, str]:
    distribution = mean_distribution(values)
    low, high = _adjusted(distribution.below(float(values.mean())), acceleration(values), level)
    # the lattice of a computed distribution may end a hair beyond what a mean can be
    least, most = float(values.min()), float(values.max())
    bottom, top = (min(max(distribution.quantile(share), least), most) for share in (low, high))
    return bottom, top, distribution.method


def _ratio_bounds(sums: Floats, sizes: Floats, level: float) -> tuple[float, float, str]:
    """BCa for a mean over clusters: a resample's mean is below ``t`` where Σ(s - t m) < 0."""
    mean = float(sums.sum() / sizes.sum())
    residuals = sums - mean * sizes
    error = math.sqrt(float(residuals @ residuals)) / float(sizes.sum())
    around = mean_distribution(residuals, fewest_cells=_RATIO_CELLS)
    shares = _adjusted(around.below(0.0), acceleration(sums, sizes), level)

    def below(value: float) -> float:
        moved = sums - value * sizes
        if np.ptp(moved) == 0:
            return float(moved[0] < 0)
        return mean_distribution(moved, fewest_cells=_RATIO_CELLS).below(0.0)

    means = sums / sizes
    ends = float(means.min()), float(means.max())
    low, high = (_crossing(below, share, mean, error, ends) for share in shares)
    return low, high, around.method


def _crossing(
    below: Callable[[float], float],
    share: float,
    mean: float,
    error: float,
    ends: tuple[float, float],
) -> float:
    """Where a distribution passes ``share``: steps as if it were normal, held in a bracket.

    Every third step halves the bracket, for distributions that are few steps of a stair.
    """
    low, high = ends
    target = normal_quantile(share)
    value = min(max(mean + target * error, low), high)
    for step in range(1, _STEPS):
        missing = target - normal_quantile(below(value))
        low, high = (value, high) if missing > 0 else (low, value)
        if abs(missing) < 1e-4 or high - low < 1e-3 * error:
            break
        value += missing * error
        if step % 3 == 0 or not low < value < high:
            value = (low + high) / 2
    return value
