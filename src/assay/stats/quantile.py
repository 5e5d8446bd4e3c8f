"""Confidence intervals of percentiles, and of the paired difference of two percentiles.

- Independent values: the interval between two of them whose ranks the binomial distribution gives
  (W. R. Thompson, Annals of Mathematical Statistics 7, 1936; H. A. David and H. N. Nagaraja, "Order
  statistics", 2003, section 7.1). It holds for every distribution.
- Documents or questions: the values at both ends of the interval of the share of values below the
  percentile (R. S. Woodruff, "Confidence intervals for medians and other position measures", JASA 47,
  1952). Its standard error is that of documents (see ``moments``), its ends are Wilson's with t (C. Franco
  and others, Journal of Survey Statistics and Methodology 7, 2019) and corrected for continuity (R. G.
  Newcombe, Statistics in Medicine 17, 1998).
- Differences: both shares are drawn from a t distribution with their correlation; each draw gives a
  difference (I. Krinsky and A. L. Robb, Review of Economics and Statistics 68, 1986).

``docs/evidence/coverage.md`` shows how often they contain the true value.
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

    With fewer, all of them may be on one side of the true percentile more often than the level allows.

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
    """The interval of a percentile; ``None`` for fewer values than ``fewest_values``.

    There is none for fewer than two clusters either, and if both ends are equal: nothing is known about
    the spread then. NaN means undefined and is left out. Clusters never make it narrower.

    >>> interval = quantile_interval(np.arange(1.0, 101.0), 0.5)
    >>> interval.low, interval.high
    (40.0, 61.0)
    """
    check_level(level)
    known = np.isfinite(values)
    ordered = np.sort(chosen := chosen_values(np.asarray(values, np.float64), known))
    if len(ordered) < fewest_values(q, level):
        return None
    low, high = _ranks(len(ordered), q, level)
    if clusters is not None:
        share = _share(chosen, q, chosen_values(np.asarray(clusters), known))
        if len(share.influence) < 2:
            return None
        t = t_quantile((1 + level) / 2, share.freedom)
        below, above = share.ranks(np.array([-t, t])).tolist()
        low, high = min(low, below), max(high, above)
    ends = float(ordered[low]), float(ordered[high])
    method = "order-statistics" if clusters is None else "woodruff"
    return with_width(Interval(low=ends[0], high=ends[1], level=level, method=method))


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

    It is ``None`` as in ``quantile_interval``; items without both values are left out. If all pairs
    differ by the same amount, all draws are equal. But as large a share of other pairs as
    ``share_of_others`` allows could lie between the two, and the interval has the width that this gives.

    >>> fast = np.arange(200.0)
    >>> interval = quantile_difference_interval(fast + 5, fast, 0.5)
    >>> round(interval.low, 1), round(interval.high, 1)
    (1.4, 8.6)
    """
    check_level(level)
    both = np.isfinite(values) & np.isfinite(baseline)
    columns = [chosen_values(np.asarray(each, np.float64), both) for each in (values, baseline)]
    if len(columns[0]) < fewest_values(q, level):
        return None
    groups = None if clusters is None else chosen_values(np.asarray(clusters), both)
    shares = [_share(column, q, groups) for column in columns]
    if len(shares[0].influence) < 2:
        return None
    drawn = _drawn_ranks(shares[0], shares[1], resamples, stream(seed, "percentiles"))
    one, other = (np.sort(column)[ranks] for column, ranks in zip(columns, drawn, strict=True))
    draws, base = one - other, quantile(columns[1], q)
    size = max(float(np.abs(column).max()) for column in columns)
    low, high = quantiles(draws, (1 - level) / 2, (1 + level) / 2)
    if np.ptp(draws) <= ROUNDING * size:
        rest = share_of_others(len(shares[0].influence), level)
        low, high = quantiles(columns[0] - base, max(q - rest, 0.0), min(q + rest, 1.0))
    observed = quantile(columns[0], q) - base
    low, high = min(low, observed), max(high, observed)
    return with_width(Interval(low=low, high=high, level=level, method="woodruff"), size)


def _ranks(n: int, q: float, level: float) -> tuple[int, int]:
    """The places of both ends among ``n`` sorted values.

    Each is on the wrong side of the percentile with a probability of at most ``(1 - level) / 2``: the
    number of values below the percentile has a binomial distribution.
    """
    k = np.arange(1, n + 1)
    logs = np.cumsum(np.log((n + 1 - k) / k * (q / (1 - q))))
    at_most = np.cumsum(np.exp(np.concatenate([[0.0], logs]) + n * math.log(1 - q)))
    low = np.searchsorted(at_most, (1 - level) / 2, side="right") - 1
    return int(low), int(np.searchsorted(at_most, (1 + level) / 2))


class _Share(Struct, frozen=True):
    """The share ``q`` of ``n`` values, which is known as well as that of ``items`` independent ones.

    ``influence`` has the deviation of each unit, ``freedom`` is that of the standard error.
    """

    q: float
    n: int
    items: float
    freedom: int
    influence: Floats

    def ranks(self, t: Floats) -> NDArray[np.intp]:
        """The places, among the sorted values, of the ends of the share for each ``t``."""
        share = np.clip(self.q + np.sign(t) / (2 * self.items), 0.0, 1.0)
        part = t * t / (2 * self.items)
        spread = t * np.sqrt(share * (1 - share) / self.items + (t / (2 * self.items)) ** 2)
        ends = (share + part + spread) / (1 + 2 * part)
        return np.clip(np.ceil(self.n * ends).astype(np.intp) - 1, 0, self.n - 1)


def _share(values: Floats, q: float, clusters: NDArray[np.integer] | None) -> _Share:
    below = (values <= quantile(values, q)).astype(np.float64)
    found, n, influence = moments(below, clusters), len(values), below - below.mean()
    assert found is not None
    return _Share(
        q=q,
        n=n,
        items=min(q * (1 - q) / found.error**2, n) if found.error else n,
        freedom=found.freedom,
        influence=influence if clusters is None else cluster_sums(influence, clusters)[0],
    )


def _drawn_ranks(
    first: _Share, second: _Share, resamples: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Ranks of two percentiles over the same units, drawn with the correlation of their shares.

    Each draw has a mirror image: the comparison the other way round has the mirrored interval.
    """
    squares = float(first.influence @ first.influence) * float(second.influence @ second.influence)
    product = float(first.influence @ second.influence)
    correlation = min(max(product / math.sqrt(squares), -1.0), 1.0) if squares > 0 else 1.0
    freedom = min(first.freedom, second.freedom)
    scale = np.sqrt(freedom / rng.chisquare(freedom, resamples) / 2)
    common, apart = rng.standard_normal((2, resamples)) * scale
    common, apart = common * math.sqrt(1 + correlation), apart * math.sqrt(1 - correlation)
    plus, minus = common + apart, common - apart
    return first.ranks(np.append(plus, minus)), second.ranks(np.append(minus, plus))
