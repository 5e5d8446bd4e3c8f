import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.table.format import as_csv, formula_safe
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.stats.interval import Interval


def read(text: str) -> list[list[str]]:
    """The cells as another program would read them."""
    return list(csv.reader(io.StringIO(text, newline="")))


def is_number(text: str) -> bool:
    """Whether another program would read the text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_text_comes_back_whole_and_runs_nowhere(pairs: list[tuple[str, str]]):
    """A cell is read back unchanged, or with an apostrophe if it looked like a formula."""
    table = Table(
        columns=(TableColumn(key="a"),),
        rows=tuple(
            LabelledRow(label=label, cells=(TableCell(value=text),)) for label, text in pairs
        ),
    )
    rows = read(as_csv(table))[1:]
    assert [len(row) for row in rows] == [2] * len(pairs)
    for row, pair in zip(rows, pairs, strict=True):
        for cell, text in zip(row, pair, strict=True):
            assert cell in {text, f"'{text}"}
            assert cell.lstrip()[:1] not in set("=+-@") or is_number(cell)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_exactly(value: float):
    """Floats, also negative ones, are written as numbers with all their digits."""
    table = Table(
        columns=(TableColumn(key="a"),),
        rows=(LabelledRow(label="v", cells=(TableCell(value=value),)),),
    )
    assert float(read(as_csv(table))[1][1]) == value


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "\r=1", "\n", "  =1", "＝1", "－2x"]
)
def test_what_a_spreadsheet_would_run_is_quoted(text: str):
    """An apostrophe is put before a formula, also if it is indented or in full-width characters."""
    assert formula_safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-0.5", "+3", "-1e-05", "plain", "a=b", "", "'quoted"])
def test_harmless_text_is_left_alone(text: str):
    """Numbers written as text and signs inside a text are not taken for formulas."""
    assert formula_safe(text) == text


def test_columns_of_intervals_and_marks_follow_their_value():
    """Bounds and stars follow their value in separate columns; undefined values are empty."""
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
        columns=(TableColumn(key="cov", title="coverage"), TableColumn(key="n")),
        rows=(
            LabelledRow(label="on", cells=cells),
            LabelledRow(label="off", cells=(TableCell(value=float("nan")), TableCell(value=None))),
        ),
    )
    assert read(as_csv(table)) == [
        ["variant", "cov", "cov_low", "cov_high", "cov_significance", "n"],
        ["on", "0.8231", "0.781", "0.859", "*", "3"],
        ["off", "", "", "", "", ""],
    ]
