"""Tests of paired differences, two-sided, each ``None`` where nothing differs.

McNemar 1947; Wilcoxon 1945; Fisher's sign flips. Differences that are undefined (NaN) and
differences of zero carry no sign and are left out.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.stats.gaussian import two_sided
from assay.stats.resample import Floats, defined, grouped, stream

MOST_EXACT_RANKS = 50
MOST_EXACT_FLIPS = 13
MOST_FLIPPED = 1_000
"""Differences flipped one by one, the largest; the sum of those beyond is as good as normal."""

_BLOCK = 1 << 17


def differences(
    values: NDArray[np.floating], baseline: NDArray[np.floating]
) -> NDArray[np.float64]:
    """``values - baseline``, NaN where either is undefined, without the dust of rounding.

    0.3 - 0.1 and 0.6 - 0.4 are one and the same difference, and the ranks must see it so: the
    last three or four digits that the numbers have are rounded off.

    >>> differences(np.array([0.3, 0.6]), np.array([0.1, 0.4])).tolist()
    [0.2, 0.2]
    """
    return contrast(((1.0, values), (-1.0, baseline)))


def contrast(parts: Sequence[tuple[float, NDArray[np.floating]]]) -> NDArray[np.float64]:
    """The weighted sum of columns, NaN where any is undefined, rounded as ``differences`` are.

    >>> contrast([(0.5, np.array([0.3])), (0.5, np.array([0.1])), (-1.0, np.array([0.2]))])
    array([0.])
    """
    narrow = any(column.dtype == np.float32 for _, column in parts)
    out = np.zeros(parts[0][1].shape)
    largest = 0.0
    for weight, column in parts:
        part = weight * column.astype(np.float64)
        largest = max(largest, float(np.fmax.reduce(np.abs(part), initial=0.0)))
        out += part
    if not 0 < largest < math.inf:
        return out
    decimals = (6 if narrow else 13) - 1 - math.floor(math.log10(largest))
    return np.round(out, decimals, out=out) + 0.0  # no negative zero


def mcnemar_exact(gained: int, lost: int) -> float | None:
    """How likely so uneven a split of the items that changed is by chance alone.

    ``min(1, 2 Σ_{k ≤ min} C(m, k) / 2^m)`` over the ``m = gained + lost`` items; ``None``
    where none changed.

    >>> mcnemar_exact(6, 0)
    0.03125
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"{gained} gained, {lost} lost")
    few, changed = min(gained, lost), gained + lost
    if changed == 0:
        return None
    if 2 * few == changed:
        return 1.0
    if changed <= 1_000:
        ways = math.comb(changed, few)
        total = ways
        for k in range(few, 0, -1):
            ways = ways * k // (changed - k + 1)
            total += ways
        return min(1.0, float(2 * total / 2**changed))
    log_ways = math.lgamma(changed + 1) - math.lgamma(few + 1) - math.lgamma(changed - few + 1)
    steps = np.arange(few, 0, -1, dtype=np.float64)
    terms = np.cumsum(np.log(steps / (changed - steps + 1)))
    log_sum = math.log1p(float(np.exp(terms).sum()))
    return min(1.0, 2 * math.exp(log_ways + log_sum - changed * math.log(2)))


def wilcoxon_signed_rank(differences: NDArray[np.floating]) -> float | None:
    """Whether differences lean to one side, by the ranks of their sizes.

    Equal sizes share their mean rank. Up to 50 differences the distribution of the rank sum
    over all signs is counted, ties or not; beyond, it is taken as normal with its variance
    reduced for ties and half a step of continuity.

    >>> wilcoxon_signed_rank(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    0.03125
    """
    signed = defined(differences)
    signed = signed[signed != 0]
    n = len(signed)
    if n == 0:
        return None
    sizes, counts = np.unique(np.abs(signed), return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    rising, risen = np.unique(signed[signed > 0], return_counts=True)
    positive = float(risen @ ranks[np.searchsorted(sizes, rising)])
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
    """How often a mean at least as far from zero comes of flipping signs at random.

    ``(count + 1) / (resamples + 1)``, so never 0; up to 13 differences every combination of
    signs is counted instead. By cluster where given: a document's differences flip together.

    >>> paired_permutation(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    0.03125
    """
    known = np.isfinite(differences)
    sums = np.asarray(differences, dtype=np.float64)[known]
    if clusters is not None:
        sums, _ = grouped(sums, np.asarray(clusters)[known])
    # A document whose differences cancel leaves dust, not zero.
    dust = 1e-12 * float(np.abs(sums).max(initial=0.0))
    sizes = np.abs(sums[np.abs(sums) > dust])
    if len(sizes) == 0:
        return None
    observed = abs(float(sums.sum()))
    reach = observed - 1e-9 * max(observed, float(sizes.max()))
    if len(sizes) <= MOST_EXACT_FLIPS:
        signs = np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes)) & 1
        totals = (2.0 * signs - 1) @ sizes
        return float(np.mean(np.abs(totals) >= reach))
    count = _flips_beyond(sizes, reach, resamples, stream(seed, *names))
    return (count + 1) / (resamples + 1)


def _exact_rank_sum(ranks: Floats, positive: float) -> float:
    """Two-sided, by counting sign patterns by their sum of doubled ranks, which are whole."""
    doubled = [round(2 * rank) for rank in ranks.tolist()]
    ways = np.zeros(sum(doubled) + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[:-rank]
    least = min(round(2 * positive), sum(doubled) - round(2 * positive))
    return min(1.0, 2 * float(ways[: least + 1].sum()) / 2.0 ** len(doubled))


def _flips_beyond(sizes: Floats, reach: float, resamples: int, rng: np.random.Generator) -> int:
    """How many random sign patterns bring the sum at least as far from zero as ``reach``."""
    rest = 0.0
    if len(sizes) > MOST_FLIPPED:
        sizes = np.partition(sizes, len(sizes) - MOST_FLIPPED)
        small, sizes = sizes[:-MOST_FLIPPED], sizes[-MOST_FLIPPED:]
        rest = math.sqrt(float(small @ small))
    # Eight signs a byte: a table holds the sum of each run of eight under every pattern.
    width = -(-len(sizes) // 8)
    eights = np.zeros((width, 8))
    eights.flat[: len(sizes)] = sizes
    patterns = 2.0 * (np.arange(256)[:, None] >> np.arange(8) & 1) - 1
    table = eights @ patterns.T
    rows = max(1, _BLOCK // width)
    count = 0
    for start in range(0, resamples, rows):
        some = min(rows, resamples - start)
        chosen = rng.integers(0, 256, size=(some, width), dtype=np.uint8)
        sums = table[np.arange(width), chosen].sum(axis=1)
        if rest:
            sums += rest * rng.standard_normal(some)
        count += int(np.count_nonzero(np.abs(sums) >= reach))
    return count
