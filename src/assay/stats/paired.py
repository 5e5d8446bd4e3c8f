"""Two-sided tests of paired differences. Each test returns ``None`` if there is no difference.

McNemar 1947; Wilcoxon 1945; Fisher's sign-flip test. Differences that are undefined (NaN) or
zero have no sign and are left out.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.stats.gaussian import two_sided
from assay.stats.resample import Floats, cluster_sums, finite_values, stream

MOST_EXACT_RANKS = 50
"""Up to this many differences, Wilcoxon's test is exact."""
MOST_EXACT_FLIPS = 13
"""Up to this many differences, the permutation test tries all combinations of signs."""
MOST_FLIPPED = 1_000
"""At most this many of the largest differences are flipped one by one. The sum of all smaller ones
is practically normal."""

_BLOCK = 1 << 17


def differences(
    values: NDArray[np.floating], baseline: NDArray[np.floating]
) -> NDArray[np.float64]:
    """``values - baseline`` without rounding errors; NaN if either value is undefined.

    0.3 - 0.1 and 0.6 - 0.4 are the same difference and must get the same rank. Therefore the
    last digits of the floating-point numbers (about three) are rounded away.

    >>> differences(np.array([0.3, 0.6]), np.array([0.1, 0.4])).tolist()
    [0.2, 0.2]
    """
    return contrast(((1.0, values), (-1.0, baseline)))


def contrast(parts: Sequence[tuple[float, NDArray[np.floating]]]) -> NDArray[np.float64]:
    """The weighted sum of columns, rounded as in ``differences``; NaN if any value is undefined.

    >>> contrast([(0.5, np.array([0.3])), (0.5, np.array([0.1])), (-1.0, np.array([0.2]))])
    array([0.])
    """
    single_precision = any(column.dtype == np.float32 for _, column in parts)
    total = np.zeros(parts[0][1].shape)
    largest = 0.0
    for weight, column in parts:
        part = weight * column.astype(np.float64)
        largest = max(largest, float(np.fmax.reduce(np.abs(part), initial=0.0)))
        total += part
    if not 0 < largest < math.inf:
        return total
    decimals = (6 if single_precision else 13) - 1 - math.floor(math.log10(largest))
    return np.round(total, decimals, out=total) + 0.0  # adding 0.0 removes a negative zero


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
    # If the differences of a document cancel, their sum is a rounding error and not exactly zero.
    tolerance = 1e-12 * float(np.abs(sums).max(initial=0.0))
    sizes = np.abs(sums[np.abs(sums) > tolerance])
    if len(sizes) == 0:
        return None
    observed = abs(float(sums.sum()))
    threshold = observed - 1e-9 * max(observed, float(sizes.max()))
    if len(sizes) <= MOST_EXACT_FLIPS:
        signs = np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes)) & 1
        totals = (2.0 * signs - 1) @ sizes
        return float(np.mean(np.abs(totals) >= threshold))
    count = _flips_beyond(sizes, threshold, resamples, stream(seed, *names))
    return (count + 1) / (resamples + 1)


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


def _flips_beyond(sizes: Floats, threshold: float, resamples: int, rng: np.random.Generator) -> int:
    """The number of random sign combinations whose sum is at least ``threshold`` from zero."""
    rest = 0.0
    if len(sizes) > MOST_FLIPPED:
        sizes = np.partition(sizes, len(sizes) - MOST_FLIPPED)
        small, sizes = sizes[:-MOST_FLIPPED], sizes[-MOST_FLIPPED:]
        rest = math.sqrt(float(small @ small))
    # One random byte is eight signs. The table contains the sum of each group of eight
    # differences for every byte.
    width = -(-len(sizes) // 8)
    eights = np.zeros((width, 8))
    eights.flat[: len(sizes)] = sizes
    patterns = 2.0 * (np.arange(256)[:, None] >> np.arange(8) & 1) - 1
    table = eights @ patterns.T
    rows = max(1, _BLOCK // width)
    count = 0
    for start in range(0, resamples, rows):
        row_count = min(rows, resamples - start)
        chosen = rng.integers(0, 256, size=(row_count, width), dtype=np.uint8)
        sums = table[np.arange(width), chosen].sum(axis=1)
        if rest:
            sums += rest * rng.standard_normal(row_count)
        count += int(np.count_nonzero(np.abs(sums) >= threshold))
    return count
