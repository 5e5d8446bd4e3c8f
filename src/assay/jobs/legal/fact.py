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

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.checks.abstention import assess_abstention
from assay.jobs.legal.evidence import (
    CitationCheck,
    EvidenceMatch,
    check_citation,
    evidence_matches,
    required_items,
)
from assay.jobs.legal.expectation import BenchAnswer, FactExpectation
from assay.jobs.legal.field import (
    FieldVerdict,
    amount_verdict,
    boolean_verdict,
    breakdown_verdict,
    count_verdict,
    date_range_verdict,
    date_verdict,
    money_of,
    text_verdict,
)
from assay.text.date import read_dates as dates
from assay.text.lexicon import word_set
from assay.text.number import numbers
from assay.text.search_term import tokens
from assay.text.sentence import sentences

# Whether an answer reports that the sources disagree.

_LONGEST: Final = 4


def reports_conflict(text: str) -> bool:
    """Whether ``text`` says that sources contradict each other.

    >>> reports_conflict("The two lists contradict each other."), reports_conflict("双方说法不一致。")
    (True, True)
    """
    return any(word in word_set("conflict") for word in _words(text))


def gives_two_accounts(text: str) -> bool:
    """Whether ``text`` gives two values of one kind in one sentence, each with who says it.

    >>> gives_two_accounts("Fenwick names 21 April, Ms Braddock says 28 April.")
    True
    >>> gives_two_accounts("He says 21 April, so it was 21 April.")
    False
    """
    for span in sentences(text):
        sentence = span.of(text)
        sayings = sum(word in word_set("says") for word in _words(sentence))
        days = {date.iso for date in dates(sentence)}
        values = days or {f"{n.canonical} {n.unit}" for n in numbers(sentence)}
        if sayings >= 2 and len(values) == 2:
            return True
    return False


def _words(text: str) -> Iterator[str]:
    """The stems of a text, and its Chinese words up to a length."""
    found = tokens(text)
    for index, token in enumerate(found):
        yield token.key
        if "\u3400" <= token.word <= "\u9fff":
            following = found[index : index + _LONGEST]
            for size in range(2, len(following) + 1):
                yield "".join(each.word for each in following[:size])


EXACT_WEIGHT = 0.7
"""The weight of the fields."""
CITATION_WEIGHT = 0.3
"""The weight of the citations."""


class FactScore(Struct, frozen=True, kw_only=True):
    """The score of an answer, with the reasons for it.

    ``partial`` is 0 if no field is expected. ``at_least`` and ``at_most`` are given if a field is unsure:
    the values of ``score``, ``exact_match`` and ``partial`` if all such fields were wrong, or right.
    """

    score: float
    exact_match: bool
    citation_correct: bool
    partial: float
    fields: Mapping[str, FieldVerdict]
    evidence: tuple[EvidenceMatch, ...]
    citations: tuple[CitationCheck, ...]
    why: tuple[str, ...]
    at_least: Mapping[str, float] = {}
    at_most: Mapping[str, float] = {}


def fact_score(
    question: FactExpectation,
    answer: BenchAnswer,
    pages: Sequence[str],
    *,
    has_page_marks: bool = True,
) -> FactScore:
    """The score of one answer; ``pages`` are the pages of the document, if there is one.

    >>> from assay.jobs.legal.question import ExpectedFact, FactQuestion, FactScoring
    >>> question = FactQuestion(id="q", question="How many?", expected=ExpectedFact(count=3),
    ...                         scoring=FactScoring(citation_required=False))
    >>> fact_score(question, BenchAnswer(text="Three."), ["3 keys"]).score
    1.0
    """
    fields = field_verdicts(question, answer, pages)
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
    by_part = question.scoring.partial_credit is True
    holds = [verdict.holds for verdict in fields.values()]
    found = _terms(holds, correct=correct, by_part=by_part)
    unsure = any(verdict.unsure for verdict in fields.values())
    low, high = (
        _terms(
            [end if v.unsure else v.holds for v in fields.values()],
            correct=correct,
            by_part=by_part,
        )
        for end in (False, True)
    )
    return FactScore(
        score=found["score"],
        exact_match=bool(found["exact_match"]),
        citation_correct=correct,
        partial=found["partial"],
        at_least=low if unsure else {},
        at_most=high if unsure else {},
        fields=fields,
        evidence=matches,
        citations=checks,
        why=tuple(why),
    )


def _terms(holds: Sequence[bool], *, correct: bool, by_part: bool) -> dict[str, float]:
    """The terms of the score for fields that hold or do not."""
    exact = float(bool(holds) and all(holds))
    partial = sum(holds) / len(holds) if holds else 0.0
    right = partial if by_part else exact
    score = round(EXACT_WEIGHT * right + CITATION_WEIGHT * correct, 10)
    return {"score": score, "exact_match": exact, "partial": partial}


def field_verdicts(
    question: FactExpectation, answer: BenchAnswer, pages: Sequence[str]
) -> dict[str, FieldVerdict]:
    """A verdict for each expected field, by name.

    If the answer abstains, every field is wrong except those that the answer gives all the same, and
    those that the system stated by themselves.
    """
    verdicts = _value_verdicts(question, answer, pages)
    expected = question.expected
    is_silent, unsure = answer.abstained, False
    if is_silent is None:
        found = assess_abstention(answer.text, question.question)
        is_silent, unsure = found.leans_abstaining, found.outcome == "unsure"
    if is_silent and not expected.should_abstain:
        silent = FieldVerdict(holds=False, why="the answer abstains", unsure=unsure)
        said = [name for name, verdict in verdicts.items() if verdict.holds and not verdict.unsure]
        spared = () if answer.abstained else (*said, *answer.values)
        verdicts = {
            name: verdict if name in spared else silent for name, verdict in verdicts.items()
        }
    if expected.should_abstain or (expected.should_abstain is False and not verdicts):
        stance = "abstains" if is_silent else "does not abstain"
        verdicts["should_abstain"] = FieldVerdict(
            holds=is_silent == expected.should_abstain,
            why=f"the answer {stance}",
            unsure=unsure,
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
            answer.value("boolean_answer"), expected.boolean_answer, question.question
        )
    document = [*required, *pages]
    if expected.amount_total is not None:
        verdicts["amount_total"] = amount_verdict(
            answer.value("amount_total"),
            expected.amount_total,
            exact=scoring.numeric_exact,
            currency=money_of(expected.amount_total, document),
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
            answer.value("count"), expected.count, exact=scoring.numeric_exact
        )
    if expected.date is not None:
        verdicts["date"] = date_verdict(
            answer.value("date"),
            expected.date,
            exact=scoring.date_exact,
            context=pages,
        )
    if expected.date_range is not None:
        verdicts["date_range"] = date_range_verdict(
            answer.value("date_range"),
            expected.date_range,
            exact=scoring.date_exact,
            context=pages,
        )
    if expected.entity is not None:
        verdicts["entity"] = _either(answer, "entity", expected.entity, question.question)
    if expected.text_answer is not None:
        text = answer.value("text_answer")
        verdicts["text_answer"] = text_verdict(text, expected.text_answer, question.question)
    return verdicts


def _either(answer: BenchAnswer, name: str, expected: str, question: str) -> FieldVerdict:
    """The verdict on a stated field, or on the text of the answer if the field is not right."""
    stated = text_verdict(answer.value(name), expected, question)
    if stated.holds or name not in answer.values:
        return stated
    said = text_verdict(answer.text, expected, question)
    return said if said.holds else stated


def _match_reason(match: EvidenceMatch) -> str:
    name = "critical evidence" if match.item.is_critical else "evidence"
    if match.citation is None:
        return f"{name} {match.item.shown}: no citation carries it"
    return f"{name} {match.item.shown}: carried by {match.citation.shown}"
