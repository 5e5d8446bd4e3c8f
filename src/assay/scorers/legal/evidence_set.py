"""The score of an ``evidence_set`` question.

::

    recall    = required items carried / required items
    precision = retrieved pieces that carry an item / retrieved pieces
    score     = 0.5 (recall ≥ its minimum) + 0.3 (precision ≥ its minimum) + 0.2 (citation given)

What is retrieved is the citations; where there are none, the statements of the answer, those
that only abstain left out. A piece carries an item where it has the item's words or says its
key point. That the document does not tell carries nothing but what is quoted beside it. With
nothing retrieved, precision is undefined and meets no minimum.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from assay.scorers.abstention import DOCUMENT, abstention
from assay.scorers.legal.answer import BenchAnswer
from assay.scorers.legal.evidence import (
    Item,
    check_citation,
    is_stated,
    required_items,
    stands_in,
    supports_item,
)
from assay.scorers.legal.expectation import EvidenceExpectation
from assay.text import Span, sentences, words

RECALL_WEIGHT = 0.5
"""What a recall that reaches its minimum counts."""
PRECISION_WEIGHT = 0.3
"""What a precision that reaches its minimum counts."""
CITATION_WEIGHT = 0.2
"""What having cited anything counts."""


class RetrievedPiece(Struct, frozen=True, kw_only=True):
    """A piece the answer brought forward, and the places of the items it carries."""

    shown: str
    items: tuple[int, ...]
    problem: str | None = None


class EvidenceSetScore(Struct, frozen=True, kw_only=True):
    """The verdict on an answer. ``recall`` is ``None`` where nothing is required.

    ``count_met`` says whether as many items were found as ``evidence_count_min`` asks; it is
    shown, not scored.
    """

    score: float
    found: tuple[int, ...]
    missing: tuple[int, ...]
    recall: float | None
    precision: float | None
    recall_met: bool
    precision_met: bool
    citation_provided: bool
    count_met: bool
    retrieved: tuple[RetrievedPiece, ...]
    why: tuple[str, ...]


def evidence_set_score(
    question: EvidenceExpectation, answer: BenchAnswer, pages: Sequence[str]
) -> EvidenceSetScore:
    """Score one answer; ``pages`` are the document's.

    >>> from assay.data.legal import EvidenceQuestion, ExpectedEvidence, RequiredEvidence
    >>> asked = EvidenceQuestion(id="q", question="?", expected=ExpectedEvidence(),
    ...     required_evidence=(RequiredEvidence(page=1, must_include="paid back £900"),))
    >>> evidence_set_score(asked, BenchAnswer(text="He paid back £900."), ["I paid back £900."]).score
    0.8
    """
    items = required_items(question.required_evidence, question.expected.key_points)
    retrieved = _retrieved(answer, items, pages)
    found = tuple(sorted({place for one in retrieved for place in one.items}))
    missing = tuple(place for place in range(len(items)) if place not in found)
    recall = len(found) / len(items) if items else None
    relevant = sum(bool(one.items) for one in retrieved)
    precision = relevant / len(retrieved) if retrieved else None
    scoring = question.scoring
    recall_met = recall is None or recall >= scoring.evidence_recall_min
    precision_met = precision is not None and precision >= scoring.evidence_precision_min
    cited = bool(answer.cited) or not scoring.citation_required
    why = [f"missing: {items[place].shown}" for place in missing]
    why += [
        f"{one.shown}: {one.problem or 'carries nothing required'}"
        for one in retrieved
        if not one.items
    ]
    if not cited:
        why.append("nothing is cited")
    return EvidenceSetScore(
        score=round(
            RECALL_WEIGHT * recall_met + PRECISION_WEIGHT * precision_met + CITATION_WEIGHT * cited,
            10,
        ),
        found=found,
        missing=missing,
        recall=recall,
        precision=precision,
        recall_met=recall_met,
        precision_met=precision_met,
        citation_provided=cited,
        count_met=len(found) >= question.expected.evidence_count_min,
        retrieved=retrieved,
        why=tuple(why),
    )


def _retrieved(
    answer: BenchAnswer, items: Sequence[Item], pages: Sequence[str]
) -> tuple[RetrievedPiece, ...]:
    if not answer.cited:
        return tuple(_stated(answer.text, items, pages))
    checks = [check_citation(one, pages) for one in answer.cited]
    return tuple(
        RetrievedPiece(
            shown=check.citation.shown,
            items=tuple(place for place, item in enumerate(items) if supports_item(item, check)),
            problem=check.problem,
        )
        for check in checks
    )


def _stated(text: str, items: Sequence[Item], pages: Sequence[str]) -> Iterator[RetrievedPiece]:
    """The statements of the answer; one that gives nothing and abstains is none."""
    for said in (span.of(text) for span in sentences(text)):
        silence = abstention(said)
        found = tuple(
            place
            for place, item in enumerate(items)
            if is_stated(item, said, pages)
            and not (silence.is_abstention and _is_only_silence(item, said, silence.phrases))
        )
        if found or (any(map(str.isalnum, said)) and not silence.is_abstention):
            yield RetrievedPiece(shown=f"“{said}”", items=found)


def _is_only_silence(item: Item, said: str, phrases: Sequence[Span]) -> bool:
    """Whether a statement that abstains only resembles an item that denies something too."""
    if stands_in(item.must_include, said):
        return False
    if DOCUMENT.search(said):
        return True
    beside = said
    for phrase in phrases:
        beside = beside[: phrase.start] + " " * (phrase.end - phrase.start) + beside[phrase.end :]
    wordings = f"{item.must_include}\n{item.key_point or ''}"
    return not set(words(beside)) & set(words(wordings))
