"""The quality job as other commands see it."""

from typing import Final

from assay.jobs.quality.handler import JOB, rescore_row
from assay.jobs.quality.report_row import ReportRow
from assay.jobs.spec import JobSpec
from assay.scorers.quality import METRICS

SPEC: Final = JobSpec(
    name=JOB, metrics=METRICS, headline="score", rescore=rescore_row, row=ReportRow
)
