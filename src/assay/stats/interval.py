"""Confidence intervals: Wilson's interval for a rate, and the ends of the BCa bootstrap.

BCa: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987). Wilson: E. B. Wilson,
"Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
"""

import math
from typing import Final

import numpy as np
from msgspec import Struct

from assay.stats.gaussian import normal_cdf, normal_quantile
from assay.stats.linear_quantile import quantiles
from assay.stats.resample import Floats

ROUNDING: Final = 1e-12
"""A spread that is smaller than this share of the values comes from rounding: it is no spread."""


class Interval(Struct, frozen=True, kw_only=True):
    """A confidence interval for the true value.

    ``method`` says how it was computed. For the value of one variant it is ``wilson``,
    ``bounded``, ``skewed-t`` (see ``mean_interval``), ``percentile`` or ``bca``; it has the prefix
    ``cluster-`` if documents and not items are the observations. For a difference it is ``max-t``
    if the interval belongs to a test, and ``t`` if it is about this difference alone.
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


def bca_bounds(
    draws: Floats, observed: float, skew: float, level: float = 0.95
) -> tuple[float, float]:
    """The ends of the BCa interval for any statistic, from its resampled values ``draws``.

    ``skew`` is the acceleration: the skewness of the jackknife divided by six. A draw that is equal to the observed
    value counts as half a draw below it.
    """
    below = (np.count_nonzero(draws < observed) + np.count_nonzero(draws <= observed)) / 2
    low, high = quantiles(draws, *_bca_shares(below / len(draws), skew, level))
    return low, high


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
