"""The fields that judging an answer adds to its row, whatever the question's type."""

from collections.abc import Sequence
from typing import Any

import msgspec

from assay.data.legal import BenchQuestion, EvidenceQuestion, FactQuestion, GapQuestion
from assay.scorers.invention import Invention, inventions
from assay.scorers.legal import (
    BenchAnswer,
    conflict_gap_score,
    evidence_set_score,
    fact_score,
    required_items,
)


def verdict_fields(
    question: BenchQuestion,
    answer: BenchAnswer,
    pages: Sequence[str],
    *,
    min_score: float | None = None,
) -> dict[str, Any]:
    """Score, terms and reasons of one answer; ``pages`` are the document's.

    ``passed`` is ``None`` where no ``min_score`` is set. ``missing`` is the evidence that no
    citation carries, ``faults`` what else is wrong, ``invented`` every detail that nothing supports; only a ``conflict_gap``
    question is scored by it.
    """
    match question:
        case FactQuestion():
            found = _fact(question, answer, pages)
        case EvidenceQuestion():
            found = _evidence(question, answer, pages)
        case GapQuestion():
            found = _gap(question, answer, pages)
    passed = None if min_score is None else found["score"] >= min_score
    return {
        **found,
        "passed": passed,
        "citations": [msgspec.to_builtins(one) for one in answer.cited],
    }


def _fact(question: FactQuestion, answer: BenchAnswer, pages: Sequence[str]) -> dict[str, Any]:
    one = fact_score(question, answer, pages)
    return {
        "score": one.score,
        "terms": {
            "exact_match": one.exact_match,
            "citation_correct": one.citation_correct,
            "partial": one.partial,
        },
        "fields": {name: field.holds for name, field in one.fields.items()},
        "missing": [
            match.item.shown
            for match in one.evidence
            if question.scoring.citation_required and not match.carried
        ],
        "invented": _details(inventions(answer.text, (*pages, question.question))),
        "faults": [
            *(f"{name}: {field.why}" for name, field in one.fields.items() if not field.holds),
            *(
                f"{check.citation.shown}: {check.problem}"
                for check in one.citations
                if check.problem
            ),
            *([] if one.citation_correct or answer.cited else ["nothing is cited"]),
        ],
        "why": list(one.why),
    }


def _evidence(
    question: EvidenceQuestion, answer: BenchAnswer, pages: Sequence[str]
) -> dict[str, Any]:
    one = evidence_set_score(question, answer, pages)
    required = required_items(question.required_evidence, question.expected.key_points)
    return {
        "score": one.score,
        "terms": {
            "recall": one.recall,
            "precision": one.precision,
            "recall_met": one.recall_met,
            "precision_met": one.precision_met,
            "citation_provided": one.citation_provided,
            "count_met": one.count_met,
        },
        "missing": [required[place].shown for place in one.missing],
        "invented": _details(inventions(answer.text, (*pages, question.question))),
        "faults": [
            *(
                f"{piece.shown}: {piece.problem or 'carries nothing required'}"
                for piece in one.retrieved
                if not piece.items
            ),
            *([] if one.citation_provided else ["nothing is cited"]),
        ],
        "why": list(one.why),
    }


def _gap(question: GapQuestion, answer: BenchAnswer, pages: Sequence[str]) -> dict[str, Any]:
    one = conflict_gap_score(question, answer, pages)
    return {
        "score": one.score,
        "terms": {
            "correct_abstention": one.correct_abstention,
            "no_hallucination": one.no_hallucination,
            "quote_included": one.quote_included,
            "abstained": one.abstained,
            "severity": one.severity,
        },
        "missing": [] if one.quote_included else [f"“{question.required_quote}”"],
        "invented": _details(one.invented),
        "faults": [] if one.correct_abstention else [_misjudged(abstained=one.abstained)],
        "why": list(one.why),
    }


def _misjudged(*, abstained: bool) -> str:
    if abstained:
        return "the answer abstains although the document tells"
    return "the answer does not abstain although the document leaves this open"


def _details(invented: Sequence[Invention]) -> list[dict[str, Any]]:
    return [
        {"kind": one.kind, "text": one.text, "start": one.span.start, "end": one.span.end}
        for one in invented
    ]
