"""Answers of a system in a file of another tool, such as an export of Ragas or DeepEval.

The file is a set of questions as ``assay.data.question_set`` reads it; a further column has what a system
answered, and another one may have what it retrieved.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from assay.data.foreign_value import as_items, as_text
from assay.data.json_line_set import is_json_lines
from assay.data.question_set import foreign_questions, foreign_table, parsed_cell, text_id
from assay.errors import DatasetError
from assay.records import Passage

_TEXTS = ("text", "content", "page_content", "chunk", "passage")
_IDS = ("id", "chunk_id", "doc_id", "document_id")


class AnsweredQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file with the answer that a system gave.

    ``passages`` is ``None`` if the file does not say what was retrieved.
    """

    line: int
    id: str
    question: str
    answer: str
    passages: tuple[Passage, ...] | None = None


def read_answered(path: Path) -> list[AnsweredQuestion]:
    """The questions that have an answer; others are left out.

    Raises:
        DatasetError: the file cannot be read, has no column with answers, or a row is wrong.
        UseError: no column holds the questions.
    """
    columns = foreign_table(path).columns
    if not columns.said:
        raise DatasetError(
            f"{path}: no column is known to hold answers of a system; call it answer or response"
        )
    answered = []
    for row in foreign_questions(path):
        if row.fault:
            raise DatasetError(f"{path}:{row.line}: {row.fault}")
        said = row.said
        if said is None or (said == "" and not _keeps_empty(path)):
            continue
        text = as_text(said)
        if text is None:
            raise DatasetError(f"{path}:{row.line}: `{columns.said}` is not a text")
        answered.append(
            AnsweredQuestion(
                line=row.line,
                id=str(row.fields["id"]),
                question=str(row.fields["question"]),
                answer=text,
                passages=_passages(row.passages),
            )
        )
    return answered


def _keeps_empty(path: Path) -> bool:
    """Whether an empty text is an answer: in JSON it is; an empty cell of a table is none."""
    return is_json_lines(path) or path.suffix.lower() == ".json"


def _passages(value: Any) -> tuple[Passage, ...] | None:
    value = parsed_cell(value)
    if value is None or value == "":
        return None
    return tuple(_made(as_items(value)))


def _made(items: list[Any]) -> Iterator[Passage]:
    for item in items:
        fields: Mapping[str, Any] = item if isinstance(item, Mapping) else {"text": item}
        text = next((as_text(fields[name]) for name in _TEXTS if fields.get(name)), None) or ""
        name = next((as_text(fields[name]) for name in _IDS if fields.get(name)), None)
        if name or text:
            source = fields.get("source")
            yield Passage(
                id=name or text_id(text).replace("q-", "p-", 1),
                text=text,
                source=source if isinstance(source, str) else None,
            )
