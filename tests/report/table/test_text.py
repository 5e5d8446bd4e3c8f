"""Tables in a terminal: they fit, and show which variant is best and worst."""

import pytest

from assay.report.table.format import as_text
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn, with_marks
from assay.text.width import display_width
from assay.words.language import Lang

TITLES = (
    "Valid citations", "Recall@10", "Answered when answerable", "Abstained although answerable",
    "引用合规率", "Ответил, когда ответ есть", "Latency, s",
)  # fmt: skip


def table(variants: int, metrics: int = len(TITLES)) -> Table:
    """A table with marks; the first variant is the best one."""
    columns = tuple(
        TableColumn(
            key=f"metric_name_{number}", title=title, name=f"metric_name_{number}", better="higher"
        )
        for number, title in enumerate(TITLES[:metrics])
    )
    rows = tuple(
        LabelledRow(
            label=f"fast_dim_{2**number}",
            cells=tuple(TableCell(value=1 - number / 50) for _ in columns),
        )
        for number in range(variants)
    )
    return with_marks(Table(columns=columns, rows=rows))


@pytest.mark.parametrize("variants", [1, 2, 3, 5, 9, 30])
def test_a_table_fits_into_80_columns(variants: int):
    """Whatever the number of variants, no line is wider than a terminal and no value is lost."""
    shown = as_text(table(variants))
    assert max(map(display_width, shown.splitlines())) <= 80
    for number in range(variants):
        assert shown.count(f"{1 - number / 50:.3f}") == len(TITLES)


def test_many_variants_are_rows():
    """With many variants each of them is a line, in several parts that repeat its name."""
    lines = as_text(table(9)).splitlines()
    assert sum(line.startswith("fast_dim_256 ") for line in lines) > 1
    assert "" in lines


def test_few_variants_are_columns_if_the_table_is_wide():
    """With two variants each metric is a line, and there is one part."""
    lines = as_text(table(2)).splitlines()
    assert lines[0].split() == ["variant", "fast_dim_1", "fast_dim_2"]
    assert "" not in lines


@pytest.mark.parametrize(
    ("lang", "note"),
    [("en", "⁺ best, ⁻ worst value; the difference may still be noise"), ("zh", "⁺ 最好，⁻ 最差的值；差异仍可能只是噪声"),
     ("ru", "⁺ лучшее, ⁻ худшее значение; разница всё же может быть шумом")],
)  # fmt: skip
def test_the_best_and_the_worst_have_a_sign(lang: Lang, note: str):
    """The best value ends with a plus and the worst with a minus, and the last line says so."""
    lines = as_text(table(3, metrics=1), lang).splitlines()
    assert [line.split()[-1] for line in lines[2:5]] == ["1.000⁺", "0.980", "0.960⁻"]
    assert lines[-1] == note


def test_equal_variants_have_no_signs():
    """Where nothing is best there is no sign and no note."""
    assert "⁺" not in as_text(table(1))
