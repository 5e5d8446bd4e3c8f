"""Intervals of a review's metrics, by the bootstrap over clauses.

A metric depends on the clauses only through totals, and clauses with the same outcome are
interchangeable: a resample is a multinomial draw of how often each distinct outcome comes up,
times a matrix of outcomes. The work is thus independent of the number of clauses, and all
metrics are computed from the same draws.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from assay.scorers.risk import RISK_SCORES, outcome, review_metrics
from assay.stats import Floats, Interval, bca_bounds, bca_mean, stream

RESAMPLES: Final = 10_000
FEWEST_DEFINED: Final = 0.9
"""Where a metric is undefined in more than a tenth of the resamples, it has no interval."""

Statistic: TypeAlias = Callable[[Floats], Mapping[str, Floats]]
"""From rows of totals to values, one for each row, NaN where undefined."""


def review_intervals(
    rows: Iterable[Mapping[str, Any]],
    *,
    scores: Sequence[Sequence[float]] = RISK_SCORES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """A BCa interval of every metric of ``review_metrics`` and of ``avg_latency``.

    ``None`` where the metric is undefined, where there are fewer than two clauses, and where
    it is undefined in too many resamples. Rows that are not scored are left out. A metric that
    no resample changes, such as a rate of 1, has an interval without width.
    """
    scored = [row for row in rows if row.get("status", "scored") == "scored"]
    found = total_intervals(
        [outcome(row) for row in scored],
        lambda totals: review_metrics(totals, scores),
        resamples=resamples,
        seed=seed,
        level=level,
    )
    latencies = [row["elapsed_s"] for row in scored if row.get("elapsed_s") is not None]
    found["avg_latency"] = bca_mean(np.array(latencies, dtype=np.float64), level=level)
    return found


def total_intervals(
    outcomes: Sequence[Sequence[int]],
    statistic: Statistic,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """A BCa interval of each value that ``statistic`` computes from totals of outcomes.

    Without outcomes there is not even a name; with one there is no interval.

    >>> share = lambda totals: {"share": totals[:, 0] / totals.sum(axis=1)}
    >>> interval = total_intervals([(1, 0)] * 8 + [(0, 1)] * 2, share)["share"]
    >>> interval.low < 0.8 < interval.high
    True
    """
    if not outcomes:
        return {}
    # sorted, so that the order in which cases ended changes nothing
    distinct = dict(sorted(Counter(map(tuple, outcomes)).items()))
    table: Floats = np.array(list(distinct), dtype=np.float64)
    counts: Floats = np.array(list(distinct.values()), dtype=np.float64)
    whole: Floats = counts @ table
    observed = statistic(whole[np.newaxis])
    clauses = len(outcomes)
    if clauses < 2:
        return dict.fromkeys(observed)
    drawn = stream(seed, "review").multinomial(clauses, counts / clauses, size=resamples)
    draws = statistic(drawn @ table)
    left_out = statistic(whole - table)
    return {
        name: _interval(float(value[0]), draws[name], left_out[name], counts, level)
        for name, value in observed.items()
    }


def _interval(
    observed: float, draws: Floats, left_out: Floats, counts: Floats, level: float
) -> Interval | None:
    known = draws[np.isfinite(draws)]
    if not np.isfinite(observed) or len(known) < FEWEST_DEFINED * len(draws):
        return None
    low, high = bca_bounds(known, observed, _acceleration(left_out, counts), level)
    return Interval(low=low, high=high, level=level, method="bca")


def _acceleration(left_out: Floats, counts: Floats) -> float:
    """The jackknife's skewness over six, each distinct outcome as often as it occurs."""
    known = np.isfinite(left_out)
    values, weights = left_out[known], counts[known]
    if not len(values):
        return 0.0
    pull = np.average(values, weights=weights) - values
    square = float(weights @ (pull * pull))
    return float(weights @ pull**3) / (6 * square**1.5) if square > 1e-24 else 0.0
