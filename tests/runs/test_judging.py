"""Judging: a step after asking, with its own attempts and deadline, that can be resumed."""

import asyncio
import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.config.experiment import RunSettings
from assay.errors import (
    AccessRefused,
    CaseSkipped,
    JournalCorrupt,
    JournalStale,
    JournalWriteFailed,
    RateLimited,
    SystemFailed,
    TransientError,
)
from assay.models.limit import AdaptiveLimit
from assay.records import (
    SCHEMA_VERSION,
    Answer,
    Case,
    Passage,
    Prompt,
    Question,
    Score,
    Stage,
    Tally,
    Usage,
)
from assay.runs.executor import AsyncioExecutor
from assay.runs.judging import Verdict, VerdictStore, answer_hash
from assay.runs.progress import Progress
from assay.runs.read import index_journal
from assay.runs.row import Row
from assay.runs.write import verdicts_path
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import stop_time
from tests.support.lab import ONE_BY_ONE, Judged, Killed, Lab, echo, fine, first_time, priced

BAD = SystemFailed("no verdict")


def test_an_answer_is_written_before_the_judge_is_called(lab: Lab):
    """While the judge works, the answer with its cost is already on disk."""
    on_disk: list[dict[str, Any]] = []

    def look(case: Case, answer: Answer) -> str:
        on_disk.append(lab.rows()[-1])
        return "fine"

    system = priced(0.5)
    result = lab.run(system, 2, handler=Judged(system, look), settings=ONE_BY_ONE)
    assert [(row["question_id"], row["status"]) for row in on_disk] == [
        ("q0", "answered"),
        ("q1", "answered"),
    ]
    assert [(row["answer"], row["paid"]) for row in on_disk] == [("x", 0.5), ("x", 0.5)]
    assert lab.statuses() == {"q0": ["answered", "scored"], "q1": ["answered", "scored"]}
    assert result.tally == Tally(scored=2)
    assert (result.asked, result.judged, result.is_complete) == (2, 0, True)


def test_answers_that_are_scored_offline_have_one_row(lab: Lab):
    """Without a judge that calls something, only the final row is written."""
    lab.run(ScriptedSystem(echo), 2)
    assert lab.statuses() == {"q0": ["scored"], "q1": ["scored"]}
    assert not (lab.folder / "lab.verdicts.jsonl").exists()


def test_a_case_is_reported_once_with_its_final_row(lab: Lab):
    """The row of an answer that is about to be judged is not reported."""
    rows: list[Row] = []

    class Listening:
        def begin(self, progress: Progress) -> None:
            pass

        def case(self, progress: Progress, row: Row) -> None:
            rows.append(row)

        def end(self, progress: Progress) -> None:
            pass

    system = ScriptedSystem(echo)
    judge = Judged(system, {"q0": "fine", "q1": BAD})
    lab.run(system, 2, handler=judge, reporter=Listening(), settings=ONE_BY_ONE)
    assert [(row.question_id, row.status) for row in rows] == [("q0", "scored"), ("q1", "answered")]
    assert rows[1].judging_error == "system: no verdict"


@pytest.mark.parametrize("error", [BAD, ValueError("no verdict"), RateLimited("x", retried=True)])
def test_a_judge_that_fails_leaves_the_case_answered(lab: Lab, error: Exception):
    """The case has no score and no error; its row says why it could not be judged."""
    system = ScriptedSystem(echo)
    judge = Judged(system, {"q0": error, "q1": "fine"})
    result = lab.run(system, 2, handler=judge)
    assert judge.calls == {"q0": 1, "q1": 1}
    assert result.tally == result.summary.tally == Tally(scored=1, answered=1)
    assert (result.is_complete, result.stopped) == (False, None)
    assert result.summary.state == "partial"
    row = lab.rows_of("q0")[-1]
    assert (row["status"], row["answer"]) == ("answered", "answer to q0")
    assert str(error) in row["judging_error"]
    assert not {"scores", "error", "error_kind"} & row.keys()


def test_an_answered_case_is_judged_without_asking_again(lab: Lab):
    """The next run calls only the judge, and the scored row replaces the answered one."""
    system = ScriptedSystem(echo)
    lab.run(system, 3, handler=Judged(system, {"q0": "fine", "q1": BAD, "q2": BAD}))
    again = ScriptedSystem({})
    judge = Judged(again, fine)
    result = lab.run(again, 3, handler=judge)
    assert again.asked == []
    assert judge.calls == {"q1": 1, "q2": 1}
    assert result.tally == Tally(scored=3)
    assert (result.asked, result.judged, result.is_complete) == (0, 2, True)
    last = lab.rows_of("q1")[-1]
    assert (last["answer"], last["scores"]) == ("answer to q1", {"verdict": "fine"})
    assert not {"recorded", "judging_error"} & last.keys()


def test_failed_cases_are_asked_while_answered_ones_are_judged(lab: Lab):
    """A run finishes whatever is left, each case in its own way, and its tally is right."""
    system = ScriptedSystem({"q0": "a", "q1": ValueError("x"), "q2": "c", "q3": CaseSkipped("no")})
    first = lab.run(system, 4, handler=Judged(system, {"q0": "fine", "q2": BAD}))
    assert first.tally == Tally(scored=1, answered=1, failed=1, skipped=1)
    again = ScriptedSystem(echo)
    judge = Judged(again, {"q1": BAD, "q2": "fine"})
    result = lab.run(again, 5, handler=judge, settings=RunSettings(max_cost=None))
    assert sorted(again.asked) == ["q1", "q4"]
    assert judge.calls["q2"] == 1
    assert result.tally == Tally(scored=2, answered=2, skipped=1)


class Rich(ScriptedSystem):
    """A system whose answers have all that an answer can have."""

    ANSWER = Answer(
        text="第３条 [1]",
        passages=(
            Passage(id="c1", text="long\ntext", page=3, score=0.25, rank=2),
            Passage(id="c2"),
        ),
        usage=Usage(
            calls=3,
            replayed_calls=1,
            prompt_tokens=70,
            completion_tokens=9,
            unmetered_calls=1,
            cost=0.75,
            paid=0.5,
        ),
        stages=(
            Stage(name="rerank", elapsed_s=0.125, detail={"kept": [1, 2], "model": None}),
            Stage(name="rewrite", skipped="off"),
        ),
        finish_reason="length",
        latency_s=1.5,
        extra={"lang": "zh", "citations": [{"page": 3}]},
    )

    def __init__(self) -> None:
        super().__init__(lambda *_: self.ANSWER)


class Noting(Judged):
    """A judge that keeps the answers it judged, for questions with notes about their prompt."""

    def __init__(self, system: Any, script: Any) -> None:
        super().__init__(system, script)
        self.composed: list[str] = []
        self.judged: list[Answer] = []

    def compose(self, case: Case) -> Prompt:
        """Note the length of the context."""
        self.composed.append(case.question.id)
        return Prompt(question=case.question, facts={"tokens": 4000, "parts": ["a", "b"]})

    async def judge(self, case: Case, answer: Answer) -> Any:
        """Keep the answer."""
        self.judged.append(answer)
        return await super().judge(case, answer)


def test_a_recorded_answer_is_judged_as_it_was_given(lab: Lab):
    """Judge and scorer of a later run get exactly the answer that those of the first run got.

    Passages, facts, usage, stages and extras belong to it. The prompt is not composed again.
    """
    first = Noting(Rich(), first_time({"q0": BAD}))
    lab.run(first.system, 1, handler=first)
    second = Noting(ScriptedSystem({}, identity="scripted"), fine)
    lab.run(second.system, 1, handler=second)
    expected = replace(Rich.ANSWER, facts={"tokens": 4000, "parts": ["a", "b"]})
    assert first.judged == second.judged == [expected]
    assert second.scored == [(expected, "fine")]
    assert (first.composed, second.composed) == (["q0"], [])


def test_a_row_judged_later_is_the_row_that_one_run_would_have_written(lab: Lab, tmp_path: Any):
    """Only time and bill differ; the bill is in the answered row."""
    whole = Lab(tmp_path / "whole")
    handler = Noting(Rich(), fine)
    whole.run(handler.system, 1, handler=handler)
    parts = Lab(tmp_path / "parts")
    parts.run(Rich(), 1, handler=Noting(Rich(), {"q0": BAD}))
    parts.run(Rich(), 1, handler=Noting(ScriptedSystem({}), fine))
    in_one, in_two = (each.rows()[-1] for each in (whole, parts))
    for row in (in_one, in_two):
        del row["ts"]
    assert in_one["elapsed_s"] == 1.5
    assert in_one == in_two
    assert parts.rows()[0]["usage"]["calls"] == 3


def test_transient_failures_of_the_judge_are_tried_again(lab: Lab):
    """The judge is retried, the system is not asked again, and all attempts are paid for."""
    system = ScriptedSystem(echo)
    script = first_time({"q0": TransientError("reset"), "q1": RateLimited("slow")})
    judge = Judged(system, script, price=0.25)
    result = lab.run(system, 2, handler=judge)
    assert sorted(system.asked) == ["q0", "q1"]
    assert judge.calls == {"q0": 2, "q1": 2}
    assert lab.statuses() == {"q0": ["answered", "scored"], "q1": ["answered", "scored"]}
    assert result.judge_paid == 1.0


@pytest.mark.parametrize("retries", [0, 2])
def test_judging_is_given_up_after_its_retries(lab: Lab, retries: int):
    """After ``retries`` retries the case stays answered, and the run goes on."""
    system = ScriptedSystem(echo)
    judge = Judged(system, {"q0": TransientError("down"), "q1": "fine"})
    result = lab.run(system, 2, handler=judge, settings=RunSettings(retries=retries))
    assert judge.calls == {"q0": retries + 1, "q1": 1}
    assert lab.rows_of("q0")[-1]["judging_error"] == "unavailable: down"
    assert result.tally == Tally(scored=1, answered=1)


def test_retries_of_asking_do_not_use_up_those_of_judging(lab: Lab):
    """Asking and judging each have all retries."""
    system = ScriptedSystem(first_time({"q0": TransientError("reset")}))
    judge = Judged(system, first_time({"q0": TransientError("reset")}))
    result = lab.run(system, 1, handler=judge, settings=RunSettings(retries=1))
    assert result.is_complete
    assert (system.asked, judge.calls) == (["q0", "q0"], {"q0": 2})


def test_judging_has_a_deadline(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """A judge that never answers leaves its case answered, and the others are scored."""
    stop_time(monkeypatch)
    system = ScriptedSystem(echo)
    judge = Judged(system, {"q0": "fine", "q1": ScriptedSystem.HANG, "q2": "fine"})
    result = lab.run(system, 3, handler=judge, settings=RunSettings(timeout_s=0.3))
    assert result.tally == Tally(scored=2, answered=1)
    assert lab.rows_of("q1")[-1]["judging_error"] == "timeout: no answer within 0.3 s"
    assert judge.calls["q1"] == 1


def test_judging_has_a_deadline_of_its_own(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """The time that the system needed is not taken from the judge."""
    clock = stop_time(monkeypatch)
    system = ScriptedSystem(lambda *_: clock.wait(0.5) or "yes")
    judge = Judged(system, lambda *_: clock.wait(0.5) or "fine")
    result = lab.run(system, 1, handler=judge, settings=RunSettings(timeout_s=0.9))
    assert result.tally == Tally(scored=1)


def test_a_judge_that_is_down_is_no_outage_of_the_system(lab: Lab):
    """However many verdicts fail, the system is asked to the end and its answers are kept."""
    system = ScriptedSystem(echo)
    judge = Judged(system, lambda *_: TransientError("down"))
    result = lab.run(system, 30, handler=judge, settings=RunSettings(retries=0))
    assert result.stopped is None
    assert result.tally == Tally(answered=30)


def stop_at(*questions: str) -> Any:
    """A script of a judge that refuses the key at these questions."""
    return first_time(dict.fromkeys(questions, AccessRefused("no key")))


def test_a_stop_while_judging_keeps_the_answer(lab: Lab):
    """The run ends, the answer stays recorded, and the next run judges it without asking."""
    system = ScriptedSystem(echo)
    result = lab.run(system, 4, handler=Judged(system, stop_at("q1")), settings=ONE_BY_ONE)
    assert isinstance(result.stopped, AccessRefused)
    assert system.asked == ["q0", "q1"]
    assert lab.statuses() == {"q0": ["answered", "scored"], "q1": ["answered"]}
    assert result.tally == result.summary.tally == Tally(scored=1, answered=1)
    assert (result.asked, result.judged) == (2, 0)
    assert "judging_error" not in lab.rows()[-1]
    again = ScriptedSystem(echo)
    resumed = lab.run(again, 4, handler=Judged(again, fine))
    assert sorted(again.asked) == ["q2", "q3"]
    assert resumed.tally == Tally(scored=4)
    assert (resumed.asked, resumed.judged) == (2, 1)


def test_a_stop_while_a_recorded_answer_is_judged_keeps_it(lab: Lab):
    """Nothing is written, and the tally still counts every recorded answer."""
    system = ScriptedSystem(echo)
    lab.run(system, 3, handler=Judged(system, {"q0": "fine", "q1": BAD, "q2": BAD}))
    before = lab.journal.read_bytes()
    again = Judged(ScriptedSystem({}), stop_at("q1"))
    result = lab.run(again.system, 3, handler=again, settings=ONE_BY_ONE)
    assert isinstance(result.stopped, AccessRefused)
    assert lab.journal.read_bytes() == before
    assert result.tally == result.summary.tally == Tally(scored=1, answered=2)
    assert (result.asked, result.judged) == (0, 0)


def impatient(limit: AdaptiveLimit) -> AsyncioExecutor:
    """An executor that waits only 0.05 s for cases in flight after a stop."""
    return AsyncioExecutor(limit, grace_s=0.05)


def test_a_judge_that_does_not_end_is_left_after_a_stop(lab: Lab):
    """A hanging judge does not delay the end of the run, and its answer is kept."""
    is_judging = asyncio.Event()

    class Second(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            if question.id == "q1":
                await is_judging.wait()
            return await super().ask(question, settings, top_k)

    def hang(case: Case, answer: Answer) -> Any:
        is_judging.set()
        return ScriptedSystem.HANG

    system = Second({"q0": "a", "q1": AccessRefused("no")})
    result = lab.run(system, 2, handler=Judged(system, hang), executor=impatient)
    assert isinstance(result.stopped, AccessRefused)
    assert lab.statuses() == {"q0": ["answered"]}
    assert result.tally == Tally(answered=1)


def test_a_kill_while_judging_loses_no_answer(lab: Lab):
    """After a run that ended in the middle of judging, nothing is asked twice."""
    system = ScriptedSystem(echo)
    with pytest.raises(Killed):
        lab.run(
            system, 3, handler=Judged(system, first_time({"q1": Killed()})), settings=ONE_BY_ONE
        )
    assert lab.summary()["state"] == "running"
    again = ScriptedSystem(echo)
    result = lab.run(again, 3, handler=Judged(again, fine))
    assert again.asked == ["q2"]
    assert result.tally == Tally(scored=3)


def test_a_full_disk_after_the_answer_keeps_it(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """If the scored row cannot be written, the answer is judged by the next run."""
    real = os.write

    def nearly_full(fd: int, data: Any) -> int:
        if b'"key":"q1' in bytes(data) and b'"status":"scored"' in bytes(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data)

    system = ScriptedSystem(echo)
    monkeypatch.setattr(os, "write", nearly_full)
    result = lab.run(system, 3, handler=Judged(system, fine), settings=ONE_BY_ONE)
    monkeypatch.undo()
    assert isinstance(result.stopped, JournalWriteFailed)
    assert result.tally == Tally(scored=1, answered=1)
    again = ScriptedSystem(echo)
    judge = Judged(again, fine)
    assert lab.run(again, 3, handler=judge).is_complete
    assert (again.asked, judge.calls) == (["q2"], {"q2": 1})


def test_a_problem_that_cannot_be_written_keeps_the_answer(lab: Lab):
    """If JSON cannot represent the message of the judge's error, the answer is still kept."""
    system = priced(0.5)
    result = lab.run(system, 1, handler=Judged(system, {"q0": SystemFailed("lone \ud800")}))
    assert result.tally == Tally(answered=1)
    assert (result.paid, index_journal(lab.journal).paid) == (0.5, 0.5)
    again = Judged(ScriptedSystem({}), fine)
    assert lab.run(again.system, 1, handler=again).is_complete
    assert again.system.asked == []


def test_a_judge_cannot_skip_a_case(lab: Lab):
    """A case that has an answer is not skipped, whatever the judge raises; the run goes on."""
    system = ScriptedSystem(echo)
    judge = Judged(system, {"q0": CaseSkipped("too long"), "q1": "fine"})
    result = lab.run(system, 2, handler=judge)
    assert result.tally == Tally(scored=1, answered=1)
    assert "too long" in lab.rows_of("q0")[-1]["judging_error"]


ENDLESS: dict[str, Any] = {}
ENDLESS["itself"] = ENDLESS


@pytest.mark.parametrize(
    "answer",
    [
        "lone \ud800 surrogate",
        {"answer": "x", "extra": {"a": object()}},
        {"answer": "x", "extra": ENDLESS},
    ],
    ids=["surrogate", "object", "endless"],
)
def test_an_answer_that_cannot_be_written_is_not_judged(lab: Lab, answer: Any):
    """A reply that JSON cannot represent fails its case before the judge is called."""
    system = ScriptedSystem({"q0": answer, "q1": "fine"})
    judge = Judged(system, fine)
    result = lab.run(system, 2, handler=judge)
    assert judge.calls == {"q1": 1}
    assert result.tally == Tally(scored=1, failed=1)
    assert lab.statuses()["q0"] == ["failed"]


def leave_answered(lab: Lab, count: int = 2) -> None:
    """Record answers that are not judged."""
    system = ScriptedSystem(echo)
    lab.run(system, count, handler=Judged(system, lambda *_: BAD))


def test_answers_of_an_edited_experiment_are_refused(lab: Lab):
    """If the system or a question was edited, unjudged answers are refused like judged ones."""
    leave_answered(lab)
    before = lab.files()
    for system, text in (
        (ScriptedSystem(echo, identity="v2"), "why?"),
        (ScriptedSystem(echo), "how?"),
    ):
        judge = Judged(system, fine)
        with pytest.raises(JournalStale, match="2 recorded answers"):
            lab.run(system, handler=judge, plan=lab.plan(system, 2, text))
        assert (system.asked, judge.calls) == ([], {})
    assert lab.files() == before


def test_stale_answers_are_judged_on_request(lab: Lab):
    """With ``keep`` the recorded answers are judged, and only missing cases are asked."""
    leave_answered(lab)
    system = ScriptedSystem(echo, identity="v2")
    judge = Judged(system, fine)
    result = lab.run(system, 3, handler=judge, resume="keep")
    assert system.asked == ["q2"]
    assert judge.calls == {"q0": 1, "q1": 1, "q2": 1}
    assert result.tally == Tally(scored=3)


def test_a_stale_answer_stays_stale_when_it_is_judged(lab: Lab):
    """Judging does not make an answer of the old system one of the new: it is refused again."""
    leave_answered(lab)
    recorded = {row["question_id"]: row["fingerprint"] for row in lab.rows()}
    system = ScriptedSystem(echo, identity="v2")
    lab.run(system, handler=Judged(system, fine), plan=lab.plan(system, 2, "how?"), resume="keep")
    assert {row["question_id"]: row["fingerprint"] for row in lab.rows()} == recorded
    with pytest.raises(JournalStale):
        lab.run(system, plan=lab.plan(system, 2, "how?"))


def test_an_answer_whose_record_is_lost_is_asked_again(lab: Lab):
    """An answered row that does not hold the answer cannot be judged."""
    leave_answered(lab, 1)
    rows = lab.rows()
    for row in rows:
        del row["recorded"]
    lab.journal.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    system = ScriptedSystem(echo)
    assert lab.run(system, 1).tally == Tally(scored=1)
    assert system.asked == ["q0"]


def test_verdicts_of_judges_in_turn_are_paid_for_once(lab: Lab):
    """Two judges in turn, whose verdicts cannot be scored: each verdict is paid for by one row."""

    class Unscored(Judged):
        def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
            raise ValueError("no")

    system = priced(0.5)
    for identity in ("x", "y", "x"):
        lab.run(system, 1, handler=Unscored(system, fine, identity=identity, price=0.25))
    result = lab.run(system, 1, handler=Judged(system, fine, identity="x", price=0.25))
    assert (result.tally, result.judge_paid, result.paid) == (Tally(scored=1), 0.5, 1.0)
    assert lab.rows()[-1]["judges"] == ["x", "y"]


@pytest.mark.parametrize("fault", [CaseSkipped("no"), AccessRefused("no key")])
def test_what_a_judge_cost_before_it_gave_up_is_recorded(lab: Lab, fault: Exception):
    """The answer stays unjudged, with the cost of the attempt."""
    system = priced(0.5)
    result = lab.run(system, 1, handler=Judged(system, {"q0": fault}, price=0.25))
    assert (result.tally, result.judge_paid) == (Tally(answered=1), 0.25)
    assert index_journal(lab.journal).paid == 0.75


def test_what_a_judge_cost_before_it_was_left_is_recorded(lab: Lab):
    """A judge that still works when the time after a stop is over has been paid for."""
    system = priced(0.5)
    script = {"q0": ScriptedSystem.HANG, "q1": AccessRefused("no key")}
    handler = Judged(system, script, price=0.25)
    result = lab.run(system, 2, handler=handler, executor=impatient)
    assert (result.tally, result.judge_paid) == (Tally(answered=2), 0.5)


ANSWER = Answer(text="yes [1]", passages=(Passage(id="c1", text="t", page=3),))


def verdict(
    value: Any = "fine", *, key: str = "k", answer: Answer = ANSWER, judge: str = "j1"
) -> Verdict:
    """A verdict on an answer."""
    return Verdict(
        key=key,
        answer_sha256=answer_hash(answer),
        judge=judge,
        verdict=value,
        usage=Usage(calls=1, paid=0.5),
        elapsed_s=1.5,
        ts=12.5,
    )


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def test_a_verdict_is_found_at_once_and_later(journal: Path):
    """The store that got it and one that is opened later give the same verdict."""
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") is None
        store.add(verdict())
        assert store.find("k", ANSWER, "j1") == verdict()
        assert VerdictStore(journal).find("k", ANSWER, "j1") == verdict()
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") == verdict()


@pytest.mark.parametrize(
    ("key", "answer", "judge"),
    [
        ("other", ANSWER, "j1"),
        ("k", Answer(text="no"), "j1"),
        ("k", Answer(text=ANSWER.text), "j1"),
        ("k", ANSWER, "j2"),
        ("k", ANSWER, ""),
    ],
)
def test_a_verdict_counts_for_its_case_answer_and_judge_alone(
    journal: Path, key: str, answer: Answer, judge: str
):
    """Another case, another answer or another judge needs a verdict of its own."""
    with VerdictStore(journal) as store:
        store.add(verdict())
        assert store.find(key, answer, judge) is None


def test_the_last_verdict_counts_and_none_is_removed(journal: Path):
    """The file only grows."""
    with VerdictStore(journal) as store:
        store.add(verdict("first"))
        first = verdicts_path(journal).read_bytes()
        store.add(verdict("second"))
    assert verdicts_path(journal).read_bytes().startswith(first)
    with VerdictStore(journal) as store:
        found = store.find("k", ANSWER, "j1")
        assert found is not None
        assert found.verdict == "second"
    assert verdicts_path(journal).read_bytes().count(b"\n") == 2


def test_a_file_is_created_with_the_first_verdict(journal: Path):
    """A store without verdicts leaves nothing behind, nor does one that is only read."""
    with VerdictStore(journal):
        pass
    assert list(journal.parent.iterdir()) == []
    with VerdictStore(journal) as store:
        store.add(verdict())
        store.close()
        store.close()
    assert [path.name for path in journal.parent.iterdir()] == ["a.verdicts.jsonl"]
    (line,) = verdicts_path(journal).read_text().splitlines()
    assert json.loads(line)["schema_version"] == SCHEMA_VERSION


def test_a_torn_end_is_set_aside_with_the_next_verdict(journal: Path):
    """An incomplete verdict is ignored; the complete ones are kept, and the next one follows."""
    with VerdictStore(journal) as store:
        store.add(verdict())
    whole = verdicts_path(journal).read_bytes()
    with verdicts_path(journal).open("ab") as file:
        file.write(whole[: len(whole) // 2])
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") == verdict()
        store.add(verdict(key="k2"))
    assert verdicts_path(journal).read_bytes().startswith(whole)
    with VerdictStore(journal) as store:
        assert store.find("k2", ANSWER, "j1") == verdict(key="k2")
    torn = journal.with_name("a.verdicts.jsonl.torn")
    assert torn.read_bytes() == whole[: len(whole) // 2] + b"\n"


def test_a_verdict_without_its_newline_counts(journal: Path):
    """If only the newline was lost, the verdict is complete, as in a journal."""
    with VerdictStore(journal) as store:
        store.add(verdict())
    path = verdicts_path(journal)
    path.write_bytes(path.read_bytes().rstrip())
    with VerdictStore(journal) as store:
        assert store.find("k", ANSWER, "j1") == verdict()


def test_a_corrupt_file_is_refused_by_its_line(journal: Path):
    """A bad line is an error with its number, and the file is not changed."""
    with VerdictStore(journal) as store:
        store.add(verdict())
    path = verdicts_path(journal)
    path.write_bytes(path.read_bytes() + b"garbage\n")
    before = path.read_bytes()
    with pytest.raises(JournalCorrupt, match=r"a\.verdicts\.jsonl:2: "):
        VerdictStore(journal)
    assert path.read_bytes() == before


def test_the_hash_is_that_of_what_a_judge_reads():
    """Text and passages change it; cost, time and reason of the end do not."""
    same = replace(ANSWER, usage=Usage(calls=3), finish_reason="stop", latency_s=2.0)
    assert answer_hash(same) == answer_hash(ANSWER)
    passage = ANSWER.passages[0]
    others = [
        replace(ANSWER, text="yes"),
        replace(ANSWER, passages=()),
        replace(ANSWER, passages=(replace(passage, text="other"),)),
        replace(ANSWER, passages=(replace(passage, id="c2"),)),
        replace(ANSWER, passages=(passage, passage)),
    ]
    hashes = {answer_hash(answer) for answer in (ANSWER, *others)}
    assert len(hashes) == len(others) + 1


TEXT = st.text(max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=2), TEXT, TEXT, JSON), max_size=6))
def test_any_verdicts_come_back(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, str, str, Any]]
):
    """Each key, answer and judge finds its last verdict, as it was given."""
    journal = tmp_path_factory.mktemp("verdicts") / "a.jsonl"
    with VerdictStore(journal) as store:
        for key, text, judge, value in entries:
            store.add(verdict(value, key=key, answer=Answer(text=text), judge=judge))
    expected = {(key, text, judge): value for key, text, judge, value in entries}
    with VerdictStore(journal) as store:
        for (key, text, judge), value in expected.items():
            found = store.find(key, Answer(text=text), judge)
            assert found is not None
            assert found.verdict == value
