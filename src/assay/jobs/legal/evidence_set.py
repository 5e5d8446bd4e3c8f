"""The score of an ``evidence_set`` question.

::

    recall    = required items supported / required items
    precision = retrieved pieces that support an item / retrieved pieces
    score     = 0.5 (recall ≥ its minimum) + 0.3 (precision ≥ its minimum) + 0.2 (citation given)

The required items are the required evidence and the key points. The retrieved pieces are the
evidence or the citations that the system returned with their words or, if there are none, the statements of
the answer except those that only abstain: a bare page number shows nothing that was not said. A piece supports an item if it contains the item's
words or states its key point. A statement of the answer supports a key point also if the answer
has citations. A statement that the document does not tell supports only the items that it quotes.
If nothing is retrieved, precision is undefined and does not reach its minimum.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from assay.checks.abstention import abstains
from assay.jobs.legal.evidence import (
    Item,
    check_citation,
    is_stated,
    required_items,
    shared_share,
    stands_in,
    supports_item,
)
from assay.jobs.legal.expectation import BenchAnswer, EvidenceExpectation
from assay.text.citation import without_citations
from assay.text.sentence import sentences

RECALL_WEIGHT = 0.5
"""The weight of a recall that reaches its minimum."""
PRECISION_WEIGHT = 0.3
"""The weight of a precision that reaches its minimum."""
CITATION_WEIGHT = 0.2
"""The weight of citing anything at all."""
SHOWN = 1 / 3
"""The least share of a key point's words in the citation of its evidence that shows it."""


class RetrievedPiece(Struct, frozen=True, kw_only=True):
    """A citation or statement of the answer, and the indices of the items that it supports."""

    shown: str
    items: tuple[int, ...]
    text: str = ""
    problem: str | None = None


class EvidenceSetScore(Struct, frozen=True, kw_only=True):
    """The score of an answer. ``recall`` is ``None`` if nothing is required.

    ``found`` and ``missing`` are indices of the required items. ``count_met`` says whether at
    least ``evidence_count_min`` items were found; it is shown and not part of the score.
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
    question: EvidenceExpectation,
    answer: BenchAnswer,
    pages: Sequence[str],
    *,
    has_page_marks: bool = True,
) -> EvidenceSetScore:
    """The score of one answer; ``pages`` are the pages of the document, if there is one.

    >>> from assay.jobs.legal.question import EvidenceQuestion, ExpectedEvidence, RequiredEvidence
    >>> question = EvidenceQuestion(id="q", question="?", expected=ExpectedEvidence(),
    ...     required_evidence=(RequiredEvidence(page=1, must_include="paid back £900"),))
    >>> answer = BenchAnswer(text="He paid back £900.")
    >>> evidence_set_score(question, answer, ["I paid back £900."]).score
    0.8
    """
    items = required_items(question.required_evidence, question.expected.key_points)
    retrieved = _retrieved_pieces(answer, items, pages, has_page_marks=has_page_marks)
    supported = {index for piece in retrieved for index in piece.items}
    supported |= _stated_key_points(answer, items, pages)
    supported |= _shown_key_points(items, retrieved)
    found = tuple(sorted(supported))
    evidence_count = len(question.required_evidence)
    counted = [index for index in found if index < evidence_count or not evidence_count]
    missing = tuple(index for index in range(len(items)) if index not in found)
    recall = len(found) / len(items) if items else None
    relevant = sum(bool(piece.items) for piece in retrieved)
    precision = relevant / len(retrieved) if retrieved else None
    scoring = question.scoring
    recall_met = recall is None or recall >= scoring.evidence_recall_min
    precision_met = precision is not None and precision >= scoring.evidence_precision_min
    cited = bool(answer.cited) or not scoring.citation_required
    why = [f"missing: {items[index].shown}" for index in missing]
    why += [
        f"{piece.shown}: {piece.problem or 'carries nothing required'}"
        for piece in retrieved
        if not piece.items
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
        count_met=len(counted) >= question.expected.evidence_count_min,
        retrieved=retrieved,
        why=tuple(why),
    )


def _retrieved_pieces(
    answer: BenchAnswer, items: Sequence[Item], pages: Sequence[str], *, has_page_marks: bool
) -> tuple[RetrievedPiece, ...]:
    cited = [passage for passage in answer.evidence or answer.cited if passage.text]
    if not cited:  # a bare page shows nothing that was not said
        return tuple(_stated_pieces(without_citations(answer.text, pages=True), items, pages))
    checks = [check_citation(passage, pages, has_page_marks=has_page_marks) for passage in cited]
    return tuple(
        RetrievedPiece(
            shown=check.citation.shown,
            items=tuple(index for index, item in enumerate(items) if supports_item(item, check)),
            text=check.text,
            problem=check.problem,
        )
        for check in checks
    )


def _stated_key_points(
    answer: BenchAnswer, items: Sequence[Item], pages: Sequence[str]
) -> set[int]:
    """The key points that the text of the answer states, whatever it cites."""
    pieces = _stated_pieces(without_citations(answer.text, pages=True), items, pages)
    return {index for piece in pieces for index in piece.items if items[index].is_key_point}


def _shown_key_points(items: Sequence[Item], retrieved: Sequence[RetrievedPiece]) -> set[int]:
    """The key points of retrieved evidence whose cited words share enough words with them."""
    return {
        position
        for position, point in enumerate(items)
        if point.is_key_point
        for piece in retrieved
        for index in piece.items
        if items[index].key_point == point.must_include
        and shared_share(point.must_include, piece.text) >= SHOWN
    }


def _stated_pieces(
    text: str, items: Sequence[Item], pages: Sequence[str]
) -> Iterator[RetrievedPiece]:
    """The statements of the answer, without those that abstain and support no item."""
    for sentence in (span.of(text) for span in sentences(text)):
        is_silent = abstains(sentence)
        supported = tuple(
            index
            for index, item in enumerate(items)
            if is_stated(item, sentence, pages)
            and not (is_silent and not stands_in(item.must_include, sentence))
        )
        if supported or (any(map(str.isalnum, sentence)) and not is_silent):
            yield RetrievedPiece(shown=f"“{sentence}”", items=supported, text=sentence)
