"""Question files: JSON lines with ``id``, ``question`` (or ``text``), ``source`` and gold.

Gold is ``bundle[].chunk_id``, ``gold_chunk_ids`` or both. ``answerable: false`` (or
``kind: unanswerable``) says that the corpus holds no answer, which a file without gold does
not. Other keys are passed over, since question files of other tools carry more; a job that
needs them reads them itself.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from assay.data.jsonl import BadLine
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
    """A question about a corpus. ``answerable`` is ``None`` where the file does not say."""

    answerable: bool | None = None


def read_questions(path: Path) -> list[CorpusQuestion]:
    """The questions of a file in order; every fault names its line."""
    decoder = msgspec.json.Decoder(_Row)
    lines: dict[str, int] = {}
    questions: list[CorpusQuestion] = []
    for number, line in numbered_lines(path):
        try:
            row = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise BadLine(path, number, f"not a question: {error}") from None
        question = _question(row, path, number)
        if (first := lines.setdefault(question.id, number)) != number:
            raise BadLine(path, number, f"question {question.id!r} stands already on line {first}")
        questions.append(question)
    if not questions:
        raise DatasetError(f"{path}: there are no questions in it")
    return questions


def _question(row: _Row, path: Path, number: int) -> CorpusQuestion:
    if row.id is None or not str(row.id).strip():
        raise BadLine(path, number, "the question has no `id`")
    text = row.question if row.question is not None else row.text
    if text is None or not text.strip():
        raise BadLine(path, number, f"question {row.id!r} has no text; give it as `question`")
    members = [member.chunk_id for member in row.bundle or ()]
    gold = dict.fromkeys(str(name) for name in (*members, *(row.gold_chunk_ids or ())))
    return CorpusQuestion(
        id=str(row.id),
        text=text,
        source=row.source,
        gold=tuple(gold),
        answerable=_answerable(row, bool(gold), path, number),
    )


def _answerable(row: _Row, has_gold: bool, path: Path, number: int) -> bool | None:
    said = row.answerable
    if said is None and row.kind == "unanswerable":
        said = False
    if said is False and has_gold:
        raise BadLine(path, number, f"question {row.id!r} is unanswerable, yet has gold chunks")
    return True if has_gold else said
