"""Tables, and functions that write them as Markdown, LaTeX, CSV, JSON or plain text."""

from assay.report.table.csv_table import as_csv, formula_safe
from assay.report.table.grid import as_grid, json_text, plain_text
from assay.report.table.json_table import as_json
from assay.report.table.latex import as_latex
from assay.report.table.markdown import as_markdown, escape_markdown
from assay.report.table.table import (
    MISSING,
    Column,
    Row,
    Table,
    TableCell,
    column_titles,
    is_defined,
    legend,
    on_one_line,
    shown_interval,
    shown_number,
    significance,
    tally_cells,
    tally_columns,
    with_marks,
)
from assay.report.table.text import as_text

__all__ = [
    "MISSING",
    "Column",
    "Row",
    "Table",
    "TableCell",
    "as_csv",
    "as_grid",
    "as_json",
    "as_latex",
    "as_markdown",
    "as_text",
    "column_titles",
    "escape_markdown",
    "formula_safe",
    "is_defined",
    "json_text",
    "legend",
    "on_one_line",
    "plain_text",
    "shown_interval",
    "shown_number",
    "significance",
    "tally_cells",
    "tally_columns",
    "with_marks",
]
