"""The scores of one review of a clause, and how they are summed up per variant.

Every summed-up metric is a function of totals over clauses (cells of the confusion matrix,
quotations that hold or not, rules that fired rightly or not), so that it can be traced to rows
and resampled by clause. A rate whose denominator is zero is ``None``, undefined.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from assay.records import Metric
from assay.scorers.latency import LATENCY
from assay.scorers.risk.classification import (
    accuracy,
    f_beta,
    macro_mean,
    precision,
    recall,
    share,
)
from assay.scorers.risk.confusion import Floats, parsed_part, total, unparsed
from assay.scorers.risk.level import LEVELS, TITLES, Level
from assay.scorers.risk.ordinal import (
    RISK_SCORES,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_accuracy,
)
from assay.scorers.risk.reply import ParsedReview

COUNTED: Final = (
    "clause_valid",
    "clause_invalid",
    "law_valid",
    "law_invalid",
    "rule_target",
    "rule_correct",
    "rule_trigger",
    "risk_id_match",
    "risk_id_total",
    "task_success",
)
"""Fields of a row that are added up, after the cells of the confusion matrix."""

CELLS: Final = len(LEVELS) * (len(LEVELS) + 1)
UNPARSED: Final = "Unparsed"

METRICS: Final[tuple[Metric, ...]] = (
    Metric(name="accuracy", field="scores.level_correct", title="Accuracy", kind="rate"),
    Metric(name="weighted_accuracy", field="scores.weighted_score", title="Weighted accuracy"),
    Metric(
        name="high_risk_recall",
        field="scores.high_risk_found",
        title="High risks found",
        kind="rate",
    ),
    Metric(name="task_success_rate", field="scores.task_success", title="Task done", kind="rate"),
    Metric(name="parse_rate", field="scores.parse_success", title="Parsed", kind="rate"),
    Metric(
        name="risk_id_accuracy", field="scores.risk_id_match", title="Right risk id", kind="rate"
    ),
    Metric(
        name="clauses_with_invented_evidence",
        field="scores.evidence_invented",
        title="Clauses with invented evidence",
        kind="rate",
        better="lower",
    ),
    *LATENCY,
)
"""What is compared between variants clause by clause. Metrics that are no mean over clauses
(kappa, F2, macro scores, pooled rates) are in the summary, with their intervals."""


def score_review(
    review: ParsedReview,
    *,
    risk_level: Level,
    rules: Collection[str] | None,
    risk_id: str | None,
    fired: Collection[str] | None = None,
    evidence_valid: Sequence[bool] = (),
    laws_valid: Sequence[bool] = (),
    scores: Sequence[Sequence[float]] = RISK_SCORES,
) -> dict[str, Any]:
    """The fields that scoring adds to a row.

    The task is done where the reply is parsed, its level right, nothing it quotes or cites
    invented, at least one thing quoted (unless the verdict is low), and a suggestion made.

    Args:
        review: what the reply says.
        risk_level: the true level.
        rules: ids of the rules that should fire; ``None``, the rule counts stay zero.
        risk_id: the main risk; ``None``, whether it was named is not judged.
        fired: ids of the rules that the system says fired; by default those the reply names.
        evidence_valid: whether each quotation stands in the clause.
        laws_valid: whether each law cited exists and says what is quoted.
        scores: what each verdict is worth.

    >>> from assay.scorers.risk.reply.parse import parse_review
    >>> row = score_review(parse_review("Level: medium"), risk_level="high", rules=None, risk_id=None)
    >>> row["level_correct"], row["weighted_score"], row["scores"]["risk_id_match"] is None
    (False, 0.4, True)
    """
    said = review.risk_level
    named = set(review.risk_ids if fired is None else fired)
    invented = not all((*evidence_valid, *laws_valid))
    evidence_ok = not invented and (bool(evidence_valid) or said == "low")
    worth = scores[LEVELS.index(risk_level)][LEVELS.index(said)] if said else 0.0
    found = None if risk_id is None else risk_id in named.union(review.risk_ids)
    row: dict[str, Any] = {
        "expected_level": risk_level,
        "risk_level": said,
        "parse_success": said is not None,
        "level_correct": said == risk_level,
        "weighted_score": worth,
        "clause_valid": sum(evidence_valid),
        "clause_invalid": len(evidence_valid) - sum(evidence_valid),
        "law_valid": sum(laws_valid),
        "law_invalid": len(laws_valid) - sum(laws_valid),
        "rule_target": 0 if rules is None else len(set(rules)),
        "rule_correct": 0 if rules is None else len(named.intersection(rules)),
        "rule_trigger": 0 if rules is None else len(named),
        "risk_id_match": int(bool(found)),
        "risk_id_total": int(found is not None),
        "has_suggestion": bool(review.suggestion),
        "task_success": said == risk_level and evidence_ok and bool(review.suggestion),
    }
    row["scores"] = {
        "level_correct": row["level_correct"],
        "weighted_score": worth,
        "high_risk_found": said == "high" if risk_level == "high" else None,
        "task_success": row["task_success"],
        "parse_success": row["parse_success"],
        "risk_id_match": found,
        "evidence_invented": invented if evidence_valid or laws_valid else None,
    }
    return row


def outcome(row: Mapping[str, Any]) -> tuple[int, ...]:
    """What one row adds to the totals: a 1 in its cell of the matrix, then ``COUNTED``."""
    cells = [0] * CELLS
    said = row["risk_level"]
    column = len(LEVELS) if said is None else LEVELS.index(said)
    cells[LEVELS.index(row["expected_level"]) * (len(LEVELS) + 1) + column] = 1
    return (*cells, *(int(row[name]) for name in COUNTED))


def totals_of(outcomes: Iterable[Sequence[int]]) -> list[int]:
    """The sum of outcomes, column by column."""
    sums = [0] * (CELLS + len(COUNTED))
    for one in outcomes:
        sums = [before + more for before, more in zip(sums, one, strict=True)]
    return sums


def matrix_of(totals: Sequence[float]) -> list[list[float]]:
    """The confusion matrix in totals: levels by levels and unparsed, highest first."""
    width = len(LEVELS) + 1
    return [list(totals[start : start + width]) for start in range(0, CELLS, width)]


def review_metrics(
    totals: Floats, scores: Sequence[Sequence[float]] = RISK_SCORES
) -> dict[str, Floats]:
    """Every metric that totals determine, by name; those of a class as ``class_f1.High``.

    ``totals`` has a row for each set of clauses, thousands where they are resampled, and each
    metric a value for each row, NaN where it is undefined. Rates of hallucination, of rules and
    of risk ids are pooled: counts over all clauses, not a mean of the clauses' own rates.

    >>> row = [4, 1, 0, 0, 0, 5, 0, 0, 1, 0, 3, 2] + [0] * len(COUNTED)
    >>> review_metrics(np.array([row], dtype=float))["accuracy"].tolist()
    [0.75]
    """
    matrices = totals[:, :CELLS].reshape(-1, len(LEVELS), len(LEVELS) + 1)
    count = dict(zip(COUNTED, totals[:, CELLS:].T, strict=True))
    clauses = total(matrices)
    clause_quoted = count["clause_valid"] + count["clause_invalid"]
    law_cited = count["law_valid"] + count["law_invalid"]
    f1, precisions, recalls = f_beta(matrices), precision(matrices), recall(matrices)
    metrics = {
        "accuracy": accuracy(matrices),
        "weighted_accuracy": weighted_accuracy(matrices, scores),
        "linear_weighted_kappa": linear_weighted_kappa(matrices),
        "quadratic_weighted_kappa": quadratic_weighted_kappa(matrices),
        "high_risk_f2": f_beta(matrices, 2.0)[:, LEVELS.index("high")],
        "macro_f1": macro_mean(f1),
        "macro_precision": macro_mean(precisions),
        "macro_recall": macro_mean(recalls),
        "hallucination_rate": share(
            count["clause_invalid"] + count["law_invalid"], clause_quoted + law_cited
        ),
        "clause_hallucination_rate": share(count["clause_invalid"], clause_quoted),
        "law_hallucination_rate": share(count["law_invalid"], law_cited),
        "rule_recall": share(count["rule_correct"], count["rule_target"]),
        "rule_precision": share(count["rule_correct"], count["rule_trigger"]),
        "risk_id_accuracy": share(count["risk_id_match"], count["risk_id_total"]),
        "task_success_rate": share(count["task_success"], clauses),
        "parse_rate": share(total(parsed_part(matrices)), clauses),
    }
    for k, level in enumerate(LEVELS):
        metrics[f"class_f1.{TITLES[level]}"] = f1[:, k]
        metrics[f"class_precision.{TITLES[level]}"] = precisions[:, k]
        metrics[f"class_recall.{TITLES[level]}"] = recalls[:, k]
    return metrics


def review_summary(
    rows: Iterable[Mapping[str, Any]], scores: Sequence[Sequence[float]] = RISK_SCORES
) -> dict[str, Any]:
    """All metrics of one variant's rows, in the shapes of the summary file.

    ``total`` counts the scored rows, which is what everything is over; failed and skipped ones
    are counted beside it. ``kappa_clauses`` is how many had a level to compute kappa from.
    ``avg_latency`` is in seconds and ``None`` without rows.
    """
    kept = list(rows)
    scored = [row for row in kept if row.get("status", "scored") == "scored"]
    totals = totals_of(map(outcome, scored))
    matrix = matrix_of(totals)
    latencies = [row["elapsed_s"] for row in scored if row.get("elapsed_s") is not None]
    summary: dict[str, Any] = {
        "total": len(scored),
        "failed": sum(row.get("status") == "failed" for row in kept),
        "skipped": sum(row.get("status") == "skipped" for row in kept),
        "unparsed": int(unparsed(matrix)),
        "kappa_clauses": len(scored) - int(unparsed(matrix)),
    }
    metrics = review_metrics(np.array([totals], dtype=np.float64), scores)
    for name, values in metrics.items():
        value = None if np.isnan(values[0]) else float(values[0])
        group, _, title = name.partition(".")
        if title:
            summary.setdefault(group, {})[title] = value
        else:
            summary[name] = value
    summary["avg_latency"] = sum(latencies) / len(latencies) if latencies else None
    summary["conf_matrix"] = matrix
    summary["conf_matrix_rows"] = [TITLES[level] for level in LEVELS]
    summary["conf_matrix_columns"] = [*summary["conf_matrix_rows"], UNPARSED]
    summary |= dict(zip(COUNTED, totals[CELLS:], strict=True))
    return summary
