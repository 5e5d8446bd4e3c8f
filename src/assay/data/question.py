"""Question files: JSON lines with ``id``, ``question`` (or ``text``), ``source`` and gold chunks.

The gold chunks are listed in ``bundle[].chunk_id``, in ``gold_chunk_ids``, or in both.
``answerable: false`` (or ``kind: unanswerable``) says that the corpus does not contain the
answer; missing gold chunks alone do not say that. Other keys are ignored, because question
files of other tools have more of them; ``read_further_fields`` reads them for a system that asks
for them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE, BadLine
from assay.data.line import numbered_lines
from assay.errors import DatasetError
from assay.records import Question


class _Member(Struct):
    chunk_id: str | int


class _Row(Struct):
    id: str | int | None = None
    question: str | None = None
    text: str | None = None
    source: str | None = None
    bundle: list[_Member] | None = None
    gold_chunk_ids: list[str | int] | None = None
    answerable: bool | None = None
    kind: str | None = None


class CorpusQuestion(Question, frozen=True, kw_only=True):
    """A question about a corpus. ``answerable`` is ``None`` if the file does not say."""

    answerable: bool | None = None


class QuestionWithRow(Question, frozen=True, kw_only=True):
    """A question as a system is asked that takes the further fields of the question's line."""

    row: Mapping[str, Any] = {}


def read_further_fields(path: Path) -> dict[str, dict[str, Any]]:
    """The further fields of each line of a file that ``read_questions`` accepts, by question.

    The fields that say what a right answer is based on are not among them: a system must not see
    these.
    """
    rows = {}
    for _, line in numbered_lines(path):
        fields: dict[str, Any] = msgspec.json.decode(line)
        rows[str(fields["id"])] = {
            name: value for name, value in fields.items() if name not in _Row.__struct_fields__
        }
    return rows


def read_questions(path: Path) -> list[CorpusQuestion]:
    """Read the questions of a file in order.

    Raises:
        BadLine: a line is not a valid question, or repeats an id; the message gives the line.
        DatasetError: the file cannot be read, or has no questions.
    """
    decoder = msgspec.json.Decoder(_Row)
    lines: dict[str, int] = {}
    questions: list[CorpusQuestion] = []
    for number, line in numbered_lines(path):
        try:
            row = decoder.decode(line)
        except UNREADABLE as error:
            raise BadLine(path, number, f"not a question: {error}") from None
        question = _question(row, path, number)
        if (first := lines.setdefault(question.id, number)) != number:
            raise BadLine(
                path, number, f"question {question.id!r} is already on line {first}; ids are unique"
            )
        questions.append(question)
    if not questions:
        raise DatasetError(f"{path}: the file has no questions")
    return questions


def _question(row: _Row, path: Path, number: int) -> CorpusQuestion:
    if row.id is None or not str(row.id).strip():
        raise BadLine(path, number, "the question has no `id`")
    text = row.question if row.question is not None else row.text
    if text is None or not text.strip():
        raise BadLine(path, number, f"question {row.id!r} has no text; write it as `question`")
    members = [member.chunk_id for member in row.bundle or ()]
    gold = dict.fromkeys(str(chunk_id) for chunk_id in (*members, *(row.gold_chunk_ids or ())))
    return CorpusQuestion(
        id=str(row.id),
        text=text,
        source=row.source,
        gold=tuple(gold),
        answerable=_answerable(row, bool(gold), path, number),
    )


def _answerable(row: _Row, has_gold: bool, path: Path, number: int) -> bool | None:
    answerable = row.answerable
    if answerable is None and row.kind == "unanswerable":
        answerable = False
    if answerable is False and has_gold:
        raise BadLine(
            path,
            number,
            f"question {row.id!r} is marked unanswerable but has gold chunks; remove one of the two",
        )
    return True if has_gold else answerable
