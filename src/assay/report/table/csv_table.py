"""Tables as CSV files for further analysis.

Values are not rounded, and no spreadsheet program can take a cell for a formula.
"""

import csv
import io
import re

from assay.report.table.table import Column, Table, TableCell, is_defined

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


def _csv_columns(column: Column, cells: list[TableCell]) -> dict[str, list[float | str | None]]:
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
