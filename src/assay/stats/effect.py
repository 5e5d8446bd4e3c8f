"""The difference between two variants in one metric: its size, its interval and its verdict."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.correction import holm
from assay.stats.interval import Interval, bca_mean
from assay.stats.paired import (
    differences,
    mcnemar_exact,
    paired_permutation,
    wilcoxon_signed_rank,
)
from assay.stats.percentile import quantile_difference_interval
from assay.stats.power import ALPHA, detectable_difference, detectable_rate_difference
from assay.stats.resample import Floats, cluster_count, cluster_sums

MIN_COUNT = 6
"""The smallest number of changed items (for rates), pairs or documents for a verdict.

With five, no two-sided test can reach 5%: even if all change in the same direction, the p-value
is 2/2⁵."""

SHARE = {"p50": 0.5, "p95": 0.95}
"""The kinds of metric that are percentiles, and the share of values below each."""

Verdict = Literal["better", "worse", "unclear", "too few"]
Test = Literal["", "mcnemar-exact", "wilcoxon", "cluster-permutation"]


class Method(Struct, frozen=True, kw_only=True, eq=False):
    """How intervals and tests are computed.

    ``clusters`` is the number of each item's document, counted from 0 (see
    ``cluster_numbers``), or ``None`` if items are resampled and not whole documents.
    """

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    clusters: NDArray[np.integer] | None = None

    def clusters_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The clusters of the chosen items, or ``None`` if there are no clusters."""
        return None if self.clusters is None else self.clusters[chosen]


class Effect(Struct, frozen=True, kw_only=True):
    """``variant - baseline`` over the ``n`` items for which both have a value.

    ``gained`` and ``lost`` are the numbers of items whose value increased and decreased.
    ``p_value`` is the result of ``test``; ``p_permutation`` is the result of a permutation test
    in addition to Wilcoxon's test. ``p_adjusted`` is the p-value after Holm's correction over
    the table, and decides the verdict. ``detectable`` is the smallest true difference that a run
    with this many items detects with a probability of 80%. A value is ``None`` if it is
    undefined. ``note`` is a remark for the reader.
    """

    variant: str
    baseline: str
    metric: str
    n: int
    difference: float | None = None
    interval: Interval | None = None
    gained: int | None = None
    lost: int | None = None
    p_value: float | None = None
    test: Test = ""
    p_permutation: float | None = None
    p_adjusted: float | None = None
    detectable: float | None = None
    verdict: Verdict = "unclear"
    note: str = ""


def paired_effect(
    metric: Metric,
    variant: str,
    baseline: str,
    values: NDArray[np.floating],
    base: NDArray[np.floating],
    method: Method,
) -> Effect:
    """The effect before correction: without ``p_adjusted``, and no verdict except "too few"."""
    changes = differences(values, base)
    unpaired = int(
        max(np.count_nonzero(~np.isnan(values)), np.count_nonzero(~np.isnan(base)))
        - np.count_nonzero(~np.isnan(changes))
    )
    note = f"{unpaired} items have a value in only one of the two" if unpaired else ""
    if metric.kind in SHARE:
        effect = _percentile_effect(metric, variant, baseline, values, base, changes, method)
    else:
        effect = mean_effect(metric, variant, baseline, changes, method)
    return with_note(effect, note)


def mean_effect(
    metric: Metric,
    variant: str,
    baseline: str,
    changes: Floats,
    method: Method,
    *,
    yes_no: bool | None = None,
) -> Effect:
    """The mean effect of the changes of single items; NaN means an undefined change.

    ``yes_no`` is true if each change is 1, 0 or -1. By default it is true for a rate.
    """
    known = np.isfinite(changes)
    changes = changes[known]
    n = len(changes)
    empty = Effect(variant=variant, baseline=baseline, metric=metric.name, n=n)
    if n == 0:
        return with_note(
            msgspec.structs.replace(empty, verdict="too few"), "no item has a value in both"
        )
    clusters = method.clusters_of(known)
    gained, lost = int(np.count_nonzero(changes > 0)), int(np.count_nonzero(changes < 0))
    yes_no = metric.kind == "rate" if yes_no is None else yes_no
    test, p_value, p_permutation = _test_result(changes, clusters, empty, method, yes_no=yes_no)
    effect = msgspec.structs.replace(
        empty,
        difference=float(changes.mean()),
        interval=bca_mean(changes, level=method.level, clusters=clusters),
        gained=gained,
        lost=lost,
        test=test,
        p_value=p_value,
        p_permutation=p_permutation,
        detectable=_detectable(changes, clusters, gained + lost, yes_no=yes_no),
    )
    if gained + lost == 0 or (changes == changes[0]).all():
        effect = with_note(effect, "all items changed by the same amount, so there is no spread")
    return _with_too_few(effect, clusters, yes_no=yes_no)


def with_verdicts(effects: Sequence[Effect], metrics: Sequence[Metric]) -> tuple[Effect, ...]:
    """The effects with their verdicts; Holm's correction is applied to each family of metrics."""
    better = {metric.name: metric.better for metric in metrics}
    families = {metric.name: metric.family for metric in metrics}
    adjusted: dict[int, float | None] = {}
    for family in dict.fromkeys(families.values()):
        indices = [i for i, effect in enumerate(effects) if families[effect.metric] == family]
        adjusted.update(zip(indices, holm([effects[i].p_value for i in indices]), strict=True))
    return tuple(_with_verdict(effect, adjusted[i], better) for i, effect in enumerate(effects))


def with_note(effect: Effect, note: str) -> Effect:
    """The effect with ``note`` added to its notes."""
    notes = "; ".join(text for text in (effect.note, note) if text)
    return msgspec.structs.replace(effect, note=notes)


def _test_result(
    changes: Floats,
    clusters: NDArray[np.integer] | None,
    names: Effect,
    method: Method,
    *,
    yes_no: bool,
) -> tuple[Test, float | None, float | None]:
    """The name of the test, its p-value, and the p-value of an additional permutation test."""
    if clusters is None and yes_no:
        gained, lost = (int(np.count_nonzero(side)) for side in (changes > 0, changes < 0))
        return "mcnemar-exact", mcnemar_exact(gained, lost), None
    permutation = paired_permutation(
        changes,
        resamples=method.resamples,
        seed=method.seed,
        clusters=clusters,
        names=(names.metric, names.variant, names.baseline),
    )
    if clusters is not None:
        return "cluster-permutation", permutation, None
    return "wilcoxon", wilcoxon_signed_rank(changes), permutation


def _detectable(
    changes: Floats, clusters: NDArray[np.integer] | None, changed: int, *, yes_no: bool
) -> float | None:
    n = len(changes)
    if clusters is None and yes_no:
        return detectable_rate_difference(changed, n)
    if n < 2:
        return None
    if clusters is None:
        return detectable_difference(float(changes.std(ddof=1)), n)
    sums, sizes = cluster_sums(changes, clusters)
    if len(sums) < 2:
        return None
    residuals = sums - changes.mean() * sizes
    error = math.sqrt(float(residuals @ residuals) * len(sums) / (len(sums) - 1)) / n
    return detectable_difference(error * math.sqrt(n), n)


def _with_too_few(effect: Effect, clusters: NDArray[np.integer] | None, *, yes_no: bool) -> Effect:
    """The effect, with the verdict "too few" and the reason if no verdict is possible."""
    changed = (effect.gained or 0) + (effect.lost or 0)
    if yes_no and changed < MIN_COUNT:
        reason = f"{changed} items changed; a verdict needs {MIN_COUNT}"
    elif effect.n < MIN_COUNT:
        reason = f"{effect.n} pairs; a verdict needs {MIN_COUNT}"
    elif clusters is not None and (documents := cluster_count(clusters)) < MIN_COUNT:
        reason = f"pairs from {documents} documents; a verdict needs {MIN_COUNT}"
    else:
        return effect
    return with_note(msgspec.structs.replace(effect, verdict="too few"), reason)


def _percentile_effect(
    metric: Metric,
    variant: str,
    baseline: str,
    values: NDArray[np.floating],
    base: NDArray[np.floating],
    changes: Floats,
    method: Method,
) -> Effect:
    """The effect on a percentile: it has an interval, but no test."""
    known = np.isfinite(changes)
    n = int(np.count_nonzero(known))
    effect = Effect(variant=variant, baseline=baseline, metric=metric.name, n=n)
    if n == 0:
        return with_note(
            msgspec.structs.replace(effect, verdict="too few"), "no item has a value in both"
        )
    share = SHARE[metric.kind]
    paired_values = values[known].astype(np.float64)
    paired_base = base[known].astype(np.float64)
    clusters = method.clusters_of(known)
    effect = msgspec.structs.replace(
        effect,
        difference=float(np.quantile(paired_values, share) - np.quantile(paired_base, share)),
        interval=quantile_difference_interval(
            paired_values,
            paired_base,
            share,
            resamples=method.resamples,
            seed=method.seed,
            level=method.level,
            clusters=clusters,
            names=(metric.name, variant, baseline),
        ),
        gained=int(np.count_nonzero(changes[known] > 0)),
        lost=int(np.count_nonzero(changes[known] < 0)),
        note="percentiles have an interval but no test",
    )
    return _with_too_few(effect, clusters, yes_no=False)


def _with_verdict(
    effect: Effect, p_adjusted: float | None, better: Mapping[str, str | None]
) -> Effect:
    effect = msgspec.structs.replace(effect, p_adjusted=p_adjusted)
    if effect.verdict == "too few" or p_adjusted is None or p_adjusted >= ALPHA:
        return effect
    if not effect.difference:
        return with_note(effect, "items changed mainly in one direction, but their mean did not")
    direction = better[effect.metric]
    if direction is None:
        return with_note(effect, "the values differ, but neither direction is better")
    is_better = (effect.difference > 0) == (direction == "higher")
    return msgspec.structs.replace(effect, verdict="better" if is_better else "worse")
