"""The score of a ``conflict_gap`` question.

::

    score = 0.4 (abstention as it should be) + 0.4 (nothing invented) + 0.2 (quote included)

The answer abstains where it offers no answer to what was asked: it says that the document does
not tell (``assay.scorers.abstention``), or reports that its sources disagree and chooses none.
A guess after a disclaimer is an answer. ``severity`` stands apart from the score: the number of
invented details, weighted by the question's penalty.
"""

from collections.abc import Sequence

from msgspec import Struct

from assay.scorers.abstention import abstains
from assay.scorers.invention import Invention, inventions, severity
from assay.scorers.legal.answer import BenchAnswer
from assay.scorers.legal.evidence import stands_in
from assay.scorers.legal.expectation import GapExpectation
from assay.scorers.legal.stance import gives_two_accounts, leaves_open, reports_conflict

ABSTENTION_WEIGHT = 0.4
"""What silence where silence is due counts."""
INVENTION_WEIGHT = 0.4
"""What having invented nothing counts."""
QUOTE_WEIGHT = 0.2
"""What the required quote counts."""


class ConflictGapScore(Struct, frozen=True, kw_only=True):
    """The verdict on an answer, with every invented detail and its place."""

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
    """Score one answer; ``pages`` are the document's.

    >>> from assay.data.legal import GapQuestion
    >>> asked = GapQuestion(id="q", question="Who drove?", should_abstain=True,
    ...                     required_quote="I did not see")
    >>> told = BenchAnswer(text="Marcus Hale did.")
    >>> scored = conflict_gap_score(asked, told, ["I did not see his face."])
    >>> scored.score, [one.text for one in scored.invented]
    (0.0, ['Marcus Hale'])
    """
    said = answer.text
    abstained = is_silent(said)
    correct = abstained == question.should_abstain
    invented = tuple(inventions(said, (*pages, question.question)))
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


def is_silent(text: str) -> bool:
    """Whether ``text`` offers no answer: it abstains, or reports a conflict and takes no side.

    >>> is_silent("By one account 21 April, by the other 28 April."), is_silent("21 April.")
    (True, False)
    """
    ways = (abstains, reports_conflict, gives_two_accounts, leaves_open)
    return any(way(text) for way in ways)


def is_quoted(question: GapExpectation, answer: BenchAnswer) -> bool:
    """Whether the required quote is in the answer or in a citation, or none is required."""
    if not question.scoring.quote_required or question.required_quote is None:
        return True
    said = [answer.text, *(one.text or "" for one in answer.citations)]
    return any(stands_in(question.required_quote, text) for text in said)


def _reasons(
    question: GapExpectation, invented: Sequence[Invention], *, abstained: bool, quoted: bool
) -> list[str]:
    found = []
    if abstained != question.should_abstain:
        found.append(
            "the answer abstains although the document tells"
            if abstained
            else "the answer does not abstain although the document leaves this open"
        )
    found += [f"invented {one.kind}: “{one.text}”" for one in invented]
    if not quoted:
        found.append(f"the quote “{question.required_quote}” is missing")
    return found
