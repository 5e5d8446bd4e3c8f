"""The legal benchmark as other commands see it."""

from typing import Final

from assay.jobs.legal.handler import JOB, rescore_row
from assay.jobs.legal.report_row import ReportRow
from assay.jobs.spec import JobSpec
from assay.scorers.legal import METRICS

SPEC: Final = JobSpec(
    name=JOB,
    metrics=METRICS,
    headline="score",
    rescore=rescore_row,
    row=ReportRow,
    report="assay.jobs.legal.finding:BenchFindings",
)
