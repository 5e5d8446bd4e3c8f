"""Tables as plain text for a terminal."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

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
from assay.report.words import Lang, word
from assay.text import display_width

COLUMNS: Final = 80
"""The width of a terminal that nobody has widened."""
_SIGNS: Final = {"best": "⁺", "worst": "⁻", None: " "}
_NARROW: Final = 10
_Lines = list[list[str]]


def as_text(table: Table, lang: Lang = "en", *, width: int = COLUMNS) -> str:
    """The labels and values of a table in aligned columns, without intervals and notes.

    The names of metrics for programs stand in a second line, below their titles. The best and the
    worst value of a metric have a sign, which a line at the end explains; so are the stars.

    A table that is wider than ``width`` is turned if that makes it fit; otherwise its columns are
    shown in several parts, in the direction that takes fewer lines, so that many variants are rows.
    """
    titles = [on_one_line(text) for text in column_titles(table, lang)]
    names = column_names(table)
    has_signs = any(cell.mark for row in table.rows for cell in row.cells)
    body = [
        [
            on_one_line(row.label),
            *(
                _value(cell, column) + (_SIGNS[cell.mark] if has_signs else "")
                for cell, column in zip(row.cells, table.columns, strict=True)
            ),
        ]
        for row in table.rows
    ]
    aligns = ["left", *(column.align for column in table.columns)]
    heads = [titles, *([names] if names else [])]
    turned = [list(line) for line in zip(*heads, *body, strict=True)]
    turned_aligns = [*("left" for _ in heads), *("right" for _ in table.rows)]
    shown = min(
        list(_parts([*heads, *body], aligns, 1, width)),
        list(_parts(turned, turned_aligns, len(heads), width)),
        list(_parts([*_wrapped(titles, names), *body], aligns, 1, width)),
        key=lambda parts: sum(map(len, parts)) + len(parts) if len(parts) > 1 else 0,
    )
    notes = [word("sign note", lang)] if has_signs else []
    if any(cell.significance for row in table.rows for cell in row.cells):
        notes.append(word("significance note", lang))
    return "\n".join(["\n\n".join("\n".join(part) for part in shown), *notes])


def _wrapped(titles: Sequence[str], names: Sequence[str]) -> _Lines:
    """The heads of narrow columns: titles in several lines, the names for programs below them."""
    widest = [max(_NARROW, display_width(name)) for name in names or titles]
    columns = [
        textwrap.wrap(title, width, break_long_words=False) or [""]
        for title, width in zip(titles, widest, strict=True)
    ]
    height = max(map(len, columns))
    padded = [[""] * (height - len(lines)) + lines for lines in columns]
    heads = [list(line) for line in zip(*padded, strict=True)]
    return [*heads, *([list(names)] if names else [])]


def _parts(lines: _Lines, aligns: Sequence[str], labels: int, width: int) -> Iterator[list[str]]:
    """The lines of each part of a table; every part begins with the columns of the labels."""
    widths = [max(display_width(line[index]) for line in lines) for index in range(len(lines[0]))]
    start = labels
    while start < len(widths):
        end = start + 1
        used = sum(widths[:labels]) + 2 * labels + widths[start]
        while end < len(widths) and used + 2 + widths[end] <= width:
            used += 2 + widths[end]
            end += 1
        chosen = [*range(labels), *range(start, end)]
        yield [
            "  ".join(_pad(line[index], widths[index], aligns[index]) for index in chosen).rstrip()
            for line in lines
            if any(line[index].strip() for index in chosen)
        ]
        start = end
    if len(widths) <= labels:
        yield ["  ".join(line).rstrip() for line in lines]


def _pad(text: str, width: int, align: str) -> str:
    padding = " " * (width - display_width(text))
    return padding + text if align == "right" else text + padding


def _value(cell: TableCell, column: Column) -> str:
    if cell.value is None or not is_defined(cell.value):
        return MISSING
    if isinstance(cell.value, str):
        return on_one_line(cell.value)
    return shown_number(cell.value, column) + cell.significance
