import re

from hypothesis import given
from hypothesis import strategies as st

from assay.report.table.format import as_markdown, escape_markdown
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn, with_marks
from assay.stats.interval import Interval
from assay.text.width import display_width


def interval(low: float, high: float) -> Interval:
    """A 95% interval."""
    return Interval(low=low, high=high, method="wilson")


def unescaped_pipes(line: str) -> int:
    """The number of pipes that Markdown takes for borders of cells."""
    return len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))


def test_a_table_reads_as_expected():
    """A table has a title, marks, intervals, stars, dashes for missing values and a legend."""
    table = with_marks(
        Table(
            title="HyDE",
            columns=(
                TableColumn(key="cov", title="gold coverage", better="higher"),
                TableColumn(key="lat", title="latency, s", better="lower", digits=2),
                TableColumn(key="n", title="scored"),
            ),
            rows=(
                LabelledRow(
                    label="hyde_off",
                    cells=(
                        TableCell(value=0.7912, interval=interval(0.744, 0.8312)),
                        TableCell(value=1.5),
                        TableCell(value=100),
                    ),
                ),
                LabelledRow(
                    label="hyde_on",
                    cells=(
                        TableCell(value=0.8231, interval=interval(0.781, 0.859), significance="**"),
                        TableCell(value=None),
                        TableCell(value=98),
                    ),
                ),
            ),
            notes=("1. of two",),
        )
    )
    assert as_markdown(table) == (
        "### HyDE\n"
        "\n"
        "| variant  |                gold coverage | latency, s | scored |\n"
        "| -------- | ---------------------------: | ---------: | -----: |\n"
        "| hyde_off |       *0.791* [0.744, 0.831] |       1.50 |    100 |\n"
        "| hyde_on  | **0.823**\\*\\* [0.781, 0.859] |          – |     98 |\n"
        "\n"
        "- In brackets: 95% interval.\n"
        "- Bold: best of the column. Italic: worst.\n"
        "- Against the baseline, corrected: \\* p &lt; 0.05, \\*\\* p &lt; 0.01, \\*\\*\\* p &lt; 0.001.\n"
        "- –: undefined, not zero.\n"
        "- 1\\. of two\n"
    )


@given(st.lists(st.text(), min_size=1, max_size=4), st.text(), st.text())
def test_no_text_breaks_out_of_its_cell(labels: list[str], text: str, title: str):
    """For any labels, titles and cells, each row is one line with three borders."""
    table = Table(
        title="t",
        columns=(TableColumn(key="a", title=title),),
        rows=tuple(LabelledRow(label=label, cells=(TableCell(value=text),)) for label in labels),
    )
    lines = as_markdown(table).splitlines()
    assert len(lines) == 2 + 2 + len(labels)
    assert {unescaped_pipes(line) for line in lines[2:]} == {3}


@given(st.text())
def test_no_text_becomes_markup(text: str):
    """A text cannot become a tag, a code span, a link, an emphasis or a formula."""
    shown = escape_markdown(text)
    assert "<" not in shown
    assert ">" not in shown
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*\[\]$]", shown)


def test_names_stay_as_they_are_written():
    """The name of a variant is not escaped, so that a search of the page finds it."""
    for name in ("fast_dim_128", "中文_变体", "R&D", "вариант-2"):
        assert escape_markdown(name) == name


def test_what_looks_like_an_entity_is_shown_as_typed():
    """``&lt;`` in an answer is shown as these four characters, not as a bracket."""
    assert escape_markdown("&lt;b&gt; <b>") == "&amp;lt;b&amp;gt; &lt;b&gt;"


def test_columns_line_up_for_wide_characters():
    """All rows have the same width in a terminal, where a Chinese character takes two columns."""
    table = Table(
        columns=(TableColumn(key="a", title="指标"),),
        rows=tuple(
            LabelledRow(label=name, cells=(TableCell(value=1),)) for name in ("变体一", "b")
        ),
    )
    assert len({display_width(line) for line in as_markdown(table, "zh").splitlines()[:4]}) == 1


def test_a_table_without_rows_is_still_a_table():
    """A table without rows consists of its head."""
    table = Table(columns=(TableColumn(key="a"),), rows=())
    assert as_markdown(table) == "| variant |   a |\n| ------- | --: |\n"
