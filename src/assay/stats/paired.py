"""Two paired rates: McNemar's mid-p test and Tango's interval of their difference."""

import math

import numpy as np

_HALVINGS = 60
_MOST_EXACT = 1_000


def mcnemar(gained: int, lost: int) -> float | None:
    """The mid-p value of McNemar's test, from the numbers of items that gained and lost.

    ``2 Σ_{k < l} C(m, k) / 2^m + C(m, l) / 2^m`` with ``m = gained + lost`` and the smaller count
    ``l``, at most 1. Q. McNemar, Psychometrika 12 (1947); M. W. Fagerland, S. Lydersen and P. Laake,
    "The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact
    conditional", BMC Medical Research Methodology 13 (2013).

    >>> mcnemar(6, 0)
    0.015625
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"{gained} gained, {lost} lost: a count cannot be negative")
    smaller, changed = min(gained, lost), gained + lost
    if changed == 0:
        return None
    if 2 * smaller == changed:
        return 1.0
    if changed <= _MOST_EXACT:
        ways = [math.comb(changed, k) for k in range(smaller + 1)]
        return float((2 * sum(ways) - ways[-1]) / 2**changed)
    log_ways = (
        math.lgamma(changed + 1) - math.lgamma(smaller + 1) - math.lgamma(changed - smaller + 1)
    )
    steps = np.arange(smaller, 0, -1, dtype=np.float64)
    fewer = float(np.exp(np.cumsum(np.log(steps / (changed - steps + 1)))).sum())
    log_p_value = log_ways + math.log1p(2 * fewer) - changed * math.log(2)
    return min(1.0, math.exp(log_p_value))


def tango(gained: int, lost: int, n: int, z: float) -> tuple[float, float]:
    """Both ends of Tango's score interval for the difference of two paired rates.

    It contains every difference ``δ`` for which ``|gained - lost - n δ| ≤ z √(n (2 q + δ (1 - δ)))``,
    where ``q`` is the most likely share of items that lose if the difference is ``δ``. So it leaves
    out 0 exactly if ``|gained - lost| / √(gained + lost) > z``, and has a width if no item changed.
    T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17 (1998).

    >>> low, high = tango(9, 3, 50, 1.959964)
    >>> round(low, 3), round(high, 3)
    (-0.018, 0.263)
    """

    def end(gained: int, lost: int) -> float:
        """The upper end."""
        low, high = (gained - lost) / n, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            b = (2 * n - gained + lost) * middle - gained - lost
            q = (math.sqrt(max(b * b + 8 * n * lost * middle * (1 - middle), 0.0)) - b) / (4 * n)
            spread = n * (2 * q + middle * (1 - middle))
            is_inside = n * middle - gained + lost <= z * math.sqrt(max(spread, 0.0))
            low, high = (middle, high) if is_inside else (low, middle)
        return high

    return -end(lost, gained), end(gained, lost)
