"""Runs that end early: the reasons, what is recorded, and that they can be resumed."""

import asyncio
import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.errors import (
    AccessRefused,
    AssayError,
    CeilingReached,
    Filtered,
    JournalWriteFailed,
    ProviderUnavailable,
    TransientError,
)
from assay.models.limit import AdaptiveLimit, Backoff
from assay.records import Answer, Metric, Question, RunHeader, Tally, Variant
from assay.runs.executor import AsyncioExecutor
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.read import read_rows
from assay.runs.row import Row
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.systems.scripted import ScriptedSystem

ONE_BY_ONE = RunSettings(concurrency=1)


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def run(system: Any, journal: Path, count: int = 6, **options: Any) -> RunResult:
    """Run ``count`` questions into ``journal``."""
    plan = product_plan(
        questions=[Question(id=f"q{n}", text="?") for n in range(count)],
        variants=[Variant(name="v")],
        placements=[top_k_placement(10)],
        system="s",
    )
    header = RunHeader(job="j", name="a", system="s", variants=plan.variants, total=plan.total)
    options.setdefault("backoff", Backoff(base_s=0.0))
    return run_plan(plan, SystemHandler(system), header, journal, **options)


def ids(journal: Path) -> list[str]:
    """The question ids of all rows."""
    return [row.question_id for rows in read_rows(journal, Row) for row in rows]


def script(count: int = 6, **special: Any) -> ScriptedSystem:
    """A system with special replies to some questions; it answers the others normally."""
    return ScriptedSystem({f"q{n}": "fine" for n in range(count)} | special)


def impatient(limit: AdaptiveLimit) -> AsyncioExecutor:
    """An executor that waits only 0.05 s for cases in flight after a stop."""
    return AsyncioExecutor(limit, grace_s=0.05)


class Forbidden(Exception):
    """An error of an HTTP client with a status."""

    status_code = 403


@pytest.mark.parametrize("error", [AccessRefused("quota exhausted"), Forbidden("no")])
def test_a_refused_key_stops_the_run_at_once(journal: Path, error: Exception):
    """No further case is asked, and the refused case has no row."""
    system = script(q2=error)
    result = run(system, journal, settings=ONE_BY_ONE)
    assert system.asked == ["q0", "q1", "q2"]
    assert ids(journal) == ["q0", "q1"]
    assert isinstance(result.stopped, AccessRefused)
    assert result.stopped.exit_code == 2
    assert result.tally == Tally(scored=2)
    assert result.summary.state == "partial"
    assert result.summary.completed_at is None
    again = script()
    assert run(again, journal).is_complete
    assert sorted(again.asked) == ["q2", "q3", "q4", "q5"]


def test_a_provider_that_is_gone_stops_the_run(journal: Path):
    """A system that raises ``ProviderUnavailable`` ends the run with its message."""
    result = run(script(q0=ProviderUnavailable("nothing answers")), journal, settings=ONE_BY_ONE)
    assert str(result.stopped) == "nothing answers"
    assert ids(journal) == []


def test_cases_that_always_fail_end_alike_among_others_and_alone(journal: Path):
    """Asking only the failed cases again is no outage, because the provider answered the others."""
    down = TransientError("HTTP 500")
    for _ in range(2):
        result = run(script(q1=down, q4=down), journal, settings=ONE_BY_ONE)
        assert result.stopped is None
        assert (result.tally.scored, result.tally.failed) == (4, 2)
    alone = run(script(2, q0=down, q1=down), journal.with_name("b.jsonl"), 2, settings=ONE_BY_ONE)
    assert isinstance(alone.stopped, ProviderUnavailable)


def test_cases_in_flight_may_end_after_a_stop(journal: Path):
    """Cases in flight that end within the grace period are recorded."""

    class Slow(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Any:
            if question.id == "q1":
                await asyncio.sleep(0.1)
            return await super().ask(question, settings, top_k)

    system = Slow({"q0": AccessRefused("no"), "q1": "fine"})
    result = run(system, journal, settings=RunSettings(concurrency=2))
    assert ids(journal) == ["q1"]
    assert result.tally == Tally(scored=1)


def test_cases_that_do_not_end_are_left_after_the_grace(journal: Path):
    """A hanging case does not delay a stop beyond the grace period, and it has no row."""
    system = script(q0=ScriptedSystem.HANG, q1=AccessRefused("no"))
    result = run(system, journal, settings=RunSettings(concurrency=2), executor=impatient)
    assert isinstance(result.stopped, AccessRefused)
    assert ids(journal) == []


def test_a_case_waiting_for_its_next_try_is_left_after_a_stop(journal: Path):
    """A case that was waiting for a retry when the run stopped is not recorded as failed."""
    system = script(q0=TransientError("down"), q1=AccessRefused("no"))
    result = run(
        system,
        journal,
        settings=RunSettings(concurrency=2),
        executor=impatient,
        backoff=Backoff(base_s=3600, cap_s=3600),
    )
    assert isinstance(result.stopped, AccessRefused)
    assert ids(journal) == []


def priced(cost: float) -> ScriptedSystem:
    """A system whose answers cost money."""
    return ScriptedSystem(lambda *_: {"answer": "x", "usage": {"cost": cost}})


def test_the_cost_ceiling_stops_and_a_higher_one_resumes(journal: Path):
    """The cost of earlier runs of the file counts; a higher limit continues the run."""
    system = priced(0.4)
    result = run(system, journal, settings=RunSettings(concurrency=1, max_cost=1.0))
    assert len(system.asked) == 2
    assert isinstance(result.stopped, CeilingReached)
    assert "spent 0.8000 of the cost limit of 1 " in str(result.stopped)
    assert "one more case would probably pass it; raise --max-cost" in str(result.stopped)
    assert result.stopped.raised == 2.0
    assert result.paid == pytest.approx(0.8)

    same = priced(0.4)
    assert isinstance(
        run(same, journal, settings=RunSettings(max_cost=1.0)).stopped, CeilingReached
    )
    assert same.asked == []

    more = priced(0.4)
    result = run(more, journal, settings=RunSettings(concurrency=1, max_cost=1.9))
    assert len(more.asked) == 2
    result = run(priced(0.4), journal, settings=RunSettings(max_cost=100))
    assert result.is_complete
    assert result.stopped is None
    assert result.paid == pytest.approx(2.4)


def test_a_ceiling_reached_with_the_last_case_is_no_early_end(journal: Path):
    """A run that reaches the cost limit with its last case is complete."""
    result = run(priced(0.5), journal, 2, settings=RunSettings(concurrency=1, max_cost=1.0))
    assert result.is_complete
    assert result.summary.state == "complete"


def test_calls_without_a_price_never_reach_a_ceiling(journal: Path):
    """Calls with an unknown price do not stop the run."""
    assert run(script(), journal, settings=RunSettings(max_cost=0.01)).is_complete


@pytest.mark.parametrize("cost", [float("nan"), float("inf"), -1.0, 1e30, "much"])
def test_a_cost_that_cannot_be_right_does_not_switch_the_ceiling_off(journal: Path, cost: Any):
    """The answer is kept, its bill is unknown, and a run that cannot count says so and stops."""
    system = priced(cost)
    result = run(system, journal, settings=RunSettings(concurrency=1, max_cost=1.0))
    assert isinstance(result.stopped, CeilingReached)
    assert "--max-cost cannot be kept" in str(result.stopped)
    assert len(system.asked) == 1
    assert result.tally == Tally(scored=1)
    assert result.paid is None
    (row,) = [row for rows in read_rows(journal, Row) for row in rows]
    assert row.usage.uncounted_calls == 1  # type: ignore[union-attr]


def test_without_a_ceiling_an_unknown_bill_is_only_counted(journal: Path):
    """The run goes on, and the bill of the other cases is that of the other cases."""
    costs = iter([0.5, float("nan"), -3.0, 0.25])
    system = ScriptedSystem(lambda *_: {"answer": "x", "usage": {"cost": next(costs)}})
    result = run(system, journal, 4, settings=ONE_BY_ONE)
    assert result.tally == Tally(scored=4)
    assert result.paid == pytest.approx(0.75)


def test_a_system_that_states_tokens_and_no_cost_cannot_be_counted(journal: Path):
    """With a ceiling the run stops after the first case and says what is missing."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    system = ScriptedSystem(lambda *_: {"answer": "x", "usage": usage})
    result = run(system, journal, settings=RunSettings(concurrency=1, max_cost=1.0))
    assert "set 'price'" in str(result.stopped)
    assert len(system.asked) == 1


def test_a_negative_bill_in_the_file_does_not_raise_the_ceiling(journal: Path):
    """Rows of other programs may have any bill."""
    run(priced(0.4), journal, 3)
    row = journal.read_bytes().splitlines()[0]
    journal.write_bytes(journal.read_bytes() + row.replace(b'"paid":0.4', b'"paid":-100') + b"\n")
    system = priced(0.4)
    run(system, journal, settings=RunSettings(concurrency=1, max_cost=1.7))
    assert len(system.asked) == 1


def test_calls_in_flight_do_not_pass_the_ceiling(journal: Path):
    """Eight at a time pay no more than one at a time, and one amount is stated."""
    system = priced(0.1)
    settings = RunSettings(concurrency=8, max_cost=1.05)
    result = run(system, journal, 40, settings=settings)
    assert len(system.asked) == 10
    assert result.paid == pytest.approx(1.0)
    assert "spent 1.0000 of the cost limit of 1.05" in str(result.stopped)
    again = run(priced(0.1), journal, 40, settings=RunSettings(concurrency=8, max_cost=2.1))
    assert again.paid == pytest.approx(2.1)
    assert "spent 2.1000 of the cost limit of 2.1" in str(again.stopped)


def filtered(count: int = 3) -> ScriptedSystem:
    """A system whose first question is refused by the provider's filter."""
    return script(count, q0=Filtered("the filter refused it"))


def test_a_refusal_by_the_filter_is_a_failure_of_its_own_kind(journal: Path):
    """It is counted separately, it is no outage, and the next run asks again."""
    result = run(filtered(), journal, 3, settings=ONE_BY_ONE)
    assert result.stopped is None
    assert result.tally == Tally(scored=2, failed=1, filtered=1)
    again = filtered()
    result = run(again, journal, 3)
    assert again.asked == ["q0"]
    assert result.tally == Tally(scored=2, failed=1, filtered=1)
    assert result.summary.tally.filtered == 1


def test_a_refusal_by_the_filter_may_count_as_a_lost_answer(journal: Path):
    """With ``count_filtered`` it is an empty answer that is scored and stated in the counts."""
    run(filtered(), journal, 3)
    settings = RunSettings(count_filtered=True)
    answered = Metric(name="answered", field="scores.answered")
    result = run(filtered(), journal, 3, settings=settings, metrics=[answered])
    assert result.tally == Tally(scored=3, lost=1)
    assert result.is_complete
    rows = [row for rows in read_rows(journal, Row) for row in rows if row.question_id == "q0"]
    last = rows[-1]
    assert (last.status, last.answer, last.finish_reason) == ("scored", "", "content_filter")
    assert last.lost == "filtered: the filter refused it"
    resumed = run(filtered(), journal, 3)
    assert resumed.asked == 0
    assert resumed.tally == Tally(scored=3, lost=1)


def test_the_time_ceiling_stops_and_the_run_resumes(journal: Path):
    """``max_minutes`` ends the run, and the next run finishes it."""
    slow = ScriptedSystem(lambda *_: "x", latency_s=0.02)
    result = run(slow, journal, 500, settings=RunSettings(concurrency=1, max_minutes=0.001))
    assert isinstance(result.stopped, CeilingReached)
    assert "0.001 min" in str(result.stopped)
    assert len(ids(journal)) == result.asked == result.tally.scored < 500
    quick = ScriptedSystem(lambda *_: "x")
    resumed = run(quick, journal, 500)
    assert resumed.is_complete
    assert len(quick.asked) == 500 - result.asked


def test_a_full_disk_stops_the_run_with_whole_rows(journal: Path, monkeypatch: pytest.MonkeyPatch):
    """Earlier rows are kept, the error says that the disk is full, and the run can be resumed."""
    real = os.write

    def nearly_full(fd: int, data: Any) -> int:
        if bytes(data).startswith(b'{"key":"q3'):
            return real(fd, bytes(data)[:9])
        if not bytes(data).startswith((b"{", b"process")):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data)

    monkeypatch.setattr(os, "write", nearly_full)
    result = run(script(), journal, settings=ONE_BY_ONE)
    monkeypatch.undo()
    assert isinstance(result.stopped, JournalWriteFailed)
    assert "the disk is full" in str(result.stopped)
    assert ids(journal) == ["q0", "q1", "q2"]
    again = script()
    assert run(again, journal).is_complete
    assert sorted(again.asked) == ["q3", "q4", "q5"]


def test_the_tally_of_a_stopped_run_agrees_with_its_journal(journal: Path):
    """Earlier failures that were not asked again are still counted as failures."""
    run(script(q1=ValueError("bad"), q2=ValueError("bad")), journal)
    result = run(script(q1=AccessRefused("no")), journal, settings=ONE_BY_ONE)
    assert result.tally == Tally(scored=4, failed=2)
    assert result.summary.tally == Tally(scored=4, failed=2)


def test_the_first_reason_to_stop_is_kept(journal: Path):
    """If several cases are refused at once, the first reason is reported."""
    errors: dict[str, AssayError] = {f"q{n}": AccessRefused(f"no {n}") for n in range(6)}
    result = run(ScriptedSystem(errors), journal, settings=RunSettings(concurrency=6))
    assert str(result.stopped) == "no 0"


def replace_by_older(path: Path) -> None:
    """Replace a file by one with its first line only, as an editor does that saves an older text."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().partition(b"\n")[0] + b"\n")
    other.replace(path)


@pytest.mark.parametrize("change", [Path.unlink, replace_by_older])
@pytest.mark.parametrize("at", ["q1", "q3", "q5"])
def test_a_journal_that_is_deleted_or_replaced_in_a_run_loses_no_row(
    journal: Path, change: Any, at: str, capsys: pytest.CaptureFixture[str]
):
    """The run goes on, all of its rows are in the journal, and one line says what happened."""

    class Changing(ScriptedSystem):
        async def ask(self, question: Question, settings: Any, top_k: int) -> Answer:
            if question.id == at:
                change(journal)
            return await super().ask(question, settings, top_k)

    system = Changing({f"q{n}": "yes" for n in range(6)})
    result = run(system, journal, settings=ONE_BY_ONE)
    assert result.tally == Tally(scored=6)
    assert ids(journal) == [f"q{n}" for n in range(6)]
    assert capsys.readouterr().err.count("its rows are in it again") == 1


def test_a_journal_that_is_cut_in_a_run_stops_it(journal: Path):
    """The run ends with what is missing, and the next one asks it again."""

    class Cutting(ScriptedSystem):
        async def ask(self, question: Question, settings: Any, top_k: int) -> Answer:
            if question.id == "q3":
                os.truncate(journal, 10)
            return await super().ask(question, settings, top_k)

    result = run(Cutting({f"q{n}": "yes" for n in range(6)}), journal, settings=ONE_BY_ONE)
    assert isinstance(result.stopped, JournalWriteFailed)
    assert "rows may be missing" in str(result.stopped)
    assert ids(journal) == ["q3"]
    again = script()
    assert run(again, journal).is_complete
    assert sorted(again.asked) == ["q0", "q1", "q2", "q4", "q5"]
