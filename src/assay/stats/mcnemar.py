"""McNemar's exact test: the sign flips of yes/no values, without drawing any signs.

Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
percentages", Psychometrika 12 (1947). Each item that changed is a coin toss, up or down.
"""

import math

import numpy as np

from assay.stats.resample import Floats


def mcnemar_exact(gained: int, lost: int) -> float | None:
    """The p-value of McNemar's exact test, from the numbers of items that gained and lost.

    ``min(1, 2 Σ_{k ≤ min(gained, lost)} C(m, k) / 2^m)`` with ``m = gained + lost``; ``None`` if
    no item changed.

    >>> mcnemar_exact(6, 0)
    0.03125
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"{gained} gained, {lost} lost: a count cannot be negative")
    smaller, changed = min(gained, lost), gained + lost
    if changed == 0:
        return None
    if 2 * smaller == changed:
        return 1.0
    if changed <= 1_000:
        ways = math.comb(changed, smaller)
        total = ways
        for k in range(smaller, 0, -1):
            ways = ways * k // (changed - k + 1)
            total += ways
        return min(1.0, float(2 * total / 2**changed))
    log_ways = (
        math.lgamma(changed + 1) - math.lgamma(smaller + 1) - math.lgamma(changed - smaller + 1)
    )
    steps = np.arange(smaller, 0, -1, dtype=np.float64)
    terms = np.cumsum(np.log(steps / (changed - steps + 1)))
    log_sum = math.log1p(float(np.exp(terms).sum()))
    return min(1.0, 2 * math.exp(log_ways + log_sum - changed * math.log(2)))


class PairedSigns:
    """McNemar's test as the only comparison of a family; it has the methods of ``Flips``.

    >>> test = PairedSigns(8, 1)
    >>> test.p_value(0) == mcnemar_exact(8, 1), round(test.critical(0.05), 2)
    (True, 1.67)
    """

    def __init__(self, gained: int, lost: int) -> None:
        self._gained = gained
        self._lost = lost
        self._changed = gained + lost
        self.observed: Floats = np.array([self._statistic(min(gained, lost))])

    def p_value(self, column: int) -> float:
        """The p-value of the comparison."""
        return mcnemar_exact(self._gained, self._lost) or 1.0

    def p_adjusted(self, column: int) -> float:
        """The same, because nothing else is compared."""
        return self.p_value(column)

    def critical(self, alpha: float) -> float:
        """The largest possible statistic with a p-value of ``alpha`` or more."""
        # the p-value rises with the smaller of the two counts
        low, high = -1, self._changed // 2
        while high - low > 1:
            middle = (low + high) // 2
            p_value = mcnemar_exact(self._changed - middle, middle) or 1.0
            low, high = (middle, high) if p_value < alpha else (low, middle)
        return self._statistic(high)

    def neighbours(self, column: int, statistic: float) -> tuple[float, float]:
        """The largest possible statistic up to ``statistic``, and the next above it."""
        reached = math.ceil((self._changed - statistic * math.sqrt(self._changed)) / 2 - 1e-9)
        return (
            self._statistic(reached),
            self._statistic(reached - 1) if reached > 0 else math.inf,
        )

    def _statistic(self, smaller: int) -> float:
        return (self._changed - 2 * smaller) / math.sqrt(self._changed)
