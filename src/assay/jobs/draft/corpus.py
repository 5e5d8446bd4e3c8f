"""Drafting questions from a corpus without a model."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from random import Random
from typing import Final

from msgspec import Struct

from assay.data.corpus import Chunk
from assay.jobs.draft.kind import Wanted
from assay.jobs.draft.pool import DraftPool
from assay.jobs.draft.selection import Selection, select
from assay.jobs.draft.template import Event, PassageText, compared, document_drafts

_EVENTS_OF_ONE: Final = 4


class Drafted(Struct, frozen=True, kw_only=True):
    """The drafts about a corpus. ``silent`` are the documents about which nothing was found.

    ``statements`` is the number of sentences that can be understood alone.
    """

    selection: Selection
    documents: int
    statements: int
    silent: tuple[str, ...]


def draft_by_template(chunks: Iterable[Chunk], wanted: Wanted) -> Drafted:
    """Draft questions by the rules of three languages; the same for the same seed."""
    count, kinds, seed = wanted.count, wanted.kinds, wanted.seed
    pool = DraftPool(count, seed)
    events: list[Event] = []
    documents, statements = 0, 0
    silent: list[str] = []
    for source, passages in _documents(chunks):
        found = document_drafts(source, passages, seed)
        pool.add(draft for draft in found.drafts if draft.kind in kinds)
        events.extend(found.events[:_EVENTS_OF_ONE])
        documents += 1
        statements += found.statements
        if not found.drafts:
            silent.append(source)
    if "multi_document" in kinds:
        pool.add(compared(events, "multi_document", Random(seed)))  # noqa: S311 - no secret
    return Drafted(
        selection=select(pool, count, kinds),
        documents=documents,
        statements=statements,
        silent=tuple(silent),
    )


def _documents(chunks: Iterable[Chunk]) -> Iterator[tuple[str, list[PassageText]]]:
    """The passages of each document; the chunks of a document follow each other."""
    for source, group in groupby(chunks, key=lambda chunk: chunk.source):
        yield source, [_passage(chunk) for chunk in group]


def _passage(chunk: Chunk) -> PassageText:
    """A chunk; its place is left out if its text is not exactly that of the document there."""
    is_exact = chunk.start is not None and chunk.end == chunk.start + len(chunk.text)
    return PassageText(id=chunk.id, text=chunk.text, start=chunk.start if is_exact else None)
