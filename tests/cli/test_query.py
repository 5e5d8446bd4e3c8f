"""``assay query``: formats, files, exit codes and messages."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli.query import MOST_ROWS
from tests.support.journal import failed, judged, write_header, write_rows
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, root: Path
) -> Program:
    monkeypatch.chdir(root)
    monkeypatch.setenv("COLUMNS", "100")
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    (tmp_path / "experiments").mkdir()
    rows = [
        judged("q1", "on", 1.0, answer="三十日内"),
        judged("q2", "on", 0.5, answer='=1+1 "quoted"\nsecond line'),
        failed("q1", "off"),
    ]
    journal = write_rows(tmp_path / "experiments/study.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    return tmp_path


def test_a_table_is_aligned(assay: Program):
    """The default is a table for a terminal; a run can be named or given as a file."""
    sql = "select config, count(*) as n, avg(scores.gold_coverage) as coverage from rows group by 1"
    for results in ("study", "experiments/study.jsonl", "experiments/study.json"):
        ran = assay("query", results, f"{sql} order by 1")
        assert ran.code == 0, ran.err
        assert ran.out.splitlines() == [
            "config  n  coverage",
            "off     1         –",
            "on      2      0.75",
        ]


def test_csv_can_be_opened_in_a_spreadsheet(assay: Program):
    """All rows and whole texts; no text is taken for a formula."""
    sql = "select question_id, answer, scores, scores.gold_coverage as c from rows order by key"
    ran = assay("query", "study", sql, "--format", "csv")
    head, failed_row, first, second = csv.reader(io.StringIO(ran.out))
    assert head == ["question_id", "answer", "scores", "c"]
    assert failed_row == ["q1", "", "", ""]
    assert (first[1], first[3]) == ("三十日内", "1.0")
    assert json.loads(first[2])["gold_coverage"] == 1.0
    assert second[1] == '\'=1+1 "quoted"\nsecond line'


def test_json_is_a_list_of_objects(assay: Program):
    """Objects keep their fields, and what is undefined is null."""
    sql = "select question_id, answer, scores, error from rows order by key"
    listed = json.loads(assay("query", "study", sql, "--format", "json").out)
    assert [row["question_id"] for row in listed] == ["q1", "q1", "q2"]
    assert listed[0]["error"] == "system: no"
    assert listed[1]["scores"]["gold_hit_any"] is True
    assert listed[1]["error"] is None
    assert (
        json.loads(assay("query", "study", "from rows where false", "--format", "json").out) == []
    )


def test_two_columns_of_one_name_are_no_object(assay: Program):
    """JSON would lose one of them."""
    ran = assay("query", "study", "select 1 as a, 2 as a", "--format", "json")
    assert (ran.code, ran.out) == (2, "")
    assert "two columns are named 'a'" in ran.err


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_the_result_can_be_written_to_a_file(assay: Program, form: str, root: Path):
    """The file has what would be printed, in a new folder if need be."""
    sql = "select question_id, answer from rows order by key"
    printed = assay("query", "study", sql, "--format", form).out
    ran = assay("query", "study", sql, "--format", form, "--out", "new/result")
    assert (ran.code, ran.out) == (0, "")
    assert (root / "new/result").read_text(encoding="utf-8") == printed
    assert {path.name for path in (root / "new").iterdir()} == {".gitignore", "result"}


def test_a_query_that_fails_leaves_the_old_file(assay: Program, root: Path):
    """An error while rows are fetched does not leave half a result."""
    out = root / "result.csv"
    out.write_text("old")
    sql = "select answer::int from rows union all select range from range(100000)"
    ran = assay("query", "study", sql, "--format", "csv", "--out", out)
    assert ran.code == 2
    assert out.read_text() == "old"
    assert not list(root.glob(".result*"))


def test_a_long_table_says_that_it_is_cut(assay: Program):
    """A table has at most a thousand rows; the other formats have all."""
    sql = f"select range from range({MOST_ROWS + 1})"
    ran = assay("query", "study", sql)
    assert len(ran.out.splitlines()) == MOST_ROWS + 1
    assert "only the first 1000 rows" in ran.err
    assert "only" not in assay("query", "study", f"select range from range({MOST_ROWS})").err
    assert len(assay("query", "study", sql, "--format", "csv").out.splitlines()) == MOST_ROWS + 2


def test_the_fields_are_listed(assay: Program):
    """``--schema`` lists each field as a query names it, with its type."""
    ran = assay("query", "study", "--schema")
    fields = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert fields["field"] == "type"
    assert fields["scores.gold_coverage"] == "DOUBLE"
    assert fields["answer"] == "VARCHAR"
    listed = json.loads(assay("query", "study", "--schema", "--format", "json").out)
    assert {"field": "scores.gold_coverage", "type": "DOUBLE"} in listed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("study",), "give one SELECT statement, or --schema"),
        (("study", "select 1", "--schema"), "give one SELECT statement, or --schema"),
        (("studi", "select 1"), "did you mean 'study'?"),
        (("study", "select 1", "--format", "xml"), "--format xml: not one of"),
        (("study", "select anser from rows"), 'Candidate bindings: "answer"'),
        (("study", "drop table rows"), "only a SELECT can be run"),
        (("study", "select * from 'x.csv'"), "there is no table 'x.csv'"),
        (("study", "select 1", "--out", "experiments/study.json/x"), "cannot be written"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(assay: Program, words: tuple[str, ...], message: str):
    """The message says what to do instead."""
    ran = assay("query", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


def test_the_extra_is_named_where_it_is_missing(assay: Program, monkeypatch: pytest.MonkeyPatch):
    """Without DuckDB the message is the command that installs it."""
    monkeypatch.setitem(sys.modules, "duckdb", None)
    ran = assay("query", "study", "select 1")
    assert ran.code == 2
    assert "pip install 'assay-eval[query]'" in ran.err
    assert len(ran.err.splitlines()) == 1


ENDLESS = "with recursive t(n) as (select 1 union all select 1 from t) select count(*) from t"


@pytest.mark.parametrize(
    "sql", [ENDLESS, "select range, repeat('x', 100) from range(100000000000)"]
)
def test_ctrl_c_ends_a_query_at_once(root: Path, sql: str):
    """Whether it computes or prints, exit code 130 and no traceback."""
    script = (
        "import sys, threading\n"
        "import assay.study.query as query\n"
        "from assay.cli.main import main\n"
        "run = query.confine\n"
        "query.confine = lambda *words: (run(*words), print('ready', file=sys.stderr, flush=True))\n"
        "sys.argv[0] = 'assay'\n"
        "main()\n"
    )
    ran = subprocess.Popen(
        [sys.executable, "-c", script, "query", "study", sql, "--format", "csv"],
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert ran.stderr is not None
    assert ran.stderr.readline() == "ready\n"
    ran.send_signal(signal.SIGINT)
    _, err = ran.communicate(timeout=60)
    assert ran.returncode == 130
    assert "Traceback" not in err


def test_a_function_that_cannot_be_interrupted_is_left(root: Path):
    """Some functions of DuckDB never look for an interrupt; the program ends all the same."""
    far = "levenshtein(repeat('a', 300000) || config, repeat('b', 300000) || config)"
    words = ("query", "study", f"select {far} from rows", "--timeout", "0.3")
    impatient = (
        "from assay.cli.main import main; from assay.study import query\n"
        "query.GIVE_UP_S = 0.3; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", impatient, *words],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "assay: the query took longer than 0.3 s; allow more with --timeout\n"


def test_values_that_json_does_not_have_are_plain_texts(assay: Program):
    """A date has no quotes, and a number that is none is not shown as undefined."""
    sql = "select date '2024-03-01' as d, 'nan'::double as n, null as nothing"
    assert assay("query", "study", sql).out.split() == [
        "d",
        "n",
        "nothing",
        "2024-03-01",
        "nan",
        "–",
    ]
    assert (
        assay("query", "study", sql, "--format", "csv").out.splitlines()[1] == '"2024-03-01",nan,""'
    )


def test_a_reader_that_stops_reading_is_no_error(root: Path):
    """``| head`` ends an endless result quietly."""
    words = [sys.executable, "-m", "assay", "query", "study", "select range from range(100000000)"]
    command = subprocess.Popen(
        [*words, "--format", "csv"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert command.stdout is not None
    assert command.stderr is not None
    assert command.stdout.readline() == b'"range"\n'
    command.stdout.close()
    assert command.wait(timeout=60) == 0
    assert command.stderr.read() == b""
    command.stderr.close()


@pytest.mark.parametrize("name", ["study.jsonl", "study.json", "study.plan.jsonl"])
def test_results_are_never_overwritten(assay: Program, root: Path, name: str):
    """``--out`` refuses the files that the run consists of."""
    before = {path: path.read_bytes() for path in (root / "experiments").iterdir()}
    ran = assay("query", "study", "select key from rows", "--out", f"experiments/{name}")
    assert (ran.code, "would overwrite results" in ran.err) == (2, True)
    assert {path: path.read_bytes() for path in (root / "experiments").iterdir()} == before


def test_texts_that_a_query_makes_count_as_memory(root: Path):
    """DuckDB does not count them; the process is bounded, and it is one line."""
    ran = subprocess.run(
        [sys.executable, "-m", "assay", "query", "study", "select repeat('a', 3000000000)",
         "--max-memory", "256"],
        cwd=root, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr.startswith("assay: the query needs more than 256 MB of memory")
