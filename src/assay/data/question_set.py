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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.encoding import decode_text
from assay.data.jsonl import UNREADABLE, decode_problem
from assay.data.line import unreadable_error
from assay.data.question_table import TableRow, csv_table, xlsx_table
from assay.data.repeated_key import refuse_repeated_key
from assay.errors import DatasetError, UseError
from assay.text import language

ROLES: Final = ("id", "question", "answer", "source", "gold", "context", "answerable")
_LIST_SIGN: Final = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,4}[.)、．]|[（(]\d{1,4}[）)])\s*")
_IS_OURS: Final = frozenset({".jsonl", ".ndjson", ""})
_ID_BYTES: Final = 5
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


def is_own_format(path: Path) -> bool:
    """Whether the file has our own format, one JSON object a line; judged by its ending."""
    return path.suffix.lower() in _IS_OURS or path.suffix.lower() not in _READERS


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
    try:
        rows = list(_READERS[path.suffix.lower()](path))
    except OSError as error:
        raise unreadable_error(path, error) from None
    named = _named([row.cells for row in rows if row.cells or not row.fault], columns or {}, path)
    read = [_read(row, named) for row in rows]
    kept = [row for row in read if row.fault or str(row.fields.get("question") or "").strip()]
    _give_ids([row.fields for row in kept if not row.fault], numbered=numbered)
    return kept


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
    further = {name: value for name, value in others.items() if _key(name) not in secret}
    if fields.get("answer") is not None:
        fields["answer"] = _answer(fields["answer"], str(fields.get("question") or ""))
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
    return {role: [_key(name) for name in _words()[role]] for role in ROLES}


def _key(name: str) -> str:
    return re.sub(r"[\s_\-]+", "", name).lower()


def _column(role: str, names: Iterable[str]) -> str | None:
    """The column whose name comes first among the known names of a role."""
    by_key = {_key(name): name for name in reversed(list(names))}
    return next((by_key[key] for key in _known_names()[role] if key in by_key), None)


def _fields(row: Mapping[str, Any], named: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for role, name in named.items():
        value = _parsed(row.get(name))
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


def _parsed(value: Any) -> Any:
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


def _text(path: Path) -> str:
    decoded = decode_text(path.read_bytes())
    if decoded is None:
        raise DatasetError(f"{path}: not UTF-8, UTF-16, GB18030 or CP1251; save it as UTF-8")
    return decoded.text


def _csv(path: Path) -> Iterator[TableRow]:
    yield from csv_table(_text(path), path)


def _lines(path: Path) -> Iterator[TableRow]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        question = _LIST_SIGN.sub("", line).strip()
        if question and not question.startswith("#"):
            yield TableRow(line=number, cells={"question": question})


def _counted(
    read: Callable[[Path], Iterator[dict[str, Any]]],
) -> Callable[[Path], Iterator[TableRow]]:
    """Reads rows that have no lines: their numbers are counted."""
    return lambda path: (
        TableRow(line=number, cells=cells) for number, cells in enumerate(read(path), 1)
    )


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise UseError(
            f"{path}: reading Parquet needs the extra `query`: pip install 'assay[query]'"
        ) from None
    try:
        found = duckdb.sql("SELECT * FROM read_parquet($path)", params={"path": str(path)})
        if found is None:
            return
        names = found.columns
        yield from (dict(zip(names, row, strict=True)) for row in found.fetchall())
    except duckdb.Error as error:
        raise DatasetError(f"{path}: not a Parquet file: {str(error).splitlines()[0]}") from None


def _json(path: Path) -> Iterator[dict[str, Any]]:
    text = _text(path)
    try:
        content = msgspec.json.decode(text)
    except UNREADABLE as error:
        problem = decode_problem(text.encode(), error)
        raise DatasetError(f"{path}: not JSON: {problem}") from None
    refuse_repeated_key(text.encode(), path)
    if isinstance(content, dict) and isinstance(content.get("data"), list):
        yield from _squad(content["data"])
    elif isinstance(content, dict) and all(isinstance(value, list) for value in content.values()):
        yield from (
            dict(zip(content, values, strict=True))
            for values in zip(*content.values(), strict=False)
        )
    else:
        items = (
            content.get("questions", content.get("samples"))
            if isinstance(content, dict)
            else content
        )
        if not isinstance(items, list):
            raise DatasetError(f"{path}: neither SQuAD nor a list of questions")
        yield from (item if isinstance(item, dict) else {"question": str(item)} for item in items)


def _squad(articles: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """The questions of SQuAD; the gold is the paragraph that each question is about."""
    for article in articles:
        title = str(article.get("title") or "")
        for paragraph in article.get("paragraphs") or ():
            for question in paragraph.get("qas") or ():
                is_impossible = bool(question.get("is_impossible"))
                answers = [answer.get("text") for answer in question.get("answers") or ()]
                gold = [{"source": "", "text": str(paragraph.get("context") or "")}]
                yield {
                    "id": question.get("id"),
                    "question": question.get("question"),
                    "answer": answers,
                    "title": title,
                    **({"answerable": False} if is_impossible else {"gold": gold}),
                }


_READERS: Final[Mapping[str, Callable[[Path], Iterator[TableRow]]]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": xlsx_table,
    ".json": _counted(_json),
    ".parquet": _counted(_parquet),
    ".txt": _lines,
    ".md": _lines,
}
