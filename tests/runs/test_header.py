"""The header of a run that is resumed: its start, its parts, and totals that add up."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.errors import TransientError
from assay.models.meter import record_call
from assay.records import Answer, Case, Prompt, Question
from assay.results.results import read_results
from assay.runs.handler import SystemHandler
from assay.runs.summary import read_summary, write_summary
from assay.runs.write import summary_path
from assay.systems.scripted import ScriptedSystem
from tests.support.lab import ONE_BY_ONE, Judged, Lab, echo, priced


@pytest.fixture(name="clock")
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is a second later."""
    seconds = itertools.count()
    for module in ("assay.runs.summary", "assay.runs.run"):
        monkeypatch.setattr(f"{module}.now", lambda: f"2026-11-16T12:00:{next(seconds):02}Z")


@pytest.mark.usefixtures("clock")
def test_the_start_survives_resuming(lab: Lab):
    """``started_at`` is when the run was begun, and every part has its own times."""
    lab.run(ScriptedSystem(echo), 2)
    first = lab.summary()
    lab.run(ScriptedSystem(echo), 5)
    second = lab.summary()
    assert second["started_at"] == first["started_at"]
    assert second["completed_at"] > first["completed_at"]
    before, after = second["stretches"]
    assert before == first["stretches"][0]
    assert before["started_at"] == first["started_at"] < before["ended_at"]
    assert before["ended_at"] < after["started_at"] < after["ended_at"]
    assert [session["asked"] for session in second["stretches"]] == [2, 3]


def test_the_time_of_the_header_is_that_of_all_parts(lab: Lab):
    """A run that was resumed took as long as its parts together."""
    lab.run(ScriptedSystem(echo), 2)
    lab.run(ScriptedSystem(echo), 4)
    summary = lab.summary()
    total = sum(session["elapsed_s"] for session in summary["stretches"])
    assert summary["elapsed_s"] == pytest.approx(total, abs=0.001)


@pytest.mark.usefixtures("clock")
def test_a_part_that_was_killed_has_no_end(lab: Lab):
    """Its start stays on record."""
    lab.run(ScriptedSystem(echo), 2)
    summary = read_summary(summary_path(lab.journal))
    assert summary is not None
    killed = replace(summary.stretches[0], ended_at=None, asked=None, elapsed_s=None)
    write_summary(summary_path(lab.journal), replace(summary, state="running", stretches=(killed,)))
    lab.run(ScriptedSystem(echo), 3)
    stretches = lab.summary()["stretches"]
    assert [session["ended_at"] is None for session in stretches] == [True, False]


def test_what_is_judged_again_is_a_part_that_asks_nothing(lab: Lab):
    """Judging recorded answers again is work on the run."""
    system = ScriptedSystem(echo)
    lab.run(system, 2, handler=Judged(system, lambda *_: 1), header={"judging": "a"})
    lab.run(system, 2, handler=Judged(system, lambda *_: 1), header={"judging": "b"})
    assert [session["asked"] for session in lab.summary()["stretches"]] == [2, 0]


def test_a_run_with_nothing_to_do_is_no_part(lab: Lab):
    """The header stays as it is."""
    lab.run(ScriptedSystem(echo), 2)
    before = lab.summary()
    lab.run(ScriptedSystem(echo), 2)
    assert lab.summary() == before


def test_a_new_file_is_a_new_start(lab: Lab):
    """A header whose rows were deleted does not lend its start to another run."""
    lab.run(ScriptedSystem(echo), 2)
    lab.journal.unlink()
    lab.run(ScriptedSystem(echo), 2)
    assert len(lab.summary()["stretches"]) == 1


def test_headers_of_the_last_version_are_continued(lab: Lab):
    """A header without parts counts as one part, with the times that it has."""
    lab.run(ScriptedSystem(echo), 2)
    summary = read_summary(summary_path(lab.journal))
    assert summary is not None
    old = replace(summary, started_at="2025-01-01T00:00:00Z", stretches=(), elapsed_s=7.5)
    write_summary(summary_path(lab.journal), old)
    lab.run(ScriptedSystem(echo), 3)
    resumed = lab.summary()
    assert resumed["started_at"] == "2025-01-01T00:00:00Z"
    assert [session["asked"] for session in resumed["stretches"]] == [None, 1]
    assert resumed["elapsed_s"] >= 7.5


class Preparing(ScriptedSystem):
    """A system whose preparation costs 2, and each answer 1."""

    def __init__(self) -> None:
        super().__init__(lambda *_: {"answer": "x", "usage": {"calls": 1, "cost": 1.0}})

    async def prepare(self) -> None:
        """Make a call that costs money."""
        record_call(prompt_tokens=1, completion_tokens=0, cost=2.0)


def billed(journal: Path) -> float:
    """What the rows of a journal cost together, the judges' part included."""
    bills = read_results(journal, ()).bills.values()
    return sum((bill.paid or 0.0) + (bill.judge_paid or 0.0) for bill in bills)


def test_the_money_of_the_header_is_that_of_the_results_and_of_preparing(lab: Lab):
    """It is so after resuming as well: nothing that was spent is forgotten."""
    lab.run(Preparing(), 2)
    summary = lab.summary()
    assert (summary["paid"], summary["prepare_paid"]) == (4.0, 2.0)
    assert summary["paid"] == billed(lab.journal) + summary["prepare_paid"]
    lab.run(Preparing(), 3)
    summary = lab.summary()
    assert (summary["paid"], summary["prepare_paid"]) == (7.0, 4.0)
    assert summary["paid"] == billed(lab.journal) + summary["prepare_paid"]
    assert [session["paid"] for session in summary["stretches"]] == [4.0, 3.0]


def test_judges_are_part_of_what_was_spent(lab: Lab):
    """``paid`` has both, ``judge_paid`` the part of the judges."""
    system = priced(1.0)
    lab.run(system, 2, handler=Judged(system, lambda *_: 1, price=0.5))
    summary = lab.summary()
    assert (summary["paid"], summary["judge_paid"]) == (3.0, 1.0)
    assert summary["paid"] == pytest.approx(billed(lab.journal))


def test_an_answer_that_is_none_is_billed_and_counted(lab: Lab):
    """A system that returns something else has been asked, and its calls were paid for."""

    class Wrong(SystemHandler):
        async def ask(self, case: Case, prompt: Prompt) -> Answer:
            """Make a call and return a text instead of an answer."""
            record_call(prompt_tokens=1, completion_tokens=1, cost=0.25)
            return "text"  # type: ignore[return-value]

    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Wrong(system), settings=ONE_BY_ONE)
    (row,) = lab.rows()
    assert (row["status"], row["attempts"], row["paid"]) == ("failed", 1, 0.25)
    assert lab.summary()["paid"] == 0.25


def test_a_case_that_could_not_be_composed_was_not_attempted(lab: Lab):
    """``attempts`` counts what was really put to the system."""

    class Uncomposable(SystemHandler):
        def compose(self, case: Case) -> Prompt:
            """Fail before anything is asked."""
            raise ValueError("no context")

    system = ScriptedSystem(echo)
    lab.run(system, 1, handler=Uncomposable(system))
    assert lab.rows()[0]["attempts"] == 0
    assert system.asked == []


def test_scored_rows_have_their_attempts(lab: Lab):
    """A question that succeeded the second time says so."""
    replies = iter([TransientError("reset"), "fine", "fine"])

    def reply(question: Question, settings: Mapping[str, Any]) -> Any:
        return next(replies)

    lab.run(ScriptedSystem(reply), 2, settings=ONE_BY_ONE)
    assert [row["attempts"] for row in lab.rows()] == [2, 1]
