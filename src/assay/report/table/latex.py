"""Tables for papers in LaTeX, drawn with the package booktabs. All text is escaped."""

import re

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
from assay.text import CYRILLIC, HAN

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

    Comments in the first lines name the packages that the document must load.
    """
    alignment = "l" + "".join("r" if column.align == "right" else "l" for column in table.columns)
    title = escape_latex(table.title)
    body = [
        [
            escape_latex(row.label),
            *(_cell(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)),
        ]
        for row in table.rows
    ]
    notes = [escape_latex(note) for note in legend(table, lang)]
    text = "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            *([rf"  \caption{{{title}}}"] if title else []),
            rf"  \begin{{tabular}}{{{alignment}}}",
            r"    \toprule",
            _line([escape_latex(column_title) for column_title in column_titles(table, lang)]),
            r"    \midrule",
            *(_line(cells) for cells in body),
            r"    \bottomrule",
            r"  \end{tabular}",
            *([r"  \par\smallskip", r"  {\footnotesize"] if notes else []),
            *(rf"    {note}\par" for note in notes),
            *(["  }"] if notes else []),
            r"\end{table}",
        ]
    )
    return "\n".join([*_packages(text), text, ""])


def _line(cells: list[str]) -> str:
    return rf"    {' & '.join(cells)} \\"


def _cell(cell: TableCell, column: Column) -> str:
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
