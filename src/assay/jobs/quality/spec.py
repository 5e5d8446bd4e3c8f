"""The quality job as other commands see it."""

from typing import Final

from assay.jobs.quality.report_row import ReportRow
from assay.jobs.spec import JobSpec, question_file
from assay.journal import Summary
from assay.registry import lazy_function
from assay.scorers.quality import METRICS


def _labels(summary: Summary) -> tuple[str, ...]:
    return tuple(f"run={number}" for number in range(1, summary.extra.get("runs", 1) + 1))


SPEC: Final = JobSpec(
    name="quality",
    metrics=METRICS,
    headline="score",
    rescore=lazy_function("assay.jobs.quality.handler:rescore_row"),
    row=ReportRow,
    label=_labels,
    questions=question_file(lazy_function("assay.data.quality:read_quality_questions")),
)
