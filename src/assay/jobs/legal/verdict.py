"""The fields that scoring an answer adds to its row, for all types of questions."""

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
    """The score, the terms and the reasons for one answer; ``pages`` is the document's text.

    ``passed`` is ``None`` if no ``min_score`` is set. ``missing`` lists the evidence that no
    citation contains, ``invented`` the details that neither the document nor the question
    supports, and ``faults`` everything else that is wrong. Inventions lower the score of a
    ``conflict_gap`` question only.
    """
    match question:
        case FactQuestion():
            fields = _fact_fields(question, answer, pages)
        case EvidenceQuestion():
            fields = _evidence_fields(question, answer, pages)
        case GapQuestion():
            fields = _gap_fields(question, answer, pages)
    passed = None if min_score is None else fields["score"] >= min_score
    return {
        **fields,
        "passed": passed,
        "citations": [msgspec.to_builtins(citation) for citation in answer.cited],
    }


def _fact_fields(
    question: FactQuestion, answer: BenchAnswer, pages: Sequence[str]
) -> dict[str, Any]:
    result = fact_score(question, answer, pages)
    return {
        "score": result.score,
        "terms": {
            "exact_match": result.exact_match,
            "citation_correct": result.citation_correct,
            "partial": result.partial,
        },
        "fields": {name: field.holds for name, field in result.fields.items()},
        "missing": [
            match.item.shown
            for match in result.evidence
            if question.scoring.citation_required and not match.carried
        ],
        "invented": _details(inventions(answer.text, (*pages, question.question))),
        "faults": [
            *(f"{name}: {field.why}" for name, field in result.fields.items() if not field.holds),
            *(
                f"{check.citation.shown}: {check.problem}"
                for check in result.citations
                if check.problem
            ),
            *([] if result.citation_correct or answer.cited else ["nothing is cited"]),
        ],
        "why": list(result.why),
    }


def _evidence_fields(
    question: EvidenceQuestion, answer: BenchAnswer, pages: Sequence[str]
) -> dict[str, Any]:
    result = evidence_set_score(question, answer, pages)
    required = required_items(question.required_evidence, question.expected.key_points)
    return {
        "score": result.score,
        "terms": {
            "recall": result.recall,
            "precision": result.precision,
            "recall_met": result.recall_met,
            "precision_met": result.precision_met,
            "citation_provided": result.citation_provided,
            "count_met": result.count_met,
        },
        "missing": [required[index].shown for index in result.missing],
        "invented": _details(inventions(answer.text, (*pages, question.question))),
        "faults": [
            *(
                f"{piece.shown}: {piece.problem or 'carries nothing required'}"
                for piece in result.retrieved
                if not piece.items
            ),
            *([] if result.citation_provided else ["nothing is cited"]),
        ],
        "why": list(result.why),
    }


def _gap_fields(question: GapQuestion, answer: BenchAnswer, pages: Sequence[str]) -> dict[str, Any]:
    result = conflict_gap_score(question, answer, pages)
    return {
        "score": result.score,
        "terms": {
            "correct_abstention": result.correct_abstention,
            "no_hallucination": result.no_hallucination,
            "quote_included": result.quote_included,
            "abstained": result.abstained,
            "severity": result.severity,
        },
        "missing": [] if result.quote_included else [f"“{question.required_quote}”"],
        "invented": _details(result.invented),
        "faults": [] if result.correct_abstention else [_wrong_stance(abstained=result.abstained)],
        "why": list(result.why),
    }


def _wrong_stance(*, abstained: bool) -> str:
    if abstained:
        return "the answer abstains although the document tells"
    return "the answer does not abstain although the document leaves this open"


def _details(invented: Sequence[Invention]) -> list[dict[str, Any]]:
    return [
        {
            "kind": detail.kind,
            "text": detail.text,
            "start": detail.span.start,
            "end": detail.span.end,
        }
        for detail in invented
    ]
