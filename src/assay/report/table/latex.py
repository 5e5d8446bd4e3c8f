"""Tables for LaTeX papers, with the rules of booktabs. Every character is escaped."""

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
    # A bracket or a star that opens a row would be read as an argument of the \\ before it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    # Two in a row would be set as one dash, one quotation mark.
    "-": "-{}",
    "'": "'{}",
    "–": "{--}",
}
_SPECIAL = re.compile("|".join(re.escape(character) for character in _ESCAPES))
_DOUBLED = re.compile(r"[-'](?![-'])")


def escape_latex(text: str) -> str:
    r"""Text that LaTeX sets as it is; Chinese and Cyrillic letters are left alone.

    >>> print(escape_latex("50% of fast_dim {a} ~ \\x — 第三条"))
    50\% of fast\_dim \{a\} \textasciitilde{} \textbackslash{}x — 第三条
    """
    text = on_one_line(text)

    def escape(found: re.Match[str]) -> str:
        character = found.group()
        alone = character in "-'" and _DOUBLED.match(text, found.start())
        return character if alone else _ESCAPES[character]

    return _SPECIAL.sub(escape, text)


def as_latex(table: Table, lang: Lang = "en") -> str:
    """The table as a float with caption and legend.

    The first lines name, as comments, the packages that the document must load.
    """
    columns = "l" + "".join("r" if column.align == "right" else "l" for column in table.columns)
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
            rf"  \begin{{tabular}}{{{columns}}}",
            r"    \toprule",
            _line([escape_latex(head) for head in column_titles(table, lang)]),
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
    number = _minus(shown_number(cell.value, column))
    if cell.mark is not None:
        command = {"best": "textbf", "worst": "textit"}[cell.mark]
        number = rf"\{command}{{{number}}}"
    stars = rf"\textsuperscript{{{cell.significance}}}" if cell.significance else ""
    interval = _minus(shown_interval(cell.interval, column))
    return f"{number}{stars} {interval}".rstrip()


def _minus(number: str) -> str:
    """Numbers with a true minus sign: a hyphen is set too short, and some fonts have no ``<``."""
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
