"""What is different about the tables of a run that stopped early.

Each variant was asked until it was decided, so the means of two variants are about different numbers
of questions. Which is the best and which the worst is told by the questions that all of them answered.
"""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from assay.jobs.study.finding import RunFindings
from assay.report.words import Lang, metric_title, word
from assay.stats import SCORED, SHARE, quantile
from assay.text import Count


def shared_values(findings: RunFindings) -> Mapping[tuple[str, str], float | None] | None:
    """The values of all metrics over the questions that every variant answered.

    They are found by variant and metric; ``None`` if no case was spared, and the usual values
    can be compared.
    """
    if not findings.spared:
        return None
    scores, is_shared = findings.results.scores, _is_shared(findings)
    return {
        (name, metric.name): column_value(scores.column(metric.field, name)[is_shared], metric.kind)
        for name in scores.variants
        for metric in findings.job.metrics
    }


def early_stop_notes(findings: RunFindings, lang: Lang = "en") -> Iterable[str]:
    """What a reader of the numbers must know."""
    if findings.decisions is None or findings.results.summary is None:
        if findings.results.spared:
            yield word("spared note", lang).format(n=Count(findings.results.spared))
            yield from unequal_notes(findings, lang)
        return
    rule = findings.results.summary.extra["early_stop"]
    title = metric_title(findings.job.metric(rule["metric"]), lang)
    key = "early stop note" if findings.spared else "early stop unspared note"
    yield word(key, lang).format(metric=title, level=f"{100 * rule['level']:g}")
    yield from unequal_notes(findings, lang)


def unequal_notes(findings: RunFindings, lang: Lang = "en") -> Iterable[str]:
    """That means are about different numbers of questions, if they are."""
    if not findings.spared:
        return
    counts = ", ".join(f"{each.name} {each.tally.scored}" for each in findings.analysis.variants)
    shared = int(np.count_nonzero(_is_shared(findings)))
    yield word("unequal note", lang).format(counts=counts, n=Count(shared))


def _is_shared(findings: RunFindings) -> NDArray[np.bool_]:
    return np.asarray((findings.results.scores.status == SCORED).all(axis=0))


def column_value(values: NDArray[np.floating], kind: str) -> float | None:
    """The mean or percentile of some values; ``None`` if none is defined."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    return quantile(known, SHARE[kind]) if kind in SHARE else float(known.mean())
