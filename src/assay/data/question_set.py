"""Question sets of other tools, as rows of ours: tables, SQuAD, Ragas, AutoRAG, a plain list.

- ``.csv``, ``.tsv``, ``.xlsx``: one question a row; columns are recognised by their names
  (``question_column.toml``), or named by the user.
- ``.json``: SQuAD (1.1 and 2.0), a list of objects as Ragas writes it, or columns of lists.
- ``.parquet``: AutoRAG; it needs the extra ``query``.
- ``.txt``, ``.md``: one question a line; signs of a list before it are left out.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.document import csv_rows, xlsx_sheets
from assay.data.encoding import decode_text
from assay.data.jsonl import UNREADABLE, decode_problem
from assay.data.line import unreadable_error
from assay.errors import DatasetError, UseError

ROLES: Final = ("id", "question", "answer", "source", "gold", "context", "answerable")
_LIST_SIGN: Final = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,4}[.)、．]|[（(]\d{1,4}[）)])\s*")
_FALSE: Final = frozenset({"false", "no", "0", "нет", "否", "n"})
_IS_OURS: Final = frozenset({".jsonl", ".ndjson", ""})


def is_own_format(path: Path) -> bool:
    """Whether the file has our own format, one JSON object a line; judged by its ending."""
    return path.suffix.lower() in _IS_OURS or path.suffix.lower() not in _READERS


def foreign_questions(path: Path, columns: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """The questions of a file of another format, with the names of our fields.

    ``columns`` says which column has a role: ``{"question": "Frage"}``. Questions without an id
    are numbered.

    Raises:
        UseError: no column holds the questions, or a named column does not exist.
        DatasetError: the file cannot be read.
    """
    try:
        rows = list(_READERS[path.suffix.lower()](path))
    except OSError as error:
        raise unreadable_error(path, error) from None
    named = _named(rows, columns or {}, path)
    questions = [dict(_fields(row, named)) for row in rows]
    kept = [row for row in questions if str(row.get("question") or "").strip()]
    for number, row in enumerate(kept, 1):
        if not str(row.get("id") or "").strip():
            row["id"] = f"q{number}"
    return kept


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
def _known_names() -> dict[str, list[str]]:
    text = files("assay.data").joinpath("question_column.toml").read_text(encoding="utf-8")
    return {role: [_key(name) for name in names] for role, names in tomllib.loads(text).items()}


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
            yield role, str(value).strip().lower() not in _FALSE
        else:
            yield role, value


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


def _table_rows(rows: Iterable[Sequence[str]]) -> Iterator[dict[str, str]]:
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return
    headers = [header.strip() for header in filled[0]]
    for row in filled[1:]:
        yield {name: cell.strip() for name, cell in zip(headers, row, strict=False) if name}


def _csv(path: Path) -> Iterator[dict[str, str]]:
    yield from _table_rows(csv_rows(_text(path)))


def _xlsx(path: Path) -> Iterator[dict[str, str]]:
    for _, rows in xlsx_sheets(path):
        found = list(_table_rows(rows))
        if found:
            yield from found
            return


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in _text(path).splitlines():
        question = _LIST_SIGN.sub("", line).strip()
        if question and not question.startswith("#"):
            yield {"question": question}


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


_READERS: Final = {
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": _xlsx,
    ".json": _json,
    ".parquet": _parquet,
    ".txt": _lines,
    ".md": _lines,
}
