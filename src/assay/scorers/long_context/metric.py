"""The metrics of answers about a long text."""

from typing import Final

from assay.records import Metric
from assay.scorers.latency import LATENCY

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
        function="assay.scorers.long_context.score:score_answer",
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
        function="assay.scorers.long_context.score:score_answer",
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
        function="assay.scorers.long_context.choice:is_exact",
    ),
    Metric(
        name="parse_rate",
        field="scores.parsed",
        title="Parse rate",
        title_zh="解析成功率",
        title_ru="разобрано",
        kind="rate",
        formula="1 if an answer could be parsed from the reply, otherwise 0",
        function="assay.scorers.long_context.score:score_answer",
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
