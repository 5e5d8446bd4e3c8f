"""A run as tables, rows, files, figures, and as a notebook shows it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure

import assay
from assay.errors import UseError
from assay.library.notebook import list_html
from assay.study.chart import KINDS

SIGN = "<img src=x onerror=alert(1)>"


def service(share: int) -> Any:
    """Answers so many of ten questions; one case fails."""

    def ask(question: str) -> str:
        number = int(question.rsplit(maxsplit=1)[-1].rstrip("?"))
        if number == 7:
            raise ValueError(SIGN)
        return f"{number} days {SIGN}" if number % 10 < share else "I do not know."

    return ask


QUESTIONS = [
    {"question": f"How long is notice {n}?", "answer": f"{n} days", "kind": "ab"[n % 2]}
    for n in range(40)
]


@pytest.fixture(name="both", scope="module")
def _both(tmp_path_factory: pytest.TempPathFactory) -> assay.Run:
    """Two variants, asked 40 questions."""
    folder = tmp_path_factory.mktemp("both")
    return assay.run({"base": service(5), "cand": service(9)}, QUESTIONS, name="both", root=folder)


@pytest.fixture(name="one", scope="module")
def _one(tmp_path_factory: pytest.TempPathFactory) -> assay.Run:
    """One system, and questions of a file."""
    folder = tmp_path_factory.mktemp("one")
    path = folder / "questions.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in QUESTIONS))
    return assay.run(service(5), path, name="one", root=folder)


def test_the_table_has_a_row_for_each_variant_and_metric(both: assay.Run):
    """With the interval, the number of questions, and which direction is better."""
    table = both.table()
    names = ["variant", "metric", "title", "value", "low", "high", "n", "unsure", "better"]
    assert list(table.columns) == names
    shown = table.set_index(["variant", "metric"])
    right = shown.loc[("cand", "answer_contained")]
    assert (right["n"], right["title"], right["better"]) == (39, "Answer right", "higher")
    assert right["low"] < right["value"] < right["high"]
    assert right["value"] == pytest.approx(35 / 39)
    assert set(both.table(metric="Answer right")["metric"]) == {"answer_contained"}


def test_the_table_of_groups_has_a_row_for_each_group(one: assay.Run):
    """By any field of the questions."""
    table = one.table(by="kind", metric="answer_contained")
    assert table["group"].tolist() == ["a", "b"]
    assert set(table["field"]) == {"kind"}


def test_rows_have_scores_as_columns(both: assay.Run):
    """One row for each case, in plain columns."""
    rows = both.rows()
    assert len(rows) == 80
    assert rows["config"].value_counts().to_dict() == {"base": 40, "cand": 40}
    right = rows[rows["config"] == "cand"]["answer_contained"]
    assert right.sum() == 35
    assert right.isna().sum() == 1
    assert rows["error"].notna().sum() == 2
    assert not {"scores", "passages", "fingerprint", "schema_version"} & set(rows.columns)


def test_rows_as_they_are_recorded(both: assay.Run):
    """Without ``flat``, every field is there, as it is in the journal."""
    whole = both.rows(flat=False)
    first = msgspec.json.decode(both.path.read_bytes().splitlines()[0])
    row = whole[whole["key"] == first["key"]].iloc[0]
    assert {name: row[name] for name in first} == first


def test_rows_are_those_of_the_run_and_the_last_of_each_case(tmp_path: Path):
    """Rows of other questions and of earlier attempts stay in the file, and are not shown."""
    fails = [True]

    def ask(question: str) -> str:
        if fails[0]:
            raise ValueError("later")
        return "1 days"

    assay.run(ask, QUESTIONS[:4], name="x", root=tmp_path)
    fails[0] = False
    run = assay.run(ask, QUESTIONS[:2], name="x", root=tmp_path, resume="keep")
    assert len(run.path.read_bytes().splitlines()) == 6
    assert run.rows()["status"].tolist() == ["scored", "scored"]
    assert len(run.failures) == 0


def test_both_libraries_have_the_same_rows(both: assay.Run):
    """Whichever is asked for."""
    one, other = both.rows(frame="pandas"), both.rows(frame="polars")
    assert isinstance(one, pd.DataFrame)
    assert isinstance(other, pl.DataFrame)
    assert list(one.columns) == other.columns
    assert one["answer_contained"].sum() == other["answer_contained"].sum()
    with pytest.raises(UseError, match="write 'pandas' or 'polars'"):
        both.rows(frame="excel")  # type: ignore[arg-type]


def test_parquet_has_the_rows(both: assay.Run, tmp_path: Path):
    """It is read back by any library, and kept out of git."""
    path = both.to_parquet(tmp_path / "out" / "rows.parquet")
    read = pl.read_parquet(path)
    assert read["key"].to_list() == both.rows()["key"].tolist()
    assert "/rows.parquet" in (path.parent / ".gitignore").read_text()


LIBRARIES = """
import sys
hidden = set(sys.argv[2].split(","))
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in hidden else found(name, *rest)
import assay
run = assay.open(sys.argv[1])
repr(run), run._repr_html_(), repr(run.wrong), run.failures._repr_html_()
for make in (run.rows, run.table, lambda: run.to_parquet("rows.parquet")):
    try:
        print(type(make()).__module__.partition(".")[0])
    except assay.errors.UseError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        ("polars,pyarrow", ["pandas", "pandas", "pip install 'assay-eval[pandas]'"]),
        ("pandas,pyarrow", ["polars", "polars", "pathlib"]),
        ("pandas", ["polars", "polars", "pathlib"]),
        ("pandas,polars,pyarrow", ["pip install 'assay-eval[pandas]'"] * 3),
    ],
)
def test_whichever_library_is_installed_is_used(
    both: assay.Run, tmp_path: Path, hidden: str, expected: list[str]
):
    """Without any, a line says how to install one, and everything else works."""
    done = subprocess.run(
        [sys.executable, "-c", f"import assay.errors\n{LIBRARIES}", str(both.path), hidden],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(end in line for line, end in zip(lines, expected, strict=True)), lines


@pytest.mark.parametrize("kind", [None, "bar", "effect", "latency", "profile"])
def test_a_chart_is_a_figure(both: assay.Run, kind: Any):
    """A notebook shows it without a window of matplotlib, and no file is written."""
    before = set(both.path.parent.rglob("*"))
    figure = both.plot(kind)
    assert isinstance(figure, Figure)
    data, size = figure._repr_png_()  # type: ignore[attr-defined]
    assert data.startswith(b"\x89PNG")
    assert size["width"] > 100
    assert set(both.path.parent.rglob("*")) == before


def test_a_chart_that_is_not_there_is_refused(both: assay.Run, one: assay.Run):
    """A misspelt name, and one that the run has nothing to draw for."""
    with pytest.raises(UseError, match="did you mean 'bar'"):
        both.plot("bars")  # type: ignore[arg-type]
    with pytest.raises(UseError, match="nothing to draw in a chart of kind 'line'"):
        one.plot("line")
    assert set(KINDS) == {"profile", "bar", "effect", "latency", "line", "sequence"}


def test_a_notebook_shows_a_small_table(both: assay.Run, one: assay.Run):
    """Values with intervals; the texts of others are escaped, and there is no script or style sheet."""
    for run in (both, one):
        html = run._repr_html_()
        assert "[0." in html
        assert "<circle" in html
        assert "<style" not in html
        assert "<script" not in html
    assert "cand against base" in both._repr_html_()
    shown = one.failures._repr_html_() + one.wrong._repr_html_()
    assert "<img" not in shown
    assert "&lt;img" in shown


def test_a_terminal_shows_the_same(both: assay.Run, one: assay.Run):
    """``repr`` and ``str`` are the table, and how the cases ended."""
    assert "39 scored, 1 failed, 0 skipped" in repr(one)
    assert "Answer right" in str(one)
    assert "cand against base" in repr(both)


def test_long_lists_are_cut():
    """The first twenty cases, and how many more there are; long texts are cut too."""
    html = list_html(["a"], [{"a": "x" * 500}] * 25)
    assert html.count("<tr>") == 21
    assert "5 more are not listed" in html
    assert "x" * 201 not in html


def test_cases_are_a_list_and_a_table(one: assay.Run):
    """They can be counted, cut and made a DataFrame; none is false."""
    assert one.wrong
    assert not one.unsure
    assert len(one.wrong[:2]) == 2
    assert one.wrong[0]["reason"] == "abstained"
    frame = one.wrong.frame()
    assert list(frame.columns) == ["question_id", "config", "question", "answer", "reason"]
    assert list(one.unsure.frame().columns) == list(frame.columns)


def test_a_run_in_which_every_case_failed_can_be_shown(tmp_path: Path):
    """There is no table, and the counts say why."""

    def ask(question: str) -> str:
        raise ValueError(question)

    run = assay.run(ask, QUESTIONS[:3], name="failed", root=tmp_path)
    assert "0 scored, 3 failed" in repr(run)
    assert "3 failed" in run._repr_html_()
    assert len(run.failures) == 3


def test_a_run_says_why_cases_failed(tmp_path: Path):
    """Each reason once, the most frequent first, in a terminal and in a notebook."""

    def ask(question: str) -> str:
        raise RuntimeError("<no key>" if question == "A?" else "too busy")

    run = assay.run(ask, ["A?", "B?", "C?"], name="why", root=tmp_path, retries=0, progress=False)
    shown = repr(run)
    assert shown.index("2 × ") < shown.index("too busy") < shown.index("1 × ")
    assert "&lt;no key&gt;" in run._repr_html_()


def test_what_there_is_to_say_about_questions_is_noted(tmp_path: Path):
    """A misspelt key, for example; the command prints the same."""
    run = assay.run(lambda question: "x", [{"question": "Why?", "anwser": "x"}], root=tmp_path)
    assert any("anwser" in note for note in run.notes)
    assert "anwser" in repr(run)
    assert "anwser" in run._repr_html_()


def test_the_findings_have_the_labels_of_people(one: assay.Run):
    """The analysis behind the tables is that of a report."""
    assert one.findings.results.path == one.path
    assert one.variants == ("tests.library.test_result.ask",)
    assert assay.open(one.path).table().equals(one.table())
