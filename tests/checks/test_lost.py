"""A lost answer gets no credit, whatever an empty text would get."""

import pytest

from assay.checks.registered import without_credit
from assay.records import Metric
from assay.results.job import JOBS

QUALITY = Metric(name="score", field="metrics.score")
LATENCY = Metric(name="latency", field="elapsed_s", better="lower", unit="s")
INVENTED = Metric(name="invented", field="invented", better="lower")


def test_what_is_better_when_higher_becomes_zero():
    """The type of the value stays; undefined values and what it took stay as they are."""
    row = {"metrics": {"score": 0.3, "other": 1.0}, "elapsed_s": 2.0, "invented": 0.0}
    changed = without_credit(row, [QUALITY, LATENCY, INVENTED])
    assert changed == {**row, "metrics": {"score": 0.0, "other": 1.0}}
    assert row["metrics"] == {"score": 0.3, "other": 1.0}


@pytest.mark.parametrize("row", [{}, {"metrics": None}, {"metrics": {"score": None}}])
def test_a_value_that_is_absent_or_undefined_stays_so(row: dict[str, object]):
    """Missing is not zero."""
    assert without_credit(row, [QUALITY]) == row


@pytest.mark.parametrize("job", ["ablation", "depth", "quality", "review", "bench"])
def test_each_job_has_a_metric_that_a_lost_answer_fails(job: str):
    """The main metric of each job, or another one, becomes 0."""
    metrics = JOBS.get(job).metrics
    assert any(metric.better == "higher" and metric.family == "quality" for metric in metrics)
