"""Tables in GitHub's Markdown. The text of a cell can neither leave its cell nor become markup."""

import re
from collections.abc import Sequence

from assay.report.table.table import (
    MISSING,
    Column,
    Table,
    TableCell,
    column_titles,
    is_defined,
    legend,
    on_one_line,
    shown_interval,
    shown_number,
)
from assay.report.words import Lang
from assay.text import display_width

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


def _cell(cell: TableCell, column: Column) -> str:
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
