"""Analyse the rows of a run: aggregates, effects, and the bill."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, takewhile
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.checks.scorer import Scorer
from assay.errors import UseError
from assay.records import Estimand, Metric
from assay.report.label import title_of
from assay.results.job import JobSpec, job_spec_of
from assay.results.results import Results, read_results
from assay.results.run_cases import read_run_cases
from assay.runs.asking_order import AskingOrder, place_of, read_order
from assay.runs.early_stop import score_of, whole_documents_within
from assay.runs.plan import differs_in_order_only
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.stats.analysis import Analysis, VariantSummary, analyse, factorial_effects
from assay.stats.decision import (
    SEQUENTIAL_VERDICTS,
    Decisions,
    RecordedDecision,
    SequencePoint,
    StopRule,
)
from assay.stats.effect import SHARE, Effect
from assay.stats.resample import quantile
from assay.stats.scores import SCORED, Scores, estimand_so_far
from assay.stats.sequential import (
    decisions_of,
    rounded_outwards,
    with_decisions,
    without_tests,
)
from assay.stats.subgroup import Opposite
from assay.study.finding import RunFindings, known_without_gold
from assay.study.repeat import repeat_fields
from assay.systems.protocol import ORDER_ONLY
from assay.words.message import Message, message, message_n

ANSWERABLE: Final = "answerable"
FEWEST_IN_GROUP: Final = 5
"""A mean of fewer than twice as many questions hides no effects of groups."""
_ANSWERED: Final = "scores.answered_when_answerable"
PASSAGES_KNOWN: Final = "passages_known"
PROMPT_ORDER: Final = "prompt_order"
RANKS_KNOWN: Final = "ranks_known"
MORE_THAN_TOP_K: Final = "more_than_top_k"
FLAGS: Final = (ANSWERABLE, PASSAGES_KNOWN, PROMPT_ORDER, RANKS_KNOWN, MORE_THAN_TOP_K)
"""Fields of rows that say why a metric is undefined, or what it is not about."""


def read_run(journal: Path, job: JobSpec | None = None) -> Results:
    """Read the columns that an analysis needs, and the rows that the job itself needs.

    ``job`` is the job that recorded the rows; by default, the one that the summary names.
    """
    summary = read_summary(summary_path(journal))
    job = job or job_spec_of(summary)
    cases = read_run_cases(journal, summary, job)
    return read_results(journal, job.metrics, flags=FLAGS, cases=cases, job_row=job.row)


def _with_scored_metrics(job: JobSpec, scores: Scores, deciding: str) -> JobSpec:
    """The job without the metrics in which no answer of the run takes part.

    Most runs have no expected answers, for example; their tables do not speak of correctness, and
    where no answer cites, they do not speak of citations. The ``deciding`` metric stays, even if every
    case failed.
    """
    is_scored = scores.status == SCORED

    def has_part(metric: Metric) -> bool:
        has_value = not np.isnan(scores.values[metric.field]).all()
        if metric.only_if and has_value:
            return not (scores.values[metric.only_if] == 0)[is_scored].all()
        needs = metric.optional or (isinstance(metric, Scorer) and metric.needs)
        return has_value or not needs

    kept = tuple(each for each in job.metrics if each.name == deciding or has_part(each))
    return job if len(kept) == len(job.metrics) else replace(job, metrics=kept)


def analyse_run(journal: Path) -> RunFindings:
    """Read and analyse a journal."""
    return analyse_results(read_run(journal))


def analyse_results(
    results: Results, job: JobSpec | None = None, documents: Estimand | None = None
) -> RunFindings:
    """Analyse the rows of a run; its summary says what is compared with what.

    ``documents`` is what the analysis is about, in place of what the summary says.
    """
    scores = results.scores
    extra: Mapping[str, Any] = results.summary.extra if results.summary else {}
    rule: Mapping[str, Any] = extra.get("early_stop") or {}
    deciding = str(rule.get("metric", ""))
    named = deciding or str(extra.get("primary", ""))
    job = _with_scored_metrics(job or job_spec_of(results.summary), scores, named)
    baseline = extra.get("baseline")
    if baseline not in scores.variants:
        baseline = scores.variants[0] if scores.variants else ""
    chosen = extra.get("primary") or job.headline
    is_known = any(metric.name == chosen for metric in job.metrics)
    primary = chosen if is_known else None
    if primary is not None and not rule:
        primary = _with_values(primary, scores, job)
    reordered = _reordered(results, baseline)
    excluded = {
        (name, metric.name) for name in reordered for metric in job.metrics if metric.by_rank
    }
    about = _estimand(results, documents)
    analysis = analyse(
        scores,
        job.metrics,
        baseline=baseline or None,
        primary=primary,
        excluded=excluded,
        documents=about,
    )
    stops_early = bool(rule or results.spared)
    decisions = None
    if any(metric.name == deciding for metric in job.metrics):
        decisions = _decisions(results, job, baseline, rule)
    if decisions is not None:
        analysis = with_decisions(analysis, decisions, job.metric(deciding), float(rule["level"]))
    elif stops_early:
        analysis = without_tests(analysis)
    return RunFindings(
        results=results,
        job=job,
        analysis=analysis,
        baseline=baseline,
        ordered=extra.get("ordered", {}),
        variables=tuple(extra.get("ablation_variable", ())),
        combined=() if stops_early else _combined(scores, job, extra, primary, about),
        lost_primary="" if is_known else chosen,
        replaced_primary="" if primary in {chosen, None} else chosen,
        items=len(scores.items),
        reordered=reordered,
        job_report=job.job_report(results),
        stops_early=stops_early,
        decisions=decisions,
        opposite=()
        if stops_early or primary is None or len(scores.items) < 2 * FEWEST_IN_GROUP
        else _hidden_effects(results, analysis, job.metric(primary), reordered),
        **_unknown_counts(scores, job),
    )


def _hidden_effects(
    results: Results, analysis: Analysis, metric: Metric, reordered: Sequence[str]
) -> tuple[Opposite, ...]:
    from assay.study.subgroup import hidden_effects  # noqa: PLC0415 - few runs are large enough

    return hidden_effects(results, analysis, metric, reordered)


def _estimand(results: Results, chosen: Estimand | None) -> Estimand | None:
    """What the analysis of a run is about; ``None``: that depends on the number of its documents."""
    documents, summary = results.scores.clusters, results.summary
    recorded = summary.estimand if summary is not None else None
    if chosen is None:
        return estimand_so_far(documents, recorded)
    if documents is None and len(results.scores.items):
        raise UseError(
            f"documents: {chosen} is about the documents of questions, but no question of this run "
            "names its document (in the field source)"
        )
    if summary is not None and summary.extra.get("early_stop") and chosen != recorded:
        raise UseError(
            f"this run stopped early with documents: {recorded}; its order of asking and its "
            f"decisions rest on that, so it cannot be shown with documents: {chosen}"
        )
    return chosen


def _with_values(primary: str, scores: Scores, job: JobSpec) -> str:
    """The primary metric, or the fallback of the job if only that has values in all variants."""
    has_scored = (scores.status == SCORED).any(axis=1)

    def is_in_all(name: str) -> bool:
        fields = [metric.field for metric in job.metrics if metric.name == name]
        has_value = [~np.isnan(scores.values[field]).all(axis=1) for field in fields]
        return bool(has_value) and bool(has_value[0][has_scored].all())

    is_replaced = not is_in_all(primary) and is_in_all(job.fallback)
    return job.fallback if is_replaced and has_scored.any() else primary


def _decisions(
    results: Results, job: JobSpec, baseline: str, recorded: Mapping[str, Any]
) -> Decisions | None:
    """The comparisons of a run that stopped early, by the rule that its header names.

    ``None`` if whole documents count, and the file that says which questions follow each other is
    gone.
    """
    scores = results.scores
    metric = job.metric(str(recorded["metric"]))
    planned = results.summary.extra.get("questions", 0) if results.summary else 0
    is_about_set = recorded["about"] == "this set"
    stored = read_order(results.path)
    sizes = stored.document_sizes if stored is not None else ()
    if recorded.get("documents") == "sample" and not sizes:
        return None
    order = _order_of_asking(results, int(recorded["seed"]), stored)
    rule = StopRule(
        level=float(recorded["level"]),
        margin=float(recorded["margin"]),
        size=max(planned, len(scores.items)) if is_about_set else None,
    )
    asked = order[: whole_documents_within(recorded.get("max_questions") or None, sizes)]
    stops = {
        variant: RecordedDecision(verdict=verdict, questions=questions)  # type: ignore[arg-type]
        for variant, rule_name, verdict, questions in results.stops
        if rule_name == recorded.get("identity") and verdict in SEQUENTIAL_VERDICTS
    }
    return decisions_of(scores, metric, baseline, rule, asked, score_of, stops, sizes=sizes)


def _order_of_asking(results: Results, seed: int, stored: AskingOrder | None) -> list[int]:
    """The places of the items in the order of asking, up to the first that has no row yet."""
    items = results.scores.items
    recorded = stored.questions if stored is not None else ()
    places = {name: place for place, name in enumerate(items)}
    if places.keys() <= set(recorded):
        return [places[name] for name in takewhile(places.__contains__, recorded)]
    return sorted(range(len(items)), key=lambda place: place_of(items[place], seed))


def _combined(
    scores: Scores,
    job: JobSpec,
    extra: Mapping[str, Any],
    primary: str | None,
    documents: Estimand | None,
) -> tuple[Effect, ...]:
    """The main effects and interactions of a factorial design; empty for other designs."""
    if extra.get("design") != "factorial":
        return ()
    excluded = _effects_of_order(extra, job)
    return factorial_effects(
        scores,
        job.metrics,
        extra.get("switched", {}),
        primary=primary,
        excluded=excluded,
        documents=documents,
    )


def _unknown_counts(scores: Scores, job: JobSpec) -> dict[str, int]:
    """How many items and answers have unknown values, by the reason."""
    flags = scores.values
    is_unknown = flags[PASSAGES_KNOWN] == 0
    is_misranked = flags[RANKS_KNOWN] == 0
    is_unranked = (flags[PROMPT_ORDER] == 1) & ~is_misranked
    is_overlong = flags[MORE_THAN_TOP_K] == 1
    has_no_best = is_overlong & (is_misranked | is_unranked)
    is_scored = ((scores.status == SCORED) & ~is_unknown & ~has_no_best).any(axis=0)
    is_labelled = ~np.isnan(flags[job.metric().field]).all(axis=0)
    return {
        "unlabelled": _case_count(scores, is_scored & ~is_labelled),
        "unanswerable": _case_count(scores, (flags[ANSWERABLE] == 0).any(axis=0)),
        "expected_none": _expected_none_count(scores),
        "unknown_passages": int(np.count_nonzero(is_unknown)),
        "unranked": int(np.count_nonzero(is_unranked)),
        "misranked": int(np.count_nonzero(is_misranked)),
        "overlong": int(np.count_nonzero(is_overlong)),
    }


def _expected_none_count(scores: Scores) -> int:
    """How many items have an expected answer that says that there is none.

    Only for these is it undefined whether a question with an answer was answered.
    """
    answered = scores.values.get(_ANSWERED)
    if answered is None:
        return 0
    has_answer = (scores.values[ANSWERABLE] == 1) & (scores.status == SCORED)
    return _case_count(scores, (has_answer & np.isnan(answered)).any(axis=0))


def _case_count(scores: Scores, chosen: NDArray[np.bool_]) -> int:
    """How many cases the chosen items are: the draws of a case count once."""
    if scores.draws is None:
        return int(np.count_nonzero(chosen))
    return len(np.unique(scores.draws[chosen]))


def _effects_of_order(extra: Mapping[str, Any], job: JobSpec) -> set[tuple[str, str]]:
    """The effects of switches that change only the order of passages, on metrics by rank."""
    order = ORDER_ONLY.union(extra.get("order_settings", ()))
    switches = list(next(iter(extra.get("switched", {}).values()), ()))
    effects = [(name,) for name in switches] + list(combinations(switches, 2))
    return {
        ("×".join(names), metric.name)
        for names in effects
        for metric in job.metrics
        if metric.by_rank and not order.isdisjoint(names)
    }


def _reordered(results: Results, baseline: str) -> tuple[str, ...]:
    """The variants that differ from the baseline only in the order of the passages."""
    if results.summary is None:
        return ()
    settings = {variant.name: variant.settings for variant in results.summary.variants}
    names = ORDER_ONLY.union(results.summary.extra.get("order_settings", ()))
    return tuple(
        name
        for name in results.scores.variants
        if name in settings
        and baseline in settings
        and differs_in_order_only(settings[baseline], settings[name], names)
    )


def summarise_run(journal: Path) -> dict[str, Any]:
    """Read and analyse a journal; return the ``results`` of its summary."""
    return summary_results(analyse_run(journal))


def _shown_headline(findings: RunFindings) -> str:
    """The main metric of the job; the primary metric if no variant has a value of the main one."""
    main, primary = findings.job.headline, findings.analysis.primary
    is_known = any(each.cells[main].value is not None for each in findings.analysis.variants)
    return main if is_known or primary is None else primary


def _unsure(variant: VariantSummary) -> dict[str, Any]:
    """How many answers of a variant are unsure by each metric, and what they leave open."""
    found = {
        name: {"n": cell.unsure, "low": cell.band.low, "high": cell.band.high}
        for name, cell in variant.cells.items()
        if cell.band is not None
    }
    return {"unsure": found} if found else {}


def summary_results(findings: RunFindings) -> dict[str, Any]:
    """The ``results`` of a summary: each variant's aggregates, and the effects."""
    variants: dict[str, Any] = {}
    for variant in findings.analysis.variants:
        job_fields = findings.job_report.fields(variant.name) if findings.job_report else {}
        variants[variant.name] = {
            **msgspec.to_builtins(variant.tally),
            **job_fields,
            **{name: cell.value for name, cell in variant.cells.items()},
            "n": {
                **job_fields.get("n", {}),
                **{name: cell.n for name, cell in variant.cells.items()},
            },
            "intervals": job_fields.get("intervals", {})
            | {
                name: [cell.interval.low, cell.interval.high]
                for name, cell in variant.cells.items()
                if cell.interval is not None
            },
            **_unsure(variant),
            "bill": msgspec.to_builtins(findings.results.bills[variant.name]),
        }
    analysis = findings.analysis
    skipped = findings.results.skipped_stages
    return {
        "baseline": findings.baseline,
        "headline": _shown_headline(findings),
        "questions": findings.results.questions,
        **({"outside_rows": findings.results.outside} if findings.results.outside else {}),
        **({"skipped_stages": msgspec.to_builtins(skipped)} if skipped else {}),
        "questions_without_gold": max(findings.unlabelled, known_without_gold(findings)),
        "unanswerable_questions": findings.unanswerable,
        "variants": variants,
        "effects": [_effect_fields(effect) for effect in analysis.effects],
        "combined_effects": [_effect_fields(effect) for effect in findings.combined],
        "method": {
            "level": analysis.level,
            "resamples": analysis.resamples,
            "seed": analysis.seed,
            "estimand": analysis.estimand,
            "unit": analysis.unit,
            "documents": analysis.documents,
            "primary": analysis.primary,
            "comparisons": analysis.comparisons,
        },
        **repeat_fields(findings),
    }


# The confidence sequences of a run that stopped early, in the metric's own direction.


class SequenceLine(Struct, frozen=True, kw_only=True):
    """A variant against the baseline: the interval over time, and what was decided when."""

    variant: str
    verdict: str
    questions: int
    points: tuple[SequencePoint, ...]


class Sequences(Struct, frozen=True, kw_only=True):
    """All variants of a run; ``metric``, ``level`` and ``margin`` are those of its rule."""

    metric: str
    level: float
    margin: float
    lines: tuple[SequenceLine, ...]


def sequences(findings: RunFindings) -> Sequences | None:
    """The sequences of a run; ``None`` if it did not stop early."""
    decisions, summary = findings.decisions, findings.results.summary
    if decisions is None or summary is None:
        return None
    rule = summary.extra["early_stop"]
    is_lower_better = findings.job.metric(str(rule["metric"])).better == "lower"
    lines = []
    for name, comparison in decisions.comparisons.items():
        decision = comparison.end()
        points = map(_shown_point, comparison.sequence())
        lines.append(
            SequenceLine(
                variant=name,
                verdict=decision.verdict,
                questions=decision.questions,
                points=tuple(map(_turned, points) if is_lower_better else points),
            )
        )
    return Sequences(
        metric=str(rule["metric"]),
        level=float(rule["level"]),
        margin=float(rule["margin"]),
        lines=tuple(lines),
    )


def _shown_point(point: SequencePoint) -> SequencePoint:
    """The point with the ends of its interval as they are printed."""
    low, high = rounded_outwards(point.low, point.high)
    return replace(point, low=low, high=high)


def _turned(point: SequencePoint) -> SequencePoint:
    """In a sequence larger is better; a metric of which less is better is turned round."""
    return SequencePoint(
        questions=point.questions,
        difference=None if point.difference is None else -point.difference,
        low=-point.high,
        high=-point.low,
    )


# What is different about the tables of a run that stopped early.
#
# Each variant was asked until it was decided, so the means of two variants are about different numbers
# of questions. Which is the best and which the worst follows from the questions that all of them answered.


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


def _effect_fields(effect: Effect) -> dict[str, Any]:
    return {**msgspec.to_builtins(effect), "note": str(effect.note)}


def early_stop_notes(findings: RunFindings) -> Iterable[Message]:
    """What a reader of the numbers must know."""
    if findings.decisions is None or findings.results.summary is None:
        if findings.results.spared:
            yield message_n(
                "A run stopped early, and {n} case that it spared has no answer since: which questions were asked depended on the answers, so nothing is tested. Tests follow when all of them are answered.",
                "A run stopped early, and {n} cases that it spared have no answer since: which questions were asked depended on the answers, so nothing is tested. Tests follow when all of them are answered.",
                findings.results.spared,
            )
            yield from unequal_notes(findings)
        return
    rule = findings.results.summary.extra["early_stop"]
    title = title_of(findings.job.metric(rule["metric"]))
    yield (
        message(
            "The run stopped asking a variant as soon as its comparison on {metric} was decided. At most {level}% of such runs decide wrongly, however often one looks. Other metrics have no test. A difference at the moment of its decision is usually a little larger than the true one.",
            metric=title,
            level=f"{100 * rule['level']:g}",
        )
        if findings.spared
        else message(
            "No question was left out. A comparison on {metric} may be decided at any time, and at most {level}% of such runs decide wrongly. This needs more questions than one test at the end: “undecided” does not mean “no difference”. Other metrics have no test.",
            metric=title,
            level=f"{100 * rule['level']:g}",
        )
    )
    if rule["about"] == "this set":
        yield message(
            "Decisions are about this set of questions: once all of it is asked, the difference is known exactly."
        )
    elif rule.get("documents") == "sample":
        yield message(
            "Decisions are about documents like these: a document counts when all its questions have been answered."
        )
    yield from unequal_notes(findings)


def unequal_notes(findings: RunFindings) -> Iterable[Message]:
    """That means are about different numbers of questions, if they are."""
    if not findings.spared:
        return
    counts = ", ".join(f"{each.name} {each.tally.scored}" for each in findings.analysis.variants)
    shared = int(np.count_nonzero(_is_shared(findings)))
    yield message_n(
        "Means are over different numbers of questions ({counts}), because a decided variant is asked no further. Best and worst are marked by the {n} question that all variants answered, and a verdict is about the questions of its pair up to the decision.",
        "Means are over different numbers of questions ({counts}), because a decided variant is asked no further. Best and worst are marked by the {n} questions that all variants answered, and a verdict is about the questions of its pair up to the decision.",
        shared,
        counts=counts,
    )


def _is_shared(findings: RunFindings) -> NDArray[np.bool_]:
    return np.asarray((findings.results.scores.status == SCORED).all(axis=0))


def column_value(values: NDArray[np.floating], kind: str) -> float | None:
    """The mean or percentile of some values; ``None`` if none is defined."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    return quantile(known, SHARE[kind]) if kind in SHARE else float(known.mean())
