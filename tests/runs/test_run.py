"""One run from plan to journal: which cases are asked, recorded and asked again."""

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.config.experiment import RunSettings
from assay.errors import (
    CaseSkipped,
    DatasetError,
    JournalStale,
    JournalTooNew,
    RateLimited,
    SystemFailed,
    TransientError,
)
from assay.models.limit import AdaptiveLimit
from assay.records import SCHEMA_VERSION, Answer, Case, Question, Score, Tally, Variant
from assay.runs import executor as loop
from assay.runs.executor import AsyncioExecutor
from assay.runs.handler import SystemHandler
from assay.runs.progress import Progress
from assay.runs.row import Row
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import hang, stop_time
from tests.support.lab import ONE_BY_ONE, Lab, echo, first_time


class Measured(ScriptedSystem):
    """Counts how many questions it handles at once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(echo, **options)
        self.now = self.peak = 0

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer after a moment."""
        self.now += 1
        self.peak = max(self.peak, self.now)
        try:
            for _ in range(5):
                await asyncio.sleep(0)
            return await super().ask(question, settings, top_k)
        finally:
            self.now -= 1


def test_every_case_is_asked_once_and_recorded(lab: Lab):
    """A run makes one call and one row for each case, and a complete summary."""
    system = ScriptedSystem(echo)
    result = lab.run(system, 5)
    assert sorted(system.asked) == [f"q{n}" for n in range(5)]
    assert sorted(row["key"] for row in lab.rows()) == [f"q{n}::plain::topk=10" for n in range(5)]
    assert result.tally == Tally(scored=5)
    assert (result.asked, result.total, result.is_complete) == (5, 5, True)
    assert result.stopped is None
    assert result.summary.state == "complete"
    assert result.summary.completed_at


def test_a_row_holds_what_every_job_needs(lab: Lab):
    """Each row has key, names, status, answer, time, fingerprint and version."""
    lab.run(
        ScriptedSystem({"q0": {"answer": "條 é", "passages": ["c1"], "finish_reason": "stop"}}), 1
    )
    assert "條 é" in lab.journal.read_text(encoding="utf-8")
    (row,) = lab.rows()
    expected = {
        "key": "q0::plain::topk=10",
        "question_id": "q0",
        "config": "plain",
        "top_k": 10,
        "question": "why?",
        "status": "scored",
        "answer": "條 é",
        "finish_reason": "stop",
        "schema_version": SCHEMA_VERSION,
    }
    assert expected.items() <= row.items()
    assert row["fingerprint"].count("-") == 2
    assert row["elapsed_s"] >= 0
    assert row["ts"] > 0
    assert row["passages"][0]["id"] == "c1"


def test_a_row_is_written_before_the_next_case_is_asked(lab: Lab):
    """The row of a case is on disk before the next case is asked."""
    on_disk: list[int] = []

    def reply(question: Question, settings: Mapping[str, Any]) -> str:
        on_disk.append(lab.journal.read_bytes().count(b"\n"))
        return "x"

    lab.run(ScriptedSystem(reply), 5, settings=ONE_BY_ONE)
    assert on_disk == [0, 1, 2, 3, 4]


def test_the_header_is_written_before_the_first_call(lab: Lab):
    """The summary file has the header, with state "running", when the first case is asked."""
    seen: list[dict[str, Any]] = []

    def reply(question: Question, settings: Mapping[str, Any]) -> str:
        seen.append(lab.summary())
        return "x"

    lab.run(ScriptedSystem(reply, identity="sys-7"), 1)
    assert seen[0]["state"] == "running"
    assert seen[0]["system"] == "sys-7"
    assert seen[0]["total"] == 1


def test_a_transient_failure_is_tried_again(lab: Lab):
    """A transient error is retried, and only the final outcome is recorded."""
    system = ScriptedSystem(
        first_time({"q1": TransientError("reset"), "q2": ConnectionResetError("x")})
    )
    result = lab.run(system)
    assert result.tally == Tally(scored=4)
    assert sorted(system.asked) == ["q0", "q1", "q1", "q2", "q2", "q3"]
    assert len(lab.rows()) == 4


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_retries_are_counted_and_then_given_up(lab: Lab, retries: int):
    """After ``retries`` retries the row is failed and has the number of attempts."""
    system = ScriptedSystem({"q0": TransientError("down")})
    result = lab.run(system, 1, settings=RunSettings(retries=retries))
    assert len(system.asked) == retries + 1
    (row,) = lab.rows()
    assert row["status"] == "failed"
    assert row["error_kind"] == "unavailable"
    assert row["attempts"] == retries + 1
    assert result.tally == Tally(failed=1)
    assert result.summary.state == "partial"
    assert not result.is_complete


@pytest.mark.parametrize(
    "error", [SystemFailed("bad"), ValueError("bad"), TransientError("x", retried=True)]
)
def test_what_does_not_pass_by_itself_is_asked_once(lab: Lab, error: Exception):
    """Errors of the system, and errors that the client has already retried, are not retried."""
    system = ScriptedSystem({"q0": error})
    lab.run(system, 1)
    assert system.asked == ["q0"]
    assert lab.rows()[0]["attempts"] == 1


def test_one_failure_leaves_the_others_alone(lab: Lab):
    """A run continues after a failed case, and each kind of outcome is counted."""
    script = {
        "q0": "fine",
        "q1": ValueError("bad"),
        "q2": CaseSkipped("longer than the context"),
        "q3": "fine",
    }
    result = lab.run(ScriptedSystem(script))
    assert result.tally == Tally(scored=2, failed=1, skipped=1)
    assert result.summary.tally == result.tally
    by_id = {row["question_id"]: row for row in lab.rows()}
    assert by_id["q1"]["error"] == "system: ValueError: bad"
    assert by_id["q2"]["reason"] == "longer than the context"
    assert "error" not in by_id["q2"]
    assert "answer" not in by_id["q1"]


def test_failed_cases_alone_are_asked_again(lab: Lab):
    """The next run asks only failed cases, and the new row replaces the failed one."""
    lab.run(ScriptedSystem({"q0": "a", "q1": ValueError("bad"), "q2": CaseSkipped("no")}), 3)
    again = ScriptedSystem(echo)
    result = lab.run(again, 3)
    assert again.asked == ["q1"]
    assert result.tally == Tally(scored=2, skipped=1)
    assert (result.asked, result.is_complete) == (1, True)
    assert result.summary.state == "complete"
    assert [row["status"] for row in lab.rows() if row["question_id"] == "q1"] == [
        "failed",
        "scored",
    ]


def test_a_complete_run_asks_nothing_and_rewrites_nothing(lab: Lab):
    """Repeating a complete run changes no file, neither its bytes nor its time."""
    lab.run(ScriptedSystem({"q0": "a", "q1": CaseSkipped("no")}), 2, aggregate=lambda _: {"n": 1})
    before = lab.files()
    again = ScriptedSystem(echo)
    result = lab.run(again, 2, aggregate=lambda _: {"n": 2})
    assert again.asked == []
    assert lab.files() == before
    assert result.asked == 0
    assert result.is_complete
    assert result.tally == Tally(scored=1, skipped=1)
    assert result.summary.results == {"n": 1}


def test_a_lost_summary_is_made_again_without_a_call(lab: Lab):
    """If the summary is lost, it is computed from the journal without a call."""
    lab.run(ScriptedSystem(echo), 2)
    (lab.folder / "lab.json").unlink()
    again = ScriptedSystem(echo)
    result = lab.run(again, 2, aggregate=lambda _: {"n": 2})
    assert again.asked == []
    assert result.summary.state == "complete"
    assert result.summary.results == {"n": 2}


def test_a_longer_plan_asks_only_what_is_new(lab: Lab):
    """If questions are added, only they are asked."""
    lab.run(ScriptedSystem(echo), 2)
    more = ScriptedSystem(echo)
    result = lab.run(more, 5)
    assert sorted(more.asked) == ["q2", "q3", "q4"]
    assert result.tally == Tally(scored=5)


def test_a_rate_limit_halves_what_is_in_flight(lab: Lab):
    """After a 429 the number of concurrent cases is halved."""
    limits: list[AdaptiveLimit] = []
    after_refusal: list[int] = []

    class Watching:
        def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
            after_refusal.append(limits[0].limit)
            return 0.0

    def executor(limit: AdaptiveLimit) -> AsyncioExecutor:
        limits.append(limit)
        return AsyncioExecutor(limit)

    result = lab.run(
        ScriptedSystem(first_time({"q0": RateLimited("slow down")})),
        30,
        executor=executor,
        backoff=Watching(),
        settings=RunSettings(concurrency=8),
    )
    assert result.tally == Tally(scored=30)
    assert after_refusal == [4]
    assert limits[0].in_flight == 0


def test_retry_after_reaches_the_back_off(lab: Lab):
    """The back-off receives the ``Retry-After`` of the provider."""
    asked: list[tuple[int, float | None]] = []

    class Recording:
        def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
            asked.append((attempt, retry_after_s))
            return 0.0

    replies = iter([RateLimited("slow", retry_after_s=7.5), TransientError("reset"), "fine"])
    lab.run(ScriptedSystem(lambda *_: next(replies)), 1, backoff=Recording())
    assert asked == [(0, 7.5), (1, None)]


def test_waiting_for_the_next_try_does_not_use_up_the_deadline(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
):
    """The wait before a retry is not counted as time of the case."""
    clock = stop_time(monkeypatch)

    class Long:
        def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
            clock.wait(0.5)
            return 0.0

    system = ScriptedSystem(first_time({"q0": RateLimited("slow")}))
    result = lab.run(system, 1, backoff=Long(), settings=RunSettings(timeout_s=0.4))
    assert result.tally == Tally(scored=1)
    assert lab.rows()[0]["elapsed_s"] == 0.0


def test_a_hanging_case_times_out_while_the_others_finish(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
):
    """A case that is never answered fails with a timeout, and the other cases are scored."""
    stop_time(monkeypatch)

    class Hanging(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            if question.id == "q3":
                await hang()
            return await super().ask(question, settings, top_k)

    result = lab.run(
        Hanging(lambda *_: "fine"), 20, settings=RunSettings(timeout_s=0.3, concurrency=4)
    )
    assert result.tally == Tally(scored=19, failed=1)
    assert lab.rows()[-1]["question_id"] == "q3"
    assert lab.rows()[-1]["error"] == "timeout: no answer within 0.3 s"
    assert result.stopped is None


def test_a_system_that_swallows_cancellation_does_not_hang_the_run(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
):
    """A call that ignores its cancellation fails its case, and the run ends."""
    stop_time(monkeypatch)
    left: list[asyncio.Task[Any]] = []
    monkeypatch.setattr(loop, "left_behind", left)
    free = False

    class Stubborn(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            while question.id == "q1" and not free:
                try:
                    await hang()
                except asyncio.CancelledError:
                    continue
            return Answer(text="x")

    result = lab.run(Stubborn({}), 3, settings=RunSettings(timeout_s=0.1))
    free = True
    assert len(left) == 1
    assert result.tally == Tally(scored=2, failed=1)
    assert [row["error_kind"] for row in lab.rows() if "error" in row] == ["timeout"]


def test_a_system_that_cancels_itself_fails_its_case_alone(lab: Lab):
    """A cancellation inside a system fails its case and does not end the run."""
    result = lab.run(ScriptedSystem({"q0": asyncio.CancelledError(), "q1": "fine"}), 2)
    assert result.tally == Tally(scored=1, failed=1)


class Measuring(SystemHandler):
    """A handler whose scorer raises for one question, as long as it is broken."""

    is_broken = True

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Fail for q1."""
        if self.is_broken and case.question.id == "q1":
            raise ZeroDivisionError("no words")
        return {"length": len(answer.text)}


def test_a_scorer_that_raises_leaves_its_case_answered(lab: Lab):
    """The row has the answer, its cost and the problem, and the other cases are scored."""
    system = ScriptedSystem(
        lambda question, _: {"answer": f"to {question.id}", "usage": {"cost": 0.5}}
    )
    result = lab.run(system, 2, handler=Measuring(system))
    assert result.tally == Tally(scored=1, answered=1)
    assert (result.paid, result.summary.state) == (1.0, "partial")
    good, bad = sorted(lab.rows(), key=lambda row: row["question_id"])
    assert good["scores"] == {"length": 5}
    assert bad["status"] == "answered"
    assert bad["judging_error"] == "scorer: ZeroDivisionError: no words"
    assert (bad["answer"], bad["paid"]) == ("to q1", 0.5)
    assert not {"scores", "error", "error_kind"} & bad.keys()


def test_an_answer_is_scored_by_the_next_run_without_asking(lab: Lab):
    """Once the scorer works, the recorded answer is scored, and its cost is counted once."""
    system = ScriptedSystem(lambda *_: {"answer": "six", "usage": {"cost": 0.5}})
    lab.run(system, 2, handler=Measuring(system))
    again = ScriptedSystem({})
    repaired = Measuring(again)
    repaired.is_broken = False
    result = lab.run(again, 2, handler=repaired)
    assert again.asked == []
    assert result.tally == Tally(scored=2)
    assert (result.asked, result.judged, result.paid) == (0, 1, 1.0)
    assert result.summary.state == "complete"
    answered, scored = lab.rows_of("q1")
    assert scored["scores"] == {"length": 3}
    assert scored["elapsed_s"] == answered["elapsed_s"]
    assert not {"paid", "cost", "usage", "recorded", "judging_error"} & scored.keys()


@pytest.mark.parametrize("score", ["lone \ud800 surrogate", object()])
def test_scores_that_cannot_be_written_leave_the_case_answered(lab: Lab, score: Any):
    """If JSON cannot represent the scores, the answer is kept and scored again later."""

    class Odd(SystemHandler):
        def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
            return {"odd": score if case.question.id == "q0" else 1}

    system = ScriptedSystem(echo)
    result = lab.run(system, 2, handler=Odd(system))
    assert result.tally == Tally(scored=1, answered=1)
    (row,) = lab.rows_of("q0")
    assert row["answer"] == "answer to q0"
    assert row["judging_error"].startswith("scorer: the scores cannot be written as JSON: ")
    again = ScriptedSystem({})
    assert lab.run(again, 2).is_complete
    assert again.asked == []


@pytest.mark.parametrize(
    "reply",
    [
        "lone \ud800 surrogate",
        {"answer": "x", "extra": {"what": object()}},
        {"answer": "x", "extra": {("a", "b"): 1}},
    ],
)
def test_an_answer_that_cannot_be_written_down_fails_its_case_alone(lab: Lab, reply: Any):
    """A reply that JSON cannot represent fails its case only."""
    result = lab.run(ScriptedSystem({"q0": reply, "q1": "fine", "q2": "fine"}), 3)
    assert result.tally == Tally(scored=2, failed=1)
    assert {row["question_id"]: row["status"] for row in lab.rows()} == {
        "q0": "failed",
        "q1": "scored",
        "q2": "scored",
    }


@pytest.mark.parametrize(
    ("configured", "of_system", "peak"), [(8, None, 8), (8, 2, 2), (3, 5, 3), (1, None, 1)]
)
def test_no_more_cases_are_in_flight_than_allowed(
    lab: Lab, configured: int, of_system: int | None, peak: int
):
    """The number of cases in flight is the smaller of the setting and the system's limit."""
    system = Measured(max_concurrency=of_system)
    lab.run(system, 40, settings=RunSettings(concurrency=configured))
    assert system.peak == peak


def test_cases_are_drawn_only_when_there_is_a_place(lab: Lab):
    """Memory stays constant: no more questions are drawn than there are cases in flight.

    Before the first case the questions are iterated once, to store the plan.
    """
    iterations: list[int] = []
    ahead: list[int] = []

    class Counting(list[Question]):
        def __iter__(self) -> Iterator[Question]:
            iterations.append(0)
            for question in super().__iter__():
                iterations[-1] += 1
                yield question

    def reply(question: Question, settings: Mapping[str, Any]) -> str:
        ahead.append(iterations[-1] - len(ahead))
        return "x"

    system = ScriptedSystem(reply)
    plan = lab.plan_of(Counting(Question(id=f"q{n}", text="?") for n in range(50)), system)
    lab.run(
        system,
        plan=plan,
        settings=RunSettings(concurrency=4),
        header={"questions_sha256": "5f"},
    )
    assert iterations == [50, 50]
    assert max(ahead) <= 5


class Broken(list[Question]):
    """Questions whose file has a fault in its third line."""

    def __iter__(self) -> Iterator[Question]:
        """Yield the questions before the fault."""
        yield from super().__iter__()
        raise DatasetError("questions.jsonl:3: not so")


@pytest.mark.parametrize("sha256", [None, "5f"])
def test_a_fault_in_the_questions_ends_the_run_before_the_first_call(lab: Lab, sha256: str | None):
    """An error in the data set is raised before anything is asked, and leaves no odd file."""
    system = ScriptedSystem(echo)
    plan = lab.plan_of(Broken([Question(id="q0", text="?"), Question(id="q1", text="?")]), system)
    with pytest.raises(DatasetError, match=r"questions\.jsonl:3"):
        lab.run(system, plan=plan, header={"questions_sha256": sha256})
    assert system.asked == []
    assert {path.name for path in lab.folder.iterdir()} <= {"lab.jsonl"}


def test_a_fault_in_added_questions_keeps_the_rows(lab: Lab):
    """If a fault is added to the questions later, the recorded answers stay as they are."""
    lab.run(ScriptedSystem(echo), 2)
    before = lab.files()
    again = ScriptedSystem(echo)
    plan = lab.plan_of(Broken([Question(id=f"q{n}", text="why?") for n in range(3)]), again)
    with pytest.raises(DatasetError, match=r"questions\.jsonl:3"):
        lab.run(again, plan=plan)
    assert again.asked == []
    assert lab.files() == before


def test_a_run_of_the_first_version_resumes(lab: Lab):
    """Rows and summary of version 1 count: only failed and missing cases are asked."""
    lab.run(ScriptedSystem({"q0": "a", "q1": ValueError("bad"), "q2": CaseSkipped("no")}), 3)
    rows = [{**row, "schema_version": 1} for row in lab.rows()]
    lab.journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    summary = {**lab.summary(), "schema_version": 1}
    del summary["judging"], summary["judge_paid"], summary["tally"]["answered"]
    (lab.folder / "lab.json").write_text(json.dumps(summary))
    (lab.folder / "lab.plan.jsonl").unlink()
    again = ScriptedSystem(echo)
    result = lab.run(again, 4)
    assert sorted(again.asked) == ["q1", "q3"]
    assert result.tally == Tally(scored=3, skipped=1)
    assert [row["schema_version"] for row in lab.rows()] == [
        1,
        1,
        1,
        SCHEMA_VERSION,
        SCHEMA_VERSION,
    ]
    assert lab.summary()["schema_version"] == SCHEMA_VERSION
    assert (lab.folder / "lab.plan.jsonl").exists()


@pytest.mark.parametrize("newer", ["lab.jsonl", "lab.json", "lab.plan.jsonl"])
def test_results_of_a_newer_version_are_refused_before_any_call(lab: Lab, newer: str):
    """Nothing is asked and no file is changed."""
    lab.run(ScriptedSystem(echo), 2)
    path = lab.folder / newer
    version = f'"schema_version":{SCHEMA_VERSION}'
    text = path.read_text().replace('"schema_version": ', '"schema_version":')
    path.write_text(text.replace(version, f'"schema_version":{SCHEMA_VERSION + 1}', 1))
    before = lab.files()
    system = ScriptedSystem(echo)
    with pytest.raises(JournalTooNew, match="newer version of assay"):
        lab.run(system, 3)
    assert system.asked == []
    assert lab.files() == before


def test_an_edited_experiment_is_refused_before_any_call(lab: Lab):
    """If the system or a question was edited, the run asks nothing and changes no file."""
    lab.run(ScriptedSystem(echo), 2)
    before = lab.files()
    for system, text in (
        (ScriptedSystem(echo, identity="v2"), "why?"),
        (ScriptedSystem(echo), "how?"),
    ):
        with pytest.raises(JournalStale):
            lab.run(system, plan=lab.plan(system, 2, text))
        assert system.asked == []
    assert lab.files() == before


def test_edited_settings_are_named_from_the_recorded_header(lab: Lab):
    """The error message has the old value, from the recorded header, and the new one."""
    lab.variants = (Variant(name="dim", settings={"search_dim": 128}),)
    lab.run(ScriptedSystem(echo), 1)
    lab.variants = (Variant(name="dim", settings={"search_dim": 256}),)
    with pytest.raises(JournalStale, match="variant dim: search_dim 128 → 256"):
        lab.run(ScriptedSystem(echo), 1)


def test_stale_answers_are_kept_on_request(lab: Lab):
    """With ``keep`` only missing cases are asked, and old rows stay unchanged."""
    lab.run(ScriptedSystem(echo), 2)
    old = lab.rows()
    system = ScriptedSystem(echo, identity="v2")
    result = lab.run(system, 3, resume="keep")
    assert system.asked == ["q2"]
    assert lab.rows()[:2] == old
    assert result.is_complete


def test_a_fresh_start_moves_the_old_results_aside(lab: Lab):
    """With ``fresh`` every case is asked again, and the old files are kept unchanged."""
    lab.run(ScriptedSystem(echo), 2)
    old = lab.files()
    system = ScriptedSystem(echo, identity="v2")
    result = lab.run(system, 2, resume="fresh")
    assert sorted(system.asked) == ["q0", "q1"]
    assert result.is_complete
    kept = {name: data for name, (data, _) in lab.files().items() if name.endswith(".old")}
    assert sorted(kept.values()) == sorted(data for data, _ in old.values())


def test_a_fresh_start_gets_past_a_corrupt_journal(lab: Lab):
    """With ``fresh`` a corrupt journal is kept as it is, and a new one is written."""
    lab.journal.write_bytes(b"garbage\n")
    assert lab.run(ScriptedSystem(echo), 1, resume="fresh").is_complete
    (kept,) = (path for path in lab.folder.iterdir() if path.name.endswith(".old"))
    assert kept.read_bytes() == b"garbage\n"


def test_a_fresh_start_on_nothing_leaves_nothing_aside(lab: Lab):
    """With ``fresh`` and no earlier run, no ``.old`` file is created."""
    lab.run(ScriptedSystem(echo), 1, resume="fresh")
    assert {path.name for path in lab.folder.iterdir()} == {
        "lab.jsonl",
        "lab.json",
        "lab.plan.jsonl",
    }


def test_the_reporter_sees_the_run_from_begin_to_end(lab: Lab):
    """The reporter is called once for each written row, between begin and end."""
    events: list[Any] = []

    class Listening:
        def begin(self, progress: Progress) -> None:
            events.append(("begin", progress.done))

        def case(self, progress: Progress, row: Row) -> None:
            events.append((row.question_id, row.status, progress.done, progress.failed))

        def end(self, progress: Progress) -> None:
            events.append(("end", progress.done))

    lab.run(ScriptedSystem(echo), 1)
    script = {"q1": ValueError("bad"), "q2": "fine"}
    lab.run(ScriptedSystem(script), 3, reporter=Listening(), settings=ONE_BY_ONE)
    assert events == [
        ("begin", 1),
        ("q1", "failed", 2, 1),
        ("q2", "scored", 3, 1),
        ("end", 3),
    ]


def test_aggregates_are_made_from_the_closed_journal(lab: Lab):
    """The aggregate function gets the path of the journal; its result is in the summary."""

    def count(path: Path) -> dict[str, Any]:
        return {"rows": path.read_bytes().count(b"\n")}

    result = lab.run(ScriptedSystem(echo), 3, aggregate=count)
    assert result.summary.results == {"rows": 3}
    stored = msgspec.json.decode((lab.folder / "lab.json").read_bytes())
    assert stored["results"] == {"rows": 3}


def test_an_unknown_price_is_not_zero(lab: Lab):
    """The cost is ``None`` if calls have no price, and zero if they are free."""
    assert lab.run(ScriptedSystem(echo), 1).paid is None
    free = ScriptedSystem(lambda *_: {"answer": "x", "usage": {"cost": 0.0}}, identity="free")
    assert lab.run(free, 1, resume="fresh").paid == 0.0


def test_the_system_is_closed_however_the_run_ends(lab: Lab):
    """The system is closed after a successful run and after an error."""
    closed: list[str] = []

    class Closing(ScriptedSystem):
        async def close(self) -> None:
            closed.append(self.identity)

    class Mistaken(SystemHandler):
        def row(self, case: Case, outcome: Any) -> Row:
            raise AssertionError("a bug of the job")

    lab.run(Closing(echo, identity="a"), 1)
    broken = Closing(echo, identity="b")
    with pytest.raises(AssertionError, match="a bug of the job"):
        lab.run(broken, 1, handler=Mistaken(broken), resume="fresh")
    assert closed == ["a", "b"]


def is_open(fd: int) -> bool:
    """Whether a file descriptor is open."""
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def test_nothing_is_left_open_after_a_run(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """A run closes all file descriptors, after a successful run and after an error."""
    open_now: set[int] = set()
    real_open, real_close = os.open, os.close

    def counted_open(*args: Any, **named: Any) -> int:
        fd = real_open(*args, **named)
        open_now.add(fd)
        return fd

    def counted_close(fd: int) -> None:
        open_now.discard(fd)
        real_close(fd)

    monkeypatch.setattr(os, "open", counted_open)
    monkeypatch.setattr(os, "close", counted_close)
    lab.run(ScriptedSystem(echo), 1)
    with pytest.raises(JournalStale):
        lab.run(ScriptedSystem(echo, identity="v2"), 1)
    assert [fd for fd in open_now if is_open(fd)] == []  # a file object closes its own


def looks_of(lab: Lab, count: int, **options: Any) -> list[int] | None:
    """Run the first questions; return after how many questions the results were shown so far."""

    def aggregate(journal: Path) -> dict[str, Any]:
        return {"questions": len(lab.statuses())}

    lab.run(ScriptedSystem(echo), count, aggregate=aggregate, **options)
    found: list[int] | None = lab.summary()["extra"].get("looks")
    return found


def test_a_run_that_grows_after_its_results_were_shown_counts_its_looks(tmp_path: Path):
    """The same size again is no look, and a new start has none."""
    lab = Lab(tmp_path)
    assert looks_of(lab, 4) is None
    assert looks_of(lab, 4) is None
    assert looks_of(lab, 6) == [4, 6]
    assert looks_of(lab, 9) == [4, 6, 9]
    assert looks_of(lab, 9) == [4, 6, 9]
    assert looks_of(lab, 5) == [4, 5, 6, 9]  # a part of what was seen does not undo the looks
    assert looks_of(lab, 9) == [4, 5, 6, 9]
    assert looks_of(lab, 12, resume="fresh") is None


def test_a_run_that_is_continued_after_a_stop_has_one_look(tmp_path: Path):
    """It had its size from the beginning."""
    lab = Lab(tmp_path)
    system = ScriptedSystem(lambda *_: {"answer": "x", "usage": {"cost": 1.0}})
    stopped = lab.run(system, 6, settings=RunSettings(concurrency=1, max_cost=2.0))
    assert stopped.stopped is not None
    assert looks_of(lab, 6) is None
