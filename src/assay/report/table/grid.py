"""Rows of any values as plain text for a terminal: the result of a query."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from assay.report.table.table import MISSING, on_one_line
from assay.text import display_width

WIDEST_CELL: Final = 60
"""A longer value is cut, so that a table with texts can be read."""
_json = msgspec.json.Encoder(decimal_format="number", enc_hook=str)


def as_grid(names: Sequence[str], rows: Sequence[Sequence[Any]], *, width: int = 100) -> str:
    """The rows as a table, or one below the other if the table is wider than ``width``.

    Numbers are rounded to six digits; long values are cut. A value that is null is a dash.

    >>> print(as_grid(["name", "n"], [["条款", 3], ["a", None]]))
    name  n
    条款  3
    a     –
    """
    titles = [on_one_line(name) for name in names]
    lines = [[_cut(cell_text(value), WIDEST_CELL) for value in row] for row in rows]
    widths = [
        max(display_width(cell) for cell in column) for column in zip(titles, *lines, strict=True)
    ]
    if sum(widths) + 2 * (len(widths) - 1) > width:
        return _records(titles, rows, width)
    is_number = [
        all(value is None or _is_number(value) for value in column)
        for column in (zip(*rows, strict=True) if rows else [()] * len(titles))
    ]
    return "\n".join(
        "  ".join(
            _padded(cell, size, right=number)
            for cell, size, number in zip(line, widths, is_number, strict=True)
        ).rstrip()
        for line in (titles, *lines)
    )


def cell_text(value: Any) -> str:
    """A value on one line: texts as they are, lists and structs as JSON."""
    if value is None:
        return MISSING
    if isinstance(value, str):
        return on_one_line(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return on_one_line(plain_text(value))


def plain_text(value: Any) -> str:
    """A list, a struct or a boolean as JSON, and any other value as a text without quotes.

    >>> from datetime import date
    >>> plain_text(date(2024, 3, 1)), plain_text(["a"]), plain_text(True)
    ('2024-03-01', '["a"]', 'true')
    """
    text = json_text(value)
    return msgspec.json.decode(text, type=str) if text.startswith('"') else text


def json_text(value: Any) -> str:
    """A value as JSON. A value that JSON does not have, such as a time, becomes a text."""
    return _json.encode(value).decode()


def _records(titles: Sequence[str], rows: Sequence[Sequence[Any]], width: int) -> str:
    """Each row as a block of lines, one for each column."""
    indent = max(map(display_width, titles)) + 2
    room = max(width - indent, WIDEST_CELL)
    blocks = [
        "\n".join(
            f"{_padded(title, indent)}{_cut(cell_text(value), room)}"
            for title, value in zip(titles, row, strict=True)
        )
        for row in rows
    ]
    return "\n\n".join(blocks) if blocks else "  ".join(titles)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _padded(text: str, width: int, *, right: bool = False) -> str:
    padding = " " * (width - display_width(text))
    return padding + text if right else text + padding


def _cut(text: str, width: int) -> str:
    """The text shortened to ``width`` columns of a terminal, with an ellipsis if it was cut."""
    if display_width(text) <= width:
        return text
    kept, used = 0, 1
    for character in text:
        used += display_width(character)
        if used > width:
            break
        kept += 1
    return f"{text[:kept]}…"
