"""Read laws from JSON, JSON lines, CSV or an SQLite database.

A row has the name of the law, an article (a number, or text such as ``第五百八十五条``) and the text
of the article. Each may have any of several names, see ``_COLUMNS``. It may have ``aliases``,
which are other names of the law: a list, or a string separated by semicolons.
"""

import csv
import hashlib
import io
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from assay.data.foreign_value import ignored_fields_note
from assay.data.jsonl import UNREADABLE, check_utf8, numbered_lines, refuse_repeated_key
from assay.errors import DatasetError
from assay.jobs.contract.law_citation import LawStore, LawText, canonical_article, law_citations
from assay.records import Passage
from assay.text.language import Language
from assay.words.message import Message, message, message_n

_COLUMNS: Final[Mapping[str, list[str]]] = msgspec.toml.decode(
    files("assay.jobs.contract").joinpath("law_column.toml").read_bytes()
)
"""The names of each field, the best one first; upper and lower case are the same."""

_NEEDED: Final = "; ".join(f"{field}: {', '.join(names[:3])}" for field, names in _COLUMNS.items())
_ALIASES: Final = "aliases"
_MAGIC: Final = b"SQLite format 3\0"
_SEPARATORS: Final = ",;\t"
_MOST_SECONDS: Final = 10
"""The time in which a database must be read."""
_STEPS: Final = 10_000
"""After so many steps of a query it is looked whether that time is over."""
_MOST_ROWS: Final = 1_000_000
_MOST_BYTES: Final = 1 << 26
"""The largest text of a row; a view may make one of any size."""

LawItem = Mapping[str, Any]


class LawFile(Struct, frozen=True, kw_only=True):
    """The laws of a file, and notes to show to the user."""

    store: LawStore
    notes: tuple[Message | str, ...] = ()


def read_laws(path: Path) -> LawStore:
    """Read the laws of a file; raises as ``read_law_file``."""
    return read_law_file(path).store


def read_law_file(path: Path) -> LawFile:
    """Read the laws of a file. Its first bytes and its ending show what kind of file it is.

    In SQLite the rows are in the table ``laws``, or in the table with such columns that has the
    most rows.

    Raises:
        DatasetError: the file does not exist, has no rows, or a row is not valid.
    """
    if not path.is_file():
        raise DatasetError(f"{path}: no such file")
    with path.open("rb") as file:
        beginning = file.read(1024)
    notes: list[Message | str] = []
    if beginning.startswith(_MAGIC):
        items = _read_database(path, notes)
    elif path.suffix.lower() in {".csv", ".tsv"}:
        items = _read_csv(path)
    elif path.suffix.lower() == ".json" or _is_array(beginning):
        items = _read_json(path)
    else:
        items = _read_lines(path)
    laws, ignored, incomplete = _laws(items)
    if not laws:
        raise DatasetError(f"{path}: no laws; each row needs {_NEEDED}")
    if incomplete:
        notes.append(
            message_n(
                "{n} row without a name, an article or a text is left out",
                "{n} rows without a name, an article or a text are left out",
                incomplete,
            )
        )
    notes.extend(filter(None, [ignored_fields_note(ignored)]))
    return LawFile(store=LawStore(laws), notes=tuple(notes))


def _laws(items: Iterable[tuple[str, LawItem]]) -> tuple[list[LawText], list[str], int]:
    """The laws, the names of ignored fields, and the number of rows that were left out."""
    laws: list[LawText] = []
    ignored: dict[str, None] = {}
    incomplete = 0
    columns: dict[str, str] | None = None
    for where, item in items:
        if columns is None or not all(column in item for column in columns.values()):
            columns = _columns(item)
            if columns is None:
                raise DatasetError(f"{where}: not a law; a row needs {_NEEDED}")
        used = {*columns.values(), _ALIASES, "language"}
        ignored.update(dict.fromkeys(name for name in item if name not in used))
        values = [item[columns[field]] for field in _COLUMNS]
        if any(value is None or not str(value).strip() for value in values):
            incomplete += 1
            continue
        name, article, text = (str(value) for value in values)
        aliases = tuple(_aliases(item.get(_ALIASES)))
        laws.append(LawText(name=name, article=article, text=text, aliases=aliases))
    return laws, list(ignored), incomplete


def _columns(names: Iterable[str]) -> dict[str, str] | None:
    """For each field the name of its column; ``None`` if one of them cannot be recognised."""
    folded = {name.strip().lower(): name for name in reversed(list(names))}
    columns = {
        field: next((folded[name] for name in known if name in folded), "")
        for field, known in _COLUMNS.items()
    }
    return columns if all(columns.values()) else None


def _aliases(value: Any) -> Iterator[str]:
    names = value.split(";") if isinstance(value, str) else value or ()
    yield from (str(name).strip() for name in names if str(name).strip())


def _read_lines(path: Path) -> Iterator[tuple[str, LawItem]]:
    for number, line in numbered_lines(path):
        where = f"{path}:{number}"
        try:
            item = msgspec.json.decode(line, type=dict[str, Any])
        except UNREADABLE as error:
            raise DatasetError(f"{where}: {error}") from None
        refuse_repeated_key(line, path, lines_before=number - 1)
        yield where, item


def _is_array(beginning: bytes) -> bool:
    return beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["


def _read_json(path: Path) -> Iterator[tuple[str, LawItem]]:
    """Read an array, or the only array in an object."""
    text = check_utf8(path.read_bytes(), path).removeprefix("\ufeff")
    try:
        content = msgspec.json.decode(text)
        if isinstance(content, dict) and _columns(content) is None:
            lists = [value for value in content.values() if isinstance(value, list)]
            content = lists[0] if len(lists) == 1 else content
        items = [content] if isinstance(content, dict) else content
        rows = msgspec.convert(items, list[dict[str, Any]])
    except UNREADABLE as error:
        # a file with this ending may contain JSON lines
        if not _is_array(text[:1024].encode()) and text.lstrip()[:1] == "{":
            yield from _read_lines(path)
            return
        raise DatasetError(f"{path}: not a JSON array of laws: {error}") from None
    refuse_repeated_key(text.encode(), path)
    for index, item in enumerate(rows):
        yield f"{path}: item {index}", item


def _read_csv(path: Path) -> Iterator[tuple[str, LawItem]]:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _decode_chinese(data, path)
    head = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=head.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in rows:
            # cells beyond the header have the name None
            yield f"{path}:{rows.line_num}", {name: row[name] for name in row if name is not None}
    except csv.Error as error:
        raise DatasetError(f"{path}:{rows.line_num}: not CSV: {error}") from None


def _decode_chinese(data: bytes, path: Path) -> str:
    """Decode a table as spreadsheets in China save it."""
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return check_utf8(data, path)  # its message says where UTF-8 ends


def _read_database(path: Path, notes: list[Message | str]) -> Iterator[tuple[str, LawItem]]:
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            give_up_at = time.monotonic() + _MOST_SECONDS  # a view may be a query without end
            database.set_progress_handler(lambda: time.monotonic() > give_up_at, _STEPS)
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
            table = _find_table(path, database, notes)
            # The name comes from the catalogue of the database and is quoted.
            cursor = database.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchmany(_MOST_ROWS + 1)
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise DatasetError(f"{path}: cannot be read as SQLite: {error}") from None
        raise DatasetError(
            f"{path}: reading it takes longer than {_MOST_SECONDS} s; is one of its views a query "
            "without end?"
        ) from None
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        raise DatasetError(f"{path}: cannot be read as SQLite: {error}") from None
    if len(rows) > _MOST_ROWS:
        raise DatasetError(f"{path}: {table} has more than {_MOST_ROWS} rows")
    for number, row in enumerate(rows, 1):
        yield f"{path}: {table}, row {number}", dict(zip(names, row, strict=True))


def _find_table(path: Path, database: sqlite3.Connection, notes: list[Message | str]) -> str:
    """Find the table or view with the laws."""
    candidates: dict[str, int] = {}
    tables = database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    for (table,) in tables.fetchall():
        names = [row[1] for row in database.execute("SELECT * FROM pragma_table_info(?)", (table,))]
        if _columns(names) is not None and '"' not in table:
            (count,) = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()  # noqa: S608
            candidates[table] = count
    if not candidates:
        raise DatasetError(f"{path}: no table with the columns of laws; it needs {_NEEDED}")
    chosen = "laws" if "laws" in candidates else max(candidates, key=lambda name: candidates[name])
    if len(candidates) > 1:
        others = ", ".join(name for name in candidates if name != chosen)
        notes.append(
            message(
                "laws are read from the table {chosen}, not from {others}",
                chosen=chosen,
                others=others,
            )
        )
    return chosen


# The laws that a reviewer may cite: the articles with their citations and texts.


class LawArticle(Struct, frozen=True, kw_only=True):
    """An article: its citation as written, its text, and ``name``, the law and the number."""

    citation: str
    name: str
    text: str

    @property
    def passage(self) -> Passage:
        """The article as a passage on which a reply is based."""
        return Passage(id=self.name, text=self.text)


class LawBook:
    """A store of laws and the hash of its content; without a store no article is known."""

    def __init__(self, store: LawStore | None = None, *, sha256: str = "") -> None:
        self._store = store
        self.sha256 = sha256

    def articles(self, citation: str) -> list[LawArticle]:
        """The articles that a citation names; articles that are not in the store are left out.

        >>> from assay.jobs.contract.law_citation import LawText
        >>> book = LawBook(LawStore([LawText(name="Harbour Act", article="22", text="No penalty.")]))
        >>> [article.text for article in book.articles("Harbour Act, section 22")]
        ['No penalty.']
        >>> book.articles("Harbour Act, section 9")
        []
        """
        articles = []
        for cited in law_citations(citation):
            known = self._store.articles_of(cited.law) if self._store and cited.law else None
            text = (known or {}).get(canonical_article(cited.article))
            if text is not None:
                name = f"{cited.law}#{canonical_article(cited.article)}"
                articles.append(LawArticle(citation=citation, name=name, text=text))
        return articles


def read_law_book(path: Path) -> LawBook:
    """Read the laws of a JSONL or SQLite file; the hash is that of the file's bytes."""
    store = read_laws(path)
    return LawBook(store, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def with_text(article: LawArticle, language: Language) -> str:
    """The citation of an article followed by the article's text in quotation marks."""
    colon = "：" if language == "zh" else ": "
    return f"{article.citation}{colon}“{article.text}”"
