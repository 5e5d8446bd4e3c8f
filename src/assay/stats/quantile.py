"""Confidence intervals of percentiles, and of the paired difference of two percentiles.

Of independent values it is the interval between two of them, whose ranks the binomial distribution
gives: W. R. Thompson, "On confidence ranges for the median and other expectation distributions",
Annals of Mathematical Statistics 7, 1936; H. A. David and H. N. Nagaraja, "Order statistics", 2003,
section 7.1. It holds for every distribution.

If documents or questions are drawn, it is the interval of R. S. Woodruff, "Confidence intervals for
medians and other position measures", JASA 47, 1952: the values below which the ends of the interval of
the share lie, that is of the share of values below the percentile. Its standard error is that of
documents (see ``moments``), and its ends are Wilson's with Student's t (C. Franco and others, Journal of
Survey Statistics and Methodology 7, 2019).

A difference has both shares at once. They are drawn from a normal or t distribution with their
correlation, and each draw gives a difference of two percentiles (I. Krinsky and A. L. Robb, "On
approximating the statistical properties of elasticities", Review of Economics and Statistics 68, 1986).

``docs/evidence/coverage.md`` shows how often these intervals contain the true value.
"""

import math

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.difference import moments, share_of_others
from assay.stats.interval import ROUNDING, Interval, check_level, t_quantile, with_width
from assay.stats.resample import Floats, chosen_values, cluster_sums, quantile, quantiles, stream


def fewest_values(q: float, level: float) -> int:
    """How many values a percentile needs before both ends of its interval can be values.

    With fewer, all of them may be on one side of the true percentile more often than the level
    allows: for a median the smallest number is 6, for p95 it is 72.

    >>> fewest_values(0.5, 0.95), fewest_values(0.95, 0.95)
    (6, 72)
    """
    return math.ceil(math.log((1 - level) / 2) / math.log(max(q, 1 - q)))


def quantile_interval(
    values: NDArray[np.floating],
    q: float,
    *,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
) -> Interval | None:
    """The interval of the percentile that ``numpy.quantile(values, q)`` estimates.

    Returns ``None`` for fewer values than ``fewest_values``, for fewer than two clusters, and if
    both ends are equal, because then nothing is known about the spread. NaN means undefined, and
    such values are left out. With clusters it is never narrower than without.

    >>> interval = quantile_interval(np.arange(1.0, 101.0), 0.5)
    >>> interval.low, interval.high
    (40.0, 61.0)
    """
    check_level(level)
    known = np.isfinite(values)
    column = chosen_values(np.asarray(values, np.float64), known)
    n = len(column)
    if n < fewest_values(q, level):
        return None
    low, high = _ranks(n, q, level)
    if clusters is not None:
        share = _Share.of(column, q, chosen_values(np.asarray(clusters), known))
        if share is None:
            return None
        t = t_quantile((1 + level) / 2, share.freedom)
        below, above = share.ranks(np.array([-t, t])).tolist()
        low, high = min(low, below), max(high, above)
    ordered = np.sort(column)
    method = "order-statistics" if clusters is None else "woodruff"
    return with_width(
        Interval(low=float(ordered[low]), high=float(ordered[high]), level=level, method=method)
    )


def quantile_difference_interval(
    values: NDArray[np.floating],
    baseline: NDArray[np.floating],
    q: float,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    clusters: NDArray[np.integer] | None = None,
) -> Interval | None:
    """The interval of ``quantile(values, q) - quantile(baseline, q)`` over the same items.

    Items for which either value is undefined are left out. If all pairs differ by the same amount,
    the draws are equal. But as large a share of other pairs as ``share_of_others`` allows could
    differ in another way, and the interval has the width that this gives. Returns ``None`` for fewer
    pairs than ``fewest_values``, for fewer than two clusters, and if all values are equal.

    >>> fast = np.arange(200.0)
    >>> interval = quantile_difference_interval(fast + 5, fast, 0.5)
    >>> round(interval.low, 1), round(interval.high, 1)
    (1.4, 8.6)
    """
    check_level(level)
    both = np.isfinite(values) & np.isfinite(baseline)
    columns = [chosen_values(np.asarray(each, np.float64), both) for each in (values, baseline)]
    groups = None if clusters is None else chosen_values(np.asarray(clusters), both)
    n = len(columns[0])
    if n < fewest_values(q, level):
        return None
    shares = [_Share.of(column, q, groups) for column in columns]
    if shares[0] is None or shares[1] is None:
        return None
    drawn = _drawn(shares[0], shares[1], resamples, stream(seed, "percentiles"))
    one, other = (np.sort(column)[ranks] for column, ranks in zip(columns, drawn, strict=True))
    draws = one - other
    base = quantile(columns[1], q)
    observed = quantile(columns[0], q) - base
    size = max(float(np.abs(column).max()) for column in columns)
    ends = quantiles(draws, (1 - level) / 2, (1 + level) / 2)
    if np.ptp(draws) <= ROUNDING * size:
        rest = share_of_others(shares[0].units, level)
        ends = [value - base for value in quantiles(columns[0], max(q - rest, 0), min(q + rest, 1))]
    low, high = min(ends[0], observed), max(ends[1], observed)
    return with_width(Interval(low=low, high=high, level=level, method="woodruff"), size)


def _ranks(n: int, q: float, level: float) -> tuple[int, int]:
    """The places of both ends among ``n`` sorted values: each is beyond the percentile too rarely.

    That is with a probability of at most ``(1 - level) / 2``, by the binomial distribution of the
    number of values below the percentile.
    """
    k = np.arange(1, n + 1)
    steps = np.concatenate([[0.0], np.cumsum(np.log((n + 1 - k) / k * (q / (1 - q))))])
    at_most = np.cumsum(np.exp(steps + n * math.log(1 - q)))
    low = np.searchsorted(at_most, (1 - level) / 2, side="right") - 1
    return int(low), int(np.searchsorted(at_most, (1 + level) / 2))


class _Share(Struct, frozen=True):
    """The share of values below a percentile ``q``, as sure as that of ``items`` independent values.

    ``influence`` has the deviation of each of the ``units`` that are drawn, and ``freedom`` is that
    of the standard error.
    """

    q: float
    n: int
    items: float
    freedom: int
    influence: Floats

    @property
    def units(self) -> int:
        return len(self.influence)

    @classmethod
    def of(cls, values: Floats, q: float, clusters: NDArray[np.integer] | None) -> "_Share | None":
        """The share below the percentile of these values; ``None`` for fewer than two units."""
        below = (values <= quantile(values, q)).astype(np.float64)
        found, n = moments(below, clusters), len(values)
        if found is None or found.units < 2:
            return None
        items = q * (1 - q) / found.error**2 if found.error else n
        influence = below - below.mean()
        if clusters is not None:
            influence = cluster_sums(influence, clusters)[0]
        return cls(q, n, min(items, n), found.freedom, influence)

    def ranks(self, t: Floats) -> NDArray[np.intp]:
        """The places, among the sorted values, of Wilson's ends of the share for each ``t``.

        They are corrected for continuity by half an item (R. G. Newcombe, "Two-sided confidence
        intervals for the single proportion", Statistics in Medicine 17, 1998).
        """
        share = np.clip(self.q + np.sign(t) / (2 * self.items), 0.0, 1.0)
        part = t * t / (2 * self.items)
        spread = t * np.sqrt(share * (1 - share) / self.items + (t / (2 * self.items)) ** 2)
        ends = (share + part + spread) / (1 + 2 * part)
        return np.clip(np.ceil(self.n * ends).astype(np.intp) - 1, 0, self.n - 1)


def _drawn(
    first: _Share, second: _Share, resamples: int, rng: np.random.Generator
) -> list[NDArray[np.intp]]:
    """Ranks of two percentiles over the same items, drawn with the correlation of their shares.

    Each draw has a mirror image, so that the comparison the other way round has the mirrored interval.
    """
    squares = float(first.influence @ first.influence) * float(second.influence @ second.influence)
    product = float(first.influence @ second.influence)
    correlation = min(max(product / math.sqrt(squares), -1.0), 1.0) if squares > 0 else 1.0
    freedom = min(first.freedom, second.freedom)
    common, apart = rng.standard_normal((2, resamples)) * np.sqrt(
        freedom / rng.chisquare(freedom, resamples)
    )
    common *= math.sqrt((1 + correlation) / 2)
    apart *= math.sqrt((1 - correlation) / 2)
    plus, minus = common + apart, common - apart
    return [
        first.ranks(np.concatenate([plus, minus])),
        second.ranks(np.concatenate([minus, plus])),
    ]
