"""Tables as plain text for a terminal."""

import csv
import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from assay.records import OUTPUT_VERSION
from assay.report.look import MISSING
from assay.report.table.table import (
    Table,
    TableCell,
    TableColumn,
    column_names,
    column_titles,
    is_defined,
    legend,
    on_one_line,
    shown_interval,
    shown_number,
)
from assay.text.width import display_width
from assay.words.language import Lang
from assay.words.say import say_in

COLUMNS: Final = 80
"""The width of a terminal that nobody has widened."""
_SIGNS: Final = {"best": "⁺", "worst": "⁻", None: " "}
_NARROW: Final = 10
_Lines = list[list[str]]


def as_text(table: Table, lang: Lang = "en", *, width: int = COLUMNS) -> str:
    """The labels and values of a table in aligned columns, without intervals and notes.

    The names of metrics for programs are in a second line, below their titles. The best and the
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
    notes = (
        [say_in(lang, "⁺ best, ⁻ worst value; the difference may still be noise")]
        if has_signs
        else []
    )
    if any(cell.significance for row in table.rows for cell in row.cells):
        notes.append(
            say_in(lang, "Against the baseline, corrected: * p < 0.05, ** p < 0.01, *** p < 0.001.")
        )
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


def _value(cell: TableCell, column: TableColumn) -> str:
    if cell.value is None or not is_defined(cell.value):
        return MISSING
    if isinstance(cell.value, str):
        return on_one_line(cell.value)
    return shown_number(cell.value, column) + cell.significance


# Tables in GitHub's Markdown. The text of a cell can neither leave its cell nor become markup.

# An underscore inside a word has no meaning in Markdown. It is not escaped, so that a search for
# ``fast_dim_128`` finds the name.
_SPECIAL = re.compile(r"[\\`*\[\]|~$#!]|(?<![^\W_])_|_(?![^\W_])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_BLOCK_START = re.compile(r"^(?:[-+=]|\d+(?=[.)]))")
_WIDEST_PADDING = 40


def escape_markdown(text: str) -> str:
    r"""Text on one line that Markdown shows literally, inside a table or outside of it.

    >>> escape_markdown("a|b\n<script>"), escape_markdown("fast_dim_128 *new*")
    ('a\\|b &lt;script&gt;', 'fast_dim_128 \\*new\\*')
    """
    text = _ENTITY.sub("&amp;", on_one_line(text)).replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\g<0>", text)


def as_markdown(table: Table, lang: Lang = "en") -> str:
    """The table in Markdown, with its title above and its legend below.

    The best value of a column is bold, and the worst value is italic.
    """
    titles = [escape_markdown(text) for text in column_titles(table, lang)]
    aligns = ["left", *(column.align for column in table.columns)]
    body = [
        [
            escape_markdown(row.label),
            *(_cell(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)),
        ]
        for row in table.rows
    ]
    widths = [
        min(_WIDEST_PADDING, max(3, *(display_width(line[index]) for line in (titles, *body))))
        for index in range(len(titles))
    ]
    rule = [
        "-" * (width - 1) + ":" if align == "right" else "-" * width
        for width, align in zip(widths, aligns, strict=True)
    ]
    lines = [_line(cells, widths, aligns) for cells in (titles, rule, *body)]
    heading = [f"### {escape_markdown(table.title)}", ""] if table.title else []
    notes = [f"- {_list_item(note)}" for note in legend(table, lang)]
    return "\n".join([*heading, *lines, *(["", *notes] if notes else []), ""])


def _line(cells: Sequence[str], widths: Sequence[int], aligns: Sequence[str]) -> str:
    padded = []
    for cell, width, align in zip(cells, widths, aligns, strict=True):
        padding = " " * (width - display_width(cell))
        padded.append(padding + cell if align == "right" else cell + padding)
    return f"| {' | '.join(padded)} |"


def _cell(cell: TableCell, column: TableColumn) -> str:
    if not is_defined(cell.value) or cell.value is None:
        return MISSING
    if isinstance(cell.value, str):
        return escape_markdown(cell.value)
    number = shown_number(cell.value, column).replace("<", "&lt;")
    emphasis = {"best": "**", "worst": "*", None: ""}[cell.mark]
    stars = escape_markdown(cell.significance)
    interval = shown_interval(cell.interval, column)
    return f"{emphasis}{number}{emphasis}{stars} {interval}".rstrip()


def _list_item(note: str) -> str:
    """The escaped text of a note; it cannot start a nested list or a heading."""
    text = escape_markdown(note)
    start = _BLOCK_START.match(text)
    if start is None:
        return text
    if start.group()[0].isdigit():
        return f"{start.group()}\\{text[start.end() :]}"
    return f"\\{text}"


# Tables as CSV files for further analysis.
#
# Values are not rounded, and no spreadsheet program can take a cell for a formula.

# A spreadsheet takes these characters for the start of a formula, also in full width.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")


def formula_safe(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula.

    A number is returned unchanged, even if it begins with a sign.

    >>> formula_safe("=1+1"), formula_safe("-0.5"), formula_safe("plain")
    ("'=1+1", '-0.5', 'plain')
    """
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def as_csv(table: Table) -> str:
    """The table as CSV: one line with the keys of the columns, then one line for each row.

    Floats are not rounded, and an undefined cell is empty. A column with intervals is followed by
    the columns ``KEY_low`` and ``KEY_high``, one with unsure answers by
    ``KEY_unsure``, ``KEY_unsure_low`` and ``KEY_unsure_high``, and one with significance marks by
    ``KEY_significance``. The best and the worst values are not marked.
    """
    columns = [
        _csv_columns(column, [row.cells[index] for row in table.rows])
        for index, column in enumerate(table.columns)
    ]
    names = [table.label_key, *(name for column in columns for name in column)]
    text = io.StringIO()
    # All text is quoted, because the writer of Python 3.11 does not quote a text that contains
    # a carriage return and no other special character.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(formula_safe(name) for name in names)
    for index, row in enumerate(table.rows):
        values = [cells[index] for column in columns for cells in column.values()]
        writer.writerow([formula_safe(row.label), *values])
    return text.getvalue()


def _csv_columns(
    column: TableColumn, cells: list[TableCell]
) -> dict[str, list[float | str | None]]:
    """The values of a column by CSV key, followed by its bounds and marks if it has any."""
    columns = {column.key: [_csv_value(cell.name or cell.value) for cell in cells]}
    if any(cell.interval is not None for cell in cells):
        bounds = [cell.interval for cell in cells]
        columns[f"{column.key}_low"] = [
            _csv_value(bound.low if bound else None) for bound in bounds
        ]
        columns[f"{column.key}_high"] = [
            _csv_value(bound.high if bound else None) for bound in bounds
        ]
    if any(cell.band is not None for cell in cells):
        columns[f"{column.key}_unsure"] = [cell.unsure for cell in cells]
        bands = [cell.band for cell in cells]
        columns[f"{column.key}_unsure_low"] = [_csv_value(b.low if b else None) for b in bands]
        columns[f"{column.key}_unsure_high"] = [_csv_value(b.high if b else None) for b in bands]
    if any(cell.significance for cell in cells):
        columns[f"{column.key}_significance"] = [cell.significance for cell in cells]
    return columns


def _csv_value(value: float | str | None) -> float | str | None:
    if not is_defined(value):
        return None
    return formula_safe(value) if isinstance(value, str) else value


# Tables as JSON, with the cells of a row under the keys of their columns.


def as_json(table: Table) -> str:
    """The complete table as JSON; values are not rounded, and undefined values are ``null``.

    Metrics have their names for programs, as keys and as values.
    """
    content = {
        "schema_version": OUTPUT_VERSION,
        "title": table.title,
        "columns": table.columns,
        "rows": [
            {
                "label": row.label,
                "cells": {
                    column.key: {
                        "value": (cell.name or cell.value) if is_defined(cell.value) else None,
                        "interval": cell.interval,
                        **({"unsure": cell.unsure, "band": cell.band} if cell.band else {}),
                        "mark": cell.mark,
                        "significance": cell.significance,
                    }
                    for column, cell in zip(table.columns, row.cells, strict=True)
                },
            }
            for row in table.rows
        ],
        "notes": table.notes,
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"
