"""All drafts about one document: what its statements say, and what they say together."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from random import Random
from typing import Final

from msgspec import Struct

from assay.data.corpus.chunk import Chunk
from assay.questions.draft.draft import (
    Draft,
    DraftPool,
    DraftSource,
    Kind,
    Selection,
    Wanted,
    select,
    text_start,
)
from assay.questions.draft.statement import (
    Letters,
    Statement,
    Wording,
    capitalised,
    inverted,
    names_something,
    statements,
    text_size,
    without,
    wording,
)
from assay.questions.draft.statement_question import YEAR, Written, questions_about
from assay.text.language import Language, language

_DIGITS: Final = re.compile(r"\d")
_LONGEST_EVENT: Final = {"en": 24, "ru": 20, "zh": 40}
_MOST_PAIRS: Final = 12


class PassageText(Struct, frozen=True, kw_only=True):
    """A passage of a document. ``start`` is its offset there; None if that is not known."""

    id: str
    text: str
    start: int | None = None


class Event(Struct, frozen=True, kw_only=True):
    """What happened in a year."""

    text: str
    year: int
    language: Language
    evidence: DraftSource


class _Said(Struct, frozen=True, kw_only=True):
    """A statement in its passage, with the questions about it."""

    statement: Statement
    evidence: DraftSource
    passage: PassageText
    questions: tuple[Written, ...]


class DocumentDrafts(Struct, frozen=True, kw_only=True):
    """The drafts about a document, and its events, which can be compared with those of others."""

    drafts: tuple[Draft, ...]
    events: tuple[Event, ...]
    statements: int


def document_drafts(source: str, passages: Sequence[PassageText], seed: int) -> DocumentDrafts:
    """Everything that can be asked about a document without a model; the same for the same seed."""
    whole = "\n\n".join(passage.text for passage in passages)
    random = Random(f"{seed}:{source}")  # noqa: S311 - no secret
    words = wording(language(whole))
    letters = Letters(whole, words)
    years = frozenset(YEAR.findall(whole))
    said = list(_said(source, passages, letters))
    events = [event for item in said if (event := _event(item)) is not None]
    drafts = [
        *(draft for item in said for draft in _about_one(item)),
        *(draft for item in said for draft in _yes_no(item, letters, years, random)),
        *(draft for item in said for draft in _unanswerable(item, letters, years, random)),
        *compared(events, "comparison", random),
        *_joined(said, random),
    ]
    return DocumentDrafts(drafts=tuple(drafts), events=tuple(events), statements=len(said))


def _said(source: str, passages: Sequence[PassageText], letters: Letters) -> Iterator[_Said]:
    """The statements of all passages; what two passages share is taken once."""
    seen: set[str] = set()
    for passage in passages:
        for statement in statements(passage.text):
            if statement.evidence in seen:
                continue
            seen.add(statement.evidence)
            at = statement.span
            start = None if passage.start is None else passage.start + at.start
            evidence = DraftSource(
                source=source,
                text=statement.evidence,
                start=start,
                end=None if start is None else start + len(statement.evidence),
            )
            questions = tuple(questions_about(statement, letters))
            yield _Said(
                statement=statement, evidence=evidence, passage=passage, questions=questions
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
                is_cloze=question.is_cloze,
                is_general=question.is_general,
            )


def _yes_no(
    item: _Said, letters: Letters, years: frozenset[str], random: Random
) -> Iterator[Draft]:
    """Whether a statement is true, as it is or with another year."""
    statement, words = item.statement, wording(item.statement.language)
    found = YEAR.findall(statement.text)
    is_event = any(question.is_event for question in item.questions)
    if len(found) != 1 or not is_event:
        return
    if text_size(statement.text, statement.language) > words.statement["longest_cloze"]:
        return
    is_true = random.random() < 0.5
    text = statement.text
    if not is_true:
        text = text.replace(found[0], _other_year(found[0], years, random))
    question = _asked_whether(text.rstrip(".。"), statement, letters)
    if question is not None:
        yield Draft(
            kind="yes_no",
            question=question,
            answers=tuple(words.text["yes_no"]["yes" if is_true else "no"]),
            evidence=(item.evidence,),
            language=statement.language,
            is_general=statement.is_vague or not names_something(statement.text, words),
        )


def _asked_whether(clause: str, statement: Statement, letters: Letters) -> str | None:
    words = wording(statement.language)
    if words.verbs is not None and "," not in clause and statement.is_simple:
        order = inverted(clause, words.verbs, letters)
        if order is not None:
            return f"{capitalised(order)}?"
    inside = clause if words.language == "zh" else letters.inside(clause)
    if inside is None:
        return None
    return str(words.text["yes_no"]["question"]).replace("{clause}", inside)


def _other_year(year: str, years: frozenset[str], random: Random) -> str:
    """A year near ``year`` that the document does not mention."""
    near = [str(int(year) + step) for step in range(-12, 13) if abs(step) > 1]
    free = [text for text in near if text not in years and 1000 <= int(text) <= 2020]
    return random.choice(free or near)


def _unanswerable(
    item: _Said, letters: Letters, years: frozenset[str], random: Random
) -> Iterator[Draft]:
    """A question about something that the document nearly says: in another year, or without one."""
    statement, words = item.statement, wording(item.statement.language)
    found = YEAR.findall(statement.text)
    if statement.is_vague:
        return
    is_event = any(question.is_event for question in item.questions)
    for question in item.questions:
        if is_event and len(found) == 1 and found[0] in question.text and not question.is_cloze:
            other = _other_year(found[0], years, random)
            yield _not_told(item, question.text.replace(found[0], other))
            return
    if found or _DIGITS.search(item.passage.text) or not statement.is_simple:
        return
    clause = statement.text.rstrip(".。")
    if "," in clause or not words.statement["past"].search(clause):
        return
    if "，" in clause or not names_something(clause, words):
        return
    asked = _asked_when(clause, letters, words)
    if asked is not None:
        yield _not_told(item, asked)


def _asked_when(clause: str, letters: Letters, words: Wording) -> str | None:
    pattern = str(words.text["unanswerable"]["question"])
    if words.verbs is not None:
        order = inverted(clause, words.verbs, letters)
        if order is None or not order.startswith(("did ", "was ", "were ")):
            return None
        return pattern.replace("{inverted}", order)
    inside = clause if words.language == "zh" else letters.inside(clause)
    return None if inside is None else pattern.replace("{clause}", inside)


def _not_told(item: _Said, question: str) -> Draft:
    return Draft(
        kind="unanswerable",
        question=question,
        answers=(),
        evidence=(item.evidence,),
        language=item.statement.language,
    )


def _event(item: _Said) -> Event | None:
    """What happened, if the statement says in which year and can do without it."""
    statement, words = item.statement, wording(item.statement.language)
    found = YEAR.findall(statement.text)
    if len(found) != 1 or not statement.is_simple:
        return None
    slots = [
        question.slot for question in item.questions if question.is_event and not question.is_cloze
    ]
    if not slots or not words.statement["happened"].search(statement.text):
        return None
    text = without(statement.text, slots[0])
    size = text_size(text, statement.language)
    if statement.is_vague or not names_something(text, words) or not statement.located(text):
        return None
    if not 4 <= size <= _LONGEST_EVENT[statement.language]:
        return None
    return Event(text=text, year=int(found[0]), language=statement.language, evidence=item.evidence)


def compared(events: Sequence[Event], kind: Kind, random: Random) -> Iterator[Draft]:
    """Which of two events came first: in one document, or in two for ``multi_document``."""
    order = list(events)
    random.shuffle(order)
    order.sort(key=lambda event: event.language)
    for first, second in pairwise(order):
        is_in_two = first.evidence.source != second.evidence.source
        if first.year == second.year or is_in_two != (kind == "multi_document"):
            continue
        if first.language != second.language:
            continue
        words = wording(first.language)
        question = (
            str(words.text["comparison"]["question"])
            .replace("{first}", capitalised(first.text))
            .replace("{second}", capitalised(second.text))
        )
        earlier = min(first, second, key=lambda event: event.year)
        yield Draft(
            kind=kind,
            question=question,
            answers=(earlier.text,),
            evidence=(first.evidence, second.evidence),
            language=first.language,
        )


def _joined(said: Sequence[_Said], random: Random) -> Iterator[Draft]:
    """Two questions in one, whose answers are in different passages."""
    asked = [
        (item, question)
        for item in said
        for question in item.questions
        if not question.is_cloze
        and not question.is_general
        and item.statement.located(question.answer)
    ]
    random.shuffle(asked)
    for (one, first), (two, second) in list(pairwise(asked))[:_MOST_PAIRS]:
        if one.passage.id == two.passage.id or one.statement.language != two.statement.language:
            continue
        text = wording(one.statement.language).text["joined"]
        answers = (one.statement.located(first.answer), two.statement.located(second.answer))
        yield Draft(
            kind="multi_passage",
            question=text["question"]
            .replace("{first}", first.text)
            .replace("{second}", second.text),
            answers=(
                text["answer"].replace("{first}", answers[0]).replace("{second}", answers[1]),
            ),
            evidence=(one.evidence, two.evidence),
            language=one.statement.language,
        )


# Drafting questions from a corpus without a model.

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
    return PassageText(id=chunk.id, text=chunk.text, start=text_start(chunk))
