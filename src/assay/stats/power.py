"""How small a difference this many questions can show.

All are for a two-sided test at 5% that finds the difference in four cases of five, by the
normal approximation: what is to be planned is the next run, not the fourth digit.
"""

import math

from assay.stats.gaussian import normal_quantile

ALPHA = 0.05
POWER = 0.8


def detectable_difference(
    spread: float, n: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The smallest true mean difference found with this power.

    ``(z_{1-α/2} + z_power) · spread / √n``, ``spread`` being the standard deviation of the
    paired differences. ``None`` without pairs, or where they show no spread to judge by.

    >>> round(detectable_difference(0.5, 100), 3)
    0.14
    """
    if n < 2 or not spread > 0:
        return None
    reach = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return reach * spread / math.sqrt(n)


def detectable_rate_difference(
    discordant: int, n: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The smallest true difference of two paired rates found with this power.

    With ``ψ`` the share of items that changed either way, ``δ`` solves
    ``δ √n = z_{1-α/2} √ψ + z_power √(ψ - δ²)`` (R. J. Connor, Biometrics 43, 1987). A
    difference cannot exceed the share that changed; where ``δ`` would, everything that
    changes is taken to change one way, ``ψ = δ``. ``None`` where not even 1 would be found.

    >>> round(detectable_rate_difference(20, 100), 3)
    0.124
    """
    if n < 1:
        return None
    test, chance = normal_quantile(1 - alpha / 2), normal_quantile(power)
    share = discordant / n
    square = n + chance * chance
    inside = test * test * n * share - square * (test * test - chance * chance) * share
    if inside >= 0:
        found = (test * math.sqrt(n * share) + math.sqrt(inside)) / square
        if 0 < found <= share:
            return found
    # √(nδ) = z_test + z_power √(1-δ): the right side falls as δ rises, so bisection serves.
    low, high = 0.0, 1.0
    if math.sqrt(n) < test:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        enough = math.sqrt(n * middle) >= test + chance * math.sqrt(1 - middle)
        low, high = (low, middle) if enough else (middle, high)
    return high
