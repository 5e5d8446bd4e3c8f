"""The legal benchmark as other commands see it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from assay.checks.latency import LATENCY
from assay.records import Metric
from assay.registry import lazy_function
from assay.results.job import JobSpec
from assay.runs.row import Row
from assay.runs.summary import Summary
from assay.words.say import marked

# The metrics of the legal benchmark; each is a mean over the questions that define it.

_FACT: Final = marked("the question is not of the type fact_exact", "undefined")
_GAP: Final = marked("the question is not of the type conflict_gap", "undefined")

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        name="score",
        by_check=True,
        field="score",
        title="Score",
        title_zh="得分",
        title_ru="балл",
        formula="fact_exact: 0.7 · exact match + 0.3 · citation correct; evidence_set: 0.5 (recall "
        "reaches its minimum) + 0.3 (precision reaches its minimum) + 0.2 (citation given); "
        "conflict_gap: 0.4 (correct abstention) + 0.4 (nothing invented) + 0.2 (quote included)",
    ),
    Metric(
        name="passed_rate",
        by_check=True,
        field="passed",
        title="Pass rate",
        title_zh="通过率",
        title_ru="зачтено",
        kind="rate",
        formula="1 if the score is at least the threshold of the question, its file or the "
        "benchmark, otherwise 0",
        undefined="nothing sets a threshold for the question",
    ),
    Metric(
        name="exact_match",
        by_check=True,
        field="terms.exact_match",
        title="Exact match",
        title_zh="事实精确匹配",
        title_ru="точные факты",
        kind="rate",
        formula="1 if the answer gives every expected field correctly, otherwise 0",
        undefined=_FACT,
        function="assay.jobs.legal.fact:fact_score",
    ),
    Metric(
        name="citation_correct",
        field="terms.citation_correct",
        title="Citation accuracy",
        title_zh="事实引用正确",
        title_ru="верные ссылки на факты",
        kind="rate",
        formula="1 if a citation supports every critical item of evidence (every item, if none is "
        "critical), or if no citation is required, otherwise 0",
        undefined=_FACT,
        function="assay.jobs.legal.fact:fact_score",
    ),
    Metric(
        name="partial",
        by_check=True,
        field="terms.partial",
        title="Field accuracy",
        title_zh="事实字段正确率",
        title_ru="доля верных полей",
        formula="expected fields that the answer gives correctly / expected fields",
        undefined=_FACT,
        function="assay.jobs.legal.fact:fact_score",
    ),
    Metric(
        name="evidence_recall",
        by_check=True,
        field="terms.recall",
        title="Evidence recall",
        title_zh="证据召回率",
        title_ru="полнота доказательств",
        formula="required evidence and key points that the answer supports / all of them",
        undefined="the question is not of the type evidence_set, or nothing is required",
        function="assay.jobs.legal.evidence:evidence_set_score",
    ),
    Metric(
        name="evidence_precision",
        by_check=True,
        field="terms.precision",
        title="Evidence precision",
        title_zh="证据精确率",
        title_ru="точность доказательств",
        formula="retrieved pieces that support a required item / retrieved pieces",
        undefined="the question is not of the type evidence_set, or nothing is retrieved",
        function="assay.jobs.legal.evidence:evidence_set_score",
    ),
    Metric(
        name="correct_abstention",
        by_check=True,
        field="terms.correct_abstention",
        title="Abstention accuracy",
        title_zh="拒答恰当",
        title_ru="уместные отказы",
        kind="rate",
        formula="1 if the answer abstains exactly when it should, or reports a conflict that it "
        "should report, otherwise 0",
        undefined=_GAP,
        function="assay.jobs.legal.conflict_gap:conflict_gap_score",
    ),
    Metric(
        name="no_hallucination",
        by_check=True,
        field="terms.no_hallucination",
        title="Hallucination-free rate",
        title_zh="无编造",
        title_ru="без вымысла",
        kind="rate",
        formula="1 if every detail of the answer is in the document or in the question, otherwise 0",
        undefined="the question is not of the type conflict_gap, there is no document, or "
        "hallucination_check is none",
        function="assay.jobs.legal.conflict_gap:conflict_gap_score",
    ),
    Metric(
        name="quote_included",
        by_check=True,
        field="terms.quote_included",
        title="Quote included",
        title_zh="含所需原话",
        title_ru="цитата приведена",
        kind="rate",
        formula="1 if the answer or a citation contains the required quote or an additional quote, "
        "or if none is required, otherwise 0",
        undefined=_GAP,
        function="assay.jobs.legal.conflict_gap:is_quoted",
    ),
    Metric(
        name="hallucination_severity",
        by_check=True,
        field="terms.severity",
        title="Hallucination severity",
        title_zh="编造严重度",
        title_ru="тяжесть вымысла",
        better="lower",
        formula="invented details × 1, 0.5 or 0.25, or a number, by the hallucination_penalty of "
        "the question",
        undefined="the question is not of the type conflict_gap, or there is no document",
        function="assay.checks.invention:severity",
    ),
    *LATENCY,
)
"""A term is defined only for questions of its type, ``score`` and latency for all questions."""


# The fields of a recorded row that the results of a benchmark are made from.


class ReportRow(Struct, frozen=True, kw_only=True):
    """One question and its outcome. A field that the row does not have is ``None``."""

    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    config: str = ""
    status: str = "scored"
    question_type: str = ""
    category: str | None = None
    difficulty: str | None = None
    file: str = ""
    source: str | None = None
    question: str = ""
    min_score: float | int | None = None
    weight: float | int | None = None
    type_weight: float | int | None = None
    score: float | int | None = None
    at_least: Mapping[str, float] | None = None
    at_most: Mapping[str, float] | None = None
    passed: bool | None = None
    terms: Mapping[str, float | int | bool | None] | None = None
    why: Any = None
    missing: Sequence[str] | None = None
    invented: Sequence[Mapping[str, Any]] | None = None
    faults: Sequence[str] | None = None
    notes: Sequence[str] | None = None
    answer: str | None = None
    citations: Any = None
    elapsed_s: float | int | None = None
    error: str | None = None
    reason: str | None = None


def _label(summary: Summary) -> str | None:
    from assay.runs.plan import top_k_placement  # noqa: PLC0415 - slow to import, rarely needed

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
    corrected_gold="run",
    rescore=lazy_function("assay.jobs.legal.handler:rescore_row"),
    row=ReportRow,
    label=_label,
    questions=_questions,
    report="assay.jobs.legal.summary:BenchFindings",
)


# The row of the legal benchmark.


class BenchRow(Row, kw_only=True):
    """What the benchmark adds to a row. The fields from ``score`` on are scores and reasons."""

    question_type: str = ""
    category: str | None = None
    difficulty: str | None = None
    file: str = ""
    document: str = ""
    document_sha256: str = ""
    has_page_marks: bool = True
    min_score: float | None = None
    weight: float | None = None
    type_weight: float | None = None
    gold: Mapping[str, Any] = {}
    score: float | UnsetType = UNSET
    terms: Mapping[str, Any] | UnsetType = UNSET
    fields: Mapping[str, bool] | UnsetType = UNSET
    missing: Sequence[str] | UnsetType = UNSET
    invented: Sequence[Mapping[str, Any]] | UnsetType = UNSET
    faults: Sequence[str] | UnsetType = UNSET
    why: Sequence[Any] | UnsetType = UNSET
    notes: Sequence[str] | UnsetType = UNSET
    passed: bool | UnsetType | None = UNSET
    citations: Sequence[Mapping[str, Any]] | UnsetType = UNSET
