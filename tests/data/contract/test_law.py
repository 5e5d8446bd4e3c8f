"""Law stores in JSONL and SQLite."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from assay.data.contract.law import read_laws
from assay.errors import DatasetError

ROWS: list[dict[str, Any]] = [
    {"name": "Pilots Code", "article": 4, "text": "Pilots wear bells.", "aliases": ["PC", "Bells"]},
    {"name": "Pilots Code", "article": "第五条", "text": "Bells are brass.", "note": "kept by me"},
    {
        "name": "Речной кодекс",
        "article": "12.1",
        "text": "Сплав разрешён.",
        "aliases": "РК; Речной",
    },
]


def write_database(path: Path, table: str = "laws", columns: str = "name, article, text") -> None:
    """Write a database with the rows above in one table."""
    names = columns.split(", ")
    with closing(sqlite3.connect(path)) as database:
        database.execute(f'CREATE TABLE "{table}" ({columns})')
        for row in ROWS:
            values = [row.get(name) for name in names]
            values = [";".join(value) if isinstance(value, list) else value for value in values]
            marks = ", ".join("?" * len(names))
            database.execute(f'INSERT INTO "{table}" VALUES ({marks})', values)
        database.commit()


def test_lines_are_read(tmp_path: Path):
    """Articles are numbers or text, aliases a list or a string; other keys are ignored."""
    path = tmp_path / "laws.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    store = read_laws(path)
    assert len(store) == 3
    assert store.articles_of("Bells") == {"4": "Pilots wear bells.", "5": "Bells are brass."}
    assert store.articles_of("Речной") == {"12.1": "Сплав разрешён."}
    assert store.articles_of("Sailors Code") is None


@pytest.mark.parametrize(
    ("table", "columns"),
    [("laws", "name, article, text, aliases"), ("anything", "article, text, name"), ("laws", "name, article, text")],
)  # fmt: skip
def test_a_database_is_read(tmp_path: Path, table: str, columns: str):
    """The table is found by its name or its columns, and the file is not changed."""
    path = tmp_path / "50% laws?.db"
    write_database(path, table, columns)
    before = path.read_bytes()
    store = read_laws(path)
    assert store.articles_of("the Pilots Code") == {
        "4": "Pilots wear bells.",
        "5": "Bells are brass.",
    }
    assert (store.articles_of("РК") is not None) == ("aliases" in columns)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_bad_line_is_named(tmp_path: Path):
    """A line without a text is refused with its number."""
    path = tmp_path / "laws.jsonl"
    path.write_text(json.dumps(ROWS[0]) + '\n{"name": "x", "article": 1}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"laws\.jsonl:2: .*text"):
        read_laws(path)


def test_a_database_without_such_a_table_is_refused(tmp_path: Path):
    """No suitable table, or several without the name ``laws``, gives a message with the cure."""
    path = tmp_path / "laws.db"
    write_database(path, "other", "name, text")
    with pytest.raises(DatasetError, match="no table with columns name, article, text"):
        read_laws(path)
    write_database(path, "one")
    write_database(path, "two")
    message = r"2 tables with columns .*; the table to use must be called laws"
    with pytest.raises(DatasetError, match=message):
        read_laws(path)


def test_an_empty_cell_is_refused(tmp_path: Path):
    """A row without a text is an error and not read as an empty text."""
    path = tmp_path / "laws.db"
    write_database(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE laws SET text = NULL WHERE rowid = 2")
        database.commit()
    message = "laws, row 2: name, article, text must all have a value"
    with pytest.raises(DatasetError, match=message):
        read_laws(path)


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_empty_store_is_refused(tmp_path: Path, content: bytes):
    """A file without laws is refused, because every citation would be unknown."""
    path = tmp_path / "laws.jsonl"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match="no laws"):
        read_laws(path)


def test_a_missing_or_broken_file_is_one_line(tmp_path: Path):
    """A missing file and a truncated database each give a ``DatasetError``."""
    with pytest.raises(DatasetError, match="no such file"):
        read_laws(tmp_path / "laws.jsonl")
    path = tmp_path / "laws.db"
    write_database(path)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(DatasetError, match="cannot be read as SQLite"):
        read_laws(path)
