"""Tables, and the formats they are written in."""

from assay.report.table.table import Column
from assay.report.table.table import MISSING
from assay.report.table.table import Row
from assay.report.table.table import Table
from assay.report.table.table import TableCell
from assay.report.table.csv_table import as_csv
from assay.report.table.json_table import as_json
from assay.report.table.latex import as_latex
from assay.report.table.markdown import as_markdown
from assay.report.table.text import as_text
from assay.report.table.markdown import display_width
from assay.report.table.markdown import escape_markdown
from assay.report.table.table import is_defined
from assay.report.table.table import legend
from assay.report.table.table import on_one_line
from assay.report.table.table import shown_number
from assay.report.table.table import significance
from assay.report.table.table import tally_cells
from assay.report.table.table import tally_columns
from assay.report.table.table import with_marks

__all__ = [
    "Column",
    "MISSING",
    "Row",
    "Table",
    "TableCell",
    "as_csv",
    "as_json",
    "as_latex",
    "as_markdown",
    "as_text",
    "display_width",
    "escape_markdown",
    "is_defined",
    "legend",
    "on_one_line",
    "shown_number",
    "significance",
    "tally_cells",
    "tally_columns",
    "with_marks",
]
