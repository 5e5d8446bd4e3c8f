"""The gate: whether the candidate is as good as the base, or cannot be compared with it."""

from assay.jobs.compare.aggregate import AggregateComparison, compare_aggregates, refuse_max_std
from assay.jobs.compare.aggregate_report import (
    aggregate_headline,
    aggregate_json,
    aggregate_markdown,
    aggregate_suites,
    aggregate_text,
)
from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.gate import Comparison, Limits, compare, with_correction, with_texts
from assay.jobs.compare.json_report import as_json, invalid_json
from assay.jobs.compare.judged import PREFIX as JUDGE_PREFIX
from assay.jobs.compare.judged import correct, judged_side
from assay.jobs.compare.junit_suites import invalid_suites, suites
from assay.jobs.compare.markdown_report import as_markdown, invalid_markdown
from assay.jobs.compare.read import (
    Rescore,
    read_aggregates,
    read_judged_runs,
    read_rescore,
    read_runs,
)
from assay.jobs.compare.shared import (
    SharedQuestions,
    have_other_questions,
    on_shared_questions,
)
from assay.jobs.compare.text_report import as_text
from assay.jobs.compare.wording import headline

__all__ = [
    "JUDGE_PREFIX",
    "AggregateComparison",
    "ComparedRun",
    "Comparison",
    "Limits",
    "Rescore",
    "SharedQuestions",
    "aggregate_headline",
    "aggregate_json",
    "aggregate_markdown",
    "aggregate_suites",
    "aggregate_text",
    "as_json",
    "as_markdown",
    "as_text",
    "compare",
    "compare_aggregates",
    "correct",
    "have_other_questions",
    "headline",
    "invalid_json",
    "invalid_markdown",
    "invalid_suites",
    "judged_side",
    "on_shared_questions",
    "read_aggregates",
    "read_judged_runs",
    "read_rescore",
    "read_runs",
    "refuse_max_std",
    "suites",
    "with_correction",
    "with_texts",
]
