"""What judging costs and how long it takes: both are separate from the system's."""

from collections.abc import Mapping
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.errors import CeilingReached, SystemFailed
from assay.records import Answer, Case, Score, Tally
from assay.runs.handler import SystemHandler
from assay.runs.read import index_journal
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import stop_time
from tests.support.lab import Judged, Lab, echo, fine, priced

BAD = SystemFailed("no verdict")


def test_the_bill_of_an_answer_is_counted_once(lab: Lab):
    """However often judging is tried, the sum over all rows is what the system cost."""
    system = priced(0.5)
    first = lab.run(system, 3, handler=Judged(system, lambda *_: BAD))
    assert first.paid == 1.5
    for script in (lambda *_: BAD, fine):
        handler = Judged(ScriptedSystem({}), script)
        result = lab.run(handler.system, 3, handler=handler)
        assert result.paid == result.summary.paid == 1.5
        assert index_journal(lab.journal).paid == 1.5
    assert result.is_complete
    assert [row["paid"] for row in lab.rows() if "paid" in row] == [0.5, 0.5, 0.5]
    assert lab.run(ScriptedSystem({}), 3).paid == 1.5


def test_the_cost_of_the_judge_is_separate(lab: Lab):
    """A row has both bills; the total includes both, and the part of the judge is known."""
    system = priced(0.5)
    result = lab.run(system, 2, handler=Judged(system, fine, price=0.25))
    assert (result.paid, result.judge_paid) == (1.5, 0.5)
    assert (result.summary.paid, result.summary.judge_paid) == (1.5, 0.5)
    answered, scored = lab.rows_of("q0")
    assert (answered["paid"], answered["cost"]) == (0.5, 0.5)
    assert "judge_paid" not in answered
    assert (scored["judge_paid"], scored["judge_cost"]) == (0.25, 0.25)
    assert scored["judge_usage"]["calls"] == 1
    assert not {"paid", "cost", "usage"} & scored.keys()
    resumed = lab.run(priced(0.5), 3, handler=Judged(priced(0.5), fine, price=0.25))
    assert (resumed.paid, resumed.judge_paid) == (2.25, 0.75)


def test_an_unknown_price_of_the_judge_is_not_zero(lab: Lab):
    """If the judge's calls have no price, its cost is ``None``; if they are free, it is zero."""
    system = priced(0.5)
    assert lab.run(system, 1, handler=Judged(system, fine)).judge_paid is None
    free = lab.run(system, 1, handler=Judged(system, fine, price=0.0), resume="fresh")
    assert free.judge_paid == 0.0
    assert free.paid == 0.5


def test_the_cost_of_the_judge_counts_towards_the_limit(lab: Lab):
    """``max_cost`` limits system and judge together, also over several runs."""
    limited = RunSettings(concurrency=1, max_cost=1.0)
    system = priced(0.125)
    result = lab.run(system, 6, handler=Judged(system, fine, price=0.375), settings=limited)
    assert isinstance(result.stopped, CeilingReached)
    assert (len(system.asked), result.paid) == (2, 1.0)
    again = priced(0.125)
    judge = Judged(again, fine, price=0.375)
    assert isinstance(lab.run(again, 6, handler=judge, settings=limited).stopped, CeilingReached)
    assert (again.asked, judge.calls) == ([], {})


def test_failed_judging_is_paid_for(lab: Lab):
    """Calls of a judge that fails have cost money: they are in the answered row and the sum."""
    system = ScriptedSystem(echo)
    result = lab.run(system, 1, handler=Judged(system, {"q0": BAD}, price=0.25))
    assert (result.paid, result.judge_paid) == (0.25, 0.25)
    assert lab.rows()[-1]["judge_paid"] == 0.25
    again = Judged(ScriptedSystem({}), fine, price=0.5)
    assert lab.run(again.system, 1, handler=again).judge_paid == 0.75
    assert index_journal(lab.journal).paid == 0.75


class Unscorable(Judged):
    """A judge whose verdict the scorer cannot read."""

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Fail."""
        raise KeyError("level")


class Unwritable(Judged):
    """A judge whose scores JSON cannot represent."""

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Any]:
        """Return an object."""
        return {"verdict": object()}


@pytest.mark.parametrize("kind", [Unscorable, Unwritable])
def test_a_verdict_that_cannot_be_scored_is_paid_for_once(lab: Lab, kind: type[Judged]):
    """The judge's cost counts in the run that called it, and not again when it is scored."""
    system = ScriptedSystem(echo)
    first = lab.run(system, 1, handler=kind(system, fine, price=0.25))
    assert first.tally == Tally(answered=1)
    assert (first.paid, first.judge_paid) == (0.25, 0.25)
    again = Judged(ScriptedSystem({}), fine, price=0.25)
    second = lab.run(again.system, 1, handler=again)
    assert (again.calls, second.tally) == ({}, Tally(scored=1))
    assert second.judge_paid == 0.25
    assert index_journal(lab.journal).paid == 0.25


def test_the_cost_of_earlier_judging_is_not_repeated(lab: Lab):
    """A row has only the cost of the judging that it reports."""
    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Judged(system, {"q0": BAD}, price=0.25))
    lab.run(system, 1, handler=Unscorable(ScriptedSystem({}), fine))
    assert "judge_paid" not in lab.rows()[-1]
    last = Judged(ScriptedSystem({}), fine)
    assert lab.run(last.system, 1, handler=last).judge_paid == 0.25


def test_the_time_of_judging_is_no_latency(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """``elapsed_s`` ends with the answer; the verdict has the time of the judge."""
    clock = stop_time(monkeypatch)
    system = ScriptedSystem(lambda *_: clock.wait(0.25) or "yes")
    lab.run(system, 1, handler=Judged(system, lambda *_: clock.wait(0.5) or "fine"))
    assert [row["elapsed_s"] for row in lab.rows()] == [0.25, 0.25]
    assert lab.verdicts()[0]["elapsed_s"] == 0.5


def test_the_time_of_scoring_is_no_latency(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """A slow scorer does not make the system slower."""
    clock = stop_time(monkeypatch)

    class Slow(SystemHandler):
        def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
            clock.wait(0.3)
            return {}

    system = ScriptedSystem(echo)
    lab.run(system, 2, handler=Slow(system))
    assert [row["elapsed_s"] for row in lab.rows()] == [0.0, 0.0]
