"""The ablation job as other commands see it."""

from typing import Final

from assay.jobs.spec import JobSpec, question_file
from assay.journal import Summary
from assay.registry import lazy_function
from assay.scorers.ablation import METRICS


def _label(summary: Summary) -> str | None:
    from assay.runner import top_k_placement  # noqa: PLC0415 - slow to import, rarely needed

    return None if summary.top_k is None else top_k_placement(summary.top_k).label


SPEC: Final = JobSpec(
    name="ablation",
    metrics=METRICS,
    headline="avg_gold_coverage",
    fallback="answer_contained",
    overview=(
        "cite_ok_rate",
        "gold_hit_any_rate",
        "gold_hit_all_rate",
        "avg_gold_coverage",
        "answer_contained",
        "avg_latency_s",
        "p50_latency_s",
        "p95_latency_s",
    ),
    rescore=lazy_function("assay.jobs.ablation.handler:rescore_row"),
    label=_label,
    questions=question_file(lazy_function("assay.data.question:read_questions")),
)
