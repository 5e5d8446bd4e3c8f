"""The fields that scoring an answer adds to its row, for all types of questions."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from assay.checks.invention import Invention, inventions
from assay.jobs.legal.conflict_gap import ConflictGapScore, conflict_gap_score, wrong_stance
from assay.jobs.legal.evidence import evidence_set_score, required_items
from assay.jobs.legal.expectation import BenchAnswer
from assay.jobs.legal.fact import FactScore, fact_score
from assay.jobs.legal.question import BenchQuestion, EvidenceQuestion, FactQuestion, GapQuestion


def verdict_fields(
    question: BenchQuestion,
    answer: BenchAnswer,
    pages: Sequence[str],
    *,
    min_score: float | None = None,
    has_page_marks: bool = True,
) -> dict[str, Any]:
    """The score, the terms and the reasons for one answer; ``pages`` is the document's text.

    ``passed`` is ``None`` if no ``min_score`` is set. ``missing`` lists the evidence that no
    citation contains, ``invented`` the details that neither the document nor the question
    supports, and ``faults`` everything else that is wrong. Inventions lower the score of a
    ``conflict_gap`` question only. ``notes`` say what could not be checked.
    """
    match question:
        case FactQuestion():
            fields = _fact_fields(question, answer, pages, has_page_marks=has_page_marks)
        case EvidenceQuestion():
            fields = _evidence_fields(question, answer, pages, has_page_marks=has_page_marks)
        case GapQuestion():
            fields = _gap_fields(question, answer, pages)
    passed = None if min_score is None else fields["score"] >= min_score
    notes = [*fields.pop("notes", ()), *_unchecked(answer, pages, has_page_marks=has_page_marks)]
    return {
        **fields,
        "notes": notes,
        "passed": passed,
        "citations": [msgspec.to_builtins(citation) for citation in answer.cited],
    }


def _unchecked(answer: BenchAnswer, pages: Sequence[str], *, has_page_marks: bool) -> Iterator[str]:
    """What could not be checked about the citations of this answer."""
    if not answer.cited:
        return
    if not pages:
        yield "without a document citations are compared with the required evidence only"
    elif not has_page_marks and any(citation.page not in {None, 1} for citation in answer.cited):
        yield "the document has no page marks: pages are compared with the required evidence only"


def _fact_fields(
    question: FactQuestion, answer: BenchAnswer, pages: Sequence[str], *, has_page_marks: bool
) -> dict[str, Any]:
    result = fact_score(question, answer, pages, has_page_marks=has_page_marks)
    return {
        "score": result.score,
        "terms": {
            "exact_match": result.exact_match,
            "citation_correct": result.citation_correct,
            "partial": result.partial,
        },
        "fields": {name: field.holds for name, field in result.fields.items()},
        **_bounds(result),
        "missing": [
            match.item.shown
            for match in result.evidence
            if question.scoring.citation_required and not match.carried
        ],
        "invented": _invented(question, answer, pages),
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
    question: EvidenceQuestion, answer: BenchAnswer, pages: Sequence[str], *, has_page_marks: bool
) -> dict[str, Any]:
    result = evidence_set_score(question, answer, pages, has_page_marks=has_page_marks)
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
        "invented": _invented(question, answer, pages),
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
        **_bounds(result),
        "missing": [] if result.quote_included else [f"“{question.quotes[0]}”"],
        "invented": _details(result.invented),
        "faults": (
            []
            if result.correct_abstention
            else [wrong_stance(question, abstained=result.abstained)]
        ),
        "why": [*result.why, *result.notes],
        "notes": list(result.notes),
    }


def _bounds(result: FactScore | ConflictGapScore) -> dict[str, dict[str, float]]:
    """What the scores could be instead, if something about the answer is unsure."""
    if not result.at_least:
        return {}
    return {"at_least": dict(result.at_least), "at_most": dict(result.at_most)}


def _invented(
    question: BenchQuestion, answer: BenchAnswer, pages: Sequence[str]
) -> list[dict[str, Any]]:
    """The invented details; without a document nothing can be called invented."""
    return _details(inventions(answer.text, (*pages, question.question))) if pages else []


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
