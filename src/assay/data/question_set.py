"""Question sets of other tools, as rows of ours: tables, SQuAD, Ragas, AutoRAG, a plain list.

- ``.csv``, ``.tsv``, ``.xlsx``: one question a row; columns are recognised by their names
  (``question_column.toml``), or named by the user.
- ``.json``: SQuAD (1.1 and 2.0), a list of objects as Ragas writes it, or columns of lists.
- ``.parquet``: AutoRAG; it needs the extra ``query``.
- ``.txt``, ``.md``: one question a line; signs of a list before it are left out.

A question without an id gets one that follows from its text, so that a row that is added or
deleted changes no other question. Columns that are not known are kept as further fields.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.encoding import decode_text
from assay.data.foreign_set import READERS, TEXTS, table_rows
from assay.data.jsonl import UNREADABLE
from assay.data.question_table import TableRow
from assay.errors import UseError
from assay.text import language

ROLES: Final = ("id", "question", "answer", "source", "gold", "context", "answerable")
_IS_OURS: Final = frozenset({".jsonl", ".ndjson", ""})
_ID_BYTES: Final = 5
_HELD: Final = frozenset({"answer", "gold", "gold_chunk_ids"})
"""Fields that make no sense without a question."""
_SECRET_ROLES: Final = ("answer", "gold", "context", "answerable")
_OWN: Final = frozenset(
    {"id", "question", "text", "source", "bundle", "gold_chunk_ids", "gold", "answerable", "answer"}
    | {"answers", "metadata", "draft"}
)
"""Names of our own fields: a column that has one of them without its role is kept as another."""


class ForeignQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file of another format: its line or number, and its fields in our names.

    ``further`` are the fields that a system may see besides the question. ``fault`` says why the
    row is no question, and ``text`` is the row as it is written; it has no fields then.
    """

    line: int
    fields: dict[str, Any] = {}
    further: dict[str, Any] = {}
    fault: str = ""
    text: str = ""


class ForeignTable(Struct, frozen=True, kw_only=True):
    """The columns of a file of another format, and what is not among its questions.

    ``roles`` says which column has a role, and ``known`` by which names each role is recognised
    (``column_key``). ``left_out`` are the lines of rows without a question; ``encoding`` is that
    of a text that is not UTF-8.
    """

    names: tuple[str, ...]
    roles: Mapping[str, str]
    known: Mapping[str, Sequence[str]]
    left_out: tuple[int, ...] = ()
    encoding: str = ""


def is_own_format(path: Path) -> bool:
    """Whether the file has our own format, one JSON object a line; judged by its ending."""
    return path.suffix.lower() in _IS_OURS or path.suffix.lower() not in READERS


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
    named = _named([row.cells for row in rows if row.cells or not row.fault], columns or {}, path)
    kept = [row for row in (_read(row, named) for row in rows) if row.fault or _asks(row)]
    _give_ids([row.fields for row in kept if not row.fault], numbered=numbered)
    return kept


def _asks(row: ForeignQuestion) -> bool:
    return bool(str(row.fields.get("question") or "").strip())


def foreign_table(path: Path, columns: Mapping[str, str] | None = None) -> ForeignTable:
    """What a file of another format has besides its questions; raises as ``foreign_questions``."""
    rows = table_rows(path)
    cells = [row.cells for row in rows if row.cells or not row.fault]
    named = _named(cells, columns or {}, path)
    read = [_read(row, named) for row in rows]
    is_text = path.suffix.lower() in TEXTS
    decoded = decode_text(path.read_bytes()) if is_text else None
    return ForeignTable(
        names=tuple(dict.fromkeys(name for row in cells for name in row)),
        roles=named,
        known=_known_names(),
        left_out=tuple(row.line for row in read if not row.fault and not _asks(row)),
        encoding="" if decoded is None or decoded.encoding == "UTF-8" else decoded.encoding,
    )


def has_own_ids(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether every question of the file has an id of its own."""
    if is_own_format(path):
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


def _read(row: TableRow, named: Mapping[str, str]) -> ForeignQuestion:
    if row.fault:
        return ForeignQuestion(line=row.line, fault=row.fault, text=row.text)
    try:
        fields = dict(_fields(row.cells, named))
    except ValueError as error:
        written = msgspec.json.encode(row.cells).decode()
        return ForeignQuestion(line=row.line, fault=str(error), text=written)
    others = {
        (f"{name} (column)" if name in _OWN or _is_odd_kind(name, value) else name): value
        for name, value in row.cells.items()
        if name not in named.values() and value not in (None, "", [])
    }
    secret = {key for role in _SECRET_ROLES for key in _known_names()[role]}
    further = {name: value for name, value in others.items() if column_key(name) not in secret}
    if fields.get("answer") is not None:
        fields["answer"] = _answer(fields["answer"], str(fields.get("question") or ""))
    if not str(fields.get("question") or "").strip() and not _HELD.isdisjoint(fields):
        written = row.text or msgspec.json.encode(row.cells).decode()
        fault = "the row has an answer or gold, but no question; write it, or delete the row"
        return ForeignQuestion(line=row.line, fault=fault, text=written)
    return ForeignQuestion(
        line=row.line,
        fields={**others, **fields},
        further={name: value for name, value in further.items() if not name.endswith(" (column)")},
    )


def _is_odd_kind(name: str, value: Any) -> bool:
    return name == "kind" and not isinstance(value, str)


def _answer(value: Any, question: str) -> Any:
    """An expected answer; a truth value stands for yes or no in the language of the question."""
    for truth, word in (("true", "yes"), ("false", "no")):
        if str(value).lower() in _words()["truth"][truth]:
            return [_words()[word][language(question)], str(value)]
    return value


def _named(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], path: Path
) -> dict[str, str]:
    """The column for each role."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    for role, name in columns.items():
        if role not in ROLES:
            raise UseError(f"--column {role}={name}: not one of {', '.join(ROLES)}")
        if name not in names:
            raise UseError(f"{path}: there is no column {name!r}; there are: {', '.join(names)}")
    named = {role: _column(role, names) for role in ROLES}
    chosen = {role: name for role, name in {**named, **columns}.items() if name}
    if rows and "question" not in chosen:
        raise UseError(
            f"{path}: no column is known to hold the questions; there are: {', '.join(names)}; "
            "name it with --column question=NAME"
        )
    return chosen


@cache
def _words() -> dict[str, Any]:
    text = files("assay.data").joinpath("question_column.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _known_names() -> dict[str, list[str]]:
    return {role: [column_key(name) for name in _words()[role]] for role in ROLES}


def column_key(name: str) -> str:
    """The name of a column as it is compared with known names."""
    return re.sub(r"[\s_\-]+", "", name).lower()


def _column(role: str, names: Iterable[str]) -> str | None:
    """The column whose name comes first among the known names of a role."""
    by_key = {column_key(name): name for name in reversed(list(names))}
    return next((by_key[key] for key in _known_names()[role] if key in by_key), None)


def _fields(row: Mapping[str, Any], named: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for role, name in named.items():
        value = parsed_cell(row.get(name))
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
            yield role, _flag(value)
        else:
            yield role, value


def _flag(value: Any) -> bool:
    word = str(value).strip().lower()
    for flag in (True, False):
        if word in _words()["flag"][str(flag).lower()]:
            return flag
    raise ValueError(f"the column for `answerable` says {value!r}; write true or false")


def parsed_cell(value: Any) -> Any:
    """A cell of a table may hold a JSON list, or a list as Python writes it."""
    if isinstance(value, str) and value.strip().startswith("[") and value.strip().endswith("]"):
        for text in (value, value.replace("'", '"')):
            try:
                return msgspec.json.decode(text)
            except UNREADABLE:
                continue
    return value


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
