"""The gate: whether the candidate is as good as the base, or cannot be compared with it."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.compare.aggregate import AggregateComparison, compare_aggregates, refuse_max_std
    from assay.jobs.compare.aggregate_report import (
        aggregate_headline,
        aggregate_json,
        aggregate_markdown,
        aggregate_suites,
        aggregate_text,
    )
    from assay.jobs.compare.baseline import is_baseline, write_baseline
    from assay.jobs.compare.compared_run import ComparedRun
    from assay.jobs.compare.correction import correct
    from assay.jobs.compare.gate import Comparison, Limits, compare, with_correction, with_texts
    from assay.jobs.compare.json_report import as_json, invalid_json
    from assay.jobs.compare.judged import judged_side
    from assay.jobs.compare.junit_suites import invalid_suites, suites
    from assay.jobs.compare.markdown_report import as_markdown, invalid_markdown
    from assay.jobs.compare.pair import Standing
    from assay.jobs.compare.read import (
        Rescore,
        read_aggregates,
        read_judged_runs,
        read_labelled_runs,
        read_rescore,
        read_runs,
    )
    from assay.jobs.compare.shared import (
        SharedQuestions,
        have_other_questions,
        on_shared_questions,
    )
    from assay.jobs.compare.text_report import as_text
    from assay.jobs.compare.wording import headline, open_sign, warning_lines
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AggregateComparison": "aggregate",
            "ComparedRun": "compared_run",
            "Comparison": "gate",
            "Limits": "gate",
            "Rescore": "read",
            "SharedQuestions": "shared",
            "Standing": "pair",
            "aggregate_headline": "aggregate_report",
            "aggregate_json": "aggregate_report",
            "aggregate_markdown": "aggregate_report",
            "aggregate_suites": "aggregate_report",
            "aggregate_text": "aggregate_report",
            "as_json": "json_report",
            "as_markdown": "markdown_report",
            "as_text": "text_report",
            "compare": "gate",
            "compare_aggregates": "aggregate",
            "correct": "correction",
            "have_other_questions": "shared",
            "headline": "wording",
            "open_sign": "wording",
            "invalid_json": "json_report",
            "invalid_markdown": "markdown_report",
            "invalid_suites": "junit_suites",
            "is_baseline": "baseline",
            "judged_side": "judged",
            "on_shared_questions": "shared",
            "read_aggregates": "read",
            "read_judged_runs": "read",
            "read_labelled_runs": "read",
            "read_rescore": "read",
            "read_runs": "read",
            "refuse_max_std": "aggregate",
            "suites": "junit_suites",
            "warning_lines": "wording",
            "with_correction": "gate",
            "with_texts": "gate",
            "write_baseline": "baseline",
        },
    )

__all__ = [
    "AggregateComparison",
    "ComparedRun",
    "Comparison",
    "Limits",
    "Rescore",
    "SharedQuestions",
    "Standing",
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
    "is_baseline",
    "judged_side",
    "on_shared_questions",
    "open_sign",
    "read_aggregates",
    "read_judged_runs",
    "read_labelled_runs",
    "read_rescore",
    "read_runs",
    "refuse_max_std",
    "suites",
    "warning_lines",
    "with_correction",
    "with_texts",
    "write_baseline",
]
