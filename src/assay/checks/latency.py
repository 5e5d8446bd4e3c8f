"""The latency metrics, which are the same for every job."""

from typing import Final

from assay.records import Metric

_FORMULA: Final = "the seconds from asking the system to its answer, without waiting in line"

LATENCY: Final[tuple[Metric, ...]] = (
    Metric(
        name="avg_latency_s",
        field="elapsed_s",
        title="Mean latency",
        title_zh="平均延迟",
        title_ru="средняя задержка",
        better="lower",
        unit="s",
        formula=_FORMULA,
    ),
    Metric(
        name="p50_latency_s",
        field="elapsed_s",
        title="Median latency",
        title_zh="延迟中位数",
        title_ru="медиана задержки",
        kind="p50",
        better="lower",
        unit="s",
        formula=_FORMULA,
    ),
    Metric(
        name="p95_latency_s",
        field="elapsed_s",
        title="95th percentile latency",
        title_zh="延迟 P95",
        title_ru="задержка P95",
        kind="p95",
        better="lower",
        unit="s",
        formula=_FORMULA,
    ),
    Metric(
        name="ttft_s",
        field="ttft_s",
        title="Mean time to first token",
        title_zh="平均首字延迟",
        title_ru="среднее время до первого токена",
        better="lower",
        unit="s",
        formula="the seconds from asking the system to the first text of its answer",
        undefined="the answer did not come as a stream, or calls were replayed",
        optional=True,
    ),
)
"""Mean, median and 95th percentile of the time per case, in seconds. The time is measured.

So is the time to the first token, which only answers have that come as a stream.
"""
