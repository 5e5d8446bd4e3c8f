"""A table as data: values with their intervals and marks, notes, and no markup.

``with_marks`` marks the best and the worst value of each column. The functions ``as_markdown``,
``as_latex``, ``as_csv``, ``as_json`` and ``as_text`` write a table and escape its texts.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from assay.records import Tally
from assay.report.look import MISSING
from assay.stats.interval import Interval
from assay.text.normalise import visible_line
from assay.text.width import display_width
from assay.words.language import Lang
from assay.words.message import message
from assay.words.say import say_in

"""Shown in place of an undefined value, which must not look like a zero."""

Mark: TypeAlias = Literal["best", "worst"]

_SPACE = re.compile(r"[^\S\u00a0\u202f]+")  # no-break spaces stay: they join a number and its unit
_LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


class TableColumn(Struct, frozen=True, kw_only=True):
    """A column of a table.

    ``key`` names the column in CSV and JSON, and ``title`` is shown to readers. ``name`` is the
    name of a metric for programs, which readers see below the title or in the legend. ``better``
    says
    which values are better; it is ``None`` if neither high nor low values are.
    ``digits`` is the number of decimals of a float; integers and texts are shown in full.
    ``signed`` shows a plus before a positive number, for differences. With ``never_zero``, a
    positive number that would round to zero is shown as less than the last digit: ``<0.001``.
    """

    key: str
    title: str = ""
    name: str = ""
    better: Literal["higher", "lower"] | None = None
    digits: int = 3
    signed: bool = False
    never_zero: bool = False
    align: Literal["left", "right"] = "right"


class TableCell(Struct, frozen=True, kw_only=True):
    """A value of a table, not formatted. ``None``, NaN and infinity mean that it is undefined.

    ``name`` is the name of a metric for programs, if the value is its title. ``band`` is what
    ``unsure`` answers leave open; only CSV and JSON have it beside the value, readers see it in a note.
    """

    value: float | int | str | None = None
    name: str = ""
    interval: Interval | None = None
    band: Interval | None = None
    unsure: int = 0
    mark: Mark | None = None
    significance: Literal["", "*", "**", "***"] = ""


class LabelledRow(Struct, frozen=True, kw_only=True):
    """A row: its label, usually the name of a variant, and one cell for each column."""

    label: str
    cells: tuple[TableCell, ...]


class Table(Struct, frozen=True, kw_only=True):
    """Columns, rows and notes.

    The column of the row labels has the title ``label_title``, by default the word for "variant",
    and the key ``label_key`` in CSV.
    """

    columns: tuple[TableColumn, ...]
    rows: tuple[LabelledRow, ...]
    title: str = ""
    label_title: str = ""
    label_key: str = "variant"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows with too few or too many cells, and two columns with the same key."""
        keys = [column.key for column in self.columns]
        if len(set(keys)) < len(keys):
            raise ValueError(f"two columns have the same key: {keys}")
        for row in self.rows:
            if len(row.cells) != len(keys):
                raise ValueError(f"row {row.label!r}: {len(row.cells)} cells, {len(keys)} columns")


def is_defined(value: float | str | None) -> bool:
    """Whether there is a value to show, which is not the case for ``None``, NaN and infinity.

    >>> is_defined(0.0), is_defined(None), is_defined(float("nan"))
    (True, False, False)
    """
    return value is not None and (isinstance(value, str) or math.isfinite(value))


_MOST_DIGITS: Final = 9


def shown_number(value: float, column: TableColumn) -> str:
    """A finite number as text, rounded as its column says; zero never has a minus sign.

    >>> shown_number(0.8226, TableColumn(key="a")), shown_number(-0.0001, TableColumn(key="a"))
    ('0.823', '0.000')
    >>> shown_number(3, TableColumn(key="n")), shown_number(0.0617, TableColumn(key="d", signed=True))
    ('3', '+0.062')
    >>> shown_number(2e-9, TableColumn(key="p", digits=4, never_zero=True))
    '<0.0001'
    """
    text = str(value) if isinstance(value, int) else f"{value:.{column.digits}f}"
    if float(text) == 0:
        if column.never_zero and value > 0:
            return f"<{10.0**-column.digits:.{column.digits}f}"
        return text.removeprefix("-")
    return f"+{text}" if column.signed and value > 0 else text


def shown_interval(interval: Interval | None, column: TableColumn) -> str:
    """An interval as text, such as ``[0.781, 0.859]``, or an empty text if it is undefined.

    If rounding would make both ends equal, there are more digits: no width is zero.
    """
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return ""
    for digits in range(column.digits, max(column.digits, _MOST_DIGITS) + 1):
        exact = msgspec.structs.replace(column, digits=digits)
        low, high = shown_number(interval.low, exact), shown_number(interval.high, exact)
        if low != high:
            break
    return f"[{low}, {high}]"


def shown_percent(level: float) -> str:
    """The level of an interval in percent, with one decimal, or with more if it is almost 100.

    >>> shown_percent(0.95), shown_percent(1 - 0.05 / 3), shown_percent(0.99995)
    ('95', '98.3', '99.995')
    """
    for digits in range(1, _MOST_DIGITS):
        text = f"{100 * level:.{digits}f}"
        if float(text) < 100:
            break
    return text.rstrip("0").rstrip(".")


def on_one_line(text: str) -> str:
    r"""Text on one line, with escapes for control characters and for changes of direction.

    Each run of white space becomes one space, except for no-break spaces.

    >>> on_one_line(" two\r\nlines\x1b ")
    'two lines\\x1b'
    """
    return visible_line(_SPACE.sub(" ", text)).strip()


def significance(p_value: float | None) -> Literal["", "*", "**", "***"]:
    """One, two or three stars for a p-value below 0.05, 0.01 or 0.001.

    There is no star if ``p_value`` is ``None`` or NaN.

    >>> significance(0.0004), significance(0.05), significance(None)
    ('***', '', '')
    """
    if p_value is None:
        return ""
    for level, stars in _LEVELS:
        if p_value < level:
            return stars  # type: ignore[return-value]  # one of the texts in _LEVELS
    return ""


def with_marks(
    table: Table, compared: Mapping[tuple[str, str], float | None] | None = None
) -> Table:
    """The table with the best and the worst value of each column marked.

    Values are compared after rounding, so that values that look equal have the same mark. A column
    has no marks if all its values look equal, if fewer than two values are defined, or if neither
    direction is better. ``compared`` has values to compare in place of those that are shown, by the
    label of the row and the key of the column.
    """
    values = compared or {}
    marks = [
        _column_marks(
            column,
            [values.get((row.label, column.key), row.cells[index].value) for row in table.rows],
        )
        for index, column in enumerate(table.columns)
    ]
    rows = tuple(
        msgspec.structs.replace(
            row,
            cells=tuple(
                msgspec.structs.replace(cell, mark=marks[column_index][row_index])
                for column_index, cell in enumerate(row.cells)
            ),
        )
        for row_index, row in enumerate(table.rows)
    )
    return msgspec.structs.replace(table, rows=rows)


def _column_marks(
    column: TableColumn, values: Sequence[float | int | str | None]
) -> list[Mark | None]:
    rounded = [
        float(shown_number(value, column).removeprefix("<"))
        if not isinstance(value, str) and value is not None and math.isfinite(value)
        else None
        for value in values
    ]
    defined = [value for value in rounded if value is not None]
    if column.better is None or len(set(defined)) < 2:
        return [None] * len(rounded)
    low, high = min(defined), max(defined)
    best, worst = (high, low) if column.better == "higher" else (low, high)
    by_value: dict[float | None, Mark] = {best: "best", worst: "worst"}
    return [by_value.get(value) for value in rounded]


def legend(table: Table, lang: Lang = "en") -> tuple[str, ...]:
    """Lines that explain the marks and signs that occur in the table, followed by its notes."""
    cells = [cell for row in table.rows for cell in row.cells]
    levels = sorted({cell.interval.level for cell in cells if cell.interval is not None})
    lines = []
    if levels:
        percent = " / ".join(map(shown_percent, levels))
        lines.append(say_in(lang, "In brackets: {percent}% interval.", percent=percent))
    if any(cell.mark for cell in cells):
        lines.append(say_in(lang, "Bold: best of the column. Italic: worst."))
    if any(cell.significance for cell in cells):
        lines.append(
            say_in(lang, "Against the baseline, corrected: * p < 0.05, ** p < 0.01, *** p < 0.001.")
        )
    if any(not is_defined(cell.value) for cell in cells):
        lines.append(say_in(lang, "{missing}: undefined, not zero.", missing=MISSING))
    names = [f"{title} = {name}" for title, name in _metric_names(table).items()]
    if names:
        lines.append(
            say_in(lang, "Names in CSV and JSON: {names}.", names=say_in(lang, "; ").join(names))
        )
    return (*lines, *table.notes)


def _metric_names(table: Table) -> dict[str, str]:
    """The names for programs of the metrics in a table, by their titles."""
    titles = [(column.title, column.name) for column in table.columns]
    titles += [(str(cell.value), cell.name) for row in table.rows for cell in row.cells]
    return {title: name for title, name in titles if name and name != title}


COUNTS: Final = {
    "scored": message("scored"),
    "answered": message("not judged"),
    "failed": message("failed"),
    "skipped": message("skipped"),
    "spared": message("not asked, decided before"),
    "passed": message("passed"),
}
"""How the cases of a table ended, as the titles of its columns."""


def tally_columns(
    lang: Lang = "en", *, unjudged: bool = False, spared: bool = False
) -> tuple[TableColumn, ...]:
    """The columns that every table of aggregates has: cases scored, failed and skipped.

    With ``unjudged``, also the cases that were answered but are not judged yet; with ``spared``,
    those that an early decision made unnecessary.
    """
    return tuple(
        TableColumn(key=key, title=COUNTS[key].text_in(lang))
        for key in _tally_keys(unjudged, spared)
    )


def tally_cells(
    tally: Tally, *, unjudged: bool = False, spared: bool = False
) -> tuple[TableCell, ...]:
    """The cells of a row for the columns of ``tally_columns``."""
    return tuple(TableCell(value=getattr(tally, key) or 0) for key in _tally_keys(unjudged, spared))


def _tally_keys(unjudged: bool, spared: bool) -> tuple[str, ...]:
    return (
        "scored",
        *(("answered",) if unjudged else ()),
        "failed",
        "skipped",
        *(("spared",) if spared else ()),
    )


def column_names(table: Table) -> list[str]:
    """The names of the metrics for programs, below the titles; empty if the table has none."""
    names = [column.name if column.name != column.title else "" for column in table.columns]
    return ["", *names] if any(names) else []


def column_titles(table: Table, lang: Lang = "en") -> Iterable[str]:
    """The titles of the columns, beginning with the column of the row labels."""
    yield table.label_title or say_in(lang, "variant")
    for column in table.columns:
        yield column.title or column.key


# Rows of any values as plain text for a terminal: the result of a query.

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
