"""Confidence intervals: Wilson's interval for a rate, and the BCa bootstrap for a mean.

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
    cluster_sums,
    drawn_means,
    finite_values,
    mean_distribution,
    stream,
)

_STEPS = 40
_RATIO_CELLS = 1 << 13
"""A coarser grid for cluster means, because each end of the interval needs several distributions.
Values between the grid points are interpolated."""


class Interval(Struct, frozen=True, kw_only=True):
    """A confidence interval for the true value.

    ``method`` is ``wilson``, ``bca``, ``bca-expansion`` (BCa for very many values, computed from
    their moments) or ``percentile``. It has the prefix ``cluster-`` if whole documents were
    resampled.
    """

    low: float
    high: float
    level: float = 0.95
    method: str


def wilson(successes: int, n: int, level: float = 0.95) -> Interval | None:
    """Wilson's score interval for a rate; ``None`` if ``n`` is 0.

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
    """The bias-corrected and accelerated (BCa) bootstrap interval for a mean.

    Let ``z0`` be the normal quantile of the share of resampled means below the observed mean,
    ``a`` the acceleration (the skewness of the jackknife divided by six), and ``z`` the normal
    quantile of one end of the level. That end of the interval is the quantile of the resampled
    means at ``Φ(z0 + (z0 + z) / (1 - a (z0 + z)))``.

    NaN means undefined, and such values are left out. Returns ``None`` for fewer than two values
    (or clusters). If all values are equal, the interval has no width.

    Args:
        values: one value for each item.
        resamples: the number of random resamples; ``None`` computes the exact bootstrap
            distribution instead, which is the limit for infinitely many resamples.
        seed: the seed of the random resamples; it has no effect without ``resamples``.
        level: the probability that such an interval contains the true value.
        clusters: the number of the cluster of each value. Whole clusters are resampled; the mean
            is still the mean over items.

    >>> interval = bca_mean(np.array([0.0, 0.25, 0.5, 0.5, 1.0, 1.0]))
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.25, 0.83)
    """
    check_level(level)
    if clusters is None:
        sums, sizes = finite_values(values), None
    else:
        known = np.isfinite(values)
        sums, sizes = cluster_sums(
            np.asarray(values, np.float64)[known], np.asarray(clusters)[known]
        )
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
    """The ends of the BCa interval for any statistic, from its resampled values ``draws``.

    ``skew`` is the ``acceleration`` from the jackknife. A draw that is equal to the observed
    value counts as half a draw below it.
    """
    below = (np.count_nonzero(draws < observed) + np.count_nonzero(draws <= observed)) / 2
    low, high = _bca_shares(below / len(draws), skew, level)
    ends = np.quantile(draws, [low, high])
    return float(ends[0]), float(ends[1])


def acceleration(sums: Floats, sizes: Floats | None = None) -> float:
    """The acceleration from the jackknife: ``Σu³ / 6 (Σu²)^{3/2}``.

    Here ``u`` is the influence of a value (or cluster) on the mean. Returns 0 if all are 0.

    >>> acceleration(np.array([1.0, 2.0, 3.0]))
    0.0
    """
    if sizes is None:
        influence = sums - sums.mean()
    else:
        means_without = (sums.sum() - sums) / (sizes.sum() - sizes)
        influence = means_without.mean() - means_without
    square = float(np.mean(influence * influence))
    if square == 0:
        return 0.0
    cube = float(np.mean(influence * influence * influence))
    return cube / (6 * math.sqrt(square) ** 3 * math.sqrt(len(sums)))


def check_level(level: float) -> None:
    """Raise ``ValueError`` if ``level`` is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")


def _wilson_bounds(rate: float, n: float, level: float) -> tuple[float, float]:
    z = normal_quantile((1 + level) / 2)
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)


def _bca_shares(below: float, skew: float, level: float) -> tuple[float, float]:
    """The two shares whose quantiles are the ends of the BCa interval."""
    bias = normal_quantile(below)

    def share(end: float) -> float:
        reach = bias + normal_quantile(end)
        slope = 1 - skew * reach
        if slope <= 0:  # beyond the pole of the formula: use its limit, the extreme quantile
            return 1.0 if reach > 0 else 0.0
        return normal_cdf(bias + reach / slope)

    return share((1 - level) / 2), share((1 + level) / 2)


def _mean_bounds(values: Floats, level: float) -> tuple[float, float, str]:
    distribution = mean_distribution(values)
    low, high = _bca_shares(distribution.below(float(values.mean())), acceleration(values), level)
    # The grid of a computed distribution may end slightly outside the possible means.
    least, most = float(values.min()), float(values.max())
    bottom, top = (min(max(distribution.quantile(share), least), most) for share in (low, high))
    return bottom, top, distribution.method


def _ratio_bounds(sums: Floats, sizes: Floats, level: float) -> tuple[float, float, str]:
    """The BCa interval for a mean over clusters.

    With cluster sums ``s`` and sizes ``m``, the mean of a resample is below ``t`` if
    ``Σ(s - t m) < 0``.
    """
    mean = float(sums.sum() / sizes.sum())
    residuals = sums - mean * sizes
    error = math.sqrt(float(residuals @ residuals)) / float(sizes.sum())
    distribution = mean_distribution(residuals, fewest_cells=_RATIO_CELLS)
    shares = _bca_shares(distribution.below(0.0), acceleration(sums, sizes), level)

    def below(value: float) -> float:
        shifted = sums - value * sizes
        if np.ptp(shifted) == 0:
            return float(shifted[0] < 0)
        return mean_distribution(shifted, fewest_cells=_RATIO_CELLS).below(0.0)

    means = sums / sizes
    ends = float(means.min()), float(means.max())
    low, high = (_crossing(below, share, mean, error, ends) for share in shares)
    return low, high, distribution.method


def _crossing(
    below: Callable[[float], float],
    share: float,
    mean: float,
    error: float,
    ends: tuple[float, float],
) -> float:
    """The value at which the distribution function ``below`` reaches ``share``.

    Each step assumes a normal distribution and stays inside a bracket. Every third step halves
    the bracket instead, which helps with distributions that have only a few steps.
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
