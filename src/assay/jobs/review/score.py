"""A reply's scores: what it says, what of it was found true, and what the clause's truth is."""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from assay.data.contract import ClauseQuestion
from assay.jobs.review.check import (
    EMBEDDED,
    Checks,
    Citation,
    Quotation,
    Worth,
    check_citations,
    check_quotation,
    checks_from_row,
)
from assay.records import Score
from assay.scorers.risk import RISK_SCORES, score_review
from assay.scorers.risk.reply import ParsedReview, parse_review


def truth_of(clause: ClauseQuestion) -> dict[str, Any]:
    """What is true of a clause, as its row records it."""
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
    """The rules that a system says fired; ``None`` where it does not say."""
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
    """The fields that judging adds to a row: the checks, what was not read, and the scores."""
    scores = score_review(
        review,
        risk_level=truth["risk_level"],
        rules=truth.get("rules"),
        risk_id=truth.get("risk_id"),
        fired=fired,
        evidence_valid=[one.valid for one in checks.evidence],
        laws_valid=[one.finding == "valid" for one in checks.citations if one.finding],
        scores=worth,
    )
    return {
        **checks_from_row(checks),
        "unread": list(review.unread),
        **scores,
    }


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded reply by today's rules and the threshold in its row; no calls.

    The reply is read anew. What it quotes keeps the score it has on record; a quotation that
    was not read before is scored by the embedded verifier, and a citation that was not is left
    unchecked, for a row does not hold the laws.
    """
    by = row["judged_by"]
    review = parse_review(row["answer"])
    quotations = {one["text"]: msgspec.convert(one, Quotation) for one in row["evidence"]}
    citations: dict[str, list[Citation]] = {}
    for one in msgspec.convert(row["citations"], list[Citation]):
        citations.setdefault(one.text, []).append(one)
    checks = Checks(
        evidence=tuple(
            _valid_from(quotations.get(text) or _embedded(text, row["question"]), by["threshold"])
            for text in review.evidence
        ),
        citations=tuple(
            one
            for text in review.laws
            for one in citations.get(text) or check_citations(text, None)
        ),
    )
    return score_reply(
        review,
        checks,
        row["ground_truth"],
        fired=fired_rules(row.get("extra", {})),
        worth=by.get("costs", RISK_SCORES),
    )


def _embedded(text: str, clause: str) -> Quotation:
    return asyncio.run(check_quotation(text, clause, EMBEDDED))


def _valid_from(one: Quotation, threshold: float) -> Quotation:
    valid = one.score is not None and one.score >= threshold
    return msgspec.structs.replace(one, valid=valid)
