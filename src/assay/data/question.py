"""Question files: JSON lines with ``id``, ``question`` (or ``text``), ``source`` and gold chunks.

The gold chunks are listed in ``bundle[].chunk_id``, in ``gold_chunk_ids`` or in ``gold``. Instead
of an id, ``gold`` and ``bundle`` may have a span of a document, ``{source, text}`` or ``{source,
start, end}``, which does not depend on how documents are cut into chunks.
``answer`` (or ``answers``) is the expected answer, or a list of the accepted ones.
``answerable: false`` (or ``is_impossible: true``, ``kind: unanswerable``) says that the corpus does
not contain the answer; missing gold chunks alone do not say that. ``draft`` says how ``assay questions draft``
made the question; it is ignored, and no system sees it, because it says where the evidence is.
Other keys are ignored, because question files of other tools have more of them;
``read_further_fields`` reads them for a system that asks for them, and
``assay.data.set_note`` names those that are probably misspelt.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.foreign_set import FORMATS, describes_set, is_json_lines, refuse_other_format
from assay.data.jsonl import (
    UNREADABLE,
    BadLine,
    decode_problem,
    decoded_lines,
    limited,
    repeated_key,
)
from assay.data.question_set import (
    ForeignQuestion,
    IdsBy,
    accepted_answers,
    foreign_questions,
    is_own_format,
    said_answerable,
    with_truth,
)
from assay.errors import DatasetError
from assay.records import GoldSpan, Question, digest


class _Member(Struct):
    chunk_id: str | int | None = None
    source: str | None = None
    text: str | None = None
    start: int | None = None
    end: int | None = None


class _Row(Struct):
    id: str | int | None = None
    question: str | None = None
    text: str | None = None
    source: str | None = None
    bundle: list[_Member] | None = None
    gold_chunk_ids: list[str | int] | None = None
    gold: Any = None
    answerable: Any = None
    is_answerable: Any = None
    is_impossible: Any = None
    unanswerable: Any = None
    kind: str | None = None
    answer: Any = None
    answers: Any = None
    metadata: Any = None
    draft: Any = None


_DECODER: Final = msgspec.json.Decoder(_Row)
OWN_FIELDS: Final = _Row.__struct_fields__
"""The fields of a line in our own format."""
_SPAN_KEYS: Final = frozenset(_Member.__struct_fields__)


_DOCUMENTS: Final = frozenset({".doc", ".docx", ".htm", ".html", ".odt", ".pdf", ".rtf", ".xls"})
"""Endings of documents, which hold no set of questions."""


class CorpusQuestion(Question, frozen=True, kw_only=True):
    """A question about a corpus. ``answerable`` is ``None`` if the file does not say.

    ``answers`` are the accepted answers; empty if the file does not say. ``spans`` are parts
    of documents that are gold, besides the chunks in ``gold``.
    """

    answerable: bool | None = None
    answers: tuple[str, ...] = ()
    spans: tuple[GoldSpan, ...] = ()


class QuestionWithRow(Question, frozen=True, kw_only=True):
    """A question as a system is asked that takes the further fields of the question's line."""

    row: Mapping[str, Any] = {}


def read_further_fields(
    path: Path, columns: Mapping[str, str] | None = None, *, ids_by: IdsBy = "text"
) -> dict[str, dict[str, Any]]:
    """The further fields of each line of a file that ``read_questions`` accepts, by question.

    The fields that say what a right answer is based on are not among them: a system must not see
    these.
    """
    rows: dict[str, dict[str, Any]] = {}
    if not is_own_format(path, columns):
        read = foreign_questions(path, columns, ids_by=ids_by)
        return {str(row.fields["id"]): row.further for row in read if not row.fault}
    for _, line in decoded_lines(path):
        fields: dict[str, Any] = msgspec.json.decode(line)
        if is_metadata(fields):
            continue
        rows[str(fields["id"])] = {
            name: value for name, value in fields.items() if name not in OWN_FIELDS
        }
    return rows


_DESCRIBING: Final = ("kind", "metadata", "draft")
"""Fields of our own format that describe a question and are not seen by a system."""


def read_describing_fields(
    path: Path, columns: Mapping[str, str] | None = None, *, ids_by: IdsBy = "text"
) -> dict[str, dict[str, Any]]:
    """The fields of each question besides its texts and gold, by question: for groups of questions.

    Lines that are no questions with an id are left out.
    """
    if not is_own_format(path, columns):
        read = foreign_questions(path, columns, ids_by=ids_by)
        return {
            str(row.fields["id"]): {**_describing(row.fields), **row.further}
            for row in read
            if not row.fault
        }
    rows: dict[str, dict[str, Any]] = {}
    for number, line in decoded_lines(path):
        try:
            fields = msgspec.json.decode(line)
        except UNREADABLE as error:
            raise BadLine(path, number, decode_problem(line, error)) from None
        if isinstance(fields, dict) and "id" in fields:
            further = {name: each for name, each in fields.items() if name not in OWN_FIELDS}
            rows[str(fields["id"])] = {**_describing(fields), **further}
    return rows


def _describing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in _DESCRIBING if name in fields}


def is_metadata(fields: Any) -> bool:
    """Whether a line is no question but says something about the set: ``{"metadata": {…}}``."""
    return isinstance(fields, dict) and describes_set(fields)


def set_version(path: Path, columns: Mapping[str, str] | None = None) -> str:
    """The version of a question set: what its metadata says, or else a digest of its questions.

    The digest does not depend on the order of the questions or on how the file is written.
    """
    if is_json_lines(path):
        for _, line in decoded_lines(path):
            fields = msgspec.json.decode(line)
            if is_metadata(fields) and isinstance(fields["metadata"], dict):
                version = fields["metadata"].get("version")
                if version is not None:
                    return str(version)
            break
    questions = sorted(read_questions(path, columns), key=lambda question: question.id)
    return digest([msgspec.to_builtins(question) for question in questions])


def read_questions(
    path: Path, columns: Mapping[str, str] | None = None, *, ids_by: IdsBy = "text"
) -> list[CorpusQuestion]:
    """Read the questions of a file in order; ``columns`` names the columns of a table.

    ``ids_by`` as in ``assay.data.question_set.foreign_questions``.

    Files of other tools are read by ``assay.data.question_set``.

    Raises:
        BadLine: a line is not a valid question, or repeats an id; the message gives the line.
        DatasetError: several lines are wrong, the file cannot be read, or has no questions.
    """
    if path.suffix.lower() in _DOCUMENTS:
        raise DatasetError(f"{path}: not a question set; it is a .jsonl, .csv, .xlsx or .txt file")
    if is_own_format(path, columns):
        refuse_other_format(path, FORMATS)
    lines: dict[str, int] = {}
    questions: list[CorpusQuestion] = []
    problems: list[BadLine] = []
    for number, row in _rows(path, columns, ids_by=ids_by):
        try:
            question = _question(row, path, number)
        except BadLine as problem:
            problems.append(problem)
            continue
        if (first := lines.setdefault(question.id, number)) != number:
            reason = f"question {question.id!r} is already on line {first}; ids are unique"
            problems.append(BadLine(path, number, reason))
        questions.append(question)
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise DatasetError(*limited([str(problem) for problem in problems], path))
    if not questions:
        raise DatasetError(f"{path}: the file has no questions")
    return questions


def _rows(
    path: Path, columns: Mapping[str, str] | None, *, ids_by: IdsBy
) -> Iterator[tuple[int, _Row | BadLine]]:
    """The rows of a file, or what is wrong with one, with the number of the line or question."""
    if not is_own_format(path, columns):
        for foreign in foreign_questions(path, columns, ids_by=ids_by):
            try:
                yield foreign.line, _foreign_row(foreign, path)
            except BadLine as problem:
                yield foreign.line, problem
        return
    for number, line in decoded_lines(path):
        try:
            row = _row(line, path, number)
        except BadLine as problem:
            yield number, problem
        else:
            if row is not None:
                yield number, row


def _row(line: bytes, path: Path, number: int) -> _Row | None:
    """The row of a line; ``None`` if it is no question but describes the set."""
    try:
        row = _DECODER.decode(line)
    except UNREADABLE as error:
        raise BadLine(path, number, f"not a question: {decode_problem(line, error)}") from None
    if repeated := repeated_key(line):
        raise BadLine(path, number, repeated.problem)
    describes = row.metadata is not None and row.question is None and row.text is None
    return None if describes else row


def read_question_line(line: bytes, path: Path, number: int) -> CorpusQuestion | None:
    """The question of one line of a file in our own format; ``None`` for a line of metadata.

    Raises:
        BadLine: the line is not a valid question.
    """
    row = _row(line, path, number)
    return None if row is None else _question(row, path, number)


def question_of_foreign(foreign: ForeignQuestion, path: Path) -> CorpusQuestion:
    """The question of a row that ``foreign_questions`` gives.

    Raises:
        BadLine: it is not a valid question.
    """
    return _question(_foreign_row(foreign, path), path, foreign.line)


def _foreign_row(foreign: ForeignQuestion, path: Path) -> _Row:
    if foreign.fault:
        raise BadLine(path, foreign.line, foreign.fault)
    try:
        return msgspec.convert(foreign.fields, _Row, strict=False)
    except msgspec.ValidationError as error:
        raise BadLine(path, foreign.line, f"not a question: {error}") from None


def _question(row: _Row | BadLine, path: Path, number: int) -> CorpusQuestion:
    if isinstance(row, BadLine):
        raise row
    if row.id is None or not str(row.id).strip():
        raise BadLine(path, number, "the question has no `id`, but others have one")
    text = row.question if row.question is not None else row.text
    if text is None or not text.strip():
        raise BadLine(path, number, f"question {row.id!r} has no text; write it as `question`")
    members, spans = _gold(row, path, number)
    expected = (with_truth(value, text) for value in (row.answer, row.answers))
    answers = next(filter(None, map(accepted_answers, expected)), ())
    gold = dict.fromkeys(str(chunk_id) for chunk_id in members)
    answerable = _answerable(row, bool(gold or spans), path, number)
    if answerable is None and answers:
        answerable = True
    return CorpusQuestion(
        id=str(row.id),
        text=text,
        source=row.source,
        gold=tuple(gold),
        answerable=answerable,
        answers=answers if answerable else (),
        spans=tuple(spans),
    )


def _gold(row: _Row, path: Path, number: int) -> tuple[list[str | int], list[GoldSpan]]:
    """The ids of the gold chunks, and the gold spans.

    ``gold`` may be a field of another tool with another meaning: only a list of ids and spans is
    read, and an object without any key of these is left out.
    """
    members = list(row.bundle or ())
    ids: list[str | int] = list(row.gold_chunk_ids or ())
    if isinstance(row.gold, list):
        ids += [item for item in row.gold if isinstance(item, str)]
        try:
            members += msgspec.convert(
                [item for item in row.gold if isinstance(item, dict) and _SPAN_KEYS & item.keys()],
                list[_Member],
            )
        except msgspec.ValidationError as error:
            raise BadLine(path, number, f"question {row.id!r}: not a gold span: {error}") from None
    chunk_ids = [member.chunk_id for member in members if member.chunk_id is not None]
    spans = [_span(member, row, path, number) for member in members if member.chunk_id is None]
    return [*chunk_ids, *ids], list(dict.fromkeys(spans))


def _span(member: _Member, row: _Row, path: Path, number: int) -> GoldSpan:
    source = member.source or row.source
    has_offsets = member.start is not None and member.end is not None
    if (not source and has_offsets) or not (has_offsets or (member.text or "").strip()):
        raise BadLine(
            path,
            number,
            f"question {row.id!r}: gold is a chunk id, {{source, text}} or {{source, start, end}}",
        )
    if has_offsets and not 0 <= (member.start or 0) < (member.end or 0):
        raise BadLine(
            path,
            number,
            f"question {row.id!r}: a gold span starts before its end, not at {member.start}",
        )
    start, end = (member.start, member.end) if has_offsets else (None, None)
    return GoldSpan(source=source or "", text=(member.text or "").strip(), start=start, end=end)


def _answerable(row: _Row, has_gold: bool, path: Path, number: int) -> bool | None:
    try:
        answerable = said_answerable(msgspec.structs.asdict(row))
    except ValueError as error:
        raise BadLine(path, number, f"question {row.id!r}: {error}") from None
    if answerable is None and row.kind == "unanswerable":
        answerable = False
    if answerable is False and has_gold:
        raise BadLine(
            path,
            number,
            f"question {row.id!r} is marked unanswerable but has gold chunks; remove one of the two",
        )
    return True if has_gold else answerable
