"""The quality job as other commands see it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from assay.checks.latency import LATENCY
from assay.records import Metric
from assay.registry import lazy_function
from assay.results.job import JobSpec, question_file
from assay.runs.row import Row
from assay.runs.summary import Summary

# The metrics of answers about a PDF.

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        name="score",
        by_check=True,
        field="metrics.score",
        title="Question score, unweighted",
        title_zh="得分",
        title_ru="балл",
        formula="max(0, 0.7 · include_rate + 0.3 · safe_ok − penalty); the penalty is 0.2 if the "
        "question requires a page citation and the answer has none, otherwise 0",
        function="assay.jobs.quality.score:question_score",
    ),
    Metric(
        name="include_rate",
        by_check=True,
        field="metrics.include_rate",
        title="Required phrase rate",
        title_zh="必含短语覆盖率",
        title_ru="названо обязательных фраз",
        formula="required phrases and groups that the answer contains / all of them; 1 if nothing "
        "is required",
        function="assay.jobs.quality.score:include_rate",
    ),
    Metric(
        name="safe_ok",
        by_check=True,
        field="metrics.safe_ok",
        title="Forbidden-free rate",
        title_zh="无禁用短语",
        title_ru="без запретных фраз",
        kind="rate",
        formula="1 if the answer contains no forbidden phrase, otherwise 0",
        function="assay.jobs.quality.score:score_answer",
    ),
    Metric(
        name="citation_ok",
        field="metrics.citation_ok",
        title="Page citation rate",
        title_zh="按要求标注页码",
        title_ru="страница указана, где нужно",
        kind="rate",
        formula="1 if the answer cites a page, otherwise 0",
        undefined="the question does not require a citation",
        function="assay.jobs.quality.score:score_answer",
    ),
    Metric(
        name="citation_page_exists",
        field="metrics.citation_page_exists",
        title="Valid page rate",
        title_zh="所引页码存在",
        title_ru="указанные страницы есть",
        kind="rate",
        formula="1 if every cited page exists in the document, otherwise 0",
        undefined="the answer cites no page",
        function="assay.jobs.quality.score:pages_exist",
    ),
    Metric(
        name="citation_supported",
        by_check=True,
        field="metrics.citation_supported",
        title="Supported citation rate",
        title_zh="所引页面载有事实",
        title_ru="факты есть на указанных страницах",
        kind="rate",
        formula="1 if every figure, date and required phrase of the answer is on a page that it "
        "cites, otherwise 0",
        undefined="the answer cites no page, abstains, or states nothing that can be looked up",
        function="assay.jobs.quality.score:unsupported_facts",
    ),
    *LATENCY,
)
"""The columns of the tables, in order; ``score`` is the main one. The weighted score is not
among them: it belongs to the run, not to single answers."""


# The fields of a recorded row that the results file contains.


class ReportRow(Struct, frozen=True, kw_only=True):
    """One run of a question. A field that the row does not have is ``UNSET``."""

    key: str = ""
    schema_version: int = 0
    status: str = "scored"
    answer: str | UnsetType | None = UNSET
    metrics: Mapping[str, float | int | bool | None] | UnsetType = UNSET
    scores: Mapping[str, float | int | bool | None] | UnsetType = UNSET
    matches: Any = UNSET
    cited_pages: Any = UNSET
    unsupported: Any = UNSET
    passages: Any = UNSET
    elapsed_s: float | int | UnsetType | None = UNSET
    finish_reason: str | UnsetType | None = UNSET
    scored_in_part: bool | UnsetType | None = UNSET
    error: str | UnsetType | None = UNSET
    error_kind: str | UnsetType | None = UNSET
    reason: str | UnsetType | None = UNSET

    def metric(self, name: str) -> float | None:
        """The value of a metric; ``None`` if it is undefined or the row has no metrics."""
        return None if isinstance(self.metrics, UnsetType) else self.metrics.get(name)


def _labels(summary: Summary) -> tuple[str, ...]:
    return tuple(f"run={number}" for number in range(1, summary.extra.get("runs", 1) + 1))


SPEC: Final = JobSpec(
    name="quality",
    metrics=METRICS,
    headline="score",
    corrected_gold="run",
    rescore=lazy_function("assay.jobs.quality.handler:rescore_row"),
    row=ReportRow,
    label=_labels,
    questions=question_file(lazy_function("assay.jobs.quality.question:read_quality_questions")),
)


# The row of a quality run.


class QualityRow(Row, kw_only=True):
    """What a quality run adds to a row. The fields from ``metrics`` on are scores."""

    run: int = 1
    expected: Mapping[str, Any] = {}
    weight: float = 1.0
    metrics: Mapping[str, Any] | UnsetType = UNSET
    matches: Sequence[Any] | UnsetType = UNSET
    cited_pages: Sequence[int] | UnsetType = UNSET
    unsupported: Sequence[Any] | UnsetType = UNSET
