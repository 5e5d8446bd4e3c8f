"""Tables as CSV for further analysis: values in full, and no cell that runs as a formula."""

import csv
import io
import re

from assay.report.table.table import Column, Table, TableCell, is_defined

# What a spreadsheet reads as the start of a formula, full-width forms included.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")


def formula_safe(text: str) -> str:
    """Text with an apostrophe before it where a spreadsheet would run it; numbers stay.

    >>> formula_safe("=1+1"), formula_safe("-0.5"), formula_safe("plain")
    ("'=1+1", '-0.5', 'plain')
    """
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def as_csv(table: Table) -> str:
    """One line a row under the columns' keys; floats unrounded, undefined cells empty.

    Columns with intervals are followed by ``KEY_low`` and ``KEY_high``, columns with
    significance marks by ``KEY_significance``. Best and worst are not marked.
    """
    parts = [
        _parts(column, [row.cells[place] for row in table.rows])
        for place, column in enumerate(table.columns)
    ]
    names = [table.label_key, *(name for part in parts for name in part)]
    text = io.StringIO()
    # All text is quoted: the writer of Python 3.11 leaves a lone carriage return bare.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(formula_safe(name) for name in names)
    for number, row in enumerate(table.rows):
        values = [value for part in parts for value in (cells[number] for cells in part.values())]
        writer.writerow([formula_safe(row.label), *values])
    return text.getvalue()


def _parts(column: Column, cells: list[TableCell]) -> dict[str, list[float | str | None]]:
    """What is written of a column: its values and, where it has them, bounds and marks."""
    parts = {column.key: [_written(cell.value) for cell in cells]}
    if any(cell.interval is not None for cell in cells):
        bounds = [cell.interval for cell in cells]
        parts[f"{column.key}_low"] = [_written(bound.low if bound else None) for bound in bounds]
        parts[f"{column.key}_high"] = [_written(bound.high if bound else None) for bound in bounds]
    if any(cell.significance for cell in cells):
        parts[f"{column.key}_significance"] = [cell.significance for cell in cells]
    return parts


def _written(value: float | str | None) -> float | str | None:
    if not is_defined(value):
        return None
    return formula_safe(value) if isinstance(value, str) else value
