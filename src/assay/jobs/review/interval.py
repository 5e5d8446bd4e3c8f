"""Confidence intervals of a review's metrics by the bootstrap over clauses.

A metric depends only on totals over the clauses, so clauses with the same outcome are
interchangeable. A resample is therefore how often each distinct outcome occurs in it, multiplied
by the matrix of outcomes. For many clauses this is a multinomial draw, whose cost does not depend
on their number. All metrics are computed from the same draws.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from assay.scorers.risk import RISK_SCORES, outcome, review_metrics
from assay.stats import (
    Floats,
    Interval,
    bca_bounds,
    clustered_share,
    jackknife_variance,
    mean_interval,
    resample_counts,
    stream,
)

RESAMPLES: Final = 10_000
FEWEST_DEFINED: Final = 0.9
"""A metric has an interval only if it is defined in at least this share of the resamples."""

MOST_COUNTED: Final = 400
"""Up to this many clauses, all variants share the draws of clauses; above, outcomes are drawn."""

Statistic: TypeAlias = Callable[[Floats], Mapping[str, Floats]]
"""Computes values from rows of totals, one value for each row; NaN means undefined."""


def review_intervals(
    rows: Iterable[Mapping[str, Any]],
    *,
    scores: Sequence[Sequence[float]] = RISK_SCORES,
    pooled: Mapping[str, int] = {},
    elsewhere: Collection[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Intervals of all metrics of ``review_metrics`` and of ``avg_latency``.

    ``pooled`` has the number of items of each metric that is a share of items, of which a clause
    may have several. Its interval has Wilson's form (see ``clustered_share``). Metrics in
    ``elsewhere`` have ``None``: their intervals need no resampling. The others have BCa intervals.

    An interval is ``None`` if the metric is undefined, if there are fewer than two clauses, or
    if the metric is undefined in too many resamples. Rows that are not scored are left out. A
    metric with the same value in all resamples, for example a rate of 1, has an interval of
    width zero.
    """
    scored = [row for row in rows if row.get("status", "scored") == "scored"]
    intervals = total_intervals(
        [outcome(row) for row in scored],
        lambda totals: review_metrics(totals, scores),
        pooled=pooled,
        elsewhere=elsewhere,
        resamples=resamples,
        seed=seed,
        level=level,
    )
    latencies = [row["elapsed_s"] for row in scored if row.get("elapsed_s") is not None]
    intervals["avg_latency"] = mean_interval(
        np.array(latencies, dtype=np.float64), level=level, is_score=False
    )
    return intervals


def total_intervals(
    outcomes: Sequence[Sequence[int]],
    statistic: Statistic,
    *,
    pooled: Mapping[str, int] = {},
    elsewhere: Collection[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Intervals of the values that ``statistic`` computes from totals of outcomes.

    They are BCa intervals, except for ``pooled`` and ``elsewhere`` (see ``review_intervals``).
    The result is empty if there are no outcomes; for a single outcome all intervals are
    ``None``.

    >>> share = lambda totals: {"share": totals[:, 0] / totals.sum(axis=1)}
    >>> interval = total_intervals([(1, 0)] * 8 + [(0, 1)] * 2, share)["share"]
    >>> interval.low < 0.8 < interval.high
    True
    """
    if not outcomes:
        return {}
    # sorted, so that the result does not depend on the order in which cases ended
    distinct = dict(sorted(Counter(map(tuple, outcomes)).items()))
    table: Floats = np.array(list(distinct), dtype=np.float64)
    counts: Floats = np.array(list(distinct.values()), dtype=np.float64)
    total: Floats = counts @ table
    observed = statistic(total[np.newaxis])
    clauses = len(outcomes)
    if clauses < 2:
        return dict.fromkeys(observed)
    # each total of all resamples is contiguous, so that NumPy works on thousands of them at once
    draws = statistic((table.T @ _drawn(counts, resamples, seed)).T)
    left_out = statistic(total - table)
    intervals: dict[str, Interval | None] = dict.fromkeys(observed)
    for name in observed.keys() - set(elsewhere):
        value, drawn = float(observed[name][0]), draws[name]
        defined = drawn[np.isfinite(drawn)]
        if not np.isfinite(value) or len(defined) < FEWEST_DEFINED * len(drawn):
            continue
        if name in pooled:
            variance = _variance(left_out[name], counts)
            intervals[name] = clustered_share(value, pooled[name], variance, clauses, level)
        else:
            skew = _acceleration(left_out[name], counts)
            low, high = bca_bounds(defined, value, skew, level)
            intervals[name] = Interval(low=low, high=high, level=level, method="bca")
    return intervals


def _drawn(counts: Floats, resamples: int, seed: int) -> Floats:
    """How often each distinct outcome is in each resample: a row for each outcome."""
    clauses = int(counts.sum())
    if clauses <= MOST_COUNTED:
        ends = np.cumsum(counts).astype(np.intp)
        # split, because reduceat takes a column at a time, which is slow
        alike = np.split(resample_counts(clauses, resamples, seed), ends[:-1])
        return np.array([items.sum(axis=0, dtype=np.uint16) for items in alike], np.float64)
    drawn = stream(seed, "review").multinomial(clauses, counts / clauses, size=resamples)
    return drawn.T.astype(np.float64)


def _variance(left_out: Floats, counts: Floats) -> float:
    """The variance of a metric between samples of clauses, from its values without each clause."""
    defined = np.isfinite(left_out)
    values, weights = left_out[defined], counts[defined]
    return jackknife_variance(values - np.average(values, weights=weights), weights)


def _acceleration(left_out: Floats, counts: Floats) -> float:
    """The acceleration of BCa: the skewness of the jackknife values divided by six.

    Each distinct outcome has as much weight as the number of its clauses.
    """
    defined = np.isfinite(left_out)
    values, weights = left_out[defined], counts[defined]
    if not len(values):
        return 0.0
    deviations = np.average(values, weights=weights) - values
    squares = float(weights @ (deviations * deviations))
    return float(weights @ deviations**3) / (6 * squares**1.5) if squares > 1e-24 else 0.0
