"""Answers of a system in a file of another tool, such as an export of Ragas or DeepEval.

The file is a set of questions as ``assay.data.question_set`` reads it; a further column has what a system
answered, and another one may have what it retrieved.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.data.column_role import SHEET, ColumnRoles, near_answer_names
from assay.data.foreign_set import is_json_lines, table_rows
from assay.data.foreign_value import as_items, as_text
from assay.data.question_set import (
    ForeignQuestion,
    ForeignTable,
    answered_rows,
    foreign_table,
    text_id,
)
from assay.data.question_table import parsed_cell, sheet_titles
from assay.errors import DatasetError, UseError
from assay.records import Passage
from assay.words.message import Message, message, message_n

_TEXTS = ("text", "content", "page_content", "chunk", "passage")
_MOST_SHOWN: Final = 60
_MOST_SYSTEMS: Final = 5
_IDS = ("id", "chunk_id", "doc_id", "document_id")


class AnsweredQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file with the answer that a system gave.

    ``answer`` is ``None`` if its cell is empty, and ``passages`` if the file does not say what was
    retrieved. ``source`` is the document that the question is about, ``system`` the name of who
    answered and ``latency_s`` the time it took, if the file has them.
    """

    line: int
    id: str
    question: str
    source: str | None = None
    answer: str | None
    passages: tuple[Passage, ...] | None = None
    system: str = ""
    latency_s: float | None = None

    @property
    def has_own_id(self) -> bool:
        """Whether the file names the id; otherwise it follows from the question's text."""
        return not self.id.startswith(text_id(self.question))


def read_answered(path: Path, columns: Mapping[str, str] | None = None) -> list[AnsweredQuestion]:
    """The questions of a file with their answers; of two equal rows only one.

    ``columns`` says which column has a role. A column that the file does not have is ignored, because
    it may be one of the questions' file; only that of the answers must exist, or be the name of a
    system whose answers the file has.

    Raises:
        DatasetError: the file cannot be read, has no column with answers, a row is wrong, several
            systems answered and none is chosen, or two rows give different answers to one question.
        UseError: no column holds the questions, or that of the answers does not exist.
    """
    chosen, system = _existing(path, columns or {})
    named = foreign_table(path, chosen).columns
    if not named.said:
        raise DatasetError(
            f"{path}: no column is known to hold answers of a system; {_hint(named)}"
        )
    read = (_answered(row, named.said, path) for row in answered_rows(path, chosen, system))
    return _without_repeats(list(read), path)


def _existing(path: Path, columns: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The columns and the sheet that the file has, and the system if a column is none but one."""
    if not columns:
        return {}, ""
    response = columns.get("response")
    sheets = sheet_titles(path) if path.suffix.lower() == ".xlsx" else []
    sheet = next((name for name in (response, columns.get(SHEET)) if name in sheets), "") or ""
    names = dict.fromkeys(name for row in table_rows(path, sheet) for name in row.cells)
    existing = {role: name for role, name in columns.items() if name in names}
    existing |= {SHEET: sheet} if sheet else {}
    if response is None or response in {*names, sheet}:
        return existing, ""
    systems = dict.fromkeys(row.system for row in answered_rows(path, existing) if row.system)
    if response in systems:
        return existing, response
    shown = ", ".join(list(systems)[:_MOST_SYSTEMS])
    known = f"; and no answers of a system of that name, but of {shown}" if systems else ""
    raise UseError(f"{path}: there is no column {response!r}; there are: {', '.join(names)}{known}")


def _hint(columns: ColumnRoles) -> str:
    if columns.asserted:
        return "of promptfoo, the export as JSON or JSON lines is read"
    return "call it answer or response, or name it: replay:FILE#COLUMN"


def _answered(row: ForeignQuestion, column: str, path: Path) -> AnsweredQuestion:
    if row.fault:
        raise DatasetError(f"{path}:{row.line}: {row.fault}")
    is_empty = row.said is None or (row.said == "" and not _keeps_empty(path))
    text = None if is_empty else as_text(row.said)
    if text is None and not is_empty:
        raise DatasetError(f"{path}:{row.line}: `{column}` is not a text")
    source = row.fields.get("source")
    return AnsweredQuestion(
        line=row.line,
        id=str(row.fields["id"]),
        question=str(row.fields["question"]),
        source=None if source is None else str(source),
        answer=text,
        passages=recorded_passages(row.passages),
        system=row.system,
        latency_s=row.latency_s,
    )


def _without_repeats(rows: Sequence[AnsweredQuestion], path: Path) -> list[AnsweredQuestion]:
    """The rows without those that repeat another, or that have no answer where another has one."""
    kept: dict[tuple[str, str | None], AnsweredQuestion] = {}
    for row in rows:
        text = " ".join(row.question.split())
        key = (row.id, None) if row.has_own_id else (text, row.source or "")
        first = kept.setdefault(key, row)
        if first.system != row.system and _content(first) != _content(row):
            raise DatasetError(f"{path}: {_systems_problem(rows, path)}")
        if first.answer is None:
            kept[key] = row
        elif row.answer is not None and _content(first) != _content(row):
            raise DatasetError(
                f"{path}: lines {first.line} and {row.line} have different answers to "
                f"{_shown(key[0])!r}; keep one of them, or give each row an id of its own"
            )
    return list(kept.values())


def _systems_problem(rows: Iterable[AnsweredQuestion], path: Path) -> str:
    """That the file has the answers of several systems, and how one of them is chosen."""
    names = list(dict.fromkeys(row.system for row in rows))
    commands = [shlex.quote(f"replay:{path}#{name}") for name in names[:_MOST_SYSTEMS] if name]
    more = f" and {len(names) - _MOST_SYSTEMS} more" if len(names) > _MOST_SYSTEMS else ""
    return (
        f"has answers of {len(names)} systems to the same questions; choose one, or several side by "
        f"side, as --system: {', '.join(commands)}{more}"
    )


def _content(row: AnsweredQuestion) -> tuple[Any, ...]:
    return " ".join(row.question.split()), row.answer, row.passages


def _shown(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _keeps_empty(path: Path) -> bool:
    """Whether an empty text is an answer: in JSON it is; an empty cell of a table is none."""
    return is_json_lines(path) or path.suffix.lower() == ".json"


def recorded_passages(value: Any) -> tuple[Passage, ...] | None:
    """The passages of a cell or field; ``None`` if it is empty."""
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


# What a user must know about the answers in a file of questions: which were taken for what.

_ANSWER_NOTE_MOST_SHOWN: Final = 60
_ANSWER_NOTE_MOST_SYSTEMS: Final = 5


def answer_notes(
    path: Path, table: ForeignTable, misspelt: Collection[str]
) -> Iterator[Message | str]:
    """Notes about the columns with answers of a file of another format, in English.

    ``misspelt`` are columns that another note names.
    """
    if note := taken_note(table.columns):
        yield message("{file}: {what}", file=path, what=note)
    if table.columns.further:
        names = _quoted([table.columns.roles["answer"], *table.columns.further])
        yield message(
            "{path}: the columns {names} are taken as accepted answers, of which one is enough",
            path=path,
            names=names,
        )
    if table.asserted:
        yield message("{file}: {what}", file=path, what=_asserted_note(table.asserted))
    near = near_answer_names(table.names, table.columns)
    if near and not set(near) & set(misspelt):
        yield (
            message(
                "{path}: no column is known to hold the expected answers; if {names} does, add --column answer={name}",
                path=path,
                names=_quoted(near[:1]),
                name=repr(near[0]),
            )
        )
    if table.listed:
        yield message("{file}: {what}", file=path, what=listed_note(table.listed))


def taken_note(columns: ColumnRoles) -> Message | str:
    """One line that says what `answer` means, if the expected answer has another name."""
    if not columns.has_doubtful_name:
        return ""
    expected = columns.roles["answer"]
    return message(
        "{answer} is taken as the system's answer, {expected} as the expected one",
        answer=_quoted([columns.response]),
        expected=_quoted([expected]),
    )


def replay_note(path: Path, table: ForeignTable) -> Message | str:
    """How to score the answers of a system that the file has; empty if it has none."""
    if not table.answered:
        return ""
    file, replayed = shlex.quote(str(path)), shlex.quote(f"replay:{path}")
    if table.systems:
        count, shown = len(table.systems), table.systems[:_ANSWER_NOTE_MOST_SYSTEMS]
        systems = " ".join(f"--system {shlex.quote(f'replay:{path}#{name}')}" for name in shown)
        more = " …" if count > len(shown) else ""
        return message(
            "{path}: has answers of {n} systems to the same questions; to score them as they are: {command}",
            path=path,
            n=count,
            command=f"assay run --questions {file} {systems}{more}",
        )
    return message(
        "{path}: has answers of a system ({column}); to score them as they are: {command}",
        path=path,
        column=_quoted([table.columns.response]),
        command=f"assay run --questions {file} --system {replayed}",
    )


def listed_note(listed: Sequence[tuple[int, str]]) -> Message | str:
    """One line about expected answers that look like several."""
    line, text = listed[0]
    shown = text if len(text) <= _ANSWER_NOTE_MOST_SHOWN else f"{text[:_ANSWER_NOTE_MOST_SHOWN]}…"
    return message_n(
        '{n} expected answer looks like several, but each counts as one (line {line}: {answer}); write several as a JSON list, ["A", "B"], or in columns answer, answer_2, answer_3',
        '{n} expected answers look like several, but each counts as one (line {line}: {answer}); write several as a JSON list, ["A", "B"], or in columns answer, answer_2, answer_3',
        len(listed),
        line=line,
        answer=repr(shown),
    )


def _asserted_note(asserted: Mapping[int, str]) -> Message:
    kinds = ", ".join(sorted({kind for kinds in asserted.values() for kind in kinds.split(", ")}))
    return message_n(
        "{n} row has no expected answer, because the assertion names none: {kinds}",
        "{n} rows have no expected answer, because the assertion names none: {kinds}",
        len(asserted),
        kinds=kinds,
    )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
