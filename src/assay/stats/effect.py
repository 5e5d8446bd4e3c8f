"""The difference between two variants on one metric: its size, its interval, its verdict."""

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
from assay.stats.resample import Floats, cluster_count, grouped

FEWEST = 6
"""Below this many items that changed (rates), pairs, or documents, no two-sided test can reach
5%: even if all lean one way the chance is 2/2⁵."""

SHARE = {"p50": 0.5, "p95": 0.95}
"""The kinds of metric that are percentiles."""

Verdict = Literal["better", "worse", "unclear", "too few"]
Test = Literal["", "mcnemar-exact", "wilcoxon", "cluster-permutation"]


class Method(Struct, frozen=True, kw_only=True, eq=False):
    """How intervals and tests are made; ``clusters`` where whole documents are resampled.

    They are numbered from 0 (see ``cluster_numbers``).
    """

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    clusters: NDArray[np.integer] | None = None

    def among(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The clusters of the chosen items."""
        return None if self.clusters is None else self.clusters[chosen]


class Effect(Struct, frozen=True, kw_only=True):
    """``variant - baseline`` over the ``n`` items that both have a value for.

    ``gained`` and ``lost`` count the items that went up and down. ``p_value`` comes from
    ``test``, and ``p_permutation`` is a second opinion beside Wilcoxon. ``p_adjusted`` is
    Holm's, over the table, and decides the verdict. ``detectable`` is the smallest true
    difference that this many items show in four runs of five. ``None`` is undefined;
    ``note`` says what a reader must know.
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
    """The effect before correction: no ``p_adjusted`` yet, and no verdict but "too few"."""
    changes = differences(values, base)
    left_out = int(
        max(np.count_nonzero(~np.isnan(values)), np.count_nonzero(~np.isnan(base)))
        - np.count_nonzero(~np.isnan(changes))
    )
    note = f"{left_out} items have a value in one of the two only" if left_out else ""
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
    """The effect that changes of single items (NaN: undefined) amount to on average.

    ``yes_no`` says that each change is 1, 0 or -1; a rate's are unless it says otherwise.
    """
    known = np.isfinite(changes)
    changes = changes[known]
    n = len(changes)
    blank = Effect(variant=variant, baseline=baseline, metric=metric.name, n=n)
    if n == 0:
        return with_note(
            msgspec.structs.replace(blank, verdict="too few"), "no pair has both values"
        )
    clusters = method.among(known)
    gained, lost = int(np.count_nonzero(changes > 0)), int(np.count_nonzero(changes < 0))
    yes_no = metric.kind == "rate" if yes_no is None else yes_no
    test, p_value, p_permutation = _tested(changes, clusters, blank, method, yes_no=yes_no)
    effect = msgspec.structs.replace(
        blank,
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
        effect = with_note(effect, "all items changed alike, which shows no spread to judge by")
    return _too_few(effect, clusters, yes_no=yes_no)


def with_verdicts(effects: Sequence[Effect], metrics: Sequence[Metric]) -> tuple[Effect, ...]:
    """The effects with their verdicts, Holm's correction running over each family's table."""
    better = {metric.name: metric.better for metric in metrics}
    family = {metric.name: metric.family for metric in metrics}
    adjusted: dict[int, float | None] = {}
    for one in dict.fromkeys(family.values()):
        places = [at for at, effect in enumerate(effects) if family[effect.metric] == one]
        adjusted.update(zip(places, holm([effects[at].p_value for at in places]), strict=True))
    return tuple(_with_verdict(effect, adjusted[at], better) for at, effect in enumerate(effects))


def with_note(effect: Effect, note: str) -> Effect:
    """The effect with one more thing to know about it."""
    joined = "; ".join(each for each in (effect.note, note) if each)
    return msgspec.structs.replace(effect, note=joined)


def _tested(
    changes: Floats,
    clusters: NDArray[np.integer] | None,
    names: Effect,
    method: Method,
    *,
    yes_no: bool,
) -> tuple[Test, float | None, float | None]:
    """The test, its p-value, and that of the permutation test beside it."""
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
    sums, sizes = grouped(changes, clusters)
    if len(sums) < 2:
        return None
    pulls = sums - changes.mean() * sizes
    error = math.sqrt(float(pulls @ pulls) * len(sums) / (len(sums) - 1)) / n
    return detectable_difference(error * math.sqrt(n), n)


def _too_few(effect: Effect, clusters: NDArray[np.integer] | None, *, yes_no: bool) -> Effect:
    changed = (effect.gained or 0) + (effect.lost or 0)
    if yes_no and changed < FEWEST:
        reason = f"{changed} items changed; a verdict needs {FEWEST}"
    elif effect.n < FEWEST:
        reason = f"{effect.n} pairs; a verdict needs {FEWEST}"
    elif clusters is not None and (documents := cluster_count(clusters)) < FEWEST:
        reason = f"pairs from {documents} documents; a verdict needs {FEWEST}"
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
    """A difference of percentiles has an interval, and no test."""
    known = np.isfinite(changes)
    n = int(np.count_nonzero(known))
    effect = Effect(variant=variant, baseline=baseline, metric=metric.name, n=n)
    if n == 0:
        return with_note(
            msgspec.structs.replace(effect, verdict="too few"), "no pair has both values"
        )
    share = SHARE[metric.kind]
    ours, theirs = values[known].astype(np.float64), base[known].astype(np.float64)
    clusters = method.among(known)
    effect = msgspec.structs.replace(
        effect,
        difference=float(np.quantile(ours, share) - np.quantile(theirs, share)),
        interval=quantile_difference_interval(
            ours,
            theirs,
            share,
            resamples=method.resamples,
            seed=method.seed,
            level=method.level,
            clusters=clusters,
            names=(metric.name, variant, baseline),
        ),
        gained=int(np.count_nonzero(changes[known] > 0)),
        lost=int(np.count_nonzero(changes[known] < 0)),
        note="percentiles have an interval and no test",
    )
    return _too_few(effect, clusters, yes_no=False)


def _with_verdict(
    effect: Effect, p_adjusted: float | None, better: Mapping[str, str | None]
) -> Effect:
    effect = msgspec.structs.replace(effect, p_adjusted=p_adjusted)
    if effect.verdict == "too few" or p_adjusted is None or p_adjusted >= ALPHA:
        return effect
    if not effect.difference:
        return with_note(effect, "items lean to one side, their mean does not")
    way = better[effect.metric]
    if way is None:
        return with_note(effect, "differs, and neither way is better")
    good = (effect.difference > 0) == (way == "higher")
    return msgspec.structs.replace(effect, verdict="better" if good else "worse")
