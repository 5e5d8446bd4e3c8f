"""SQL over the rows of a run: the last row of each case, and nothing but these rows."""

import json
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from assay.errors import JournalCorrupt, UseError
from assay.study import query
from assay.study.query import QueryLimits, query_rows, row_fields
from tests.support.journal import failed, judged, row, skipped, write_header, write_rows


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    """A run of two variants, with a failure that was asked again, and a skipped case."""
    rows = [
        judged("q1", "on", 1.0, source="条例.txt", answer="三十日内"),
        failed("q1", "off"),
        judged("q2", "on", 0.5),
        skipped("q2", "off"),
        judged("q1", "off", 0.25, answer="Не сказано"),
    ]
    journal = write_rows(tmp_path / "run.jsonl", rows)
    write_header(journal, ["on", "off"])
    return journal


def run(journal: Path, sql: str, **limits: Any) -> list[tuple[Any, ...]]:
    """All rows of the result of a query."""
    with query_rows(journal, sql, QueryLimits(**limits)) as result:
        return list(result.rows)


def test_a_query_sees_the_last_row_of_each_case(journal: Path):
    """A failure that was asked again is one scored row; costs of it are in the journal only."""
    rows = run(journal, "select question_id, config, status from rows order by all")
    assert rows == [
        ("q1", "off", "scored"),
        ("q1", "on", "scored"),
        ("q2", "off", "skipped"),
        ("q2", "on", "scored"),
    ]


def test_fields_of_objects_are_named_with_a_dot(journal: Path):
    """Numbers in objects have their type, so that they can be averaged and compared."""
    sql = "select config, avg(scores.gold_coverage) from rows group by config order by config"
    assert run(journal, sql) == [("off", 0.25), ("on", 0.75)]
    fields = {field.name: field.type for field in row_fields(journal)}
    assert fields["scores.gold_coverage"] == "DOUBLE"
    assert fields["scores.gold_hit_any"] == "BOOLEAN"
    assert fields["answer"] == fields["error"] == "VARCHAR"


def test_columns_that_no_row_has_are_undefined(tmp_path: Path):
    """A query about errors also works for a run in which nothing failed."""
    journal = write_rows(tmp_path / "run.jsonl", [judged("q1", "on", 1.0)])
    assert run(journal, "select error, cost from rows") == [(None, None)]


def test_texts_stay_texts(tmp_path: Path):
    """An answer that looks like a date, a number or an identifier is a text all the same."""
    answers = ["2021-03-04", "17", "123e4567-e89b-12d3-a456-426614174000", "10:11:12", "true"]
    rows = [judged(f"q{n}", "on", 1.0, answer=answer) for n, answer in enumerate(answers)]
    journal = write_rows(tmp_path / "run.jsonl", rows)
    assert run(journal, "select answer from rows order by question_id") == [(a,) for a in answers]
    for n, answer in enumerate(answers):
        journal = write_rows(tmp_path / f"{n}.jsonl", [judged("q", "on", 1.0, answer=answer)])
        assert run(journal, "select answer from rows") == [(answer,)]


def test_values_of_several_kinds_are_json(tmp_path: Path):
    """A field that is a number in one row and a text in another keeps both."""
    values: list[Any] = [1, "two", [3], {"four": 4}, None]
    rows = [row(f"q{n}", "on", extra={"x": value}) for n, value in enumerate(values)]
    journal = write_rows(tmp_path / "run.jsonl", rows)
    stored = run(journal, "select extra.x from rows order by question_id")
    assert [None if x is None else json.loads(x) for (x,) in stored] == values


def test_fields_that_differ_only_in_case_are_json(tmp_path: Path):
    """SQL does not distinguish them, so the object stays whole."""
    journal = write_rows(tmp_path / "run.jsonl", [row("q", "on", choice={"a": "x", "A": "y"})])
    assert run(journal, "select choice->>'A' from rows") == [("y",)]
    both = write_rows(tmp_path / "both.jsonl", [row("q", "on", Answer="x", answer="y")])
    assert "Answer" in {field.name.strip('"') for field in row_fields(both)}


def test_large_and_odd_numbers_are_kept(tmp_path: Path):
    """Whole numbers of 64 bits are exact; larger ones are rounded like other numbers."""
    rows = [row("q1", "on", n=2**63 - 1, big=2**80), row("q2", "on", n=-1, big=1.5)]
    journal = write_rows(tmp_path / "run.jsonl", rows)
    stored = run(journal, "select n, big from rows order by question_id")
    assert stored == [(2**63 - 1, float(2**80)), (-1, 1.5)]


def test_rows_of_other_programs_have_a_status(tmp_path: Path):
    """Without a status, a row with an error has failed and another one is scored."""
    rows = [{"key": "a", "error": "no"}, {"key": "b"}, {"key": "c", "error": None}]
    journal = write_rows(tmp_path / "run.jsonl", rows)
    sql = "select key, status from rows order by key"
    assert run(journal, sql) == [("a", "failed"), ("b", "scored"), ("c", "scored")]


@pytest.mark.parametrize("end", ['{"key": "r::on', json.dumps(judged("r", "on", 1.0)), "  "])
def test_an_incomplete_end_is_no_row(tmp_path: Path, end: str):
    """A line without its newline is not yet a row, whether it could be read or not."""
    journal = write_rows(tmp_path / "run.jsonl", [judged("q", "on", 0.5)], end=end)
    assert run(journal, "select question_id from rows") == [("q",)]


def test_metadata_and_blank_lines_are_no_rows(tmp_path: Path):
    """A first line without a key gives neither a row nor a column."""
    rows = [{"metadata": {"model": "m"}}, judged("q", "on", 0.5), judged("q", "on", 1.0)]
    journal = write_rows(tmp_path / "run.jsonl", rows, end="\n\r\n")
    assert run(journal, "select scores.gold_coverage from rows") == [(1.0,)]
    assert not any(field.name.startswith("metadata") for field in row_fields(journal))


@pytest.mark.parametrize(
    "bad",
    ["{oops", '"text"', '{"question_id": "no key"}', '{"key": "a"}{"key": "b"}', '{"key": NaN}'],
)
def test_a_corrupt_line_is_named(tmp_path: Path, bad: str):
    """The message has the number of the line, as in every other command."""
    journal = write_rows(tmp_path / "run.jsonl", [judged("q", "on", 0.5)], end=f"{bad}\n")
    with pytest.raises(JournalCorrupt, match=r"run\.jsonl:2: "):
        run(journal, "select 1")


def test_rows_of_a_newer_version_are_refused(tmp_path: Path):
    """The message names the version, as in every other command."""
    journal = write_rows(tmp_path / "run.jsonl", [{**judged("q", "on", 1.0), "schema_version": 99}])
    with pytest.raises(UseError, match="newer version of assay"):
        run(journal, "select 1")


def test_an_empty_journal_is_an_empty_table(tmp_path: Path):
    """A run that has just begun can be queried."""
    journal = tmp_path / "run.jsonl"
    journal.touch()
    assert run(journal, "select count(*), count(answer) from rows") == [(0, 0)]


def test_a_name_with_special_characters_is_only_a_name(tmp_path: Path):
    """No pattern in the name of a file makes other files part of the run."""
    journal = write_rows(tmp_path / "it's [a]*.jsonl", [judged("q", "on", 0.5)])
    write_rows(tmp_path / "it's [a]b.jsonl", [judged("other", "on", 0.5)])
    write_rows(tmp_path / "it's ab.jsonl", [judged("other", "on", 0.5)])
    assert run(journal, "select question_id from rows") == [("q",)]


def test_a_result_is_fetched_while_it_is_read(journal: Path):
    """The first rows of an endless result are there at once."""
    sql = "select range from range(1000000000000)"
    with query_rows(journal, sql) as result:
        assert [next(result.rows) for _ in range(3)] == [(0,), (1,), (2,)]


FILES = [
    "select * from read_csv('{secret}')",
    "select * from read_text('{secret}')",
    "select * from read_blob('{secret}')",
    "select * from read_json('{secret}')",
    "select * from read_json('{journal}')",
    "select * from read_text('{journal}')",
    "select * from read_parquet('{secret}')",
    "select * from sniff_csv('{secret}')",
    "select * from glob('*')",
    "select * from '{secret}'",
    "select * from '{journal}'",
    "from 'x.parquet'",
    "select (select content from read_text('{secret}'))",
    "select exists (from glob('{secret}'))",
    "with t as (select * from read_text('{secret}')) select * from t",
    "select * from rows where answer in (select content from read_text('{secret}'))",
    "select * from rows join lateral (select * from read_text(rows.answer)) on true",
    "select * from (values (1)) union all select content from read_text('{secret}')",
    "select * from 'https://example.org/x.csv'",
    "select * from read_csv('s3://bucket/x.csv')",
    "select * from sqlite_scan('x.db', 't')",
]
OTHER_STATEMENTS = [
    "copy rows to '{secret}'",
    "copy (select 1) to '{secret}'",
    "attach '{secret}' as other",
    "export database '{secret}'",
    "import database '{secret}'",
    "install httpfs",
    "load httpfs",
    "pragma version",
    "pragma database_list",
    "set memory_limit = '90GB'",
    "set variable a = 1",
    "reset memory_limit",
    "call pragma_version()",
    "create table t as select 1",
    "create macro f(x) as x",
    "drop view rows",
    "insert into rows values (1)",
    "update rows set answer = ''",
    "delete from rows",
    "checkpoint",
    "vacuum",
    "use memory",
    "prepare p as select 1",
    "explain analyze select * from rows",
    "begin",
    "select 1; select 2",
    "select 1; copy rows to '{secret}'",
    "",
    "   ",
    "-- nothing",
]
INSIDE = [
    "select getenv('HOME')",
    "select current_setting('secret_directory')",
    "select getvariable('a')",
    "select write_log('x')",
    "select sleep_ms(100000)",
    "select pg_sleep(1000)",
    "select * from duckdb_settings()",
    "select * from duckdb_secrets()",
    "select * from which_secret('x', 's3')",
    "select * from duckdb_functions()",
    "select * from pragma_version()",
    "select * from query('select 1')",
    "select * from query_table('rows')",
    "select * from json_execute_serialized_sql('x')",
    "select * from enable_logging()",
    "select * from enable_profiling()",
    "select * from information_schema.tables",
    "select * from duckdb_tables",
    "select * from main.rows",
    "select * from sqlite_master",
    "with a as (with duckdb_settings as (select 1) from duckdb_settings) select * from duckdb_settings",
    "show tables",
    "show all tables",
    "select * from secret_of_python",
]


def refusal(journal: Path, sql: str) -> str:
    """The message with which a query is refused; empty if it is answered."""
    try:
        run(journal, sql)
    except UseError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "statements", [FILES, OTHER_STATEMENTS, INSIDE], ids=["files", "other", "inside"]
)
def test_nothing_but_the_rows_can_be_reached(journal: Path, statements: list[str]):
    """Other files, the network, settings and every other statement are refused in one line."""
    secret = journal.with_name("secret.csv")
    secret.write_text("a,b\n1,2\n")
    secret_of_python = [1, 2]
    before = {path: path.read_bytes() for path in journal.parent.iterdir()}
    for sql in statements:
        message = refusal(journal, sql.format(secret=secret, journal=journal))
        assert message, sql
        assert "\n" not in message, sql
        assert {path: path.read_bytes() for path in journal.parent.iterdir()} == before, sql
        assert secret_of_python == [1, 2], sql


@pytest.mark.parametrize("statements", [FILES, OTHER_STATEMENTS], ids=["files", "other"])
def test_the_database_itself_reaches_no_file(
    journal: Path, statements: list[str], monkeypatch: pytest.MonkeyPatch
):
    """Even if the check of the statement missed something, DuckDB refuses it or harms nothing."""
    monkeypatch.setattr("assay.study.query.check_statement", lambda *_: None)
    secret = journal.with_name("secret.csv")
    secret.write_text("a,b\n1,2\n")
    before = {path: path.read_bytes() for path in journal.parent.iterdir()}
    for sql in statements:
        try:
            rows = run(journal, sql.format(secret=secret, journal=journal))
        except (UseError, AttributeError, TypeError):  # an empty statement has no result
            rows = []
        assert ("1", "2") not in rows, sql
        assert (1, 2) not in rows, sql
        assert not any("a,b" in str(value) for values in rows for value in values), sql
        assert {path: path.read_bytes() for path in journal.parent.iterdir()} == before, sql


@pytest.mark.parametrize(
    "sql",
    [
        "from rows",
        "with t as (select 1 as n) select n from t",
        "with recursive t(n) as (select 1 union all select n + 1 from t where n < 5) from t",
        "select unnest([1, 2])",
        "select * from range(3)",
        "select * from rows, unnest([1, 2]) as u(x)",
        "summarize rows",
        "describe rows",
        "values (1), (2)",
        "select list_transform([1, 2], lambda x : x + 1)",
        "select count(*) filter (status = 'scored') from rows group by all order by all limit 3",
        "select row_number() over (partition by config order by elapsed_s) from rows",
        "select a.answer, b.answer from rows a join rows b using (question_id)",
        "select columns('scor.*') from rows",
        "select * from rows qualify row_number() over (partition by config) = 1",
    ],
)
def test_a_select_can_use_the_whole_language(journal: Path, sql: str):
    """Joins, windows, lists and recursion work over the rows."""
    assert run(journal, sql)


def test_a_query_that_never_ends_is_stopped(journal: Path):
    """The time limit stops a recursion without end."""
    endless = "with recursive t(n) as (select 1 union all select 1 from t) select count(*) from t"
    with pytest.raises(UseError, match=r"longer than 0\.5 s; allow more with --timeout"):
        run(journal, endless, timeout_s=0.5)


def test_a_query_that_needs_too_much_memory_is_stopped(journal: Path):
    """The memory limit stops a list of a thousand million numbers; nothing goes to a disk."""
    with pytest.raises(UseError, match="more than 256 MB of memory"):
        run(journal, "select list(range) from range(1000000000)", memory_mb=256)
    assert sorted(path.name for path in journal.parent.iterdir()) == ["run.json", "run.jsonl"]


def test_a_deeply_nested_query_is_refused(journal: Path):
    """Parentheses without end are an error and not a crash."""
    with pytest.raises(UseError):
        run(journal, "select " + "(" * 20000 + "1" + ")" * 20000)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("selec 1", "cannot be read: syntax error"),
        ("select anser from rows", 'Candidate bindings: "answer"'),
        ("select * from row", "there is no table 'row'"),
        ("select sum(answer) from rows", "cannot be run"),
        ("select answer::int from rows", "cannot be run"),
        ("select $1", "cannot be run"),
        ("select now()", "time zone"),
        ("select error('\x1b[31mred')", r"\\x1b\[31mred"),
    ],
)
def test_a_wrong_query_is_explained_in_one_line(journal: Path, sql: str, message: str):
    """The message says what is wrong and, where DuckDB knows one, the right name."""
    with pytest.raises(UseError, match=message) as caught:
        run(journal, sql)
    assert "\n" not in str(caught.value)


class Connection:
    """A query of it goes on until it is interrupted."""

    def __init__(self) -> None:
        self._interrupted = threading.Event()

    def query(self) -> None:
        """Wait for the interrupt."""
        assert self._interrupted.wait(60)

    def interrupt(self) -> None:
        """End the query."""
        self._interrupted.set()

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("after", range(1, 40))
def test_ctrl_c_at_any_line_ends_a_query(after: int, monkeypatch: pytest.MonkeyPatch):
    """Wherever the main thread is interrupted while it waits, no lock stays locked."""
    monkeypatch.setattr(query, "GIVE_UP_S", 0.5)  # if the query was not handed over at all
    connection = Connection()
    lines = 0

    def interrupt(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        lines += event == "line"
        if lines == after:
            sys.settrace(None)
            raise KeyboardInterrupt
        return interrupt

    def traced(run: query._Worker) -> None:
        sys.settrace(interrupt)
        try:
            run(connection.query)
        finally:
            sys.settrace(None)

    with query._Worker(connection, time.monotonic() + 60) as run, pytest.raises(KeyboardInterrupt):
        traced(run)
