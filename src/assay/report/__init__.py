"""Tables and charts. Nothing here asks, scores or reads results; it only shows them.

Charts live in ``assay.report.chart``, which is imported where one is drawn: it loads
matplotlib.
"""

from assay.report.csv_table import as_csv
from assay.report.json_table import as_json
from assay.report.label import Lang, metric_title, word
from assay.report.latex import as_latex
from assay.report.markdown import as_markdown
from assay.report.table import (
    Column,
    Row,
    Table,
    TableCell,
    legend,
    marked,
    significance,
    tally_cells,
    tally_columns,
)

__all__ = [
    "Column",
    "Lang",
    "Row",
    "Table",
    "TableCell",
    "as_csv",
    "as_json",
    "as_latex",
    "as_markdown",
    "legend",
    "marked",
    "metric_title",
    "significance",
    "tally_cells",
    "tally_columns",
    "word",
]
