"""Read laws from JSONL or an SQLite database; each row has a name, an article and a text."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from assay.data.jsonl import BadLine, read_blocks
from assay.errors import DatasetError
from assay.scorers.law_citation import LawStore, LawText

_REQUIRED = ("name", "article", "text")
_MAGIC = b"SQLite format 3\0"


class _Row(Struct, frozen=True, kw_only=True):
    """A line of a file; other keys are ignored."""

    name: str
    article: int | str
    text: str
    aliases: str | list[str] = ""


def read_laws(path: Path) -> LawStore:
    """Read the laws of a file; its first bytes show whether it is SQLite, otherwise it is JSONL.

    A row has ``name``, ``article`` (a number, or text such as ``第五百八十五条``) and ``text``. It
    may have ``aliases``, which are other names of the law: a list, or a string separated by
    semicolons. In SQLite the rows are in the table ``laws``, or in the only table with these
    columns.

    Raises:
        DatasetError: the file does not exist, has no rows, or a row is not valid.
    """
    if not path.is_file():
        raise DatasetError(f"{path}: no such file")
    with path.open("rb") as file:
        is_database = file.read(len(_MAGIC)) == _MAGIC
    laws = _read_database(path) if is_database else _read_lines(path)
    if not laws:
        raise DatasetError(f"{path}: no laws; each row needs {', '.join(_REQUIRED)}")
    return LawStore(laws)


def _read_lines(path: Path) -> list[LawText]:
    try:
        return [_law(row) for rows in read_blocks(path, _Row) for row in rows]
    except BadLine as error:
        raise DatasetError(str(error)) from None


def _read_database(path: Path) -> list[LawText]:
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            table, columns = _find_table(path, database)
            selected = [*_REQUIRED, "aliases"] if "aliases" in columns else list(_REQUIRED)
            # The names come from the catalogue of the database and are quoted.
            names = ", ".join(f'"{column}"' for column in selected)
            rows = database.execute(f'SELECT {names} FROM "{table}" ORDER BY rowid').fetchall()  # noqa: S608
    except sqlite3.Error as error:
        raise DatasetError(f"{path}: cannot be read as SQLite: {error}") from None
    return [_row_law(path, table, number, row) for number, row in enumerate(rows, 1)]


def _find_table(path: Path, database: sqlite3.Connection) -> tuple[str, set[str]]:
    """Find the table or view with the laws; return its name and columns."""
    candidates: dict[str, set[str]] = {}
    tables = database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    for (table,) in tables.fetchall():
        columns = {
            row[1] for row in database.execute("SELECT * FROM pragma_table_info(?)", (table,))
        }
        if columns.issuperset(_REQUIRED) and '"' not in table:
            candidates[table] = columns
    if "laws" in candidates:
        return "laws", candidates["laws"]
    if len(candidates) != 1:
        count = "no table" if not candidates else f"{len(candidates)} tables"
        raise DatasetError(
            f"{path}: {count} with columns {', '.join(_REQUIRED)}; the table to use must be "
            "called laws"
        )
    return next(iter(candidates.items()))


def _row_law(path: Path, table: str, number: int, row: tuple[Any, ...]) -> LawText:
    name, article, text, *rest = row
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(article, int | str):
        raise DatasetError(
            f"{path}: {table}, row {number}: {', '.join(_REQUIRED)} must all have a value"
        )
    return _law(
        _Row(name=name, article=article, text=text, aliases=(rest[0] or "") if rest else "")
    )


def _law(row: _Row) -> LawText:
    aliases = row.aliases.split(";") if isinstance(row.aliases, str) else row.aliases
    return LawText(
        name=row.name,
        article=str(row.article),
        text=row.text,
        aliases=tuple(alias.strip() for alias in aliases if alias.strip()),
    )
