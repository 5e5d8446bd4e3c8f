"""Tables as plain text for a terminal."""

from collections.abc import Sequence

from assay.report.table.markdown import display_width
from assay.report.table.table import (
    MISSING,
    Column,
    Table,
    TableCell,
    column_names,
    column_titles,
    is_defined,
    on_one_line,
    shown_number,
)
from assay.report.words import Lang


def as_text(table: Table, lang: Lang = "en", *, width: int = 100) -> str:
    """The labels and values of a table in aligned columns, without intervals and notes.

    The names of metrics for programs stand in a second line, below their titles.

    If the table is wider than ``width`` and exchanging rows and columns makes it narrower, rows
    and columns are exchanged.
    """
    lines = [[on_one_line(text) for text in column_titles(table, lang)]]
    names = column_names(table)
    if names:
        lines.append(names)
    lines += [
        [
            on_one_line(row.label),
            *(_value(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)),
        ]
        for row in table.rows
    ]
    transposed = [list(line) for line in zip(*lines, strict=True)]
    if _width(lines) > width and _width(transposed) < _width(lines):
        titles = ["left"] * (2 if names else 1)
        return _aligned_text(transposed, [*titles, *("right" for _ in table.rows)])
    return _aligned_text(lines, ["left", *(column.align for column in table.columns)])


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(display_width(line[index]) for line in lines) for index in range(len(lines[0]))]


def _width(lines: Sequence[Sequence[str]]) -> int:
    return sum(_widths(lines)) + 2 * (len(lines[0]) - 1)


def _aligned_text(lines: Sequence[Sequence[str]], aligns: Sequence[str]) -> str:
    widths = _widths(lines)
    return "\n".join(
        "  ".join(
            _pad(cell, width, align)
            for cell, width, align in zip(line, widths, aligns, strict=True)
        ).rstrip()
        for line in lines
    )


def _pad(text: str, width: int, align: str) -> str:
    padding = " " * (width - display_width(text))
    return padding + text if align == "right" else text + padding


def _value(cell: TableCell, column: Column) -> str:
    if cell.value is None or not is_defined(cell.value):
        return MISSING
    if isinstance(cell.value, str):
        return on_one_line(cell.value)
    return shown_number(cell.value, column) + cell.significance
