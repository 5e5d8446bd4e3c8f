"""Law stores in JSONL and SQLite."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError
from assay.jobs.contract import law
from assay.jobs.contract.law import read_law_file, read_laws

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
    assert (store.articles_of("Речной") is not None) == ("aliases" in columns)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_bad_line_is_named(tmp_path: Path):
    """A line without a text is refused with its number."""
    path = tmp_path / "laws.jsonl"
    path.write_text(json.dumps(ROWS[0]) + '\n{"name": "x", "article": 1}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"laws\.jsonl:2: .*text"):
        read_laws(path)


def test_a_database_without_such_a_table_is_refused(tmp_path: Path):
    """Without a table whose columns can be recognised, the message names the columns."""
    path = tmp_path / "laws.db"
    write_database(path, "other", "name, text")
    with pytest.raises(DatasetError, match=r"no table .* article: article_id, article, no"):
        read_laws(path)


def test_of_several_tables_the_largest_is_read_and_a_note_says_so(tmp_path: Path):
    """Among tables with suitable columns the one with most rows has the laws."""
    path = tmp_path / "laws.db"
    write_database(path, "first")
    write_database(path, "second")
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM first WHERE rowid > 1")
        database.commit()
    file = read_law_file(path)
    assert len(file.store) == 3
    assert tuple(map(str, file.notes)) == ("laws are read from the table second, not from first",)


def test_an_empty_cell_leaves_its_row_out_and_is_counted(tmp_path: Path):
    """A row without a text is not read as an empty text; a note counts such rows."""
    path = tmp_path / "laws.db"
    write_database(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE laws SET text = NULL WHERE rowid = 2")
        database.commit()
    file = read_law_file(path)
    assert len(file.store) == 2
    assert tuple(map(str, file.notes)) == (
        "1 row without a name, an article or a text is left out",
    )


LABOUR = "中华人民共和国劳动法"


def write_owner_laws(folder: Path, kind: str) -> Path:
    """The same two articles as the owners of four kinds of files have them."""
    rows = [
        (1, LABOUR, "第三条", "劳动者享有平等就业的权利。", "总则"),
        (2, LABOUR, "36", "工时制度。", ""),
    ]
    names = {
        "db": ("id", "law_name", "article_id", "content", "chapter"),
        "json": ("id", "title", "no", "body", "chapter"),
        "jsonl": ("id", "name", "article", "text", "chapter"),
        "csv": ("id", "Law_Name", "Article_ID", "Content", "chapter"),
    }[kind]
    path = folder / f"laws.{kind}"
    if kind == "db":
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"CREATE TABLE statutes ({', '.join(names)})")
            database.executemany("INSERT INTO statutes VALUES (?, ?, ?, ?, ?)", rows)
            database.commit()
        return path
    items = [dict(zip(names, row, strict=True)) for row in rows]
    if kind == "csv":
        lines = [",".join(names), *(",".join(map(str, row)) for row in rows)]
        path.write_text("\n".join(lines), encoding="utf-8-sig")
    elif kind == "json":
        path.write_text(json.dumps(items, ensure_ascii=False, indent=1), encoding="utf-8")
    else:
        path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["db", "json", "jsonl", "csv"])
def test_columns_are_recognised_by_their_usual_names(tmp_path: Path, kind: str):
    """Name, article and text have several names in every kind of file; others are named once."""
    file = read_law_file(write_owner_laws(tmp_path, kind))
    assert file.store.articles_of("劳动法") == {
        "3": "劳动者享有平等就业的权利。",
        "36": "工时制度。",
    }
    assert tuple(map(str, file.notes)) == ("ignored 2 fields: id, chapter",)


@pytest.mark.parametrize("name", ["《劳动法》", "《中华人民共和国劳动法》", "劳动法（2018年修正）"])
def test_the_short_name_of_a_law_matches_its_full_one(tmp_path: Path, name: str):
    """A citation by the short, the full or the dated name finds the articles of the law."""
    store = read_laws(write_owner_laws(tmp_path, "db"))
    assert store.articles_of(name) is not None
    assert store.articles_of("《劳动合同法》") is None


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


def test_a_table_of_a_chinese_spreadsheet_is_read(tmp_path: Path):
    """GB18030, as spreadsheets in China save CSV, and Chinese names of the columns."""
    path = tmp_path / "法条.csv"
    path.write_bytes("法律名称,条号,内容\r\n劳动法,第三条,平等就业\r\n".encode("gb18030"))
    assert read_laws(path).articles_of("劳动法") == {"3": "平等就业"}


ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c{limit})"


def write_view(path: Path, columns: str, *, limit: str = "") -> Path:
    """A database whose laws are a view with these columns."""
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            f"CREATE VIEW laws AS {ENDLESS.format(limit=limit)} SELECT {columns} FROM c"
        )
        database.commit()
    return path


def test_a_view_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file from somebody else cannot keep a command busy for ever, or fill its memory."""
    monkeypatch.setattr(law, "_MOST_SECONDS", 0.2)
    path = write_view(tmp_path / "laws.db", "'a' AS name, n AS article, 'x' AS text")
    with pytest.raises(DatasetError, match=r"takes longer than .* a query without end"):
        read_laws(path)
    monkeypatch.undo()
    monkeypatch.setattr(law, "_MOST_ROWS", 100)
    columns = "'a' AS name, n AS article, 'x' AS text"
    path = write_view(tmp_path / "more.db", columns, limit=" LIMIT 101")
    with pytest.raises(DatasetError, match="laws has more than 100 rows"):
        read_laws(path)
    columns = "'a' AS name, n AS article, hex(zeroblob(90000000)) AS text"
    path = write_view(tmp_path / "large.db", columns, limit=" LIMIT 1")
    with pytest.raises(DatasetError, match="too big"):
        read_laws(path)


@pytest.mark.parametrize("column", ["name", "article", "text"])
def test_a_bad_byte_in_a_database_is_named(tmp_path: Path, column: str):
    """A text that is no UTF-8 is refused with its column."""
    path = tmp_path / "laws.db"
    write_database(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"UPDATE laws SET {column} = CAST(x'ff41' AS TEXT)")
        database.commit()
    with pytest.raises(DatasetError, match=rf"laws\.db: cannot be read as SQLite: .*{column}"):
        read_laws(path)
