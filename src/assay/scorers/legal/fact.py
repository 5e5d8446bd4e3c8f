"""The score of a ``fact_exact`` question.

::

    score = 0.7 · exact_match + 0.3 · citation_correct

``exact_match`` is 1 if the answer gives every expected field correctly. ``partial`` is the share
of the fields that are correct; it takes the place of ``exact_match`` if the question gives
``partial_credit``, and is only shown otherwise. ``citation_correct`` is 1
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
from assay.scorers.legal.stance import gives_two_accounts, reports_conflict

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


def fact_score(
    question: FactExpectation,
    answer: BenchAnswer,
    pages: Sequence[str],
    *,
    has_page_marks: bool = True,
) -> FactScore:
    """The score of one answer; ``pages`` are the pages of the document, if there is one.

    >>> from assay.data.legal import ExpectedFact, FactQuestion, FactScoring
    >>> question = FactQuestion(id="q", question="How many?", expected=ExpectedFact(count=3),
    ...                         scoring=FactScoring(citation_required=False))
    >>> fact_score(question, BenchAnswer(text="Three."), ["3 keys"]).score
    1.0
    """
    fields = field_verdicts(question, answer, pages)
    exact = bool(fields) and all(verdict.holds for verdict in fields.values())
    partial = sum(verdict.holds for verdict in fields.values()) / len(fields) if fields else 0.0
    checks = tuple(
        check_citation(citation, pages, has_page_marks=has_page_marks) for citation in answer.cited
    )
    matches = tuple(evidence_matches(required_items(question.required_evidence), checks))
    critical = [match for match in matches if match.item.is_critical] or list(matches)
    cited = bool(checks) and all(match.carried for match in critical)
    if not matches:
        cited = any(check.is_valid for check in checks)
    correct = cited or not question.scoring.citation_required
    why = [f"{name}: {verdict.why}" for name, verdict in fields.items()]
    why += [_match_reason(match) for match in matches if question.scoring.citation_required]
    why += [f"{check.citation.shown}: {check.problem}" for check in checks if check.problem]
    right = partial if question.scoring.partial_credit is True else exact
    return FactScore(
        score=round(EXACT_WEIGHT * right + CITATION_WEIGHT * correct, 10),
        exact_match=exact,
        citation_correct=correct,
        partial=partial,
        fields=fields,
        evidence=matches,
        citations=checks,
        why=tuple(why),
    )


def field_verdicts(
    question: FactExpectation, answer: BenchAnswer, pages: Sequence[str]
) -> dict[str, FieldVerdict]:
    """A verdict for each expected field, by name.

    If the answer abstains, every field is wrong except those that the system stated by
    themselves, and ``boolean_answer``, whose verdict takes abstention into account itself.
    """
    verdicts = _value_verdicts(question, answer, pages)
    expected = question.expected
    is_silent = answer.abstained
    if is_silent is None:
        is_silent = abstains(answer.text, question.question)
    if is_silent and not expected.should_abstain:
        silent = FieldVerdict(holds=False, why="the answer abstains")
        spared = () if answer.abstained else ("boolean_answer", *answer.values)
        verdicts = {
            name: verdict if name in spared else silent for name, verdict in verdicts.items()
        }
    if expected.should_abstain or (expected.should_abstain is False and not verdicts):
        stance = "abstains" if is_silent else "does not abstain"
        verdicts["should_abstain"] = FieldVerdict(
            holds=is_silent == expected.should_abstain, why=f"the answer {stance}"
        )
    if expected.conflict_detected:
        reported = reports_conflict(answer.text) or gives_two_accounts(answer.text)
        why = f"the answer {'reports' if reported else 'does not report'} a conflict"
        verdicts["conflict_detected"] = FieldVerdict(holds=reported, why=why)
    return verdicts


def _value_verdicts(
    question: FactExpectation, answer: BenchAnswer, pages: Sequence[str]
) -> dict[str, FieldVerdict]:
    """A verdict for each expected value, as if the answer did not abstain."""
    expected, scoring = question.expected, question.scoring
    required = [item.must_include for item in question.required_evidence]
    verdicts: dict[str, FieldVerdict] = {}
    if expected.boolean_answer is not None:
        verdicts["boolean_answer"] = boolean_verdict(
            answer.value("boolean_answer"), expected.boolean_answer, question.question, required
        )
    document = [*required, *pages]
    if expected.amount_total is not None:
        verdicts["amount_total"] = amount_verdict(
            answer.value("amount_total"),
            expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amount_total, document),
            question=question.question,
        )
    if expected.amounts is not None:
        verdicts["amount_breakdown"] = breakdown_verdict(
            answer.value("amount_breakdown"),
            expected.amounts,
            total=expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amounts[0], document),
        )
    if expected.count is not None:
        verdicts["count"] = count_verdict(
            answer.value("count"), expected.count, question.question, exact=scoring.numeric_exact
        )
    if expected.date is not None:
        verdicts["date"] = date_verdict(
            answer.value("date"),
            expected.date,
            exact=scoring.date_exact,
            context=pages,
            question=question.question,
        )
    if expected.date_range is not None:
        verdicts["date_range"] = date_range_verdict(
            answer.value("date_range"),
            expected.date_range,
            exact=scoring.date_exact,
            context=pages,
        )
    if expected.entity is not None:
        verdicts["entity"] = entity_verdict(
            answer.value("entity"), expected.entity, pages, question=question.question
        )
    if expected.text_answer is not None:
        verdicts["text_answer"] = text_verdict(
            answer.value("text_answer"), expected.text_answer, pages, question=question.question
        )
    return verdicts


def _match_reason(match: EvidenceMatch) -> str:
    name = "critical evidence" if match.item.is_critical else "evidence"
    if match.citation is None:
        return f"{name} {match.item.shown}: no citation carries it"
    return f"{name} {match.item.shown}: carried by {match.citation.shown}"
