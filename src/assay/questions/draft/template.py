"""All drafts about one document: its questions and answers, its tables, and what its sentences say."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from random import Random

from msgspec import Struct

from assay.data.corpus.chunk import Chunk
from assay.questions.draft.draft import (
    Draft,
    DraftPool,
    DraftSource,
    Selection,
    Wanted,
    select,
    text_start,
)
from assay.questions.draft.layout import PassageText, faq_drafts, table_drafts
from assay.questions.draft.statement import Letters, Statement, statements, wording
from assay.questions.draft.statement_question import YEAR, Written, questions_about
from assay.text.language import language


class _Said(Struct, frozen=True, kw_only=True):
    """A statement with the questions about it."""

    statement: Statement
    evidence: DraftSource
    questions: tuple[Written, ...]


class DocumentDrafts(Struct, frozen=True, kw_only=True):
    """The drafts about a document, and the number of its sentences that can be understood alone."""

    drafts: tuple[Draft, ...]
    statements: int


def document_drafts(source: str, passages: Sequence[PassageText], seed: int) -> DocumentDrafts:
    """Everything that can be asked about a document without a model; the same for the same seed."""
    whole = "\n\n".join(passage.text for passage in passages)
    random = Random(f"{seed}:{source}")  # noqa: S311 - no secret
    words = wording(language(whole))
    letters = Letters(whole, words)
    years = frozenset(YEAR.findall(whole))
    said = list(_said(source, passages, letters))
    drafts = [
        *faq_drafts(source, passages),
        *table_drafts(source, passages),
        *(draft for item in said for draft in _about_one(item)),
        *(draft for item in said for draft in _unanswerable(item, years, random)),
    ]
    return DocumentDrafts(drafts=tuple(drafts), statements=len(said))


def _said(source: str, passages: Sequence[PassageText], letters: Letters) -> Iterator[_Said]:
    """The statements of all passages; what two passages share is taken once."""
    seen: set[str] = set()
    for passage in passages:
        for statement in statements(passage.text):
            if statement.evidence in seen:
                continue
            seen.add(statement.evidence)
            yield _Said(
                statement=statement,
                evidence=passage.evidence(source, statement.span),
                questions=tuple(questions_about(statement, letters)),
            )


def _about_one(item: _Said) -> Iterator[Draft]:
    for question in item.questions:
        answer = item.statement.located(question.answer)
        if answer is not None:
            yield Draft(
                kind=question.kind,
                question=question.text,
                answers=(answer,),
                evidence=(item.evidence,),
                language=item.statement.language,
            )


def _other_year(year: str, years: frozenset[str], random: Random) -> str:
    """A year near ``year`` that the document does not mention."""
    near = [str(int(year) + step) for step in range(-12, 13) if abs(step) > 1]
    free = [text for text in near if text not in years and 1000 <= int(text) <= 2020]
    return random.choice(free or near)


def _unanswerable(item: _Said, years: frozenset[str], random: Random) -> Iterator[Draft]:
    """A question about what the document says of one year only, asked about another year."""
    found = YEAR.findall(item.statement.text)
    if len(found) != 1 or not any(question.is_event for question in item.questions):
        return
    for question in item.questions:
        if found[0] in question.text:
            other = _other_year(found[0], years, random)
            yield _not_told(item, question.text.replace(found[0], other))
            return


def _not_told(item: _Said, question: str) -> Draft:
    return Draft(
        kind="unanswerable",
        question=question,
        answers=(),
        evidence=(item.evidence,),
        language=item.statement.language,
    )


# Drafting questions from a corpus without a model.


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
    documents, statements = 0, 0
    silent: list[str] = []
    for source, passages in _documents(chunks):
        found = document_drafts(source, passages, seed)
        pool.add(draft for draft in found.drafts if draft.kind in kinds)
        documents += 1
        statements += found.statements
        if not found.drafts:
            silent.append(source)
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
    return PassageText(
        id=chunk.id, text=chunk.text, start=text_start(chunk), heading=chunk.heading or ""
    )
