"""Drafting a corpus: spread, unique, the same for the same seed."""

from collections import Counter

from assay.data.corpus.chunk import Chunk
from assay.questions.draft.draft import Wanted
from assay.questions.draft.template import draft_by_template

TOWNS = ["Harlow", "Mellin", "Tarrow", "Ostwick", "Pellham", "Quarne"]


def corpus(sentences_of_one: int = 6) -> list[Chunk]:
    """A document for each town, of two chunks, with one year in each sentence."""
    chunks = []
    for number, town in enumerate(TOWNS):
        lines = [
            f"The {town} {thing} was opened by Queen Anne in {1800 + 10 * number + place}."
            for place, thing in enumerate(
                ["Bridge", "Museum", "Library", "Theatre", "Station", "Market"][:sentences_of_one]
            )
        ]
        start = 0
        for part in (lines[:3], lines[3:]):
            text = " ".join(part)
            chunks.append(
                Chunk(
                    id=f"{town}-{start}",
                    text=text,
                    source=f"{town}.txt",
                    start=start,
                    end=start + len(text),
                )
            )
            start += len(text) + 1
    return chunks


def test_the_same_seed_drafts_the_same_and_another_seed_others():
    """A set can be made again."""
    first, again, other = (
        [
            draft.row
            for draft in draft_by_template(corpus(), Wanted(count=12, seed=seed)).selection.drafts
        ]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_drafts_are_spread_over_documents_and_places():
    """Each document has as many as the others, and both halves of a document have some."""
    drafts = draft_by_template(corpus(), Wanted(count=12, kinds=("date",))).selection.drafts
    assert Counter(draft.row["source"] for draft in drafts) == dict.fromkeys(
        [f"{town}.txt" for town in TOWNS], 2
    )
    halves = {(draft.evidence[0].start or 0) > 170 for draft in drafts}
    assert halves == {True, False}


def test_evidence_and_answer_are_where_the_draft_says():
    """The offsets are those of the document, and the answer is in the evidence."""
    texts: dict[str, str] = {}
    for chunk in corpus():
        texts[chunk.source] = (
            f"{texts[chunk.source]} {chunk.text}" if chunk.source in texts else chunk.text
        )
    for draft in draft_by_template(corpus(), Wanted(count=40)).selection.drafts:
        for item in draft.evidence:
            assert texts[item.source][item.start : item.end] == item.text
        if draft.kind in {"date", "number", "fact"}:
            assert draft.answers[0] in draft.evidence[0].text


def test_a_question_that_two_documents_answer_differently_is_left_out():
    """Nobody could say which notice period is meant."""
    chunks = [
        Chunk(id=name, text=f"The Notice Period of Owl Ltd was changed in {year}.", source=name)
        for name, year in (("a.txt", 1991), ("b.txt", 1992))
    ]
    drafted = draft_by_template(chunks, Wanted(count=10, kinds=("date",)))
    assert drafted.selection.drafts == ()
    assert drafted.selection.left_out == {"the same question has several answers": 2}


def test_what_two_chunks_share_is_asked_once():
    """Chunks overlap."""
    text = "The Harlow Bridge was opened by Queen Anne in 1874."
    chunks = [Chunk(id=str(n), text=text, source="a.txt", start=0, end=len(text)) for n in range(2)]
    assert len(draft_by_template(chunks, Wanted(kinds=("date",))).selection.drafts) == 1
