"""The score of a ``fact_exact`` question.

::

    score = 0.7 · exact_match + 0.3 · citation_correct

``exact_match`` is 1 where every expected field holds; ``partial`` is the share that does, shown
and not scored. ``citation_correct`` is 1 where every critical item of evidence (every item, if
none is critical) is carried by a citation, or where no citation is required.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from assay.scorers.abstention import abstains
from assay.scorers.legal.answer import BenchAnswer
from assay.scorers.legal.boolean_answer import boolean_verdict
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.evidence import (
    CitationCheck,
    EvidenceMatch,
    check_citation,
    evidence_matches,
    required_items,
)
from assay.scorers.legal.expectation import FactExpectation
from assay.scorers.legal.field import (
    FieldVerdict,
    amount_verdict,
    breakdown_verdict,
    count_verdict,
    date_range_verdict,
    date_verdict,
    money_of,
    text_verdict,
)

EXACT_WEIGHT = 0.7
"""What the fields count."""
CITATION_WEIGHT = 0.3
"""What the citations count."""


class FactScore(Struct, frozen=True, kw_only=True):
    """The verdict on an answer, with every reason."""

    score: float
    exact_match: bool
    citation_correct: bool
    partial: float
    fields: Mapping[str, FieldVerdict]
    evidence: tuple[EvidenceMatch, ...]
    citations: tuple[CitationCheck, ...]
    why: tuple[str, ...]


def fact_score(question: FactExpectation, answer: BenchAnswer, pages: Sequence[str]) -> FactScore:
    """Score one answer; ``pages`` are the document's.

    >>> from assay.data.legal import ExpectedFact, FactQuestion, FactScoring
    >>> asked = FactQuestion(id="q", question="How many?", expected=ExpectedFact(count=3),
    ...                      scoring=FactScoring(citation_required=False))
    >>> fact_score(asked, BenchAnswer(text="Three."), ["3 keys"]).score
    1.0
    """
    fields = field_verdicts(question, answer.text, pages)
    exact = bool(fields) and all(one.holds for one in fields.values())
    checks = tuple(check_citation(one, pages) for one in answer.cited)
    matches = tuple(evidence_matches(required_items(question.required_evidence), checks))
    critical = [one for one in matches if one.item.is_critical] or list(matches)
    cited = bool(checks) and all(one.carried for one in critical)
    if not matches:
        cited = any(check.text for check in checks)
    correct = cited or not question.scoring.citation_required
    why = [f"{name}: {one.why}" for name, one in fields.items()]
    why += [_told(one) for one in matches if question.scoring.citation_required]
    why += [f"{one.citation.shown}: {one.problem}" for one in checks if one.problem]
    return FactScore(
        score=round(EXACT_WEIGHT * exact + CITATION_WEIGHT * correct, 10),
        exact_match=exact,
        citation_correct=correct,
        partial=sum(one.holds for one in fields.values()) / len(fields) if fields else 0.0,
        fields=fields,
        evidence=matches,
        citations=checks,
        why=tuple(why),
    )


def field_verdicts(
    question: FactExpectation, text: str, pages: Sequence[str]
) -> dict[str, FieldVerdict]:
    """A verdict for each expected field."""
    expected, scoring = question.expected, question.scoring
    required = [item.must_include for item in question.required_evidence]
    found: dict[str, FieldVerdict] = {}
    if expected.boolean_answer is not None:
        found["boolean_answer"] = boolean_verdict(
            text, expected.boolean_answer, question.question, required
        )
    held = [*required, *pages]
    if expected.amount_total is not None:
        found["amount_total"] = amount_verdict(
            text,
            expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amount_total, held),
        )
    if expected.amount_breakdown is not None:
        found["amount_breakdown"] = breakdown_verdict(
            text,
            expected.amount_breakdown,
            total=expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amount_breakdown[0], held),
        )
    if expected.count is not None:
        found["count"] = count_verdict(
            text, expected.count, question.question, exact=scoring.numeric_exact
        )
    if expected.date is not None:
        found["date"] = date_verdict(text, expected.date, exact=scoring.date_exact, context=pages)
    if expected.date_range is not None:
        found["date_range"] = date_range_verdict(
            text, expected.date_range, exact=scoring.date_exact, context=pages
        )
    if expected.entity is not None:
        found["entity"] = entity_verdict(text, expected.entity, pages)
    if expected.text_answer is not None:
        found["text_answer"] = text_verdict(text, expected.text_answer, pages)
    if abstains(text):
        silent = FieldVerdict(holds=False, why="the answer abstains")
        found = {name: silent if name != "boolean_answer" else one for name, one in found.items()}
    return found


def _told(match: EvidenceMatch) -> str:
    name = "critical evidence" if match.item.is_critical else "evidence"
    if match.citation is None:
        return f"{name} {match.item.shown}: no citation carries it"
    return f"{name} {match.item.shown}: carried by {match.citation.shown}"
