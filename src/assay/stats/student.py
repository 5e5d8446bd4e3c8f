"""Student's t distribution without SciPy, because importing SciPy takes longer than an analysis."""

import math
from functools import lru_cache

from assay.stats.gaussian import normal_quantile

MOST_SUMMED = 100
"""Up to this many degrees of freedom, the distribution function is summed exactly."""
_STEPS = 200


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
    while _below(high, freedom) < share:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if _below(middle, freedom) < share else (low, middle)
    return high


def _below(t: float, freedom: int) -> float:
    """The probability that a t variable is below ``t``, which must not be negative."""
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
