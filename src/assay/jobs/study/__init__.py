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
from assay.jobs.study.sequence import SequenceLine, Sequences, sequences
from assay.jobs.study.table import (
    LABELS,
    latency_table,
    overview_table,
    quality_table,
    reservations,
    tables,
)
from assay.jobs.study.verdict import verdicts

__all__ = [
    "LABELS",
    "Report",
    "RunFindings",
    "SequenceLine",
    "Sequences",
    "analyse_results",
    "analyse_run",
    "latency_table",
    "overview_table",
    "quality_table",
    "read_run",
    "reservations",
    "sequences",
    "summarise_run",
    "summary_results",
    "tables",
    "verdicts",
    "write_report",
]
