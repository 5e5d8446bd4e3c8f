"""Compare the columns of two variants, or of a factorial design, in one metric."""

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import UNSET, Struct
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.difference import Contrast
from assay.stats.effect import SHARE, Effect, Family, Method, with_note
from assay.stats.family import MIN_COUNT, PairComparison, family_effects, unpaired_note
from assay.stats.mean_interval import is_yes_no
from assay.stats.quantile import fewest_values, quantile_difference_interval
from assay.stats.resample import chosen_values, cluster_count, quantile
from assay.words.message import message


class Column(Struct, frozen=True, kw_only=True, eq=False):
    """The values of one variant in one metric, with what comparisons need to know about them.

    ``count`` is the number of values that are defined, and ``size`` the size of the largest one. A
    column of scores has no value outside 0 to 1; a metric with a unit is never a score.
    """

    values: NDArray[np.floating]
    count: int
    size: float
    is_score: bool
    is_yes_no: bool


def column_of(metric: Metric, values: NDArray[np.floating]) -> Column:
    """The values as a column; NaN means undefined.

    >>> column_of(Metric(name="mrr", field="mrr"), np.array([0.5, 1.0, np.nan])).count
    2
    """
    least = float(np.fmin.reduce(values, initial=0.0))
    most = float(np.fmax.reduce(values, initial=0.0))
    is_score = not metric.unit and least >= 0 and most <= 1
    return Column(
        values=values,
        count=int(np.count_nonzero(np.isfinite(values))),
        size=max(most, -least),
        is_score=is_score,
        is_yes_no=is_score and is_yes_no(values),
    )


def paired_comparison(
    metric: Metric, variant: str, baseline: str, values: Column, base: Column
) -> PairComparison:
    """The comparison of a variant with the baseline."""
    contrast = Contrast(((1.0, values.values), (-1.0, base.values)), (values.size, base.size))
    paired = int(np.count_nonzero(np.isfinite(values.values) & np.isfinite(base.values)))
    return PairComparison(
        metric=metric,
        variant=variant,
        baseline=baseline,
        contrast=contrast,
        is_yes_no=values.is_yes_no and base.is_yes_no,
        reach=1.0 if values.is_score and base.is_score else None,
        unpaired=max(values.count, base.count) - paired,
    )


def weighted_comparison(
    metric: Metric, name: str, weights: Sequence[float], columns: Sequence[Column]
) -> PairComparison:
    """The comparison that a contrast of a factorial design makes; it has no baseline."""
    return PairComparison(
        metric=metric,
        variant=name,
        baseline="",
        contrast=Contrast(
            [(weight, column.values) for weight, column in zip(weights, columns, strict=True)],
            [column.size for column in columns],
        ),
        reach=sum(weight for weight in weights if weight > 0)
        if all(column.is_score for column in columns)
        else None,
    )


def paired_effect(
    metric: Metric,
    variant: str,
    baseline: str,
    values: NDArray[np.floating],
    base: NDArray[np.floating],
    method: Method,
    weights: NDArray[np.float64] | None = None,
) -> Effect:
    """The effect on one metric if nothing else is compared; the order of the items is irrelevant.

    With ``weights``, one for each item and with the mean 1, it is about the weighted means. A percentile
    has no weights.

    >>> quality = Metric(name="mrr", field="mrr")
    >>> effect = paired_effect(quality, "new", "old", np.ones(8), np.zeros(8), Method())
    >>> effect.p_adjusted, effect.verdict
    (0.00390625, 'better')
    """
    family: Family = "latency" if metric.family == "latency" else "primary"
    comparison = paired_comparison(
        metric, variant, baseline, column_of(metric, values), column_of(metric, base)
    )
    if metric.kind in SHARE:
        return percentile_effect(comparison, values, base, family, method)
    if weights is not None:
        comparison = msgspec.structs.replace(comparison, weights=weights)
    return family_effects([comparison], family, method)[0]


def percentile_effect(
    comparison: PairComparison,
    values: NDArray[np.floating],
    base: NDArray[np.floating],
    family: Family,
    method: Method,
) -> Effect:
    """The effect on a percentile: it has an interval, but no test."""
    metric = comparison.metric
    known = np.isfinite(values) & np.isfinite(base)
    n = int(np.count_nonzero(known))
    effect = Effect(
        variant=comparison.variant,
        baseline=comparison.baseline,
        metric=metric.name,
        family=family,
        n=n,
        note=unpaired_note(comparison),
    )
    if n == 0:
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, message("no item has a value in both"))
    share = SHARE[metric.kind]
    paired_values, paired_base = (
        chosen_values(column, known).astype(np.float64, copy=False) for column in (values, base)
    )
    interval = quantile_difference_interval(
        paired_values,
        paired_base,
        share,
        resamples=method.resamples,
        seed=method.seed,
        level=method.level,
        clusters=method.units_of(known),
    )
    units = method.units_of(known)
    interval = interval if method.has_units(known, fewest_values(share, method.level)) else None
    effect = msgspec.structs.replace(
        effect,
        difference=quantile(paired_values, share) - quantile(paired_base, share),
        interval=interval,
        plain_interval=interval,
        gained=int(np.count_nonzero(paired_values > paired_base)),
        lost=int(np.count_nonzero(paired_values < paired_base)),
        units=UNSET if units is None else cluster_count(units),
        unit=UNSET if units is None else method.unit,
        verdict="too few" if interval is None or n < MIN_COUNT else "unclear",
    )
    return with_note(effect, message("percentiles have an interval but no test"))
