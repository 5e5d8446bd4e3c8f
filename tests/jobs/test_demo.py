"""The demonstration: small, offline, and honest about what was not scored."""

from pathlib import Path

import pytest

from assay.config import RunSettings
from assay.jobs.demo import demo_plan, harbour_clerk, questions, right_by_variant, run_demo
from assay.records import Tally
from assay.runner.progress import SilentReporter


def test_the_demonstration_runs_and_resumes(tmp_path: Path):
    """One berth is refused once and retried, one is skipped, and a second run asks nothing."""
    journal = tmp_path / "demo.jsonl"
    clerk = harbour_clerk(14, 0.0)
    first = run_demo(clerk, 14, journal, settings=RunSettings(), reporter=SilentReporter())
    assert first.tally == Tally(scored=26, skipped=2)
    assert len(clerk.asked) == 29  # 14 berths twice, and one refused call
    again = harbour_clerk(14, 0.0)
    second = run_demo(again, 14, journal, settings=RunSettings(), reporter=SilentReporter())
    assert again.asked == []
    assert second.summary == first.summary


def test_the_table_tells_the_variants_apart(tmp_path: Path):
    """With the look-up every answer is right; without it, some are; skipped ones count nowhere."""
    journal = tmp_path / "demo.jsonl"
    result = run_demo(
        harbour_clerk(14, 0.0), 14, journal, settings=RunSettings(), reporter=SilentReporter()
    )
    table = result.summary.results
    assert table == right_by_variant(journal)
    assert table["lookup_on"] == {
        "scored": 13,
        "failed": 0,
        "skipped": 1,
        "right": 13,
        "right_rate": 1.0,
    }
    assert 0 < table["lookup_off"]["right_rate"] < 1
    assert table["lookup_off"]["right_rate"] == pytest.approx(table["lookup_off"]["right"] / 13)


def test_a_rate_of_nothing_is_undefined(tmp_path: Path):
    """Where nothing was scored, the rate is ``None``, not zero."""
    journal = tmp_path / "demo.jsonl"
    journal.write_text('{"key":"a","config":"v","status":"failed","error":"e"}\n')
    assert right_by_variant(journal)["v"]["right_rate"] is None


def test_the_last_row_of_a_key_is_the_one_in_the_table(tmp_path: Path):
    """A failure that was asked again is not counted twice."""
    journal = tmp_path / "demo.jsonl"
    journal.write_text(
        '{"key":"a","config":"v","status":"failed","error":"e"}\n'
        '{"key":"a","config":"v","status":"scored","right":true}\n'
    )
    assert right_by_variant(journal)["v"] == {
        "scored": 1,
        "failed": 0,
        "skipped": 0,
        "right": 1,
        "right_rate": 1.0,
    }


def test_every_berth_is_asked_with_and_without_the_look_up():
    """The plan is the product of berths and variants."""
    plan = demo_plan(harbour_clerk(3, 0.0), 3)
    assert plan.total == 6
    assert len({question.id for question in questions(3)}) == 3
