"""Two-sided tests of paired differences. Each test returns ``None`` if there is no difference.

The sign flips of the mean difference decide verdicts (R. A. Fisher, "The design of experiments",
1935). Ranks (F. Wilcoxon, 1945) are offered for comparison and decide nothing: few large losses and
many small gains can move the ranks up and the mean down. Differences that are undefined (NaN) or
zero have no sign and are left out.
"""

import math

import numpy as np
from numpy.typing import NDArray

from assay.stats.difference import Contrast, is_change
from assay.stats.flip import HEAVY, MOST_FLIPPED, Flips
from assay.stats.interval import two_sided
from assay.stats.resample import Floats, cluster_sums, finite_values, stream

MOST_EXACT_RANKS = 50
"""Up to this many differences, Wilcoxon's test is exact."""


def differences(
    values: NDArray[np.floating], baseline: NDArray[np.floating]
) -> NDArray[np.float64]:
    """``values - baseline`` without rounding errors; NaN if either value is undefined.

    >>> differences(np.array([0.3, 0.6]), np.array([0.1, 0.4])).tolist()
    [0.2, 0.2]
    """
    return Contrast(((1.0, values), (-1.0, baseline))).changes()


def wilcoxon_signed_rank(differences: NDArray[np.floating]) -> float | None:
    """The p-value of Wilcoxon's signed-rank test.

    Differences of equal size get the mean of their ranks. Up to 50 differences the test is
    exact, also with ties: it counts the rank sums over all combinations of signs. Above 50 it
    uses the normal approximation with a variance corrected for ties and a continuity correction
    of one half. Returns ``None`` if there is no difference.

    >>> wilcoxon_signed_rank(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    0.03125
    """
    signed = finite_values(differences)
    signed = signed[signed != 0]
    n = len(signed)
    if n == 0:
        return None
    sizes, counts = np.unique(np.abs(signed), return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    increases, increase_counts = np.unique(signed[signed > 0], return_counts=True)
    positive = float(increase_counts @ ranks[np.searchsorted(sizes, increases)])
    if n <= MOST_EXACT_RANKS:
        return _exact_rank_sum(np.repeat(ranks, counts), positive)
    middle = n * (n + 1) / 4
    ties = float(np.sum(counts.astype(np.float64) ** 3 - counts)) / 48
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties)
    return two_sided(max(0.0, abs(positive - middle) - 0.5) / spread)


def paired_permutation(
    differences: NDArray[np.floating],
    *,
    resamples: int = 10_000,
    seed: int = 0,
    clusters: NDArray[np.integer] | None = None,
    names: tuple[str, ...] = (),
) -> float | None:
    """The p-value of the sign-flip permutation test for a mean of paired differences.

    ``(count + 1) / (resamples + 1)``, where ``count`` is the number of random sign combinations
    that give a mean at least as far from zero; it is never 0. Up to 13 differences, all sign
    combinations are counted instead. With ``clusters``, all differences of a cluster change sign
    together. Returns ``None`` if there is no difference.

    >>> paired_permutation(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    0.03125
    """
    known = np.isfinite(differences)
    sums = np.asarray(differences, dtype=np.float64)[known]
    if clusters is not None:
        sums, _ = cluster_sums(sums, np.asarray(clusters)[known])
    sums = sums[is_change(sums)]
    if len(sums) == 0:
        return None
    rng = stream(seed, *names)
    if len(sums) <= MOST_FLIPPED:
        return Flips.of_rows(sums[:, None], resamples=resamples, rng=rng).p_value(0)
    square = float(sums @ sums)
    heavy = sums[sums * sums > HEAVY * square]
    flips = Flips.of_limit(
        np.array([sums.sum()]),
        np.array([[square]]),
        heavy[:, None],
        resamples=resamples,
        rng=rng,
    )
    return flips.p_value(0)


def _exact_rank_sum(ranks: Floats, positive: float) -> float:
    """The two-sided p-value of a rank sum, from the number of sign combinations for each sum.

    Ranks may be halves; doubled ranks are whole numbers.
    """
    doubled = [round(2 * rank) for rank in ranks.tolist()]
    ways = np.zeros(sum(doubled) + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[:-rank]
    least = min(round(2 * positive), sum(doubled) - round(2 * positive))
    return min(1.0, 2 * float(ways[: least + 1].sum()) / 2.0 ** len(doubled))


# McNemar's exact test: the sign flips of yes/no values, without drawing any signs.
#
# Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
# percentages", Psychometrika 12 (1947). Each item that changed is a coin toss, up or down.


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
