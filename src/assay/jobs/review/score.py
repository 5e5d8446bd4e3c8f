"""The scores of a reply, from its text, its checks and the true verdict on the clause."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from assay.data.contract import ClauseQuestion
from assay.jobs.review.check import (
    Checks,
    Citation,
    Quotation,
    check_citations,
    check_fields,
    check_quotation,
)
from assay.records import Score
from assay.scorers.risk import RISK_SCORES, Worth, score_review
from assay.scorers.risk.reply import ParsedReview, parse_review


def truth_of(clause: ClauseQuestion) -> dict[str, Any]:
    """The true verdict on a clause, as the field ``ground_truth`` of its row."""
    truth: dict[str, Any] = {"risk_level": clause.risk_level}
    if clause.rules is not None:
        truth["rules"] = list(clause.rules)
    if clause.risk_id is not None:
        truth["risk_id"] = clause.risk_id
    if clause.laws:
        truth["laws"] = list(clause.laws)
    if clause.reason_keywords:
        truth["reason_keywords"] = list(clause.reason_keywords)
    return truth


def fired_rules(extra: Mapping[str, Any]) -> list[str] | None:
    """The rules that fired according to the system; ``None`` if it does not report them."""
    rules = extra.get("rules")
    return list(map(str, rules)) if isinstance(rules, list | tuple) else None


def score_reply(
    review: ParsedReview,
    checks: Checks,
    truth: Mapping[str, Any],
    *,
    fired: list[str] | None = None,
    worth: Worth = RISK_SCORES,
) -> dict[str, Score]:
    """The fields that scoring adds to a row: the checks, the unread parts, and the scores."""
    scores = score_review(
        review,
        risk_level=truth["risk_level"],
        rules=truth.get("rules"),
        risk_id=truth.get("risk_id"),
        fired=fired,
        evidence_valid=[quotation.valid for quotation in checks.evidence],
        laws_valid=[
            citation.finding == "valid" for citation in checks.citations if citation.finding
        ],
        scores=worth,
    )
    return {
        **check_fields(checks),
        "unread": list(review.unread),
        **scores,
        **_veto_count(checks),
    }


def _veto_count(checks: Checks) -> dict[str, Score]:
    """How many valid quotations the rules refuse; nothing if no model gave the scores."""
    if not any(quotation.veto is not UNSET for quotation in checks.evidence):
        return {}
    return {
        "clause_vetoed": sum(
            quotation.valid and bool(quotation.veto) for quotation in checks.evidence
        )
    }


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded reply by the current rules and the threshold in its row.

    The reply is parsed again. A quotation keeps its recorded score; a quotation without a
    record is scored by the verifier that needs no model. A citation without a record is not
    checked, because a row does not contain the laws. No model is called.
    """
    judged_by = row["judged_by"]
    review = parse_review(row["answer"])
    quotations = {
        quotation.text: quotation for quotation in msgspec.convert(row["evidence"], list[Quotation])
    }
    citations: dict[str, list[Citation]] = {}
    for citation in msgspec.convert(row["citations"], list[Citation]):
        citations.setdefault(citation.text, []).append(citation)
    checks = Checks(
        evidence=tuple(
            with_threshold(
                quotations.get(text) or check_quotation(text, row["question"]),
                judged_by["threshold"],
            )
            for text in review.evidence
        ),
        citations=tuple(
            citation
            for text in review.laws
            for citation in citations.get(text) or check_citations(text, None)
        ),
    )
    return score_reply(
        review,
        checks,
        row["ground_truth"],
        fired=fired_rules(row.get("extra", {})),
        worth=judged_by.get("costs", RISK_SCORES),
    )


def with_threshold(quotation: Quotation, threshold: float) -> Quotation:
    """The quotation with ``valid`` set by this threshold."""
    valid = quotation.score is not None and quotation.score >= threshold
    return msgspec.structs.replace(quotation, valid=valid)
