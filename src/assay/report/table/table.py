"""A table before it is written: numbers with their intervals, marks and notes, no markup.

``with_marks`` finds the best and the worst of each column; the writers (``as_markdown``,
``as_latex``, ``as_csv``, ``as_json``) turn a table into text and escape whatever it holds.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from assay.records import Tally
from assay.report.words import Lang, word
from assay.stats import Interval

MISSING = "–"
"""What stands where there is no value. Never a zero."""

Mark: TypeAlias = Literal["best", "worst"]

# Controls, and the marks that turn the direction of the text after them: neither has a place
# in a cell, and the latter can make a number read backwards.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SPACE = re.compile(r"[^\S\u00a0\u202f]+")  # spaces that hold a number and its unit together stay
_LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


class Column(Struct, frozen=True, kw_only=True):
    """A column: ``key`` for programs, ``title`` for people, which way is better.

    ``digits`` are those after the point of a float; whole numbers and text are shown as
    they are. ``signed`` puts a plus before what is above zero, for differences; ``never_zero``
    shows what is above zero but too small for ``digits`` as less than the last of them.
    """

    key: str
    title: str = ""
    better: Literal["higher", "lower"] | None = None
    digits: int = 3
    signed: bool = False
    never_zero: bool = False
    align: Literal["left", "right"] = "right"


class TableCell(Struct, frozen=True, kw_only=True):
    """A value, never its rendering. ``None`` and NaN say undefined."""

    value: float | int | str | None = None
    interval: Interval | None = None
    mark: Mark | None = None
    significance: Literal["", "*", "**", "***"] = ""


class Row(Struct, frozen=True, kw_only=True):
    """A row: its label (the variant's name) and a cell for each column."""

    label: str
    cells: tuple[TableCell, ...]


class Table(Struct, frozen=True, kw_only=True):
    """Columns, rows and notes; ``label_title`` heads the labels, ``label_key`` does in CSV."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    label_title: str = ""
    label_key: str = "variant"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a row that is too short or too long, and two columns of one key."""
        keys = [column.key for column in self.columns]
        if len(set(keys)) < len(keys):
            raise ValueError(f"two columns have the same key: {keys}")
        for row in self.rows:
            if len(row.cells) != len(keys):
                raise ValueError(f"row {row.label!r}: {len(row.cells)} cells, {len(keys)} columns")


def is_defined(value: float | str | None) -> bool:
    """Whether there is a value to show: not ``None``, not NaN, not infinite.

    >>> is_defined(0.0), is_defined(None), is_defined(float("nan"))
    (True, False, False)
    """
    return value is not None and (isinstance(value, str) or math.isfinite(value))


def shown_number(value: float, column: Column) -> str:
    """A finite number as every format prints it, without a minus before zero.

    >>> shown_number(0.8226, Column(key="a")), shown_number(-0.0001, Column(key="a"))
    ('0.823', '0.000')
    >>> shown_number(3, Column(key="n")), shown_number(0.0617, Column(key="d", signed=True))
    ('3', '+0.062')
    >>> shown_number(2e-9, Column(key="p", digits=4, never_zero=True))
    '<0.0001'
    """
    text = str(value) if isinstance(value, int) else f"{value:.{column.digits}f}"
    if float(text) == 0:
        if column.never_zero and value > 0:
            return f"<{10.0**-column.digits:.{column.digits}f}"
        return text.removeprefix("-")
    return f"+{text}" if column.signed and value > 0 else text


def shown_interval(interval: Interval | None, column: Column) -> str:
    """``[0.781, 0.859]``, or nothing where the interval is undefined."""
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return ""
    return f"[{shown_number(interval.low, column)}, {shown_number(interval.high, column)}]"


def on_one_line(text: str) -> str:
    r"""Text on one line: white space becomes single spaces, controls go.

    >>> on_one_line(" two\r\nlines\x00 ")
    'two lines'
    """
    return _UNSEEN.sub("", _SPACE.sub(" ", text)).strip()


def significance(p_value: float | None) -> Literal["", "*", "**", "***"]:
    """The usual stars: below 0.05, 0.01, 0.001; none where ``p_value`` is undefined.

    >>> significance(0.0004), significance(0.05), significance(None)
    ('***', '', '')
    """
    if p_value is None:
        return ""
    for level, stars in _LEVELS:
        if p_value < level:
            return stars  # type: ignore[return-value]  # one of the three above
    return ""


def with_marks(table: Table) -> Table:
    """The table with the best and the worst value of each column marked.

    Values are compared as they are printed: two that read the same share the mark. Where all
    read the same, or only one is defined, or neither way is better, nothing is marked.
    """
    marks = [
        _column_marks(column, [row.cells[place].value for row in table.rows])
        for place, column in enumerate(table.columns)
    ]
    rows = tuple(
        msgspec.structs.replace(
            row,
            cells=tuple(
                msgspec.structs.replace(cell, mark=marks[place][number])
                for place, cell in enumerate(row.cells)
            ),
        )
        for number, row in enumerate(table.rows)
    )
    return msgspec.structs.replace(table, rows=rows)


def _column_marks(column: Column, values: Sequence[float | int | str | None]) -> list[Mark | None]:
    printed = [
        float(shown_number(value, column).removeprefix("<"))
        if not isinstance(value, str) and value is not None and math.isfinite(value)
        else None
        for value in values
    ]
    known = [value for value in printed if value is not None]
    if column.better is None or len(set(known)) < 2:
        return [None] * len(printed)
    low, high = min(known), max(known)
    best, worst = (high, low) if column.better == "higher" else (low, high)
    by_value: dict[float | None, Mark] = {best: "best", worst: "worst"}
    return [by_value.get(value) for value in printed]


def legend(table: Table, lang: Lang = "en") -> tuple[str, ...]:
    """Lines that explain the signs this table uses, and only those; then its notes."""
    cells = [cell for row in table.rows for cell in row.cells]
    levels = sorted({cell.interval.level for cell in cells if cell.interval is not None})
    lines = []
    if levels:
        percent = " / ".join(f"{100 * level:g}" for level in levels)
        lines.append(word("interval note", lang).format(percent=percent))
    if any(cell.mark for cell in cells):
        lines.append(word("mark note", lang))
    if any(cell.significance for cell in cells):
        lines.append(word("significance note", lang))
    if any(not is_defined(cell.value) for cell in cells):
        lines.append(word("missing note", lang).format(missing=MISSING))
    return (*lines, *table.notes)


def tally_columns(lang: Lang = "en") -> tuple[Column, ...]:
    """The three columns that stand beside every aggregate: scored, failed, skipped."""
    return tuple(Column(key=key, title=word(key, lang)) for key in ("scored", "failed", "skipped"))


def tally_cells(tally: Tally) -> tuple[TableCell, ...]:
    """The cells for ``tally_columns``."""
    return tuple(TableCell(value=count) for count in (tally.scored, tally.failed, tally.skipped))


def column_titles(table: Table, lang: Lang = "en") -> Iterable[str]:
    """What stands over each column, that of the labels first."""
    yield table.label_title or word("variant", lang)
    for column in table.columns:
        yield column.title or column.key
