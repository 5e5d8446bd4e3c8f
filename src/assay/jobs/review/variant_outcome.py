"""A run's rows by variant, as far as the metrics of a review need them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from assay.jobs.results import Results
from assay.jobs.review.check import Worth
from assay.jobs.review.interval import review_intervals
from assay.journal import read_rows
from assay.scorers.risk import COUNTED, LEVELS, RISK_SCORES, TITLES, Matrix, review_summary
from assay.stats import Interval, wilson

THRESHOLDS: Final = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
"""Where the sweep looks: 0.5 to 0.95."""

_OVER_CLAUSES: Final = (
    "accuracy",
    "weighted_accuracy",
    "high_risk_f2",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "task_success_rate",
    "parse_rate",
    "avg_latency",
)
_SHARES: Final = (
    "accuracy",
    "hallucination_rate",
    "clause_hallucination_rate",
    "law_hallucination_rate",
    "rule_recall",
    "rule_precision",
    "risk_id_accuracy",
    "task_success_rate",
    "parse_rate",
    *(f"class_{part}.{TITLES[level]}" for part in ("precision", "recall") for level in LEVELS),
)
"""Metrics that are a count out of ``metric_counts``."""


class _Quoted(Struct, frozen=True):
    score: float | None = None


class _Row(Struct, frozen=True, kw_only=True):
    """The part of a row that is summed up."""

    key: str = ""
    config: str = ""
    status: str = "scored"
    expected_level: str | None = None
    risk_level: str | None = None
    elapsed_s: float | None = None
    clause_valid: int = 0
    clause_invalid: int = 0
    law_valid: int = 0
    law_invalid: int = 0
    rule_target: int = 0
    rule_correct: int = 0
    rule_trigger: int = 0
    risk_id_match: int = 0
    risk_id_total: int = 0
    task_success: bool = False
    evidence: tuple[_Quoted, ...] = field(default_factory=tuple)


class SweepPoint(Struct, frozen=True, kw_only=True):
    """The rates of invention had evidence been valid from this score on."""

    threshold: float
    clause_hallucination_rate: float | None
    hallucination_rate: float | None


class VariantOutcome(Struct, frozen=True, kw_only=True):
    """What one variant's rows come to.

    ``summary`` is in the shapes of the summary file; ``intervals`` and ``counts``, what each
    metric is over, are by name, those of a class as ``class_f1.High``.
    """

    summary: Mapping[str, Any]
    intervals: Mapping[str, Interval | None]
    counts: Mapping[str, int]
    sweep: tuple[SweepPoint, ...]

    def value(self, name: str) -> float | None:
        """The value of a metric by its name."""
        group, _, title = name.partition(".")
        found = self.summary[group]
        value: float | None = found[title] if title else found
        return value

    @property
    def matrix(self) -> Matrix:
        """The confusion matrix."""
        matrix: Matrix = self.summary["conf_matrix"]
        return matrix


def variant_outcomes(results: Results) -> dict[str, VariantOutcome]:
    """What the last row of each case comes to, by variant."""
    extra: Mapping[str, Any] = results.summary.extra if results.summary else {}
    worth = extra.get("costs") or RISK_SCORES
    thresholds = sorted({*THRESHOLDS, *filter(None, [extra.get("threshold")])})
    last = {row.key: row for rows in read_rows(results.path, _Row) for row in rows if row.key}
    by_variant: dict[str, list[_Row]] = {name: [] for name in results.scores.variants}
    for key in sorted(last):  # however a run was interrupted, the same numbers
        by_variant.setdefault(last[key].config, []).append(last[key])
    return {name: _outcome(rows, worth, thresholds) for name, rows in by_variant.items()}


def _outcome(rows: Sequence[_Row], worth: Worth, thresholds: Sequence[float]) -> VariantOutcome:
    told = [asdict(row) for row in rows]
    summary = review_summary(told, worth)
    scored = [row for row in rows if row.status == "scored"]
    counts = metric_counts(summary)
    outcome = VariantOutcome(
        summary=summary,
        intervals=review_intervals(told, scores=worth),
        counts=counts,
        sweep=tuple(_swept(scored, thresholds)),
    )
    widened = {name: _widened(outcome, name) for name in _SHARES}
    told_of = {name: _told_of(name, one) for name, one in outcome.intervals.items()}
    return replace(outcome, intervals={**told_of, **widened})


def _told_of(name: str, interval: Interval | None) -> Interval | None:
    """The interval of a metric that is no share and no mean; ``None`` where it has no width.

    No resample changed the metric, as where nothing of a level was ever hit: the bootstrap then
    knows nothing of how sure it is.
    """
    means = ("weighted_accuracy", "avg_latency")
    if interval is None or name in means or interval.low < interval.high:
        return interval
    return None


def _widened(outcome: VariantOutcome, name: str) -> Interval | None:
    """The interval of a share; Wilson's where all or none of the counted are of one kind.

    No resample of clauses changes such a share, but that none of 50 quotations was invented
    does not say that none ever is.
    """
    interval, value = outcome.intervals.get(name), outcome.value(name)
    if value not in {0.0, 1.0}:
        return interval
    count = outcome.counts[name]
    return wilson(round(value * count), count)


def metric_counts(summary: Mapping[str, Any]) -> dict[str, int]:
    """What each metric of a variant's summary is a share or a mean over.

    Kappa is over the clauses whose reply was read; rates of hallucination over what was quoted
    and cited; a class's precision over the verdicts for it, its recall over the clauses of it.
    """
    count = {name: int(summary[name]) for name in COUNTED}
    matrix: Matrix = summary["conf_matrix"]
    quoted = count["clause_valid"] + count["clause_invalid"]
    cited = count["law_valid"] + count["law_invalid"]
    whole = dict.fromkeys(_OVER_CLAUSES, int(summary["total"]))
    kappa = int(summary["kappa_clauses"])
    counts = {
        **whole,
        "linear_weighted_kappa": kappa,
        "quadratic_weighted_kappa": kappa,
        "hallucination_rate": quoted + cited,
        "clause_hallucination_rate": quoted,
        "law_hallucination_rate": cited,
        "rule_recall": count["rule_target"],
        "rule_precision": count["rule_trigger"],
        "risk_id_accuracy": count["risk_id_total"],
    }
    for k, level in enumerate(LEVELS):
        counts[f"class_f1.{TITLES[level]}"] = int(summary["total"])
        counts[f"class_precision.{TITLES[level]}"] = int(sum(row[k] for row in matrix))
        counts[f"class_recall.{TITLES[level]}"] = int(sum(matrix[k]))
    return counts


def _swept(rows: Sequence[_Row], thresholds: Sequence[float]) -> Iterator[SweepPoint]:
    scores = [one.score for row in rows for one in row.evidence]
    cited = sum(row.law_valid + row.law_invalid for row in rows)
    unlawful = sum(row.law_invalid for row in rows)
    for threshold in thresholds:
        invented = sum(score is None or score < threshold for score in scores)
        everything = len(scores) + cited
        yield SweepPoint(
            threshold=threshold,
            clause_hallucination_rate=invented / len(scores) if scores else None,
            hallucination_rate=(invented + unlawful) / everything if everything else None,
        )
