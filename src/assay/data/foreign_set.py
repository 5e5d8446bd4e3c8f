"""Readers of question sets of other tools: each gives the rows of a file as they are there."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.encoding import decode_text
from assay.data.json_line_set import ENDINGS, json_line_table, with_systems
from assay.data.json_set import json_set
from assay.data.jsonl import UNREADABLE, decode_problem
from assay.data.line import unreadable_error
from assay.data.question_table import TableRow, csv_table, xlsx_table
from assay.data.repeated_key import refuse_repeated_key
from assay.errors import DatasetError, UseError
from assay.extra import optional_library

TEXTS: Final = frozenset({".csv", ".tsv", ".json", ".txt", ".md"}) | ENDINGS
"""Endings of files that have an encoding."""
TABLES: Final = frozenset({".csv", ".tsv", ".xlsx"})
"""Endings of files that have cells."""
FORMATS: Final = "use a .jsonl, .csv, .tsv, .xlsx, .json, .parquet, .txt or .md file"
"""What to do about a file of another format."""
_LIST_SIGN: Final = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,4}[.)、．]|[（(]\d{1,4}[）)])\s*")


def table_rows(path: Path, sheet: str = "") -> list[TableRow]:
    """The rows of a file of another format, with the names of columns that they have there.

    ``sheet`` is that of a workbook; without it, the first one with rows is read.

    Raises:
        DatasetError: the file cannot be read.
        UseError: a sheet is named that the file does not have.
    """
    if sheet and path.suffix.lower() != ".xlsx":
        raise UseError(f"{path}: has no sheets; --sheet is for workbooks (.xlsx)")
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise DatasetError(f"{path}: this format is not read; {FORMATS}")
    try:
        rows = xlsx_table(path, sheet) if sheet else read(path)
        return list(with_systems(list(rows)))
    except OSError as error:
        raise unreadable_error(path, error) from None


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
    duckdb = optional_library("duckdb", "query", f"{path}: reading Parquet")
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
    yield from json_set(content, path)


READERS: Final[Mapping[str, Callable[[Path], Iterator[TableRow]]]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": xlsx_table,
    ".json": _counted(_json),
    ".parquet": _counted(_parquet),
    ".txt": _lines,
    ".md": _lines,
    **dict.fromkeys(ENDINGS, json_line_table),
}
"""The reader of each ending."""
