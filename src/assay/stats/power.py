"""The smallest difference that a given number of questions can detect.

By default, a two-sided test at 5% detects the difference with a probability of 80%. The functions
use the normal approximation, which is accurate enough to plan the next run.
"""

import math

from assay.stats.gaussian import normal_quantile

ALPHA = 0.05
POWER = 0.8


def detectable_difference(
    spread: float, n: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The smallest true mean difference that is detected with this power.

    ``(z_{1-α/2} + z_power) · spread / √n``, where ``spread`` is the standard deviation of the
    paired differences. Returns ``None`` for fewer than two pairs, or if the spread is 0 or NaN.

    >>> round(detectable_difference(0.5, 100), 3)
    0.14
    """
    if n < 2 or not spread > 0:
        return None
    distance = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return distance * spread / math.sqrt(n)


def detectable_rate_difference(
    discordant: int, n: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The smallest true difference of two paired rates that is detected with this power.

    With the share ``ψ`` of items that changed in either direction (``discordant / n``), the
    difference ``δ`` is the solution of ``δ √n = z_{1-α/2} √ψ + z_power √(ψ - δ²)`` (R. J. Connor,
    Biometrics 43, 1987). A difference cannot be larger than the share of changed items. If ``δ``
    would be larger, all changes are assumed to be in the same direction, ``ψ = δ``. Returns
    ``None`` if not even a difference of 1 would be detected.

    >>> round(detectable_rate_difference(20, 100), 3)
    0.124
    """
    if n < 1:
        return None
    z_test, z_power = normal_quantile(1 - alpha / 2), normal_quantile(power)
    share = discordant / n
    square = n + z_power * z_power
    radicand = z_test * z_test * n * share - square * (z_test * z_test - z_power * z_power) * share
    if radicand >= 0:
        difference = (z_test * math.sqrt(n * share) + math.sqrt(radicand)) / square
        if 0 < difference <= share:
            return difference
    # √(nδ) = z_test + z_power √(1-δ): the left side rises with δ and the right side falls, so
    # bisection finds the solution.
    low, high = 0.0, 1.0
    if math.sqrt(n) < z_test:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        enough = math.sqrt(n * middle) >= z_test + z_power * math.sqrt(1 - middle)
        low, high = (low, middle) if enough else (middle, high)
    return high
