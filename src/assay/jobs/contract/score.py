"""The scores of one review of a clause, and the summary of all reviews of a variant.

Every metric of a summary is computed from totals over clauses: cells of the confusion matrix,
valid and invalid quotations, rules that fired correctly or not. So each metric can be traced
back to rows and resampled by clause. A rate with a zero denominator is undefined (``None``).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from assay.jobs.contract.classification import (
    RISK_SCORES,
    Floats,
    accuracy,
    f_beta,
    linear_weighted_kappa,
    macro_mean,
    macro_mean_of_all,
    parsed_part,
    precision,
    quadratic_weighted_kappa,
    recall,
    share,
    total,
    unparsed,
    weighted_accuracy,
)
from assay.jobs.contract.level import LEVELS, TITLES, Level
from assay.records import without_draw
from assay.words.say import marked

if TYPE_CHECKING:  # a report, which reads no replies, would import all that reads them
    from assay.jobs.contract.reply import ParsedReview

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
"""Fields of a row that are added up. In totals they come after the cells of the matrix."""

CELLS: Final = len(LEVELS) * (len(LEVELS) + 1)
UNPARSED: Final = marked("Unparsed", "level")


def score_review(
    review: "ParsedReview",
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

    The task is successful if the reply could be parsed, its level is correct, no quotation or
    citation is invented, and the reply makes a suggestion. If the level is low, the reply may
    also say that there is nothing to suggest.

    Args:
        review: the parsed reply.
        risk_level: the true level.
        rules: ids of the rules that should fire. If ``None``, the rule counts stay zero.
        risk_id: id of the main risk. If ``None``, it is not checked.
        fired: ids of the rules that fired according to the system. If ``None``, the risk ids
            that the reply names are used instead. ``rules_reported`` says whether there are either;
            a system that never reports them is not wrong about them.
        evidence_valid: for each quotation, whether the clause contains it.
        laws_valid: for each cited law, whether it exists and contains the quoted text.
        scores: the score of each verdict (see ``RISK_SCORES``).

    >>> from assay.jobs.contract.reply import parse_review
    >>> row = score_review(parse_review("Level: medium"), risk_level="high", rules=None, risk_id=None)
    >>> row["level_correct"], row["weighted_score"], row["scores"]["risk_id_match"] is None
    (False, 0.4, True)
    """
    verdict = review.risk_level
    fired_rules = set(review.risk_ids if fired is None else fired)
    invented = not all((*evidence_valid, *laws_valid))
    suggests = bool(review.suggestion) or (verdict == "low" and review.suggests_nothing)
    score = scores[LEVELS.index(risk_level)][LEVELS.index(verdict)] if verdict else 0.0
    id_match = None if risk_id is None else risk_id in fired_rules.union(review.risk_ids)
    row: dict[str, Any] = {
        "expected_level": risk_level,
        "risk_level": verdict,
        "parse_success": verdict is not None,
        "level_correct": verdict == risk_level,
        "weighted_score": score,
        "clause_valid": sum(evidence_valid),
        "clause_invalid": len(evidence_valid) - sum(evidence_valid),
        "law_valid": sum(laws_valid),
        "law_invalid": len(laws_valid) - sum(laws_valid),
        "rule_target": 0 if rules is None else len(set(rules)),
        "rule_correct": 0 if rules is None else len(fired_rules.intersection(rules)),
        "rule_trigger": 0 if rules is None else len(fired_rules),
        "risk_id_match": int(bool(id_match)),
        "risk_id_total": int(id_match is not None),
        "rules_reported": fired is not None or review.reports_rules,
        "has_suggestion": bool(review.suggestion),
        "task_success": verdict == risk_level and not invented and suggests,
    }
    row["scores"] = {
        "level_correct": row["level_correct"],
        "weighted_score": score,
        "high_risk_found": verdict == "high" if risk_level == "high" else None,
        "task_success": row["task_success"],
        "parse_success": row["parse_success"],
        "risk_id_match": id_match,
        "evidence_invented": invented if evidence_valid or laws_valid else None,
    }
    return row


def share_after_veto(invalid: int, vetoed: int, quotations: int) -> float:
    """The share of quotations that the model or the rules refuse: (invalid + vetoed) / all.

    ``vetoed`` are the quotations that the model accepts and the rules refuse.

    >>> share_after_veto(1, 2, 12)
    0.25
    """
    return (invalid + vetoed) / quotations


def outcome(row: Mapping[str, Any]) -> tuple[int, ...]:
    """What one row adds to the totals: a 1 in its cell of the matrix, then ``COUNTED``."""
    cells = [0] * CELLS
    verdict = row["risk_level"]
    column = len(LEVELS) if verdict is None else LEVELS.index(verdict)
    cells[LEVELS.index(row["expected_level"]) * (len(LEVELS) + 1) + column] = 1
    return (*cells, *(int(row[name]) for name in COUNTED))


def totals_of(outcomes: Iterable[Sequence[int]]) -> list[int]:
    """The sums of several outcomes (see ``outcome``), column by column."""
    sums = [0] * (CELLS + len(COUNTED))
    for values in outcomes:
        sums = [current + value for current, value in zip(sums, values, strict=True)]
    return sums


def clause_outcomes(rows: Sequence[Mapping[str, Any]]) -> list[tuple[int, ...]]:
    """What each clause adds to the totals, with all its answers if it was asked several times."""
    clauses: dict[str, list[tuple[int, ...]]] = {}
    for number, row in enumerate(rows):
        key = without_draw(str(row.get("key") or f"row {number}"))
        clauses.setdefault(key, []).append(outcome(row))
    return [tuple(totals_of(added)) for added in clauses.values()]


def matrix_of(totals: Sequence[float]) -> list[list[float]]:
    """The confusion matrix within totals: a row for each true level, from high to low.

    The columns are the levels in the same order, then the unparsed replies.
    """
    width = len(LEVELS) + 1
    return [list(totals[start : start + width]) for start in range(0, CELLS, width)]


def review_metrics(
    totals: Floats, scores: Sequence[Sequence[float]] = RISK_SCORES
) -> dict[str, Floats]:
    """Every metric that can be computed from totals, by name.

    Metrics of a class have names like ``class_f1.High``. ``totals`` has a row for each set of
    clauses (thousands of rows for resampling), and each metric has a value for each row, NaN if
    it is undefined. Rates of hallucinations, rules and risk ids are pooled: they are ratios of
    counts over all clauses, not means of rates per clause.

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
        **{
            # undefined only without clauses: their shares are then 0 / 0
            name: share(macro_mean_of_all(values) * clauses, clauses)
            for name, values in (
                ("macro_f1", f1),
                ("macro_precision", precisions),
                ("macro_recall", recalls),
            )
        },
        "macro_f1_defined": macro_mean(f1),
        "macro_precision_defined": macro_mean(precisions),
        "macro_recall_defined": macro_mean(recalls),
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
    """All metrics of one variant's rows, in the format of the summary file.

    ``total`` is the number of scored rows; all metrics are computed from these rows only. Rows
    that were answered but not judged yet, failed and skipped ones are counted separately.
    ``kappa_clauses`` is the number of rows with a
    parsed level, from which kappa is computed. ``avg_latency`` is in seconds, and ``None`` if no
    scored row has a latency.
    """
    all_rows = list(rows)
    scored = [row for row in all_rows if row.get("status", "scored") == "scored"]
    totals = totals_of(map(outcome, scored))
    matrix = matrix_of(totals)
    latencies = [row["elapsed_s"] for row in scored if row.get("elapsed_s") is not None]
    summary: dict[str, Any] = {
        "total": len(scored),
        "answered": sum(row.get("status") == "answered" for row in all_rows),
        "failed": sum(row.get("status") == "failed" for row in all_rows),
        "skipped": sum(row.get("status") == "skipped" for row in all_rows),
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
