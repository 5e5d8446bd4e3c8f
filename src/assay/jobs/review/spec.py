"""The review job as other commands see it."""

from typing import Final

from assay.jobs.review.report_row import ReportRow
from assay.jobs.spec import JobSpec, question_file
from assay.registry import lazy_function
from assay.scorers.risk import CORPUS, METRICS

SPEC: Final = JobSpec(
    name="review",
    metrics=METRICS,
    headline="weighted_accuracy",
    rescore=lazy_function("assay.jobs.review.score:rescore_row"),
    row=ReportRow,
    report="assay.jobs.review.finding:ReviewFindings",
    variant_metrics=CORPUS,
    questions=question_file(lazy_function("assay.data.contract:read_clauses")),
)
