"""The depth job as other commands see it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from assay.checks.latency import LATENCY
from assay.records import Metric
from assay.registry import lazy_function
from assay.results.job import JobSpec
from assay.runs.row import Row

# The metrics of answers about a long text.

_ACCURACY: Final = (
    "single choice and open question: 1 if right, otherwise 0; multiple choice: F1 of the letters, "
    "2 · shared / (named + right)"
)

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        name="accuracy",
        by_check=True,
        field="score",
        title="Accuracy (unparsed as 0)",
        title_zh="准确率",
        title_ru="доля верных",
        formula=f"{_ACCURACY}; 0 if the reply cannot be parsed",
        function="assay.jobs.depth.score:score_answer",
    ),
    Metric(
        name="accuracy_parsed",
        by_check=True,
        field="scores.score_if_parsed",
        title="Accuracy (parsed only)",
        title_zh="已解析回答的准确率",
        title_ru="доля верных среди разобранных",
        formula=_ACCURACY,
        undefined="the reply cannot be parsed",
        function="assay.jobs.depth.score:score_answer",
    ),
    Metric(
        name="exact_rate",
        by_check=True,
        field="scores.exact",
        title="Exact match",
        title_zh="完全正确率",
        title_ru="полностью верно",
        kind="rate",
        formula="1 if the reply names exactly the right letters or gives an accepted answer, "
        "otherwise 0",
        function="assay.jobs.depth.choice:is_exact",
    ),
    Metric(
        name="parse_rate",
        field="scores.parsed",
        title="Parse rate",
        title_zh="解析成功率",
        title_ru="разобрано",
        kind="rate",
        formula="1 if an answer could be parsed from the reply, otherwise 0",
        function="assay.jobs.depth.score:score_answer",
    ),
    Metric(
        name="truncated_rate",
        field="truncated",
        title="Truncation rate",
        title_zh="截断率",
        title_ru="обрезано",
        kind="rate",
        better="lower",
        formula="1 if the reply ended because of its length, or if the provider counted far fewer "
        "prompt tokens than were sent, otherwise 0",
        undefined="the system reports neither",
    ),
    *LATENCY,
)
"""The columns of the depth tables, in order."""


SPEC: Final = JobSpec(
    name="depth",
    metrics=METRICS,
    headline="accuracy",
    corrected_gold="run",
    rescore=lazy_function("assay.jobs.depth.handler:rescore_row"),
)


# The row of a depth test: the fields of the published format, and those about the context.


class DepthTestRow(Row, kw_only=True):
    """What a depth test adds to a row. The fields from ``model_answer`` on are scores.

    ``depth`` is the planned depth, or the actual one once the context is built.
    """

    question_type: str = ""
    choice: Mapping[str, str] = {}
    correct_answer: Sequence[str] = ()
    position: Mapping[str, int] | None = None
    depth: float | None = None
    depth_bin: str | None = None
    test_context_length: int = 0
    context_length: int = 0
    context_tokens: int | UnsetType = UNSET
    evidence_start_token: int | UnsetType = UNSET
    evidence_tokens: int | UnsetType = UNSET
    in_place: bool | UnsetType = UNSET
    prompt_tokens_expected: int | UnsetType = UNSET
    closed_book: bool | UnsetType = UNSET
    closed_book_correct: bool | UnsetType = UNSET
    note: str | UnsetType = UNSET
    model_answer: Any = UNSET
    parsing_status: str | UnsetType = UNSET
    parsed_from: str | UnsetType | None = UNSET
    score: float | UnsetType = UNSET
    metrics: Mapping[str, Any] | UnsetType = UNSET
    matched: Any = UNSET
    truncated: bool | UnsetType | None = UNSET
