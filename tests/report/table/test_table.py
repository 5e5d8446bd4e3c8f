from collections.abc import Sequence
from typing import Any

import pytest

from assay.records import Tally
from assay.report.table.format import as_csv, as_markdown, as_text
from assay.report.table.latex import as_latex
from assay.report.table.table import (
    LabelledRow,
    Table,
    TableCell,
    TableColumn,
    legend,
    on_one_line,
    shown_interval,
    shown_number,
    significance,
    tally_cells,
    tally_columns,
    with_marks,
)
from assay.stats.interval import Interval


def one_column(values: Sequence[float | str | None], **column: Any) -> Table:
    """A table with one column; its rows are labelled with their numbers."""
    return Table(
        columns=(TableColumn(key="m", **column),),
        rows=tuple(
            LabelledRow(label=str(number), cells=(TableCell(value=value),))
            for number, value in enumerate(values)
        ),
    )


def marks(table: Table) -> list[str | None]:
    """The marks in the first column."""
    return [row.cells[0].mark for row in with_marks(table).rows]


@pytest.mark.parametrize(
    ("values", "better", "expected"),
    [
        ([0.7, 0.9, 0.8], "higher", ["worst", "best", None]),
        ([0.7, 0.9, 0.8], "lower", ["best", "worst", None]),
        ([0.7, 0.9, 0.8], None, [None, None, None]),
        ([0.9, 0.7, 0.9, 0.7], "higher", ["best", "worst", "best", "worst"]),
        ([0.5, 0.5, 0.5], "higher", [None, None, None]),
        ([0.5, None, float("nan")], "higher", [None, None, None]),
        ([0.5, None, 0.4], "higher", ["best", None, "worst"]),
        ([0.0, "n/a", 1.0], "lower", ["best", None, "worst"]),
        ([-0.2, -0.1], "higher", ["worst", "best"]),
        ([], "higher", []),
    ],
)
def test_marks_follow_direction_and_ties(
    values: list[float | str | None], better: str | None, expected: list[str | None]
):
    """The marks follow the direction, equal values share one, and undefined values have none."""
    assert marks(one_column(values, better=better)) == expected


def test_values_that_print_the_same_share_the_mark():
    """0.8231 and 0.8229 are both shown as 0.823, so both are bold or neither is."""
    assert marks(one_column([0.8231, 0.8229, 0.5], better="higher")) == ["best", "best", "worst"]
    assert marks(one_column([0.8231, 0.8229], better="higher")) == [None, None]
    assert marks(one_column([0.8231, 0.8229], better="higher", digits=4)) == ["best", "worst"]


def test_marking_again_changes_nothing():
    """Marking a table that has marks already gives the same table."""
    table = with_marks(one_column([0.1, 0.2, 0.3], better="higher"))
    assert with_marks(table) == table


def test_numbers_never_read_minus_zero():
    """A number that rounds to zero has no sign, and a positive difference has a plus sign."""
    column = TableColumn(key="d", signed=True)
    assert [shown_number(value, column) for value in (-0.0004, 0.0, 0.0004, 0.5, -0.5, 3)] == [
        "0.000",
        "0.000",
        "0.000",
        "+0.500",
        "-0.500",
        "+3",
    ]


def test_interval_is_shown_with_the_columns_digits():
    """An interval has as many digits as its value, and an infinite interval is not shown."""
    column = TableColumn(key="m", digits=2)
    assert shown_interval(Interval(low=0.781, high=0.859, method="bca"), column) == "[0.78, 0.86]"
    assert shown_interval(Interval(low=0.1, high=float("inf"), method="bca"), column) == ""
    assert shown_interval(None, column) == ""


def test_significance_has_strict_levels():
    """A p-value that equals a level gets no star for this level."""
    levels = [None, 0.05, 0.049, 0.01, 0.0099, 0.001, 0.00099, float("nan")]
    assert [significance(level) for level in levels] == ["", "", "*", "*", "**", "**", "***", ""]


def test_legend_explains_only_what_is_there():
    """The legend explains only the signs that occur in the table; the notes follow it."""
    assert legend(one_column([0.5])) == ()
    cells = (
        TableCell(value=0.5, interval=Interval(low=0.4, high=0.6, method="bca"), mark="best"),
        TableCell(value=None),
        TableCell(value=0.1, significance="*"),
    )
    table = Table(
        columns=tuple(TableColumn(key=key) for key in "abc"),
        rows=(LabelledRow(label="v", cells=cells),),
        notes=("Own note.",),
    )
    lines = legend(table, "en")
    assert [line.split()[0] for line in lines] == ["In", "Bold:", "Against", "–:", "Own"]
    assert "95%" in lines[0]
    assert len(legend(table, "zh")) == len(legend(table, "ru")) == len(lines)


def test_a_table_refuses_rows_that_do_not_fit():
    """A row with too few cells and two columns with the same key raise ``ValueError``."""
    with pytest.raises(ValueError, match="row 'v': 0 cells, 1 columns"):
        Table(columns=(TableColumn(key="a"),), rows=(LabelledRow(label="v", cells=()),))
    with pytest.raises(ValueError, match="same key"):
        Table(columns=(TableColumn(key="a"), TableColumn(key="a")), rows=())


def test_tally_cells_are_under_their_columns():
    """The counts of scored, failed and skipped cases are in the columns with these keys."""
    cells = tally_cells(Tally(scored=7, failed=2, skipped=1))
    counts = {
        column.key: cell.value for column, cell in zip(tally_columns("ru"), cells, strict=True)
    }
    assert counts == {"scored": 7, "failed": 2, "skipped": 1}


def test_answers_that_are_not_judged_have_a_column_on_request():
    """The column is after the scored cases."""
    keys = [column.key for column in tally_columns(unjudged=True)]
    cells = tally_cells(Tally(scored=7, answered=4, failed=2, skipped=1), unjudged=True)
    assert dict(zip(keys, [cell.value for cell in cells], strict=True)) == {
        "scored": 7,
        "answered": 4,
        "failed": 2,
        "skipped": 1,
    }


def test_plain_text_has_one_line_and_no_direction_marks():
    """All kinds of line ends become spaces, and marks of text direction become visible."""
    assert on_one_line("a\u2028b\x0bc\u202ed\r\n\te\u00a0f") == "a b c\\u202ed e\u00a0f"


def test_a_small_p_value_is_not_shown_as_zero():
    """With ``never_zero`` a tiny number is shown as less than the last digit, in all formats."""
    column = TableColumn(key="p", digits=4, never_zero=True)
    assert [shown_number(value, column) for value in (4e-5, 6e-5, 0.0, 0.5)] == [
        "<0.0001",
        "0.0001",
        "0.0000",
        "0.5000",
    ]
    assert shown_number(4e-5, TableColumn(key="a", digits=4)) == "0.0000"
    table = Table(columns=(column,), rows=(LabelledRow(label="v", cells=(TableCell(value=2e-9),)),))
    assert "&lt;0.0001" in as_markdown(table)
    assert "$<$0.0001" in as_latex(table)
    assert "<0.0001" in as_text(table)
    assert "2e-09" in as_csv(table)


def test_rounding_gives_no_interval_a_width_of_zero():
    """A latency of a tenth of a millisecond has an interval; more digits are shown until it has."""
    column = TableColumn(key="latency")
    assert shown_interval(Interval(low=0.00007, high=0.00013, method="t"), column) == (
        "[0.00007, 0.00013]"
    )
    assert shown_interval(Interval(low=0.12341, high=0.12349, method="t"), column) == (
        "[0.1234, 0.1235]"
    )
    assert shown_interval(Interval(low=0.781, high=0.859, method="t"), column) == "[0.781, 0.859]"
