"""The score of a ``fact_exact`` question.

::

    score = 0.7 · exact_match + 0.3 · citation_correct

``exact_match`` is 1 if the answer gives every expected field correctly. ``partial`` is the share
of the fields that are correct; it is shown and not part of the score. ``citation_correct`` is 1
if a citation supports every critical item of evidence (every item, if none is critical), or if
the question requires no citation. If the question lists no evidence, any valid citation is
enough.
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
"""The weight of the fields."""
CITATION_WEIGHT = 0.3
"""The weight of the citations."""


class FactScore(Struct, frozen=True, kw_only=True):
    """The score of an answer, with the reasons for it.

    ``partial`` is 0 if no field is expected.
    """

    score: float
    exact_match: bool
    citation_correct: bool
    partial: float
    fields: Mapping[str, FieldVerdict]
    evidence: tuple[EvidenceMatch, ...]
    citations: tuple[CitationCheck, ...]
    why: tuple[str, ...]


def fact_score(question: FactExpectation, answer: BenchAnswer, pages: Sequence[str]) -> FactScore:
    """The score of one answer; ``pages`` are the pages of the document.

    >>> from assay.data.legal import ExpectedFact, FactQuestion, FactScoring
    >>> question = FactQuestion(id="q", question="How many?", expected=ExpectedFact(count=3),
    ...                         scoring=FactScoring(citation_required=False))
    >>> fact_score(question, BenchAnswer(text="Three."), ["3 keys"]).score
    1.0
    """
    fields = field_verdicts(question, answer.text, pages)
    exact = bool(fields) and all(verdict.holds for verdict in fields.values())
    checks = tuple(check_citation(citation, pages) for citation in answer.cited)
    matches = tuple(evidence_matches(required_items(question.required_evidence), checks))
    critical = [match for match in matches if match.item.is_critical] or list(matches)
    cited = bool(checks) and all(match.carried for match in critical)
    if not matches:
        cited = any(check.text for check in checks)
    correct = cited or not question.scoring.citation_required
    why = [f"{name}: {verdict.why}" for name, verdict in fields.items()]
    why += [_match_reason(match) for match in matches if question.scoring.citation_required]
    why += [f"{check.citation.shown}: {check.problem}" for check in checks if check.problem]
    return FactScore(
        score=round(EXACT_WEIGHT * exact + CITATION_WEIGHT * correct, 10),
        exact_match=exact,
        citation_correct=correct,
        partial=sum(verdict.holds for verdict in fields.values()) / len(fields) if fields else 0.0,
        fields=fields,
        evidence=matches,
        citations=checks,
        why=tuple(why),
    )


def field_verdicts(
    question: FactExpectation, text: str, pages: Sequence[str]
) -> dict[str, FieldVerdict]:
    """A verdict for each expected field, by name.

    If the answer abstains, every field is wrong except ``boolean_answer``, whose verdict takes
    abstention into account itself.
    """
    expected, scoring = question.expected, question.scoring
    required = [item.must_include for item in question.required_evidence]
    verdicts: dict[str, FieldVerdict] = {}
    if expected.boolean_answer is not None:
        verdicts["boolean_answer"] = boolean_verdict(
            text, expected.boolean_answer, question.question, required
        )
    document = [*required, *pages]
    if expected.amount_total is not None:
        verdicts["amount_total"] = amount_verdict(
            text,
            expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amount_total, document),
        )
    if expected.amount_breakdown is not None:
        verdicts["amount_breakdown"] = breakdown_verdict(
            text,
            expected.amount_breakdown,
            total=expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amount_breakdown[0], document),
        )
    if expected.count is not None:
        verdicts["count"] = count_verdict(
            text, expected.count, question.question, exact=scoring.numeric_exact
        )
    if expected.date is not None:
        verdicts["date"] = date_verdict(
            text, expected.date, exact=scoring.date_exact, context=pages
        )
    if expected.date_range is not None:
        verdicts["date_range"] = date_range_verdict(
            text, expected.date_range, exact=scoring.date_exact, context=pages
        )
    if expected.entity is not None:
        verdicts["entity"] = entity_verdict(
            text, expected.entity, pages, question=question.question
        )
    if expected.text_answer is not None:
        verdicts["text_answer"] = text_verdict(
            text, expected.text_answer, pages, question=question.question
        )
    if abstains(text, question.question):
        silent = FieldVerdict(holds=False, why="the answer abstains")
        verdicts = {
            name: silent if name != "boolean_answer" else verdict
            for name, verdict in verdicts.items()
        }
    return verdicts


def _match_reason(match: EvidenceMatch) -> str:
    name = "critical evidence" if match.item.is_critical else "evidence"
    if match.citation is None:
        return f"{name} {match.item.shown}: no citation carries it"
    return f"{name} {match.item.shown}: carried by {match.citation.shown}"
