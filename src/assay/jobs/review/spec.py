"""The review job as other commands see it."""

from typing import Final

from assay.data.contract import read_clauses
from assay.jobs.review.handler import JOB
from assay.jobs.review.report_row import ReportRow
from assay.jobs.review.score import rescore_row
from assay.jobs.spec import JobSpec, question_file
from assay.scorers.risk import CORPUS, METRICS

SPEC: Final = JobSpec(
    name=JOB,
    metrics=METRICS,
    headline="weighted_accuracy",
    rescore=rescore_row,
    row=ReportRow,
    report="assay.jobs.review.finding:ReviewFindings",
    variant_metrics=CORPUS,
    questions=question_file(read_clauses),
)
