"""A store of laws: JSONL, or a SQLite database, with a name, an article and a text in each row."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from assay.data.jsonl import BadLine, read_blocks
from assay.errors import DatasetError
from assay.scorers.law_citation import LawStore, LawText

_NEEDED = ("name", "article", "text")
_MAGIC = b"SQLite format 3\0"


class _Row(Struct, frozen=True, kw_only=True):
    """A line as it stands in a file; further keys are the user's own."""

    name: str
    article: int | str
    text: str
    aliases: str | list[str] = ""


def read_laws(path: Path) -> LawStore:
    """The laws in ``path``, JSONL or SQLite by what the file begins with.

    A row has ``name``, ``article`` (a number, or as it is written: ``第五百八十五条``), ``text``, and
    may have ``aliases``, other names of the law: a list, or one string with semicolons. In SQLite
    the table is ``laws``, or the only one with such columns.

    Raises:
        DatasetError: the file is not there, a row is not as above, or there is none.
    """
    if not path.is_file():
        raise DatasetError(f"{path}: no such file")
    with path.open("rb") as file:
        is_database = file.read(len(_MAGIC)) == _MAGIC
    laws = _from_database(path) if is_database else _from_lines(path)
    if not laws:
        raise DatasetError(f"{path}: no laws; each row needs {', '.join(_NEEDED)}")
    return LawStore(laws)


def _from_lines(path: Path) -> list[LawText]:
    try:
        return [_law(row) for rows in read_blocks(path, _Row) for row in rows]
    except BadLine as error:
        raise DatasetError(str(error)) from None


def _from_database(path: Path) -> list[LawText]:
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            table, columns = _table(path, database)
            wanted = [*_NEEDED, "aliases"] if "aliases" in columns else list(_NEEDED)
            # Names come from the database's own catalogue and are quoted.
            named = ", ".join(f'"{column}"' for column in wanted)
            rows = database.execute(f'SELECT {named} FROM "{table}" ORDER BY rowid').fetchall()  # noqa: S608
    except sqlite3.Error as error:
        raise DatasetError(f"{path}: cannot be read as SQLite: {error}") from None
    return [_row_law(path, table, number, row) for number, row in enumerate(rows, 1)]


def _table(path: Path, database: sqlite3.Connection) -> tuple[str, set[str]]:
    found: dict[str, set[str]] = {}
    tables = database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    for (table,) in tables.fetchall():
        columns = {
            row[1] for row in database.execute("SELECT * FROM pragma_table_info(?)", (table,))
        }
        if columns.issuperset(_NEEDED) and '"' not in table:
            found[table] = columns
    if "laws" in found:
        return "laws", found["laws"]
    if len(found) != 1:
        said = "no table" if not found else f"{len(found)} tables"
        raise DatasetError(
            f"{path}: {said} with columns {', '.join(_NEEDED)}; name the one to use laws"
        )
    return next(iter(found.items()))


def _row_law(path: Path, table: str, number: int, row: tuple[Any, ...]) -> LawText:
    name, article, text, *rest = row
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(article, int | str):
        raise DatasetError(f"{path}: {table}, row {number}: {', '.join(_NEEDED)} must all be given")
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
