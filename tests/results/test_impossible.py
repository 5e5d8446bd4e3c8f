"""Values that no run can record are refused, with the place of the row."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import JournalCorrupt
from assay.records import Metric
from assay.results.results import read_results
from tests.support.journal import judged, write_rows

LATENCY = Metric(name="latency", field="elapsed_s", unit="s")


def _journal(folder: Path, fields: dict[str, Any]) -> Path:
    path = write_rows(folder / "study.jsonl", [judged(f"q{n}", "on", 1.0) for n in range(3)])
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(json.dumps(json.loads(first) | fields) + "\n" + "".join(rest))
    return path


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"elapsed_s": 1e300}, "a time is not above"),
        ({"elapsed_s": 1e12}, "a time is not above"),
        ({"elapsed_s": True}, "elapsed_s"),
        ({"cost": -1e9}, "cost"),
        ({"paid": -1e9}, "paid"),
        ({"judge_cost": -1.0}, "judge_cost"),
        ({"usage": {"calls": 1, "prompt_tokens": -500, "completion_tokens": 3}}, "prompt_tokens"),
        ({"usage": {"calls": -1}}, "calls"),
        ({"schema_version": -1}, "schema_version"),
        ({"status": "banana"}, "banana"),
    ],
)
def test_an_impossible_value_is_refused(tmp_path: Path, fields: dict[str, Any], named: str):
    """The message says where it is; no such number reaches a table."""
    with pytest.raises(JournalCorrupt, match=named):
        read_results(_journal(tmp_path, fields), [LATENCY])


def test_possible_values_are_read(tmp_path: Path):
    """A cost of 0, whole numbers and no usage at all are what runs record."""
    fields = {"cost": 0, "paid": 0.0, "elapsed_s": 3, "usage": {"calls": 1, "prompt_tokens": 12.0}}
    results = read_results(_journal(tmp_path, fields), [LATENCY])
    assert (results.bills["on"].cost, results.bills["on"].prompt_tokens) == (0.0, 12)
