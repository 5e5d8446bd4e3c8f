"""How large a difference a number of questions shows, and how many questions show a given one.

A detectable difference is about the next run only: such a difference will be found with the stated
power. It says nothing about what a finished run may have missed; that is what the interval is for.
``bench/family.py`` and ``tests/oracle/test_planning.py`` measure how often such a difference is found.
"""

import math

from assay.stats.interval import normal_quantile, t_quantile

ALPHA = 0.05
POWER = 0.8
CRITICAL = normal_quantile(1 - ALPHA / 2)
"""The critical value of a single two-sided test at 5%."""
_HALVINGS = 50


def family_alpha(comparisons: int, alpha: float = ALPHA) -> float:
    """The error of each of so many comparisons if that of all together is ``alpha``.

    ``1 - (1 - alpha)^(1 / comparisons)``: Z. Šidák, "Rectangular confidence regions for the means of
    multivariate normal distributions", JASA 62 (1967). It holds for any correlation. Max-T, which
    knows the correlation, needs fewer questions: for variants with one baseline and the correlation
    1/2 (C. W. Dunnett, 1955) 4 % fewer with five variants, 6 % fewer with twenty.

    >>> round(family_alpha(5), 4)
    0.0102
    """
    return -math.expm1(math.log1p(-alpha) / max(1, comparisons))


def detectable_difference(
    spread: float, n: int, *, critical: float | None = None, power: float = POWER
) -> float | None:
    """The smallest true mean difference that is detected with this power.

    ``(c + t_power) · spread / √n``, where ``spread`` is the standard deviation of the paired
    differences, and ``c`` the critical value of the test in standard errors: that of Student's t at
    5 % by default (G. W. Snedecor and W. G. Cochran, "Statistical methods", 1989, 6.14). Returns
    ``None`` for fewer than two pairs, or if the spread is 0 or NaN.

    >>> round(detectable_difference(0.5, 100), 3)
    0.141
    """
    if n < 2 or not spread > 0:
        return None
    if critical is None:
        critical = t_quantile(1 - ALPHA / 2, n - 1)
    return (critical + t_quantile(power, n - 1)) * spread / math.sqrt(n)


def detectable_rate_difference(
    discordant: float, n: int, *, critical: float = CRITICAL, power: float = POWER
) -> float | None:
    """The smallest true difference of two paired rates that McNemar's test detects.

    With the share ``ψ`` of items that changed in either direction (``discordant / n``), the
    difference ``δ`` is the solution of ``δ √n = c √ψ + z_power √(ψ - δ²)``: R. J. Connor, "Sample
    size for testing differences in proportions for the paired-sample design", Biometrics 43 (1987).
    The mid-p test reaches this power also for few items. A difference cannot be larger than the
    share of changed items. If ``δ`` would be larger, all changes are assumed to be in the same
    direction, ``ψ = δ``. Returns ``None`` if not even a difference of 1 would be detected.

    >>> round(detectable_rate_difference(20, 100), 3)
    0.124
    """
    if n < 1:
        return None
    z_power = normal_quantile(power)
    share = discordant / n

    def is_detected(difference: float) -> bool:
        changed = max(share, difference)
        spread = math.sqrt(max(changed - difference**2, 0.0))
        return difference * math.sqrt(n) >= critical * math.sqrt(changed) + z_power * spread

    if not is_detected(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
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


def pairs_for_margin(
    changed: float, margin: float, *, critical: float = CRITICAL, power: float = POWER
) -> int | None:
    """How many pairs let Tango's interval of two equal rates leave out a loss of ``margin``.

    ``((c s + z_power √ψ) / margin)²``, where ``ψ`` is the share of pairs that change, as many in
    either direction, and ``s²`` their most likely variance if there were such a loss (see
    ``difference.tango``): J. Nam, "Establishing equivalence of two treatments and sample size
    requirements in matched-pairs design", Biometrics 53 (1997). ``None`` without a margin.

    >>> pairs_for_margin(0.2, 0.05)
    644
    """
    if not 0 < margin < 1:
        return None
    b = 2 * margin - changed
    lost = (math.sqrt(b * b + 4 * changed * margin * (1 - margin)) - b) / 4
    spread = math.sqrt(2 * lost + margin * (1 - margin))
    needed = critical * spread + normal_quantile(power) * math.sqrt(changed)
    return max(2, math.ceil((needed / margin) ** 2))
