import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.table import Column, Row, Table, TableCell
from assay.report.table.csv_table import as_csv, formula_safe
from assay.stats.interval import Interval


def read(text: str) -> list[list[str]]:
    """The cells as another program reads them."""
    return list(csv.reader(io.StringIO(text, newline="")))


def is_number(text: str) -> bool:
    """Whether another program reads a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_text_comes_back_whole_and_runs_nowhere(pairs: list[tuple[str, str]]):
    """Each cell reads back as it was, or with one apostrophe where it would have run."""
    table = Table(
        columns=(Column(key="a"),),
        rows=tuple(Row(label=label, cells=(TableCell(value=text),)) for label, text in pairs),
    )
    found = read(as_csv(table))[1:]
    assert [len(row) for row in found] == [2] * len(pairs)
    for row, pair in zip(found, pairs, strict=True):
        for cell, text in zip(row, pair, strict=True):
            assert cell in {text, f"'{text}"}
            assert cell.lstrip()[:1] not in set("=+-@") or is_number(cell)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_exactly(value: float):
    """Numbers are written in full, negative ones as numbers."""
    table = Table(
        columns=(Column(key="a"),), rows=(Row(label="v", cells=(TableCell(value=value),)),)
    )
    assert float(read(as_csv(table))[1][1]) == value


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "\r=1", "\n", "  =1", "＝1", "－2x"]
)
def test_what_a_spreadsheet_would_run_is_quoted(text: str):
    """An apostrophe stands before every start of a formula, full-width and indented ones too."""
    assert formula_safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-0.5", "+3", "-1e-05", "plain", "a=b", "", "'quoted"])
def test_harmless_text_is_left_alone(text: str):
    """Numbers written as text and signs inside text are no formulas."""
    assert formula_safe(text) == text


def test_columns_of_intervals_and_marks_follow_their_value():
    """Bounds and stars have columns of their own where there are any; undefined is empty."""
    cells = (
        TableCell(
            value=0.8231,
            interval=Interval(low=0.781, high=0.859, method="bca"),
            significance="*",
            mark="best",
        ),
        TableCell(value=3),
    )
    table = Table(
        columns=(Column(key="cov", title="coverage"), Column(key="n")),
        rows=(
            Row(label="on", cells=cells),
            Row(label="off", cells=(TableCell(value=float("nan")), TableCell(value=None))),
        ),
    )
    assert read(as_csv(table)) == [
        ["variant", "cov", "cov_low", "cov_high", "cov_significance", "n"],
        ["on", "0.8231", "0.781", "0.859", "*", "3"],
        ["off", "", "", "", "", ""],
    ]
