"""A study: the variants of a run compared on the same questions, for every job."""

from assay.jobs.study.analysis import (
    RunFindings,
    analyse_results,
    analyse_run,
    read_run,
    summarise_run,
    summary_results,
)
from assay.jobs.study.page import Report, write_report
from assay.jobs.study.table import overview_table, tables

__all__ = [
    "Report",
    "RunFindings",
    "analyse_results",
    "analyse_run",
    "overview_table",
    "read_run",
    "summarise_run",
    "summary_results",
    "tables",
    "write_report",
]
