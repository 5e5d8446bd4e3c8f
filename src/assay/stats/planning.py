"""How large a difference a number of questions shows, and how many questions show a given one.

The formulas use the normal approximation, which is accurate enough to plan the next run;
``bench/family.py`` measures how often such a difference is really found.
"""

import math

from assay.stats.interval import normal_quantile

ALPHA = 0.05
POWER = 0.8
CRITICAL = normal_quantile(1 - ALPHA / 2)
"""The critical value of a single two-sided test at 5%."""


def detectable_difference(
    spread: float, n: int, *, critical: float = CRITICAL, power: float = POWER
) -> float | None:
    """The smallest true mean difference that is detected with this power.

    ``(c + z_power) · spread / √n``, where ``spread`` is the standard deviation of the paired
    differences and ``c`` the critical value of the test in standard errors. Returns ``None`` for
    fewer than two pairs, or if the spread is 0 or NaN.

    >>> round(detectable_difference(0.5, 100), 3)
    0.14
    """
    if n < 2 or not spread > 0:
        return None
    return (critical + normal_quantile(power)) * spread / math.sqrt(n)


def detectable_rate_difference(
    discordant: int, n: int, *, critical: float = CRITICAL, power: float = POWER
) -> float | None:
    """The smallest true difference of two paired rates that McNemar's exact test detects.

    With the share ``ψ`` of items that changed in either direction (``discordant / n``), the
    difference ``δ`` is the solution of ``n δ - 1 = c √(n ψ) + z_power σ``. This is the formula of
    R. J. Connor (Biometrics 43, 1987) with two corrections: one item, because the exact test can
    only count whole ones, and in ``σ² = n (ψ - δ²) + (1 - ψ) (c²/4 - c δ √(n/ψ))``, because the
    number of changed items varies together with the difference. A difference cannot be larger
    than the share of changed items. If ``δ`` would be larger, all changes are assumed to be in
    the same direction, ``ψ = δ``. Returns ``None`` if not even a difference of 1 would be
    detected.

    >>> round(detectable_rate_difference(20, 100), 3)
    0.13
    """
    if n < 1:
        return None
    z_power = normal_quantile(power)
    share = discordant / n

    def is_detected(difference: float) -> bool:
        changed = max(share, difference)
        linked = critical * (critical / 4 - difference * math.sqrt(n / changed))
        variance = n * (changed - difference**2) + (1 - changed) * linked
        needed = critical * math.sqrt(n * changed) + z_power * math.sqrt(max(variance, 0.0))
        return n * difference - 1 >= needed

    if not is_detected(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_detected(middle) else (middle, high)
    return high


def units_for_margin(
    spread: float,
    margin: float,
    *,
    difference: float = 0.0,
    critical: float = CRITICAL,
    power: float = POWER,
) -> int | None:
    """How many units let the interval leave out a loss of ``margin`` with this power.

    ``((c + z_power) · spread / (margin + difference))²``, where ``difference`` is the true difference
    (a gain is positive), 0 by default. ``None`` if the loss is as large as the margin, or the spread is
    NaN. S. A. Julious, "Sample sizes for clinical trials with normal data", Statistics in Medicine 23
    (2004).

    >>> units_for_margin(0.4, 0.05)
    503
    """
    room = margin + difference
    if not room > 0 or not spread >= 0:
        return None
    return max(2, math.ceil(((critical + normal_quantile(power)) * spread / room) ** 2))


def units_without_change(share: float) -> int | None:
    """How many units, none of which differs, let the interval leave out that this share would.

    The spread of the differences is 0 then, so ``units_for_margin`` has nothing to go by. It is the
    larger of ``log(α/2) / log(1 - share)``, by the interval of C. J. Clopper and E. S. Pearson
    (Biometrika 26, 1934), and of ``c² (1 - share) / share``, by that of T. Tango (Statistics in
    Medicine 17, 1998), which scores of yes and no have. ``None`` if the share is not above 0 and below 1.

    >>> units_without_change(0.03)
    125
    """
    if not 0 < share < 1:
        return None
    exact = math.log(ALPHA / 2) / math.log1p(-share)
    return math.ceil(max(exact, CRITICAL**2 * (1 - share) / share))
