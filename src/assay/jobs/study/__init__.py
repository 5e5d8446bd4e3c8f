"""A study: the variants of a run compared on the same questions, for every job."""

from assay.jobs.study.analysis import analyse_run, summarise_run
from assay.jobs.study.page import Report, write_report
from assay.jobs.study.table import overview_table, tables

__all__ = [
    "Report",
    "analyse_run",
    "overview_table",
    "summarise_run",
    "tables",
    "write_report",
]
