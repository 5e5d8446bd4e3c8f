"""What a run with several draws of each question shows: the spread of its answers, and pass@k.

The tables are about the metric that decides, and about whether answers are right.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from msgspec import Struct

from assay.checks.correctness import EXPECTED
from assay.checks.scorer import Scorer
from assay.records import Metric
from assay.report.label import metric_title, title_of
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.stats.analysis import method_for
from assay.stats.effect import SHARE
from assay.stats.interval import Interval
from assay.stats.mean_interval import mean_interval
from assay.stats.repeat import Spread, chances, spread
from assay.stats.resample import Floats
from assay.study.finding import RunFindings
from assay.words.language import Lang
from assay.words.message import Message, Said, joined, message
from assay.words.say import say_in

LARGE_GAIN: Final = 0.2
"""Twice the draws help almost as much as twice the questions if they make the standard error smaller by
this share; twice the questions do so by 0.29."""


class AtK(Struct, frozen=True, kw_only=True):
    """What ``k`` answers to a question would give, over the ``n`` cases with so many answers."""

    k: int
    n: int
    passed: float
    passed_interval: Interval | None
    majority: float
    majority_interval: Interval | None


def draws_of(findings: RunFindings) -> int:
    """The largest number of draws of a case; 1 if every case was asked once."""
    draws = findings.results.scores.draws
    return 1 if draws is None or not len(draws) else int(np.bincount(draws).max())


def deciding_metric(findings: RunFindings) -> Metric:
    """The metric of the spread: the one that decides, otherwise the main one of the job."""
    return findings.job.metric(findings.analysis.primary)


def right_metric(findings: RunFindings) -> Metric | None:
    """The metric that says whether an answer is right or wrong; ``None`` if there is none.

    The one that decides comes first, then those that compare with an expected answer, then the
    others in the order of the job.
    """
    deciding = deciding_metric(findings)
    compares = [
        metric
        for metric in findings.metrics
        if isinstance(metric, Scorer) and EXPECTED in metric.needs
    ]
    ordered = (deciding, *compares, *findings.metrics)
    return next(
        (
            metric
            for metric in ordered
            if metric.kind == "rate" and metric.better == "higher" and metric in findings.metrics
        ),
        None,
    )


def spreads(findings: RunFindings) -> dict[str, Spread | None]:
    """Where the variance of an answer comes from, for each variant; empty without several draws."""
    scores, metric = findings.results.scores, deciding_metric(findings)
    if scores.draws is None or metric.kind in SHARE:
        return {}
    return {
        name: spread(scores.column(metric.field, name), scores.draws) for name in scores.variants
    }


def at_k(findings: RunFindings, metric: Metric) -> dict[str, list[AtK]]:
    """pass@k and majority@k of each variant for every k; empty without several draws."""
    scores = findings.results.scores.in_order()
    if scores.draws is None:
        return {}
    _, first, places = np.unique(scores.draws, return_index=True, return_inverse=True)
    analysis = findings.analysis
    method = method_for(
        scores.mean_of_draws(),
        level=analysis.level,
        resamples=analysis.resamples,
        seed=analysis.seed,
        documents=analysis.estimand,
    )
    # the cases are in the order of their names there
    order = sorted(range(len(first)), key=lambda case: scores.items[first[case]])

    def interval(values: Floats) -> Interval | None:
        return mean_interval(values[order], level=method.level, clusters=method.units)

    found: dict[str, list[AtK]] = {}
    for name in scores.variants:
        found[name] = []
        for k in range(1, draws_of(findings) + 1):
            passed, majority = chances(scores.column(metric.field, name), places, k)
            known = np.isfinite(passed)
            if known.any():
                found[name].append(
                    AtK(
                        k=k,
                        n=int(np.count_nonzero(known)),
                        passed=float(passed[known].mean()),
                        passed_interval=interval(passed),
                        majority=float(majority[known].mean()),
                        majority_interval=interval(majority),
                    )
                )
    return found


def repeat_fields(findings: RunFindings) -> dict[str, Any]:
    """What the summary of a run with several draws has about them; empty for other runs."""
    runs = draws_of(findings)
    if runs == 1:
        return {}
    right = right_metric(findings)
    fields: dict[str, Any] = {
        "runs": runs,
        "metric": deciding_metric(findings).name,
        "spread": {name: _spread_fields(each) for name, each in spreads(findings).items()},
    }
    if right is not None:
        fields["at_k_metric"] = right.name
        fields["at_k"] = {
            name: [_at_k_fields(each) for each in listed]
            for name, listed in at_k(findings, right).items()
        }
    return {"repeats": fields}


def _spread_fields(found: Spread | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    return {
        "questions": found.questions,
        "answers": found.answers,
        "between_questions": found.between,
        "between_draws": found.within,
        "between_questions_share": found.between_share,
        **dict(zip(_ERRORS, _errors(found), strict=True)),
    }


_ERRORS: Final = (
    "standard_error",
    "standard_error_of_twice_the_questions",
    "standard_error_of_twice_the_draws",
)


def _errors(found: Spread) -> tuple[float | None, ...]:
    """The standard error now, with twice the questions, and with twice the draws.

    Equal answers show no spread, but another question could be answered otherwise.
    """
    if found.between_share is None:
        return (None,) * len(_ERRORS)
    return found.error(), found.error(questions=2), found.error(draws=2)


def _at_k_fields(each: AtK) -> Mapping[str, Any]:
    ends = (each.passed_interval, each.majority_interval)
    passed, majority = (None if end is None else [end.low, end.high] for end in ends)
    return {
        "k": each.k,
        "n": each.n,
        "pass": each.passed,
        "pass_interval": passed,
        "majority": each.majority,
        "majority_interval": majority,
    }


def repeat_notes(findings: RunFindings) -> Iterable[Said]:
    """What a question counts, and whether more questions or more draws would help."""
    runs = draws_of(findings)
    if runs == 1:
        return
    yield message(
        "Each question was asked {n} times, and its value is the mean of its answers. Percentiles of latency are of all answers.",
        n=runs,
    )
    advice: dict[str, tuple[Message, list[str]]] = {}  # variants of which the same can be said
    for name, found in spreads(findings).items():
        if found is not None and found.between_share is not None:
            said = _advice(found)
            advice.setdefault(str(said), (said, []))[1].append(name)
    several = len(findings.analysis.variants) > 1
    title = title_of(deciding_metric(findings))
    for said, names in advice.values():
        yield joined((joined((title, *names), ", ") if several else title, said), ": ")


def _advice(found: Spread) -> Message:
    share = found.between_share or 0.0
    error, questions, draws = found.error(), found.error(questions=2), found.error(draws=2)
    figures = {
        "between": f"{100 * share:.0f}",
        "within": f"{100 - round(100 * share):.0f}",
        "error": f"{error:.3f}",
        "questions": f"{questions:.3f}",
        "draws": f"{draws:.3f}",
    }
    if 1 - draws / error < LARGE_GAIN:
        return message(
            "{between}% of the variance is between questions, {within}% between answers to the same question. Twice as many questions would reduce the standard error from {error} to {questions}, asking each twice as often only to {draws}: ask more questions.",
            **figures,
        )
    return message(
        "{between}% of the variance is between questions, {within}% between answers to the same question. Twice as many questions would reduce the standard error from {error} to {questions}, asking each twice as often to {draws}: both help about as much.",
        **figures,
    )


def repeat_tables(findings: RunFindings, lang: Lang = "en") -> list[Table]:
    """The spread of each variant, and what k answers would give; none without several draws."""
    if draws_of(findings) == 1:
        return []
    tables = [_spread_table(findings, lang)] if any(spreads(findings).values()) else []
    right = right_metric(findings)
    return tables if right is None else [*tables, _at_k_table(findings, right, lang)]


def _spread_table(findings: RunFindings, lang: Lang) -> Table:
    columns = (
        TableColumn(key="questions", title=say_in(lang, "questions")),
        TableColumn(key="answers", title=say_in(lang, "answers")),
        TableColumn(
            key="between_questions_share", title=say_in(lang, "between questions, %"), digits=0
        ),
        TableColumn(key="between_draws_share", title=say_in(lang, "between draws, %"), digits=0),
        TableColumn(key="standard_error", title=say_in(lang, "standard error")),
        TableColumn(key="twice_the_questions", title=say_in(lang, "with twice the questions")),
        TableColumn(key="twice_the_draws", title=say_in(lang, "with twice the draws")),
    )
    title = metric_title(deciding_metric(findings), lang)
    return Table(
        title=say_in(lang, "Questions and draws: {metric}", metric=title),
        columns=columns,
        rows=tuple(
            LabelledRow(label=name, cells=tuple(TableCell(value=value) for value in _figures(each)))
            for name, each in spreads(findings).items()
        ),
        notes=(
            say_in(
                lang,
                "Shares of the variance of one answer, by a one-way random-effects model, and the standard error of the mean that follows from them.",
            ),
        ),
    )


def _figures(found: Spread | None) -> tuple[float | None, ...]:
    if found is None:
        return (None,) * 7
    share = found.between_share
    return (
        found.questions,
        found.answers,
        None if share is None else 100 * share,
        None if share is None else 100 * (1 - share),
        *_errors(found),
    )


def _at_k_table(findings: RunFindings, metric: Metric, lang: Lang) -> Table:
    return Table(
        title=say_in(lang, "Of k answers: {metric}", metric=metric_title(metric, lang)),
        columns=(
            TableColumn(key="k", title="k"),
            TableColumn(key="n", title=say_in(lang, "questions")),
            TableColumn(key="pass", title="pass@k"),
            TableColumn(key="majority", title="majority@k"),
        ),
        rows=tuple(
            LabelledRow(
                label=name,
                cells=(
                    TableCell(value=each.k),
                    TableCell(value=each.n),
                    TableCell(value=each.passed, interval=each.passed_interval),
                    TableCell(value=each.majority, interval=each.majority_interval),
                ),
            )
            for name, listed in at_k(findings, metric).items()
            for each in listed
        ),
        notes=(
            say_in(
                lang,
                "pass@k: at least one of k answers is right. majority@k: more than half of them are; a tie counts half.",
            ),
        ),
    )
