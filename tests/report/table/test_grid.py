"""The result of a query as text: columns by their width on a terminal, long values cut."""

import datetime as dt
from decimal import Decimal

import pytest

from assay.report.table.table import WIDEST_CELL, as_grid, cell_text, json_text
from assay.text.width import display_width


def test_chinese_takes_two_columns():
    """Columns are below each other in a terminal, whatever the script."""
    text = as_grid(["问题", "n"], [["三十日内付款", 1], ["ok", 12]])
    assert text.splitlines() == ["问题           n", "三十日内付款   1", "ok            12"]


def test_long_values_are_cut_by_their_width():
    """A cell takes at most the same width in every script."""
    for text in ("word " * 40, "条" * 200, "е́" * 200):
        (_, line) = as_grid(["x"], [[text]]).splitlines()
        assert display_width(line) <= WIDEST_CELL
        assert line.endswith("…")


def test_a_wide_result_is_shown_row_by_row():
    """A row that does not fit beside the others has a line for each column."""
    names = [f"column_{number}" for number in range(12)]
    text = as_grid(names, [["x" * 20] * 12, ["y"] * 12], width=80)
    first, second = text.split("\n\n")
    assert first.splitlines()[0] == "column_0   " + "x" * 20
    assert len(second.splitlines()) == 12
    assert as_grid(names, [], width=20) == "  ".join(names)


def test_no_value_breaks_a_line_or_reaches_the_terminal_as_a_command():
    """Newlines, tabs and escape characters of an answer are not printed as they are."""
    line = as_grid(["x"], [["a\nb\tc\x1b[31mred\x07"]]).splitlines()[1]
    assert line == r"a b c\x1b[31mred\x07"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "nan"),
        (0.123456789, "0.123457"),
        (3, "3"),
        (True, "true"),
        ([1, {"a": "条"}], '[1,{"a":"条"}]'),
        (Decimal("0.10"), "0.10"),
        (dt.date(2024, 1, 2), "2024-01-02"),
    ],
)
def test_values_are_shown_short(value: object, text: str):
    """Numbers have six digits; lists and objects are JSON."""
    assert cell_text(value) == text


def test_json_has_every_kind_of_value():
    """Undefined numbers are null, and what JSON does not have becomes a text."""
    assert json_text({"a": float("nan"), "b": Decimal("1.5"), "c": b"x"}) == (
        '{"a":null,"b":1.5,"c":"eA=="}'
    )
    assert json_text(dt.timedelta(days=1)) == '"P1D"'
