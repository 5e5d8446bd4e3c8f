"""The score of a ``conflict_gap`` question.

::

    score = 0.4 (correct abstention) + 0.4 (nothing invented) + 0.2 (quote included)

The answer abstains if it offers no answer to the question: it says that the document does not
tell (``assay.checks``), or it reports that the sources disagree and chooses none of
them. A guess after a disclaimer is an answer. A question about a conflict that need not be left
open is answered correctly by reporting the conflict. ``severity`` is not part of the score: it is
the number of invented details, weighted by the penalty of the question.

If inventions are not checked (``hallucination_check: none``, or no document), their term is
undefined and the other two are scaled to 1::

    score = (0.4 (correct abstention) + 0.2 (quote included)) / 0.6
"""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from assay.checks.abstention import assess_abstention
from assay.checks.invention import SEVERITY, Invention, Penalty, inventions, severity
from assay.jobs.legal.evidence import stands_in
from assay.jobs.legal.expectation import BenchAnswer, GapExpectation
from assay.jobs.legal.fact import gives_two_accounts, reports_conflict
from assay.text.search_term import find_phrase
from assay.words.message import Message

ABSTENTION_WEIGHT = 0.4
"""The weight of abstaining if, and only if, the question requires it."""
INVENTION_WEIGHT = 0.4
"""The weight of an answer without invented details."""
QUOTE_WEIGHT = 0.2
"""The weight of the required quote."""
_SCALED = "the score is made of abstention and quote alone, scaled to 1"


class ConflictGapScore(Struct, frozen=True, kw_only=True):
    """The score of an answer, with every invented detail and its position.

    ``at_least`` and ``at_most`` are given if it is unsure whether the answer abstains.

    ``no_hallucination`` is ``None`` if inventions are not checked; ``notes`` say why. Without a
    document ``severity`` is ``None``, too.
    """

    score: float
    abstained: bool
    correct_abstention: bool
    no_hallucination: bool | None
    quote_included: bool
    invented: tuple[Invention, ...]
    severity: float | None
    why: tuple[str, ...]
    notes: tuple[Message | str, ...] = ()
    at_least: Mapping[str, float] = {}
    at_most: Mapping[str, float] = {}


def conflict_gap_score(
    question: GapExpectation, answer: BenchAnswer, pages: Sequence[str]
) -> ConflictGapScore:
    """The score of one answer; ``pages`` are the pages of the document, if there is one.

    >>> from assay.jobs.legal.question import GapQuestion
    >>> question = GapQuestion(id="q", question="Who drove?", should_abstain=True,
    ...                        required_quote="I did not see")
    >>> answer = BenchAnswer(text="Marcus Hale did.")
    >>> result = conflict_gap_score(question, answer, ["I did not see his face."])
    >>> result.score, [invention.text for invention in result.invented]
    (0.0, ['Marcus Hale'])
    """
    abstained, unsure = answer.abstained, False
    if abstained is None:
        found = assess_abstention(answer.text, question.question)
        unsure = found.outcome == "unsure" and not question.must_report_conflict
        own_words = _without_quotes(answer.text, question.quotes)
        abstained = any(is_silent(text, question.question) for text in {answer.text, own_words})
    if question.must_report_conflict:
        correct = reports_conflict(answer.text) or gives_two_accounts(answer.text)
    else:
        correct = abstained == question.must_abstain
    invented = tuple(inventions(answer.text, (*pages, question.question))) if pages else ()
    quoted = is_quoted(question, answer)
    notes = _unchecked(question, pages)

    def score(abstention: float) -> float:
        terms = ABSTENTION_WEIGHT * abstention + QUOTE_WEIGHT * quoted
        if notes:
            return round(terms / (ABSTENTION_WEIGHT + QUOTE_WEIGHT), 10)
        return round(terms + INVENTION_WEIGHT * (not invented), 10)

    def bounds(end: float) -> dict[str, float]:
        return {"score": score(end), "correct_abstention": end} if unsure else {}

    return ConflictGapScore(
        score=score(correct),
        at_least=bounds(0.0),
        at_most=bounds(1.0),
        abstained=abstained,
        correct_abstention=correct,
        no_hallucination=None if notes else not invented,
        quote_included=quoted,
        invented=invented,
        severity=severity(invented, _penalty(question)) if pages else None,
        why=tuple(
            _reasons(question, invented, abstained=abstained, correct=correct, quoted=quoted)
        ),
        notes=notes,
    )


def _unchecked(question: GapExpectation, pages: Sequence[str]) -> tuple[str, ...]:
    """Why inventions are not part of the score; empty if they are."""
    if not question.scoring.checks_inventions:
        return (f"hallucination_check is none: {_SCALED}",)
    return () if pages else (f"without a document inventions cannot be checked: {_SCALED}",)


def _penalty(question: GapExpectation) -> Penalty:
    """The penalty of a question; a level of its own weighs as much as the highest."""
    penalty = question.penalty
    is_other = isinstance(penalty, str) and penalty.lower() not in SEVERITY
    return "high" if is_other else penalty


def is_silent(text: str, question: str | None = None) -> bool:
    """Whether ``text`` offers no answer: it abstains, or reports a conflict and takes no side.

    >>> is_silent("By one account 21 April, by another account 28 April."), is_silent("21 April.")
    (True, False)
    """
    if assess_abstention(text, question).leans_abstaining:
        return True
    return reports_conflict(text) or gives_two_accounts(text)


def _without_quotes(text: str, quotes: Sequence[str]) -> str:
    """The text without the quotes of the question: they show the gap and fill none.

    A text that consists of quotes alone is returned unchanged.
    """
    rest = text
    for part in (part for quote in quotes for part in re.split(r"…+|\.{3,}", quote) if part):
        span = find_phrase(part, rest)
        if span is not None:
            rest = rest[: span.start] + " " * (span.end - span.start) + rest[span.end :]
    return rest if any(map(str.isalnum, rest)) else text


def is_quoted(question: GapExpectation, answer: BenchAnswer) -> bool:
    """Whether the answer or a citation contains one of the quotes, or none is required."""
    if not question.scoring.quote_required or not question.quotes:
        return True
    texts = [answer.text, *(citation.text or "" for citation in answer.cited)]
    return any(stands_in(quote, text) for quote in question.quotes for text in texts)


def wrong_stance(question: GapExpectation, *, abstained: bool) -> str:
    """What is wrong with the stance of an answer, in words."""
    if question.must_report_conflict:
        return "the answer does not say that the sources disagree"
    if abstained:
        return "the answer abstains although the document tells"
    return "the answer does not abstain although the document leaves this open"


def _reasons(
    question: GapExpectation,
    invented: Sequence[Invention],
    *,
    abstained: bool,
    correct: bool,
    quoted: bool,
) -> list[str]:
    reasons = [] if correct else [wrong_stance(question, abstained=abstained)]
    reasons += [f"invented {invention.kind}: “{invention.text}”" for invention in invented]
    if not quoted:
        reasons.append(f"the quote “{question.quotes[0]}” is missing")
    return reasons
