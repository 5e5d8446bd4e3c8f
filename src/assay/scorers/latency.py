"""The latency metrics, which are the same for every job."""

from typing import Final

from assay.records import Metric

LATENCY: Final[tuple[Metric, ...]] = (
    Metric(name="avg_latency_s", field="elapsed_s", title="Mean latency", better="lower", unit="s"),
    Metric(
        name="p50_latency_s",
        field="elapsed_s",
        title="Median latency",
        kind="p50",
        better="lower",
        unit="s",
    ),
    Metric(
        name="p95_latency_s",
        field="elapsed_s",
        title="95th percentile latency",
        kind="p95",
        better="lower",
        unit="s",
    ),
)
"""Mean, median and 95th percentile of the time per case, in seconds."""
