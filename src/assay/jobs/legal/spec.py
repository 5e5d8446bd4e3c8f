"""The legal benchmark as other commands see it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assay.jobs.legal.report_row import ReportRow
from assay.jobs.spec import JobSpec
from assay.journal import Summary
from assay.registry import lazy_function
from assay.scorers.legal import METRICS


def _label(summary: Summary) -> str | None:
    from assay.runner import top_k_placement  # noqa: PLC0415 - slow to import, rarely needed

    return None if summary.top_k is None else top_k_placement(summary.top_k).label


def _questions(path: Path, summary: Summary) -> tuple[Sequence[str], str]:
    from assay.jobs.legal.benchmark import read_benchmark_data  # noqa: PLC0415 - as above

    benchmark = read_benchmark_data(path)
    chosen = benchmark.of_type(summary.extra.get("question_type"))
    return [item.id for item in chosen.questions], benchmark.sha256


SPEC: Final = JobSpec(
    name="bench",
    metrics=METRICS,
    headline="score",
    rescore=lazy_function("assay.jobs.legal.handler:rescore_row"),
    row=ReportRow,
    label=_label,
    questions=_questions,
    report="assay.jobs.legal.finding:BenchFindings",
)
