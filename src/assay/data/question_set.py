"""Question sets of other tools, as rows of ours: tables, SQuAD, Ragas, AutoRAG, a plain list.

- ``.csv``, ``.tsv``, ``.xlsx``: one question a row; columns are recognised by their names
  (``assay.data.column_role``), or named by the user.
- ``.jsonl`` without ids or with the names of another tool: as a table (``assay.data.json_line_set``).
- ``.json``: SQuAD (1.1 and 2.0), a list of objects as Ragas writes it, or columns of lists.
- ``.parquet``: AutoRAG; it needs the extra ``query``.
- ``.txt``, ``.md``: one question a line; signs of a list before it are left out.

A question without an id gets one that follows from its text, so that a row that is added or
deleted changes no other question. Columns that are not known are kept as further fields.
"""

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.answerable import ANSWERABLE_NAMES, answerable_flag
from assay.data.assertion import asserted_answers
from assay.data.column_role import (
    Columns,
    is_secret_name,
    known_names,
    named_columns,
)
from assay.data.encoding import decode_text
from assay.data.expected_answer import accepted_answers, with_truth
from assay.data.foreign_set import READERS, TABLES, TEXTS, table_rows
from assay.data.json_line_set import is_foreign_json_lines, is_json_lines
from assay.data.jsonl import UNREADABLE
from assay.data.listed_answer import looks_listed
from assay.data.question_table import TableRow
from assay.errors import UseError

_ID_BYTES: Final = 5
_HELD: Final = frozenset({"answer", "gold", "gold_chunk_ids"})
"""Fields that make no sense without a question."""
_OWN: Final = frozenset(
    {"id", "question", "text", "source", "bundle", "gold_chunk_ids", "gold", "answerable", "answer"}
    | {"answers", "metadata", "draft", *ANSWERABLE_NAMES}
)
"""Names of our own fields: a column that has one of them without its role is kept as another."""
_KEPT: Final = frozenset({"bundle", "gold", "gold_chunk_ids", "draft", "metadata"})
"""Own fields that a line of JSON may have besides the names of another tool."""
_LONGEST_LIST: Final = 1 << 20


class ForeignQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file of another format: its line or number, and its fields in our names.

    ``further`` are the fields that a system may see besides the question. ``fault`` says why the
    row is no question, and ``text`` is the row as it is written; it has no fields then. ``asserted``
    is the kind of an assertion that names no expected answer. ``said`` is what a system answered, and
    ``passages`` what it retrieved.
    """

    line: int
    fields: dict[str, Any] = {}
    further: dict[str, Any] = {}
    fault: str = ""
    text: str = ""
    asserted: str = ""
    said: Any = None
    passages: Any = None


class ForeignTable(Struct, frozen=True, kw_only=True):
    """The columns of a file of another format, and what is not among its questions.

    ``columns`` says which column has a role, and ``known`` by which names each role is recognised
    (``column_key``). ``left_out`` are the lines of rows without a question; ``encoding`` is that
    of a text that is not UTF-8. ``listed`` are the expected answers that look like several, with
    their lines, ``asserted`` the kinds of assertions that are no expected answer, by line, and
    ``answered`` is the number of questions with an answer of a system.
    """

    names: tuple[str, ...]
    columns: Columns
    known: Mapping[str, Sequence[str]]
    left_out: tuple[int, ...] = ()
    encoding: str = ""
    listed: tuple[tuple[int, str], ...] = ()
    asserted: Mapping[int, str] = {}
    answered: int = 0

    @property
    def roles(self) -> Mapping[str, str]:
        """Which column has a role."""
        return self.columns.roles


def is_own_format(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether the file has our own format, one JSON object a line with an id and our names.

    A file of another ending that is not known is ours too, and one whose ``columns`` the user names
    is not.
    """
    if not is_json_lines(path):
        return path.suffix.lower() not in READERS
    return not columns and not is_foreign_json_lines(path)


def foreign_questions(
    path: Path, columns: Mapping[str, str] | None = None, *, numbered: bool = False
) -> list[ForeignQuestion]:
    """The questions of a file of another format.

    ``columns`` says which column has a role: ``{"question": "Frage"}``. A question without an id
    gets one that follows from its text; with ``numbered``, its number, as earlier versions did.

    Raises:
        UseError: no column holds the questions, or a named column does not exist.
        DatasetError: the file cannot be read.
    """
    rows = table_rows(path)
    named = _named(rows, columns or {}, path)
    keeps_own = is_json_lines(path)
    read = (_read(row, named, keeps_own=keeps_own) for row in rows)
    kept = [row for row in read if row.fault or _asks(row)]
    _give_ids([row.fields for row in kept if not row.fault], numbered=numbered)
    return kept


def _asks(row: ForeignQuestion) -> bool:
    return bool(str(row.fields.get("question") or "").strip())


def foreign_table(path: Path, columns: Mapping[str, str] | None = None) -> ForeignTable:
    """What a file of another format has besides its questions; raises as ``foreign_questions``."""
    rows = table_rows(path)
    named = _named(rows, columns or {}, path)
    read = [_read(row, named, keeps_own=is_json_lines(path)) for row in rows]
    is_text = path.suffix.lower() in TEXTS
    decoded = decode_text(path.read_bytes()) if is_text else None
    cells = [row.cells for row in rows if row.cells or not row.fault]
    return ForeignTable(
        names=tuple(dict.fromkeys(name for row in cells for name in row)),
        columns=named,
        known=known_names(),
        left_out=tuple(row.line for row in read if not row.fault and not _asks(row)),
        encoding="" if decoded is None or decoded.encoding == "UTF-8" else decoded.encoding,
        listed=tuple(
            (row.line, answer)
            for row in read
            if isinstance(answer := row.fields.get("answer"), str)
            and looks_listed(answer, is_cell=path.suffix.lower() in TABLES)
        ),
        asserted={row.line: row.asserted for row in read if row.asserted},
        answered=sum(row.get(named.response) not in (None, "") for row in cells),
    )


def has_own_ids(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether every question of the file has an id of its own."""
    if is_own_format(path, columns):
        return True
    by_text = foreign_questions(path, columns)
    by_number = foreign_questions(path, columns, numbered=True)
    return [row.fields.get("id") for row in by_text] == [row.fields.get("id") for row in by_number]


def _give_ids(questions: Iterable[dict[str, Any]], *, numbered: bool) -> None:
    known = list(questions)
    taken = {str(row["id"]).strip() for row in known if str(row.get("id") or "").strip()}
    for number, row in enumerate(known, 1):
        if str(row.get("id") or "").strip():
            continue
        name = free = f"q{number}" if numbered else text_id(str(row["question"]))
        count = 1
        while free in taken and not numbered:
            count += 1
            free = f"{name}-{count}"
        taken.add(free)
        row["id"] = free


def text_id(question: str) -> str:
    """The id of a question that has none; white space makes no difference.

    >>> text_id("How long?") == text_id(" How  long? "), text_id("How long?")
    (True, 'q-9c23fbbff4')
    """
    plain = " ".join(question.split())
    return f"q-{hashlib.blake2b(plain.encode(), digest_size=_ID_BYTES).hexdigest()}"


def _read(row: TableRow, named: Columns, *, keeps_own: bool) -> ForeignQuestion:
    if row.fault:
        return ForeignQuestion(line=row.line, fault=row.fault, text=row.text)
    asserted = asserted_answers([row.cells.get(name) for name in named.asserted])
    try:
        fields = dict(_fields(row.cells, named))
    except ValueError as error:
        written = msgspec.json.encode(row.cells).decode()
        return ForeignQuestion(line=row.line, fault=str(error), text=written)
    others, further = _others(row.cells, named, fields, keeps_own=keeps_own)
    if fields.get("answer") is not None:
        fields["answer"] = with_truth(fields["answer"], str(fields.get("question") or ""))
    if not str(fields.get("question") or "").strip() and not _HELD.isdisjoint(fields):
        written = row.text or msgspec.json.encode(row.cells).decode()
        fault = "the row has an answer or gold, but no question; write it, or delete the row"
        return ForeignQuestion(line=row.line, fault=fault, text=written)
    return ForeignQuestion(
        line=row.line,
        fields={**others, **fields},
        further=further,
        asserted=asserted.kind if not asserted.answers else "",
        said=row.cells.get(named.said),
        passages=row.cells.get(named.passages),
    )


def _others(
    cells: Mapping[str, Any], named: Columns, fields: Mapping[str, Any], *, keeps_own: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns without a role as they are kept, and those of them that a system may see.

    ``keeps_own`` if fields of our own keep their meaning, as they do in lines of JSON.
    """
    kept: dict[str, Any] = {}
    seen: dict[str, Any] = {}
    used = {*named.roles.values(), *named.further, *named.asserted}
    for name, value in cells.items():
        if name in used or value in (None, "", []):
            continue
        if keeps_own and name in _KEPT and name not in fields:
            kept[name] = value
        elif name in _OWN or _is_odd_kind(name, value):
            kept[f"{name} (column)"] = value
        else:
            kept[name] = value
            if not is_secret_name(name, named) and not (keeps_own and name == "kind"):
                seen[name] = value
    return kept, seen


def _is_odd_kind(name: str, value: Any) -> bool:
    return name == "kind" and not isinstance(value, str)


def _named(rows: Sequence[TableRow], chosen: Mapping[str, str], path: Path) -> Columns:
    """The column for each role."""
    cells = [row.cells for row in rows if row.cells or not row.fault]
    names = list(dict.fromkeys(name for row in cells for name in row))
    named = named_columns(names, chosen, path)
    if cells and "question" not in named.roles:
        raise UseError(
            f"{path}: no column is known to hold the questions; there are: {', '.join(names)}; "
            "name it with --column question=NAME"
        )
    return named


def _fields(row: Mapping[str, Any], columns: Columns) -> Iterator[tuple[str, Any]]:
    named = columns.roles
    for role, name in named.items():
        value = _expected(row, columns) if role == "answer" else parsed_cell(row.get(name))
        if value in (None, "", []):
            continue
        if (
            role == "gold"
            and isinstance(value, list)
            and any(isinstance(item, dict) for item in value)
        ):
            yield "gold", value
        elif role == "gold":
            yield "gold_chunk_ids", list(_flat(value))
        elif role == "context":
            yield (
                "gold",
                [
                    {"source": row.get(named.get("source", ""), ""), "text": text}
                    for text in _flat(value)
                ],
            )
        elif role == "answerable":
            yield role, answerable_flag(name, value)
        else:
            yield role, value


def _expected(row: Mapping[str, Any], columns: Columns) -> Any:
    """The expected answer of a row: of one column, of several, or of assertions."""
    if columns.asserted:
        return list(asserted_answers([row.get(name) for name in columns.asserted]).answers)
    first = parsed_cell(row.get(columns.roles["answer"]))
    further = [parsed_cell(row.get(name)) for name in columns.further]
    if all(value in (None, "", []) for value in further):
        return first
    return list(accepted_answers([first, *further]))


def parsed_cell(value: Any) -> Any:
    """A cell of a table may hold a JSON list, or a list as Python writes it."""
    if isinstance(value, str) and value.strip().startswith("[") and value.strip().endswith("]"):
        try:
            return msgspec.json.decode(value)
        except UNREADABLE:
            return _python_list(value)
    return value


def _python_list(text: str) -> Any:
    """A list as Python or NumPy writes it, the latter without commas; a text that is none stays."""
    if len(text) > _LONGEST_LIST:
        return text
    try:
        read = ast.literal_eval(_with_commas(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return text
    try:
        msgspec.json.encode(read)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return text
    return read if isinstance(read, list) else text


def _with_commas(text: str) -> str:
    r"""A list of Python with a comma between two texts, which Python would join.

    >>> _with_commas("['a' 'b'\n 'c', 'd']")
    "['a','b','c','d']"
    """
    parts: list[str] = []
    before = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER}:
            continue
        parts += [",", token.string] if before == token.type == tokenize.STRING else [token.string]
        before = token.type
    return "".join(parts)


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    elif str(value).strip():
        yield from (
            (part.strip() for part in str(value).split(";") if part.strip())
            if isinstance(value, str) and len(value) < 200
            else [str(value)]
        )
