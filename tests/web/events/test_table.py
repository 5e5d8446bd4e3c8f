"""The values of a run that goes on."""

from msgspec import Struct

from assay.records import Metric
from assay.stats.interval import wilson
from assay.stats.scores import SCORED
from assay.web.events.count import CaseTable

RIGHT = Metric(name="right", field="right", kind="rate")


class LiveRow(Struct, kw_only=True):
    """The fields of a row that the table uses."""

    key: str
    question_id: str
    config: str = "on"
    source: str | None = None
    ts: float | None = None


def table(placements: int) -> CaseTable:
    """Ten questions at some placements; every second question is right everywhere."""
    found = CaseTable()
    for number in range(10):
        for place in range(placements):
            row = LiveRow(key=f"q{number}::on::length={place}", question_id=f"q{number}")
            found.put(row, SCORED, float(number % 2))
    return found


def test_a_question_at_many_placements_counts_once():
    """The interval of a running depth test is that over its questions, as at the end."""
    (once,), (often,) = (table(count).values(RIGHT, "on") for count in (1, 20))
    expected = wilson(5, 10)
    assert expected is not None
    assert once.interval is not None
    assert (once.interval.low, once.interval.high) == (expected.low, expected.high)
    assert often.n == 200
    assert often.interval is not None
    assert (round(often.interval.low, 3), round(often.interval.high, 3)) == (0.199, 0.801)
