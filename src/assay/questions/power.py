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
from assay.stats.planning import detectable_difference, detectable_rate_difference
from assay.study.analysis import analyse_results, read_run
from assay.words.say import say

POINTS: Final = (2, 5, 10)
MOST_QUESTIONS: Final = 1_000_000
DEFAULT_CHANGED: Final = 0.2
"""The share of questions that change between two variants, if no run says otherwise."""


class Basis(Struct, frozen=True, kw_only=True):
    """What the computation rests on.

    ``changed`` is the share of questions whose yes or no changes between two variants, for a
    rate; ``spread`` is the standard deviation of the paired differences, for a mean. If both are
    assumed (``is_assumed``), no difference can be larger than ``changed``. Where the run is analysed
    by documents, so many questions (``design``) tell as much as one that is alone in its document.
    """

    metric: str
    is_rate: bool
    changed: float = DEFAULT_CHANGED
    spread: float = 0.0
    source: str = ""
    is_assumed: bool = False
    design: float = 1.0


class Power(Struct, frozen=True, kw_only=True):
    """The smallest difference that is found four times of five, and the questions for others.

    ``detectable`` is ``None`` if the set shows no difference that the assumption allows;
    ``beyond`` is then the share of questions that would have to change for the smallest difference
    that it shows, ``None`` if it shows none at all. ``needed`` is ``None`` above a million
    questions, and for a difference that the assumption does not allow.
    """

    questions: int
    basis: Basis
    detectable: float | None
    needed: dict[int, int | None]
    beyond: float | None = None


def assumed_basis(metric: Metric, changed: float) -> Basis:
    """An assumption in place of a run: this share of questions changes, by a whole point each."""
    is_rate = metric.kind == "rate"
    return Basis(
        metric=metric.name,
        is_rate=is_rate,
        changed=changed,
        spread=math.sqrt(changed),
        source=say("assumed: {share:g} % of the questions change", share=100 * changed),
        is_assumed=True,
    )


def recorded_basis(journal: Path, metric_name: str | None) -> Basis:
    """What an earlier run says: the changes between its baseline and its other variants.

    A run with one variant says how much the questions differ from each other. Two systems whose
    scores are correlated with 0.5 then differ with the same spread.

    Raises ``UseError`` if the run has no values of the metric.
    """
    findings = analyse_results(read_run(journal))
    extra = findings.results.summary.extra if findings.results.summary else {}
    metric = findings.job.metric(metric_name or extra.get("primary"))
    values = findings.results.scores.values.get(metric.field)
    if values is None or np.isnan(values).all():
        raise UseError(f"{journal}: no question has a value of {metric.name}")
    variants = findings.results.scores.variants
    base = values[variants.index(findings.baseline)]
    others = [row for number, row in enumerate(values) if variants[number] != findings.baseline]
    differences = [row - base for row in others] or [base - np.nanmean(base)]
    pooled = np.concatenate([row[~np.isnan(row)] for row in differences]).astype(float)
    if len(pooled) < 2:
        raise UseError(f"{journal}: too few questions have a value of {metric.name}")
    if not pooled.any():
        which = "variants have for each question" if others else "questions have"
        raise UseError(
            f"{journal}: all {which} the same {metric.name}, so this run does not tell how much "
            f"answers change; assume it (--changed {DEFAULT_CHANGED:g} without --run), or choose "
            "another --metric"
        )
    is_rate = metric.kind == "rate"
    clusters = findings.results.scores.clusters
    design = 1.0
    if findings.analysis.unit == "document" and clusters is not None:
        design = float(np.mean([design_effect(row, clusters) for row in differences]))
    if others:
        changed = float(np.mean(pooled != 0))
        source = say(
            "{file}: {n} against {baseline}",
            file=journal,
            n=len(others),
            baseline=findings.baseline,
        )
    else:
        share = float(np.nanmean(base))
        changed = share * (1 - share)  # two such rates, correlated with 0.5
        source = say("{file}: one variant; scores correlated with 0.5 are assumed", file=journal)
    return Basis(
        metric=metric.name,
        is_rate=is_rate,
        changed=changed,
        spread=float(np.sqrt(np.mean(pooled**2))) if not others else float(pooled.std(ddof=1)),
        source=source,
        design=design,
    )


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


def power(questions: int, basis: Basis) -> Power:
    """The power of a set of so many questions, with 5 % error and 80 % power.

    >>> found = power(100, Basis(metric="m", is_rate=True, changed=0.2))
    >>> round(found.detectable, 3), found.needed[10]
    (0.13, 167)
    """
    found = _detectable(questions, basis)
    is_possible = found is not None and found <= largest_difference(basis)
    return Power(
        questions=questions,
        basis=basis,
        detectable=found if is_possible else None,
        needed={points: _needed(points / 100, basis) for points in POINTS},
        beyond=None if is_possible else _beyond(questions, basis),
    )


def largest_difference(basis: Basis) -> float:
    """The largest difference that is possible: that of all assumed changes in one direction.

    >>> largest_difference(Basis(metric="m", is_rate=True, changed=0.2, is_assumed=True))
    0.2
    """
    return basis.changed if basis.is_assumed else 1.0


def _beyond(questions: int, basis: Basis) -> float | None:
    """The smallest share of changed questions, in whole percent, that the set could show."""
    if not basis.is_assumed:
        return None
    for percent in range(1, 101):
        share = percent / 100
        found = _detectable(questions, replace(basis, changed=share, spread=math.sqrt(share)))
        if share > basis.changed and found is not None and found <= share:
            return share
    return None


def _detectable(n: int, basis: Basis) -> float | None:
    n = max(2, round(n / basis.design))
    if basis.is_rate:
        return detectable_rate_difference(round(basis.changed * n), n)
    return detectable_difference(basis.spread, n)


def _needed(difference: float, basis: Basis) -> int | None:
    """The smallest number of questions that shows a difference; ``None`` above a million."""

    def shows(n: int) -> bool:
        found = _detectable(n, basis)
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
