"""The score of a ``conflict_gap`` question.

::

    score = 0.4 (correct abstention) + 0.4 (nothing invented) + 0.2 (quote included)

The answer abstains if it offers no answer to the question: it says that the document does not
tell (``assay.scorers.abstention``), or it reports that the sources disagree and chooses none of
them. A guess after a disclaimer is an answer. ``severity`` is not part of the score: it is the
number of invented details, weighted by the penalty of the question.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from assay.scorers.abstention import abstains
from assay.scorers.invention import Invention, inventions, severity
from assay.scorers.legal.answer import BenchAnswer
from assay.scorers.legal.evidence import stands_in
from assay.scorers.legal.expectation import GapExpectation
from assay.scorers.legal.stance import gives_two_accounts, leaves_open, reports_conflict
from assay.text import find_phrase

ABSTENTION_WEIGHT = 0.4
"""The weight of abstaining if, and only if, the question requires it."""
INVENTION_WEIGHT = 0.4
"""The weight of an answer without invented details."""
QUOTE_WEIGHT = 0.2
"""The weight of the required quote."""


class ConflictGapScore(Struct, frozen=True, kw_only=True):
    """The score of an answer, with every invented detail and its position."""

    score: float
    abstained: bool
    correct_abstention: bool
    no_hallucination: bool
    quote_included: bool
    invented: tuple[Invention, ...]
    severity: float
    why: tuple[str, ...]


def conflict_gap_score(
    question: GapExpectation, answer: BenchAnswer, pages: Sequence[str]
) -> ConflictGapScore:
    """The score of one answer; ``pages`` are the pages of the document.

    >>> from assay.data.legal import GapQuestion
    >>> question = GapQuestion(id="q", question="Who drove?", should_abstain=True,
    ...                        required_quote="I did not see")
    >>> answer = BenchAnswer(text="Marcus Hale did.")
    >>> result = conflict_gap_score(question, answer, ["I did not see his face."])
    >>> result.score, [invention.text for invention in result.invented]
    (0.0, ['Marcus Hale'])
    """
    own_words = _without_quote(answer.text, question.required_quote)
    abstained = any(is_silent(text, question.question) for text in {answer.text, own_words})
    correct = abstained == question.should_abstain
    invented = tuple(inventions(answer.text, (*pages, question.question)))
    quoted = is_quoted(question, answer)
    return ConflictGapScore(
        score=round(
            ABSTENTION_WEIGHT * correct + INVENTION_WEIGHT * (not invented) + QUOTE_WEIGHT * quoted,
            10,
        ),
        abstained=abstained,
        correct_abstention=correct,
        no_hallucination=not invented,
        quote_included=quoted,
        invented=invented,
        severity=severity(invented, question.hallucination_penalty),
        why=tuple(_reasons(question, invented, abstained=abstained, quoted=quoted)),
    )


def is_silent(text: str, question: str | None = None) -> bool:
    """Whether ``text`` offers no answer: it abstains, or reports a conflict and takes no side.

    >>> is_silent("By one account 21 April, by the other 28 April."), is_silent("21 April.")
    (True, False)
    """
    if abstains(text, question):
        return True
    return any(check(text) for check in (reports_conflict, gives_two_accounts, leaves_open))


def _without_quote(text: str, quote: str | None) -> str:
    """The text without the quote that the question requires: it shows the gap and fills none.

    A text that consists of the quote alone is returned unchanged.
    """
    rest = text
    for part in filter(None, re.split(r"…+|\.{3,}", quote or "")):
        span = find_phrase(part, rest)
        if span is not None:
            rest = rest[: span.start] + " " * (span.end - span.start) + rest[span.end :]
    return rest if any(map(str.isalnum, rest)) else text


def is_quoted(question: GapExpectation, answer: BenchAnswer) -> bool:
    """Whether the answer or a citation contains the required quote, or none is required."""
    if not question.scoring.quote_required or question.required_quote is None:
        return True
    texts = [answer.text, *(citation.text or "" for citation in answer.citations)]
    return any(stands_in(question.required_quote, text) for text in texts)


def _reasons(
    question: GapExpectation, invented: Sequence[Invention], *, abstained: bool, quoted: bool
) -> list[str]:
    reasons = []
    if abstained != question.should_abstain:
        reasons.append(
            "the answer abstains although the document tells"
            if abstained
            else "the answer does not abstain although the document leaves this open"
        )
    reasons += [f"invented {invention.kind}: “{invention.text}”" for invention in invented]
    if not quoted:
        reasons.append(f"the quote “{question.required_quote}” is missing")
    return reasons
