"""Tables for papers in LaTeX, drawn with the package booktabs. All text is escaped."""

import re
import textwrap
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from assay.report.table.table import (
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
from assay.text import CYRILLIC, HAN, display_width

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "%": r"\%",
    "_": r"\_",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    # At the start of a row, LaTeX takes a bracket or a star for an argument of the \\ before it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    # LaTeX prints two of these in succession as one dash or one quotation mark.
    "-": "-{}",
    "'": "'{}",
    "–": "{--}",
}
_SPECIAL = re.compile("|".join(re.escape(character) for character in _ESCAPES))
_SINGLE = re.compile(r"[-'](?![-'])")
_PAGE: Final = 76.0
"""The letters that fit on a line of a paper with one column, in \\small."""
_GAP: Final = 1.5
"""The space between two columns, in letters."""
_SCRIPT: Final = 0.8
"""The width of a letter of an interval below its value."""
_TITLE: Final = 14
"""Titles of narrow columns are broken after this many letters."""


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints literally; Chinese and Cyrillic letters are unchanged.

    >>> print(escape_latex("50% of fast_dim {a} ~ \\x — 第三条"))
    50\% of fast\_dim \{a\} \textasciitilde{} \textbackslash{}x — 第三条
    """
    text = on_one_line(text)

    def escape(match: re.Match[str]) -> str:
        character = match.group()
        is_single = character in "-'" and _SINGLE.match(text, match.start())
        return character if is_single else _ESCAPES[character]

    return _SPECIAL.sub(escape, text)


def as_latex(table: Table, lang: Lang = "en") -> str:
    """The table as a LaTeX float with a caption and a legend.

    Comments in the first lines name the packages that the document must load. A table that is wider
    than the page of a paper is set small, with intervals below their values and long titles in
    several lines, and its columns are split into several parts below each other.
    """
    titles = list(column_titles(table, lang))
    body = [
        [
            row.label,
            *(_text(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)),
        ]
        for row in table.rows
    ]
    widths = [
        max(display_width(line[index]) for line in (titles, *body)) for index in range(len(titles))
    ]
    if sum(widths) + _GAP * len(widths) <= _PAGE:
        parts = [list(range(len(titles)))]
        tabulars = _tabular(table, titles, parts[0], is_narrow=False)
    else:
        parts = _parts(table, titles)
        tabulars = []
        for part in parts:
            tabulars += [*([r"  \par\medskip"] if tabulars else [])]
            tabulars += _tabular(table, titles, part, is_narrow=True)
        tabulars = [r"  \small\setlength{\tabcolsep}{3pt}", *tabulars]
    title = escape_latex(table.title)
    notes = [escape_latex(note) for note in legend(table, lang)]
    text = "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            *([rf"  \caption{{{title}}}"] if title else []),
            *tabulars,
            *([r"  \par\smallskip", r"  {\footnotesize"] if notes else []),
            *(rf"    {note}\par" for note in notes),
            *(["  }"] if notes else []),
            r"\end{table}",
        ]
    )
    return "\n".join([*_packages(text), text, ""])


def _parts(table: Table, titles: Sequence[str]) -> list[list[int]]:
    """The columns of each part: the labels, and as many others as fit on a page.

    If labels are not unique, as in a table of comparisons, the first column is repeated too.
    """
    labels = [row.label for row in table.rows]
    repeated = [0] if len(set(labels)) == len(labels) or len(titles) < 3 else [0, 1]
    widths = [_narrow_width(table, titles, index) + _GAP for index in range(len(titles))]
    room = _PAGE - sum(widths[index] for index in repeated)
    parts: list[list[int]] = []
    left = 0.0
    for index in range(len(repeated), len(titles)):
        if not parts or widths[index] > left:
            parts.append(list(repeated))
            left = room
        parts[-1].append(index)
        left -= widths[index]
    return parts


def _narrow_width(table: Table, titles: Sequence[str], index: int) -> float:
    """The width of a column whose intervals stand below the values, in letters."""
    title = max(map(display_width, _wrapped(titles[index])), default=0)
    if index == 0:
        return max(title, *(display_width(row.label) for row in table.rows), 0)
    column = table.columns[index - 1]
    cells = [row.cells[index - 1] for row in table.rows]
    values = [display_width(_text(replace(cell, interval=None), column)) for cell in cells]
    intervals = [_SCRIPT * len(shown_interval(cell.interval, column)) for cell in cells]
    return max([title, *values, *intervals])


def _tabular(
    table: Table, titles: Sequence[str], columns: Sequence[int], *, is_narrow: bool
) -> list[str]:
    aligns = ["left", *(column.align for column in table.columns)]
    alignment = "".join("r" if aligns[index] == "right" else "l" for index in columns)
    lines = []
    for row in table.rows:
        cells = [
            escape_latex(row.label)
            if index == 0
            else _cell(row.cells[index - 1], table.columns[index - 1], is_narrow=is_narrow)
            for index in columns
        ]
        lines.append(_line(cells))
    heads = [
        _stacked([escape_latex(line) for line in _wrapped(titles[index])], aligns[index])
        if is_narrow
        else escape_latex(titles[index])
        for index in columns
    ]
    return [
        rf"  \begin{{tabular}}{{{alignment}}}",
        r"    \toprule",
        _line(heads),
        r"    \midrule",
        *lines,
        r"    \bottomrule",
        r"  \end{tabular}",
    ]


def _wrapped(title: str) -> list[str]:
    return textwrap.wrap(on_one_line(title), _TITLE, break_long_words=False) or [""]


def _stacked(lines: Sequence[str], align: str) -> str:
    if len(lines) == 1:
        return lines[0]
    joined = r" \\ ".join(lines)
    return rf"\shortstack[{align[0]}]{{{joined}}}"


def _line(cells: list[str]) -> str:
    return rf"    {' & '.join(cells)} \\"


def _text(cell: TableCell, column: Column) -> str:
    """What a cell shows, without markup."""
    if not is_defined(cell.value) or cell.value is None:
        return "--"
    if isinstance(cell.value, str):
        return on_one_line(cell.value)
    interval = shown_interval(cell.interval, column)
    return f"{shown_number(cell.value, column)}{cell.significance} {interval}".rstrip()


def _cell(cell: TableCell, column: Column, *, is_narrow: bool) -> str:
    if not is_defined(cell.value) or cell.value is None:
        return "--"
    if isinstance(cell.value, str):
        return escape_latex(cell.value)
    number = _in_math(shown_number(cell.value, column))
    if cell.mark is not None:
        command = {"best": "textbf", "worst": "textit"}[cell.mark]
        number = rf"\{command}{{{number}}}"
    stars = rf"\textsuperscript{{{cell.significance}}}" if cell.significance else ""
    interval = _in_math(shown_interval(cell.interval, column))
    if is_narrow and interval:
        return _stacked([f"{number}{stars}", rf"{{\scriptsize {interval}}}"], column.align)
    return f"{number}{stars} {interval}".rstrip()


def _in_math(number: str) -> str:
    """A number with ``-`` and ``<`` in math mode: a hyphen is too short, and some fonts lack ``<``."""
    return number.replace("-", "$-$").replace("<", "$<$")


def _packages(text: str) -> list[str]:
    lines = [r"% Needs \usepackage{booktabs} in the preamble."]
    if re.search(f"[{HAN}]", text):
        lines.append(r"% Chinese text: compile with XeLaTeX or LuaLaTeX and \usepackage{ctex}.")
    if re.search(f"[{CYRILLIC}]", text):
        lines.append(
            r"% Russian text: \usepackage[T2A]{fontenc} and \usepackage[russian]{babel},"
            r" or XeLaTeX with a font that has Cyrillic."
        )
    return lines
