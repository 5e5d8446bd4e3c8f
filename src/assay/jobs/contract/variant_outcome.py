"""The metrics of each variant of a review, computed from the rows of its run."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from assay.errors import DatasetError
from assay.jobs.contract.classification import RISK_SCORES, Matrix, Worth
from assay.jobs.contract.level import LEVELS, TITLES
from assay.jobs.contract.reply import unread_part
from assay.jobs.contract.score import COUNTED, review_summary
from assay.jobs.contract.spec import ReportRow
from assay.jobs.contract.veto import VetoOutcome, review_intervals, veto_outcome
from assay.records import without_draw
from assay.results.results import Results
from assay.stats.interval import Interval, normal_quantile, wilson, wilson_ends

THRESHOLDS: Final = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
"""The thresholds of the sweep: 0.5 to 0.95."""

_OVER_CLAUSES: Final = (
    "accuracy",
    "weighted_accuracy",
    "high_risk_f2",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "macro_f1_defined",
    "macro_precision_defined",
    "macro_recall_defined",
    "task_success_rate",
    "parse_rate",
    "avg_latency",
)
_SHARES_OF_CLAUSES: Final = (
    "accuracy",
    "risk_id_accuracy",
    "task_success_rate",
    "parse_rate",
    *(f"class_{part}.{TITLES[level]}" for part in ("precision", "recall") for level in LEVELS),
)
"""Metrics that are the share of some clauses among the count in ``metric_counts``."""
_POOLED_SHARES: Final = (
    "hallucination_rate",
    "clause_hallucination_rate",
    "law_hallucination_rate",
    "rule_recall",
    "rule_precision",
)
"""The same for quotations, citations and rules, of which a clause may have several."""

_ABOUT_RULES: Final = (
    "rule_target",
    "rule_correct",
    "rule_trigger",
    "risk_id_match",
    "risk_id_total",
)
"""Counts of a row that mean nothing if no reply of the variant reports rules."""


class SweepPoint(Struct, frozen=True, kw_only=True):
    """The rates of invention if quotations with at least this score counted as valid."""

    threshold: float
    clause_hallucination_rate: float | None
    hallucination_rate: float | None


class VariantOutcome(Struct, frozen=True, kw_only=True):
    """The metrics of one variant.

    ``summary`` has the structure of the summary file. ``counts`` says over how many cases or
    items each metric is computed. ``intervals`` and ``counts`` are by the name of the metric;
    a metric of a class is named like ``class_f1.High``. ``veto`` is what the rules object to
    if a model has checked the quotations. ``unread`` has the beginnings of parts that were not
    read, the most frequent first. ``reports_rules`` is false if no reply names a rule or a risk
    id, or says that there is none: whether it found them is not known then. ``draws`` is the mean
    number of scored answers to a clause: all counts are of answers.
    """

    summary: Mapping[str, Any]
    intervals: Mapping[str, Interval | None]
    counts: Mapping[str, int]
    sweep: tuple[SweepPoint, ...]
    veto: VetoOutcome | None = None
    unread: tuple[str, ...] = ()
    reports_rules: bool = True
    draws: float = 1.0

    def value(self, name: str) -> float | None:
        """The value of a metric by its name; ``None`` if it is undefined."""
        group, _, title = name.partition(".")
        entry = self.summary[group]
        value: float | None = entry[title] if title else entry
        return value

    @property
    def matrix(self) -> Matrix:
        """The confusion matrix: a row for each true level, a column for each stated one."""
        matrix: Matrix = self.summary["conf_matrix"]
        return matrix


def variant_outcomes(results: Results) -> dict[str, VariantOutcome]:
    """The outcome of each variant; the last row of each case counts."""
    extra: Mapping[str, Any] = results.summary.extra if results.summary else {}
    worth = extra.get("costs") or RISK_SCORES
    thresholds = sorted({*THRESHOLDS, *filter(None, [extra.get("threshold")])})
    by_variant: dict[str, list[ReportRow]] = {name: [] for name in results.scores.variants}
    for _, row in sorted(results.job_rows.items()):  # an interrupted run gives the same numbers
        if row.status == "scored" and row.expected_level is None:
            raise DatasetError(f"{results.path}: the row {row.key!r} has no expected_level")
        by_variant.setdefault(row.config, []).append(row)
    return {name: _outcome(rows, worth, thresholds) for name, rows in by_variant.items()}


def _outcome(
    rows: Sequence[ReportRow], worth: Worth, thresholds: Sequence[float]
) -> VariantOutcome:
    scored = [row for row in rows if row.status == "scored"]
    reports_rules = not scored or any(row.rules_reported for row in scored)
    nothing = {} if reports_rules else dict.fromkeys(_ABOUT_RULES, 0)
    fields = [{**asdict(row), **nothing} for row in rows]
    unread = [[part for note in row.unread if (part := unread_part(note))] for row in scored]
    summary = {**review_summary(fields, worth), "unread_parts": sum(map(bool, unread))}
    counts = metric_counts(summary)
    outcome = VariantOutcome(
        summary=summary,
        intervals=review_intervals(
            fields,
            scores=worth,
            pooled={name: counts[name] for name in _POOLED_SHARES},
            elsewhere=_SHARES_OF_CLAUSES,
        ),
        counts=counts,
        sweep=tuple(_sweep_points(scored, thresholds)),
        veto=veto_outcome(scored),
        unread=tuple(text for text, _ in Counter(chain(*unread)).most_common()),
        reports_rules=reports_rules,
        draws=len(scored) / len({without_draw(row.key) for row in scored}) if scored else 1.0,
    )
    shares = {
        name: _share_interval(outcome, name) for name in (*_SHARES_OF_CLAUSES, *_POOLED_SHARES)
    }
    return replace(outcome, intervals={**outcome.intervals, **shares})


def _share_interval(outcome: VariantOutcome, name: str) -> Interval | None:
    """The interval of a share: Wilson's if it is a share of clauses, or if it is 0 or 1.

    A share of 0 is the same without each clause. But if none of 50 quotations was
    invented, it does not follow that no quotation is ever invented.
    """
    interval, value = outcome.intervals.get(name), outcome.value(name)
    if value is None or (name in _POOLED_SHARES and value not in {0.0, 1.0}):
        return interval
    count = outcome.counts[name]
    if outcome.draws == 1:
        return wilson(round(value * count), count)
    # the answers to a clause are not independent, and their mean varies no more than one of them
    low, high = wilson_ends(value, count / outcome.draws, normal_quantile(0.975))
    return Interval(low=low, high=high, level=0.95, method="wilson")


def metric_counts(summary: Mapping[str, Any]) -> dict[str, int]:
    """The number of cases or items over which each metric is a share or a mean.

    Kappa counts the clauses whose reply could be parsed. Hallucination rates count quotations
    and citations. The precision of a class counts the verdicts for it, its recall the clauses
    that belong to it.
    """
    count = {name: int(summary[name]) for name in COUNTED}
    matrix: Matrix = summary["conf_matrix"]
    quoted = count["clause_valid"] + count["clause_invalid"]
    cited = count["law_valid"] + count["law_invalid"]
    kappa = int(summary["kappa_clauses"])
    counts = {
        **dict.fromkeys(_OVER_CLAUSES, int(summary["total"])),
        "linear_weighted_kappa": kappa,
        "quadratic_weighted_kappa": kappa,
        "hallucination_rate": quoted + cited,
        "clause_hallucination_rate": quoted,
        "law_hallucination_rate": cited,
        "rule_recall": count["rule_target"],
        "rule_precision": count["rule_trigger"],
        "risk_id_accuracy": count["risk_id_total"],
    }
    for index, level in enumerate(LEVELS):
        counts[f"class_f1.{TITLES[level]}"] = int(summary["total"])
        counts[f"class_precision.{TITLES[level]}"] = int(sum(row[index] for row in matrix))
        counts[f"class_recall.{TITLES[level]}"] = int(sum(matrix[index]))
    return counts


def _sweep_points(rows: Sequence[ReportRow], thresholds: Sequence[float]) -> Iterator[SweepPoint]:
    scores = [quotation.score for row in rows for quotation in row.evidence]
    cited = sum(row.law_valid + row.law_invalid for row in rows)
    invented_laws = sum(row.law_invalid for row in rows)
    total = len(scores) + cited
    for threshold in thresholds:
        invented = sum(score is None or score < threshold for score in scores)
        yield SweepPoint(
            threshold=threshold,
            clause_hallucination_rate=invented / len(scores) if scores else None,
            hallucination_rate=(invented + invented_laws) / total if total else None,
        )
