"""How large a difference a question set can show, and how many questions would show a smaller one."""

import math
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Metric
from assay.stats.interval import normal_quantile, t_quantile
from assay.stats.planning import (
    ALPHA,
    POWER,
    detectable_difference,
    detectable_rate_difference,
    family_alpha,
    pairs_for_margin,
)
from assay.study.analysis import analyse_results, read_run
from assay.words.say import say

POINTS: Final = (2.0, 5.0, 10.0)
MOST_QUESTIONS: Final = 1_000_000
DEFAULT_CHANGED: Final = 0.2
"""The share of questions that change between two variants, if no run says otherwise."""


class Basis(Struct, frozen=True, kw_only=True):
    """What the computation rests on.

    ``changed`` is the share of questions whose yes or no changes between two variants, for a
    rate; ``spread`` is the standard deviation of the paired differences, for a mean. If both are
    assumed (``is_assumed``), no difference can be larger than ``changed``. Where the run is analysed
    by documents, so many questions (``design``) tell as much as one that is alone in its document.
    ``variants`` are compared with the baseline and corrected together.
    """

    metric: str
    is_rate: bool
    changed: float = DEFAULT_CHANGED
    spread: float = 0.0
    source: str = ""
    is_assumed: bool = False
    design: float = 1.0
    variants: int = 1


class Power(Struct, frozen=True, kw_only=True):
    """The smallest difference that is found with this power, and the questions for others.

    ``detectable`` is ``None`` if the set shows no difference that the assumption allows;
    ``beyond`` is then the share of questions that would have to change for the smallest difference
    that it shows, ``None`` if it shows none at all. ``needed``, by points, is ``None`` above a million
    questions, and for a difference that the assumption does not allow. ``for_margin`` is the number
    of questions until the interval of two equal variants leaves out a loss of ``margin``.
    """

    questions: int
    basis: Basis
    power: float
    detectable: float | None
    needed: dict[str, int | None]
    beyond: float | None = None
    margin: float | None = None
    for_margin: int | None = None


def assumed_basis(metric: Metric, changed: float, variants: int = 1) -> Basis:
    """An assumption in place of a run: this share of questions changes, by a whole point each."""
    is_rate = metric.kind == "rate"
    return Basis(
        metric=metric.name,
        is_rate=is_rate,
        changed=changed,
        spread=math.sqrt(changed),
        source=say("assumed: {share:g} % of the questions change", share=100 * changed),
        is_assumed=True,
        variants=variants,
    )


def recorded_basis(journal: Path, metric_name: str | None, variants: int | None = None) -> Basis:
    """What an earlier run says: the changes between its baseline and the variant that varies most.

    So the promise holds for each variant; the changes of all together would be too few for some.
    ``variants`` is the number of the next run, by default that of this one. A run with one variant
    says how much the questions differ from each other. Two systems whose scores are correlated with
    0.5 then differ with the same spread.

    Raises ``UseError`` if the run has no values of the metric.
    """
    findings = analyse_results(read_run(journal))
    extra = findings.results.summary.extra if findings.results.summary else {}
    metric = findings.job.metric(metric_name or extra.get("primary"))
    scores = findings.results.scores.mean_of_draws()
    values = scores.values.get(metric.field)
    if values is None or np.isnan(values).all():
        raise UseError(f"{journal}: no question has a value of {metric.name}")
    rows = dict(zip(scores.variants, values.astype(np.float64), strict=True))
    base = rows.pop(findings.baseline)
    differences = {name: row - base for name, row in rows.items()}
    if not differences:
        differences = {findings.baseline: base - np.nanmean(base)}
    known = {name: row for name, row in differences.items() if np.isfinite(row).sum() > 1}
    if not known:
        raise UseError(f"{journal}: too few questions have a value of {metric.name}")
    if not any(np.nansum(np.abs(row)) for row in known.values()):
        which = "variants have for each question" if rows else "questions have"
        raise UseError(
            f"{journal}: all {which} the same {metric.name}, so this run does not tell how much "
            f"answers change; assume it (--changed {DEFAULT_CHANGED:g} without --run), or choose "
            "another --metric"
        )
    clusters = scores.clusters if findings.analysis.unit == "document" else None
    found = {name: _basis(metric, row, clusters, is_alone=not rows) for name, row in known.items()}
    widest = max(found, key=lambda name: _variance(found[name]))
    if rows:
        source = say(
            "{file}: {variant} against {baseline}",
            file=journal,
            variant=widest,
            baseline=findings.baseline,
        )
    else:
        source = say("{file}: one variant; scores correlated with 0.5 are assumed", file=journal)
    return replace(found[widest], source=source, variants=variants or max(1, len(rows)))


def _basis(
    metric: Metric,
    differences: NDArray[np.float64],
    clusters: NDArray[np.integer] | None,
    *,
    is_alone: bool,
) -> Basis:
    """What the differences to the baseline say, or those to the mean of the only variant."""
    known = differences[np.isfinite(differences)]
    # two rates with the variance p (1 - p), correlated with 0.5, differ in so many questions
    changed = float(known.var()) if is_alone else float(np.mean(known != 0))
    return Basis(
        metric=metric.name,
        is_rate=metric.kind == "rate",
        changed=changed,
        spread=float(known.std(ddof=1)),
        design=1.0 if clusters is None else design_effect(differences, clusters),
    )


def _variance(basis: Basis) -> float:
    return basis.design * (basis.changed if basis.is_rate else basis.spread**2)


def design_effect(differences: NDArray[np.floating], clusters: NDArray[np.integer]) -> float:
    """By how much the variance of a mean grows because items of a cluster move together.

    It is Σ (Σ r)² / Σ r², the inner sum over the residuals r of a cluster; at least 1. Values that
    are not a number are left out; without any difference it is 1.

    >>> design_effect(np.array([1.0, 1.0, -1.0, -1.0]), np.array([0, 0, 1, 1]))
    2.0
    """
    known = ~np.isnan(differences)
    residuals = differences[known] - differences[known].mean() if known.any() else np.zeros(0)
    alone = float(np.sum(residuals**2))
    if not alone:
        return 1.0
    together = np.bincount(clusters[known], weights=residuals)
    return max(1.0, float(np.sum(together**2)) / alone)


def power(
    questions: int,
    basis: Basis,
    *,
    share: float = POWER,
    delta: float | None = None,
    margin: float | None = None,
) -> Power:
    """The power of a set of so many questions, with 5 % error and the power ``share``.

    ``delta`` is the difference for which questions are counted, 2, 5 and 10 points by default.

    >>> found = power(100, Basis(metric="m", is_rate=True, changed=0.2))
    >>> round(found.detectable, 3), found.needed["10"]
    (0.124, 155)
    """
    found = _detectable(questions, basis, share)
    is_possible = found is not None and found <= largest_difference(basis)
    points = POINTS if delta is None else (100 * delta,)
    return Power(
        questions=questions,
        basis=basis,
        power=share,
        detectable=found if is_possible else None,
        needed={f"{each:g}": _needed(each / 100, basis, share) for each in points},
        beyond=None if is_possible else _beyond(questions, basis, share),
        margin=margin,
        for_margin=None if margin is None else _for_margin(margin, basis, share),
    )


def largest_difference(basis: Basis) -> float:
    """The largest difference that is possible: that of all assumed changes in one direction.

    >>> largest_difference(Basis(metric="m", is_rate=True, changed=0.2, is_assumed=True))
    0.2
    """
    return basis.changed if basis.is_assumed else 1.0


def _beyond(questions: int, basis: Basis, share: float) -> float | None:
    """The smallest share of changed questions, in whole percent, that the set could show."""
    if not basis.is_assumed:
        return None
    for percent in range(1, 101):
        changed = percent / 100
        wider = replace(basis, changed=changed, spread=math.sqrt(changed))
        found = _detectable(questions, wider, share)
        if changed > basis.changed and found is not None and found <= changed:
            return changed
    return None


def _detectable(questions: int, basis: Basis, share: float) -> float | None:
    n = max(2, round(questions / basis.design))
    tail = family_alpha(basis.variants, ALPHA) / 2
    if basis.is_rate:
        critical = normal_quantile(1 - tail)
        return detectable_rate_difference(basis.changed * n, n, critical=critical, power=share)
    critical = t_quantile(1 - tail, n - 1)
    return detectable_difference(basis.spread, n, critical=critical, power=share)


def _needed(difference: float, basis: Basis, share: float) -> int | None:
    """The smallest number of questions that shows a difference; ``None`` above a million."""

    def shows(n: int) -> bool:
        found = _detectable(n, basis, share)
        return found is not None and found <= difference

    if difference > largest_difference(basis) or (not basis.is_rate and not basis.spread > 0):
        return None
    low, high = 2, MOST_QUESTIONS
    if not shows(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle + 1, high)
    return low


def _for_margin(margin: float, basis: Basis, share: float) -> int | None:
    """The questions until the interval of a single difference, in truth 0, leaves out a loss.

    For a mean the interval leaves out such a loss as often as a difference of this size is found.
    """
    if not basis.is_rate:
        return _needed(margin, replace(basis, variants=1, is_assumed=False), share)
    pairs = pairs_for_margin(basis.changed, margin, power=share)
    needed = None if pairs is None else math.ceil(pairs * basis.design)
    return needed if needed is not None and needed <= MOST_QUESTIONS else None
