"""Tables for papers in LaTeX, drawn with the package booktabs. All text is escaped."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from assay.report.table.table import (
    LabelledRow,
    Table,
    TableCell,
    TableColumn,
    column_titles,
    is_defined,
    legend,
    on_one_line,
    shown_interval,
    shown_number,
)
from assay.text.character import CYRILLIC, HAN
from assay.text.lexicon import lazy_pattern
from assay.text.width import display_width, wrapped
from assay.words.language import Lang

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
_SPECIAL = lazy_pattern("|".join(map(re.escape, _ESCAPES)), re.NOFLAG)
_SINGLE = re.compile(r"[-'](?![-'])")
_PAGE: Final = 76.0
"""The letters that fit on a line of a paper with one column, in \\small."""
_PLAIN_PAGE: Final = 66.0
"""The letters that fit on this line in the normal size."""
_PLAIN_GAP: Final = 2.4
"""The space between two columns in the normal size, in letters."""
_HEIGHT: Final = 42.0
"""The lines of \\small letters that fit on a page below the caption."""
_NOTE: Final = 85
"""The letters of a note that fit on a line, in \\footnotesize."""
_GAP: Final = 1.5
"""The space between two columns, in letters."""
_SCRIPT: Final = 0.8
"""The width of a letter of an interval below its value."""
_TITLE: Final = 14
"""Titles of narrow columns are broken after this many letters."""
_CELL: Final = 24
"""Texts in narrow columns are broken after this many letters."""
_CYRILLIC: Final = lazy_pattern(f"[{CYRILLIC}]", re.NOFLAG)


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
    r"""The table as LaTeX floats with a caption and, after the last one, a legend.

    Comments in the first lines name the packages that the document must load. A table that is wider
    than the page of a paper is set small, with intervals below their values and long titles in
    several lines, and its columns are split into several parts. What is higher than a page
    continues in another float; a ``\clearpage`` after each keeps LaTeX from holding back too many.
    """
    titles = list(column_titles(table, lang))
    is_narrow = not _fits(table, titles)
    parts = _parts(table, titles) if is_narrow else [list(range(len(titles)))]
    notes = [escape_latex(note) for note in legend(table, lang)]
    pages: list[list[str]] = [[]]
    left = _HEIGHT
    for part in parts:
        below = sum(math.ceil(len(note) / _NOTE) for note in notes) if part is parts[-1] else 0
        head = _head_height(titles, part, is_narrow=is_narrow)
        heights = _row_heights(table, part, is_narrow=is_narrow)
        for rows in _blocks([*heights, below], _HEIGHT - head):
            height = head + sum([*heights, below][rows])
            if height > left:
                pages.append([])
                left = _HEIGHT
            pages[-1] += [r"  \par\medskip"] if pages[-1] else []
            block = replace(table, rows=table.rows[rows])
            pages[-1] += _tabular(block, titles, part, is_narrow=is_narrow)
            left -= height
    small = [r"  \small\setlength{\tabcolsep}{3pt}"] if is_narrow else []
    text = "\n".join(
        line
        for number, tabulars in enumerate(pages, 1)
        for line in _float(
            f"{table.title} ({number}/{len(pages)})" if len(pages) > 1 else table.title,
            [*small, *tabulars],
            notes if number == len(pages) else [],
        )
        + ([r"\clearpage"] if len(pages) > 1 else [])
    )
    return "\n".join([*_packages(text), text, ""])


def _float(title: str, tabulars: Sequence[str], notes: Sequence[str]) -> list[str]:
    return [
        r"\begin{table}",
        r"  \centering",
        *([rf"  \caption{{{escape_latex(title)}}}"] if title else []),
        *tabulars,
        *([r"  \par\smallskip", r"  {\footnotesize"] if notes else []),
        *(rf"    {note}\par" for note in notes),
        *(["  }"] if notes else []),
        r"\end{table}",
    ]


def _fits(table: Table, titles: Sequence[str]) -> bool:
    """Whether the table fits on a page in normal letters, with every cell on one line."""
    body = [[row.label, *map(_text, row.cells, table.columns)] for row in table.rows]
    widths = [
        max(_letters(line[index]) for line in (titles, *body)) for index in range(len(titles))
    ]
    return sum(widths) + _PLAIN_GAP * len(widths) <= _PLAIN_PAGE


def _letters(text: str) -> float:
    """The width of a text in Latin letters: Cyrillic letters are wider."""
    return display_width(text) + 0.2 * len(_CYRILLIC.findall(text))


def _blocks(heights: Sequence[float], room: float) -> Iterator[slice]:
    """Rows in blocks of at most ``room`` lines, all about equally high.

    The last height is that of the legend, which stays with the last row.
    """
    target = sum(heights) / max(1, math.ceil(sum(heights) / room))
    start, height = 0, 0.0
    for number in range(len(heights) - 1):
        each = heights[number] + (heights[-1] if number == len(heights) - 2 else 0)
        if number > start and (height + each > room or height >= target):
            yield slice(start, number)
            start, height = number, 0.0
        height += each
    yield slice(start, len(heights))


def _head_height(titles: Sequence[str], columns: Sequence[int], *, is_narrow: bool) -> float:
    """The height of the titles and of the space around a tabular, in lines."""
    return 2 + (max(len(_wrapped(titles[index])) for index in columns) if is_narrow else 1)


def _row_heights(table: Table, columns: Sequence[int], *, is_narrow: bool) -> list[float]:
    """The height of each row, in lines."""
    if not is_narrow:
        return [1.1] * len(table.rows)
    least = 2 if _has_intervals(table, columns) else 1
    return [1.1 * max(least, *_text_lines(row, columns), 1) for row in table.rows]


def _text_lines(row: LabelledRow, columns: Sequence[int]) -> list[int]:
    """In how many lines each text of a row is."""
    texts = [row.cells[index - 1].value for index in columns if index]
    return [len(_cell_lines(text)) for text in texts if isinstance(text, str)]


def _has_intervals(table: Table, columns: Sequence[int]) -> bool:
    return any(
        _interval(row.cells[index - 1], table.columns[index - 1])
        for row in table.rows
        for index in columns
        if index
    )


def _parts(table: Table, titles: Sequence[str]) -> list[list[int]]:
    """The columns of each part: the labels, and as many others as fit on a page.

    No part is much wider than the others. If labels are not unique, as in a table of comparisons, the first column is repeated too.
    """
    labels = [row.label for row in table.rows]
    repeated = [0] if len(set(labels)) == len(labels) or len(titles) < 3 else [0, 1]
    widths = [_narrow_width(table, titles, index) + _GAP for index in range(len(titles))]
    room = _PAGE - sum(widths[index] for index in repeated)
    others = range(len(repeated), len(titles))
    fewest = len(_filled(others, widths, room))
    rooms = sorted({room * step / 20 for step in range(1, 21)})
    even = next(each for each in rooms if len(_filled(others, widths, each)) == fewest)
    return [[*repeated, *part] for part in _filled(others, widths, even)]


def _filled(columns: Iterable[int], widths: Sequence[float], room: float) -> list[list[int]]:
    """The columns in order, in parts that are at most ``room`` wide if they have several."""
    parts: list[list[int]] = []
    left = 0.0
    for index in columns:
        if not parts or widths[index] > left:
            parts.append([])
            left = room
        parts[-1].append(index)
        left -= widths[index]
    return parts


def _narrow_width(table: Table, titles: Sequence[str], index: int) -> float:
    """The width of a column whose intervals are below the values, in letters."""
    title = max(map(_letters, _wrapped(titles[index])), default=0)
    if index == 0:
        return max(title, *(_letters(row.label) for row in table.rows), 0)
    column = table.columns[index - 1]
    cells = [row.cells[index - 1] for row in table.rows]
    values = [
        max(map(_letters, _cell_lines(_text(replace(cell, interval=None), column))))
        for cell in cells
    ]
    intervals = [_SCRIPT * len(shown_interval(cell.interval, column)) for cell in cells]
    return max([title, *values, *intervals])


def _tabular(
    table: Table, titles: Sequence[str], columns: Sequence[int], *, is_narrow: bool
) -> list[str]:
    aligns = ["left", *(column.align for column in table.columns)]
    alignment = "".join("r" if aligns[index] == "right" else "l" for index in columns)
    is_double = is_narrow and _has_intervals(table, columns)
    lines = []
    for row in table.rows:
        pairs = [(row.cells[index - 1], table.columns[index - 1]) for index in columns if index]
        label = escape_latex(row.label)
        if not is_double:
            cells = (_cell(*pair, is_narrow=is_narrow) for pair in pairs)
            lines.append(_line([label, *cells]))
            continue
        lines += [r"    \addlinespace[2pt]"] if lines else []
        firsts, seconds = zip(*(_two_lines(*pair) for pair in pairs), strict=True)
        lines.append(_line([label, *firsts]) + "[-2pt]")
        lines.append(_line(["", *seconds]))
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
    return wrapped(on_one_line(title), _TITLE) or [""]


def _cell_lines(text: str) -> list[str]:
    return wrapped(on_one_line(text), _CELL)


def _topped(lines: Sequence[str]) -> str:
    """Lines below each other, of which the first is on the line of the row."""
    if len(lines) == 1:
        return lines[0]
    joined = r" \\ ".join(lines)
    return rf"\begin{{tabular}}[t]{{@{{}}l@{{}}}}{joined}\end{{tabular}}"


def _stacked(lines: Sequence[str], align: str) -> str:
    if len(lines) == 1:
        return lines[0]
    joined = r" \\ ".join(lines)
    return rf"\shortstack[{align[0]}]{{{joined}}}"


def _line(cells: list[str]) -> str:
    return rf"    {' & '.join(cells)} \\"


def _text(cell: TableCell, column: TableColumn) -> str:
    """What a cell shows, without markup."""
    if not is_defined(cell.value) or cell.value is None:
        return "--"
    if isinstance(cell.value, str):
        return on_one_line(cell.value)
    interval = shown_interval(cell.interval, column)
    return f"{shown_number(cell.value, column)}{cell.significance} {interval}".rstrip()


def _cell(cell: TableCell, column: TableColumn, *, is_narrow: bool) -> str:
    if not is_defined(cell.value) or cell.value is None:
        return "--"
    if isinstance(cell.value, str):
        lines = _cell_lines(cell.value) if is_narrow else [cell.value]
        return _topped([escape_latex(line) for line in lines])
    number = _in_math(shown_number(cell.value, column))
    if cell.mark is not None:
        command = {"best": "textbf", "worst": "textit"}[cell.mark]
        number = rf"\{command}{{{number}}}"
    stars = rf"\textsuperscript{{{cell.significance}}}" if cell.significance else ""
    return f"{number}{stars} {_interval(cell, column)}".rstrip()


def _two_lines(cell: TableCell, column: TableColumn) -> tuple[str, str]:
    """The value and below it the interval, or the first line of a text and below it the rest."""
    if isinstance(cell.value, str) and is_defined(cell.value):
        first, *rest = map(escape_latex, _cell_lines(cell.value))
        return first, _topped(rest) if rest else ""
    interval = _interval(cell, column)
    value = _cell(replace(cell, interval=None), column, is_narrow=True)
    return value, rf"\scriptsize {interval}" if interval else ""


def _interval(cell: TableCell, column: TableColumn) -> str:
    if not is_defined(cell.value) or cell.value is None or isinstance(cell.value, str):
        return ""
    return _in_math(shown_interval(cell.interval, column))


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
