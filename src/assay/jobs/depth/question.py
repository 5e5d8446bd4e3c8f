"""Read questions about a novel: JSON lines, each with its evidence in one of three forms.

``evidence_span`` gives the evidence in characters of the novel (``{"start", "end"}`` or two
numbers), ``position`` (``{"start_pos", "end_pos"}``) gives it in tokens, and ``evidence`` (or
``validation.evidence``) quotes it. Of the first two, ``evidence_span`` is used if both are
present. ``evidence.py`` says how they are reconciled, ``position_unit.py`` which tokenizer
counted the positions. A first line ``{"metadata": …}`` describes the file.

A question with ``choice`` (letters with texts) is a single or multiple choice question, and its
``answer`` consists of letters. Without ``choice`` it is an open question, and its ``answer`` is
a text or a list of accepted texts.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from assay.data.foreign_value import ignored_fields_note
from assay.data.jsonl import UNREADABLE, BadLine, decoded_lines, limited, other_encoding
from assay.errors import DatasetError
from assay.jobs.depth.evidence import EvidenceFinder, Located
from assay.jobs.depth.novel import TokenizedNovel
from assay.jobs.depth.position_unit import PositionUnit
from assay.jobs.depth.question_row import (
    KNOWN_FIELDS,
    EvidenceBounds,
    Position,
    QuestionRow,
    QuestionType,
    RowFault,
    is_rejected,
    lettered_choices,
    question_text,
    quotations,
    read_row,
    typed_answers,
)
from assay.mask import redactor, without_values
from assay.records import Question
from assay.text.normalise import Span
from assay.words.message import Message, message, message_n


class NovelQuestion(Question, frozen=True, kw_only=True):
    """A question about a novel.

    ``answers`` are the letters of the correct choices, or the accepted texts of an open
    question. ``evidence`` is in characters of the novel, or ``None`` if it was not found.
    ``note`` then says so; otherwise it says what is uncertain about the location, or is empty.
    """

    question_type: QuestionType
    choices: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[str, ...]
    evidence: Span | None = None
    located: Located | None = None
    position: Position | None = None
    note: str = ""


class QuestionFile(Struct, frozen=True, kw_only=True):
    """The lines of a question file as they are written, with their numbers, and notes on it."""

    path: Path
    metadata: Mapping[str, Any]
    rows: Sequence[tuple[int, QuestionRow]]
    notes: tuple[Message | str, ...] = ()


def read_question_file(path: Path) -> QuestionFile:
    """Read the lines of a question file; their evidence is not located yet.

    Raises:
        BadLine: a line is not a JSON object with the fields of a question.
        DatasetError: the file cannot be read, or has no questions.
    """
    names = msgspec.json.Decoder(dict[str, msgspec.Raw])
    metadata: Mapping[str, Any] = {}
    rows: list[tuple[int, QuestionRow]] = []
    ignored: dict[str, None] = {}
    for index, (number, line) in enumerate(decoded_lines(path)):
        try:
            row = read_row(line)
        except UNREADABLE as error:
            raise BadLine(path, number, f"not a question: {error}") from None
        if index == 0 and row.metadata is not None and row.question is None:
            metadata = row.metadata
            continue
        ignored.update(dict.fromkeys(names.decode(line).keys() - KNOWN_FIELDS))
        rows.append((number, row))
    if not rows:
        raise DatasetError(f"{path}: the file has no questions")
    encoding = other_encoding(path)
    notes = ((message("read as {encoding}", encoding=encoding),) if encoding else ()) + _file_notes(
        rows, ignored
    )
    return QuestionFile(path=path, metadata=metadata, rows=rows, notes=notes)


def _file_notes(
    rows: Sequence[tuple[int, QuestionRow]], ignored: Mapping[str, None]
) -> tuple[Message | str, ...]:
    notes: list[Message | str] = [ignored_fields_note(sorted(ignored), KNOWN_FIELDS)]
    rejected = sum(is_rejected(row) for _, row in rows)
    if rejected:
        notes.append(
            message_n(
                "{n} of {questions} was rejected by the validation of the file (is_valid is false) and is asked all the same",
                "{n} of {questions} were rejected by the validation of the file (is_valid is false) and are asked all the same",
                rejected,
                questions=message_n("{n} question", "{n} questions", len(rows)),
            )
        )
    written = {msgspec.json.encode(row) for _, row in rows}
    repeated = len(rows) - len(written)
    if repeated:
        notes.append(
            message_n(
                "{n} line is equal to an earlier one of the file; each is asked and counts",
                "{n} lines are equal to an earlier one of the file; each is asked and counts",
                repeated,
            )
        )
    return tuple(note for note in notes if note)


def read_novel_questions(
    path: Path, novel: TokenizedNovel, unit: PositionUnit | None = None
) -> list[NovelQuestion]:
    """Read the questions of a file and locate their evidence; see ``locate_questions``."""
    return locate_questions(read_question_file(path), novel, unit)


def locate_questions(
    file: QuestionFile, novel: TokenizedNovel, unit: PositionUnit | None = None
) -> list[NovelQuestion]:
    """The questions of a file in order, with their evidence located in the novel.

    Positions count the tokens of ``unit``, or those of ``novel`` without a unit.

    Raises:
        DatasetError: lines are not valid questions, or repeat an id; the message has a line for
            each of them.
    """
    reader = _Reader(file.path, EvidenceFinder(novel, unit))
    questions: list[NovelQuestion] = []
    faults: list[str] = []
    for number, row in file.rows:
        try:
            questions.append(reader.question(row, number))
        except BadLine as fault:
            faults.append(str(fault))
    if faults:
        raise DatasetError(*limited(faults, file.path))
    return questions


def read_question_metadata(path: Path) -> Mapping[str, Any]:
    """Read ``metadata`` from the first line of a question file; empty if there is none."""
    for number, line in decoded_lines(path):
        try:
            return read_row(line).metadata or {}
        except UNREADABLE as error:
            raise BadLine(path, number, f"not a question: {error}") from None
    return {}


class _Reader:
    """Converts the rows of one file to questions."""

    def __init__(self, path: Path, finder: EvidenceFinder) -> None:
        self._path = path
        self._finder = finder
        self._lines: dict[str, int] = {}

    def question(self, row: QuestionRow, number: int) -> NovelQuestion:
        try:
            text = question_text(row)
            choices = lettered_choices(row)
            kind, answers = typed_answers(row, choices)
            evidence = self._finder.find(row)
        except RowFault as fault:
            raise BadLine(self._path, number, str(fault)) from None
        return NovelQuestion(
            id=_id(self._path, row, number, (text, choices, answers), self._lines),
            text=text,
            source=row.source,
            question_type=kind,
            choices=choices,
            answers=answers,
            evidence=evidence.span,
            located=evidence.located,
            position=row.position,
            note=evidence.note,
        )


def with_plain_ids(
    file: QuestionFile, questions: Sequence[NovelQuestion]
) -> tuple[NovelQuestion, ...]:
    """The questions of a file with the ids that runs of 0.2.0 and earlier gave under redaction."""
    taken: dict[str, int] = {}
    return tuple(
        replace(question, id=_id(file.path, row, number, content, taken, is_plain=True))
        for (number, row), question in zip(file.rows, questions, strict=True)
        for content in [(question.text, question.choices, question.answers)]
    )


_Content: TypeAlias = tuple[str, Mapping[str, str], Sequence[str]]
"""The text of a question, its choices and its answers."""


def _id(
    path: Path,
    row: QuestionRow,
    number: int,
    content: _Content,
    taken: dict[str, int],
    *,
    is_plain: bool = False,
) -> str:
    """The id that the row has, or else one that follows from what it says.

    With redaction it follows from the texts without their values, unless ``is_plain`` (see
    ``assay.data.question_set.text_id``).
    """
    if row.id is not None and str(row.id).strip():
        question_id = str(row.id)
        first = taken.setdefault(question_id, number)
        if first != number:
            raise BadLine(
                path,
                number,
                f"question {question_id!r} is already on line {first}; ids are unique",
            )
        return question_id
    if is_plain or redactor() is None:
        evidence = [row.evidence, row.evidence_span, row.position]
        return _derived_id([*content, evidence], taken, number)
    text, choices, answers = content
    texts = "\n".join([text, *choices.values(), *answers, *quotations(row)])
    place = [row.evidence_span, row.position]
    return _derived_id([without_values(texts), place], taken, number)


def _derived_id(content: Sequence[Any], taken: dict[str, int], number: int) -> str:
    """An id derived from the content; ``-n`` is appended for the n-th question with the same.

    The id and its line are added to ``taken``.
    """
    data = msgspec.json.encode(content, order="deterministic")
    base = question_id = "q" + hashlib.blake2b(data, digest_size=5).hexdigest()
    copies = 1
    while question_id in taken:
        copies += 1
        question_id = f"{base}-{copies}"
    taken[question_id] = number
    return question_id


# A question about a novel as it is written, without looking for its evidence in the novel.


class WrittenQuestion(Struct, frozen=True, kw_only=True):
    """What a line says: the question, its choices and answers, and its evidence.

    ``answers`` are letters if there are choices. ``quotations`` are the passages that the line
    quotes; ``start`` and ``end`` are its ``evidence_span``. ``id`` is empty if the line has none.
    """

    id: str
    text: str
    question_type: QuestionType
    choices: Mapping[str, str]
    answers: tuple[str, ...]
    quotations: tuple[str, ...]
    start: int | None = None
    end: int | None = None
    source: str | None = None


def read_written_question(line: bytes) -> WrittenQuestion:
    """The question of one line.

    Raises:
        RowFault: a field is missing or wrong.
        msgspec.DecodeError: the line is not an object with these fields.
    """
    row = read_row(line)
    choices = lettered_choices(row)
    kind, answers = typed_answers(row, choices)
    start, end = _bounds(row)
    return WrittenQuestion(
        id="" if row.id is None else str(row.id).strip(),
        text=question_text(row),
        question_type=kind,
        choices=choices,
        answers=answers,
        quotations=tuple(quotations(row)),
        start=start,
        end=end,
        source=row.source,
    )


def _bounds(row: QuestionRow) -> tuple[int | None, int | None]:
    span = row.evidence_span
    if span is None:
        return None, None
    start, end = (span.start, span.end) if isinstance(span, EvidenceBounds) else span
    if not 0 <= start < end:
        raise RowFault(f"`evidence_span` starts before its end, not at {start}")
    return start, end
