"""Asking one case: the prompt, what the job noted about it, and how it can fail."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from assay.config.experiment import RunSettings
from assay.errors import (
    AccessRefused,
    CaseSkipped,
    SystemFailed,
    TransientError,
    Unworkable,
    UseError,
)
from assay.models.meter import record_call
from assay.records import (
    Answer,
    Case,
    Failed,
    Outcome,
    Passage,
    Prompt,
    Question,
    Score,
    Stage,
    Tally,
    Usage,
)
from assay.runs.asker import LARGEST_ANSWER
from assay.runs.handler import SystemHandler
from assay.runs.row import Row
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import stop_time
from tests.support.lab import Lab, echo


class Composing(SystemHandler):
    """Adds a context to each question, and notes its length."""

    def __init__(self, system: Any, faults: Mapping[str, Exception] | None = None) -> None:
        super().__init__(system)
        self.faults = faults or {}
        self.composed: list[str] = []
        self.outcomes: list[Outcome] = []
        self.scored: list[Answer] = []

    def compose(self, case: Case) -> Prompt:
        """The question after a context."""
        self.composed.append(case.question.id)
        if case.question.id in self.faults:
            raise self.faults[case.question.id]
        question = replace(case.question, text=f"context\n{case.question.text}")
        return Prompt(question=question, facts={"tokens": 7})

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Keep the answer."""
        self.scored.append(answer)
        return {}

    def row(self, case: Case, outcome: Outcome) -> Row:
        """Keep the outcome."""
        self.outcomes.append(outcome)
        return super().row(case, outcome)


def test_the_system_gets_the_prompt_and_the_row_the_question(lab: Lab):
    """What is put to the system may differ from the question of the case."""
    texts: list[str] = []

    def reply(question: Question, settings: Mapping[str, Any]) -> str:
        texts.append(question.text)
        return "x"

    handler = Composing(ScriptedSystem(reply))
    lab.run(handler.system, 1, handler=handler)
    assert texts == ["context\nwhy?"]
    assert lab.rows()[0]["question"] == "why?"


def test_what_the_job_noted_reaches_scorer_and_row(lab: Lab):
    """Facts about the prompt are part of the answer, and of a failure."""
    handler = Composing(ScriptedSystem({"q0": "x", "q1": ValueError("bad")}))
    lab.run(handler.system, 2, handler=handler, settings=RunSettings(concurrency=1))
    assert [answer.facts for answer in handler.scored] == [{"tokens": 7}]
    failed = handler.outcomes[-1]
    assert isinstance(failed, Failed)
    assert failed.facts == {"tokens": 7}


def test_facts_noted_while_asking_are_kept(lab: Lab):
    """A handler may also put facts into the answer that it returns."""

    class Counting(Composing):
        async def ask(self, case: Case, prompt: Prompt) -> Answer:
            answer = await super().ask(case, prompt)
            return replace(answer, facts={"pages": 3})

    handler = Counting(ScriptedSystem(echo))
    lab.run(handler.system, 1, handler=handler)
    assert [answer.facts for answer in handler.scored] == [{"tokens": 7, "pages": 3}]


def test_a_prompt_is_composed_once_for_all_attempts(lab: Lab):
    """Retries ask with the same prompt."""
    replies = iter([TransientError("reset"), TransientError("reset"), "fine"])
    handler = Composing(ScriptedSystem(lambda *_: next(replies)))
    lab.run(handler.system, 1, handler=handler)
    assert handler.composed == ["q0"]
    assert handler.system.asked == ["q0", "q0", "q0"]


def test_composing_is_not_timed(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """Building a long context is no work of the system."""
    clock = stop_time(monkeypatch)

    class Slow(Composing):
        def compose(self, case: Case) -> Prompt:
            clock.wait(0.3)
            return super().compose(case)

    handler = Slow(ScriptedSystem(echo))
    lab.run(handler.system, 2, handler=handler, settings=RunSettings(concurrency=1, timeout_s=0.25))
    assert [row["status"] for row in lab.rows()] == ["scored", "scored"]
    assert [row["elapsed_s"] for row in lab.rows()] == [0.0, 0.0]


def test_a_case_may_be_skipped_before_it_is_asked(lab: Lab):
    """A context that cannot be built skips the case, and nothing is asked."""
    handler = Composing(ScriptedSystem(echo), {"q0": CaseSkipped("longer than the context")})
    result = lab.run(handler.system, 2, handler=handler)
    assert result.tally == Tally(scored=1, skipped=1)
    assert handler.system.asked == ["q1"]
    assert lab.rows_of("q0")[0]["reason"] == "longer than the context"


def test_a_prompt_that_cannot_be_composed_fails_its_case_alone(lab: Lab):
    """The error is recorded without an attempt; the next run tries again."""
    handler = Composing(ScriptedSystem(echo), {"q0": KeyError("chapter")})
    result = lab.run(handler.system, 2, handler=handler)
    assert result.tally == Tally(scored=1, failed=1)
    (row,) = lab.rows_of("q0")
    assert (row["error"], row["elapsed_s"]) == ("system: KeyError: 'chapter'", 0.0)
    again = Composing(ScriptedSystem(echo))
    assert lab.run(again.system, 2, handler=again).is_complete
    assert again.composed == ["q0"]


@pytest.mark.parametrize(
    ("error", "kind"),
    [(UseError("no such file"), Unworkable), (AccessRefused("no"), AccessRefused)],
)
def test_composing_may_end_the_run(lab: Lab, error: Exception, kind: type[Exception]):
    """What no case can pass stops the run, as it does while asking."""
    handler = Composing(ScriptedSystem(echo), {"q0": error})
    result = lab.run(handler.system, 2, handler=handler, settings=RunSettings(concurrency=1))
    assert type(result.stopped) is kind
    assert handler.system.asked == []
    assert lab.journal.read_bytes() == b""


def test_the_latency_that_a_system_reports_counts(lab: Lab):
    """If calls were replayed from a recording, the measured time would be misleading."""
    lab.run(ScriptedSystem(lambda *_: Answer(text="x", latency_s=4.5)), 1)
    assert lab.rows()[0]["elapsed_s"] == 4.5


def test_calls_that_the_system_does_not_report_are_metered(lab: Lab):
    """The cost of failed attempts is added to that of the last one."""
    errors = iter([TransientError("reset"), None])

    def reply(*_: Any) -> Any:
        record_call(prompt_tokens=5, completion_tokens=1, cost=0.25)
        return next(errors) or "fine"

    result = lab.run(ScriptedSystem(reply), 1)
    (row,) = lab.rows()
    assert (row["usage"]["calls"], row["cost"], row["paid"]) == (1, 0.25, 0.5)
    assert result.paid == 0.5
    assert result.judge_paid is None


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (None, "the system returned a NoneType, not an Answer"),
        ("text", "the system returned a str, not an Answer"),
        (Answer(text=7), "the text of the answer is a int"),  # type: ignore[arg-type]
        (Answer(text="x", passages=("a",)), "the passages of the answer"),  # type: ignore[arg-type]
    ],
)
def test_a_reply_of_the_wrong_type_fails_its_case_alone(lab: Lab, reply: Any, fault: str):
    """A system that is not ours may return anything; the run goes on and says what it was."""

    class Odd(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            answer = await super().ask(question, settings, top_k)
            return reply if question.id == "q0" else answer

    result = lab.run(Odd(echo), 2)
    assert result.tally == Tally(scored=1, failed=1)
    assert fault in lab.rows_of("q0")[-1]["error"]


@pytest.mark.parametrize(
    "odd",
    [
        {"usage": {"calls": 1}},
        {"usage": "a lot"},
        {"usage": Usage(calls=1, cost=float("nan"), paid=float("nan"))},
        {"usage": Usage(calls=1, cost=-1.0, paid=-1.0)},
        {"usage": Usage(calls="many", prompt_tokens=None)},  # type: ignore[arg-type]
        {"usage": Usage(calls=10**30)},
        {"latency_s": "slow"},
        {"latency_s": float("nan")},
        {"latency_s": -1.0},
        {"stages": 5},
        {"stages": ("search",)},
        {"stages": (Stage(name="search", elapsed_s=None),)},  # type: ignore[arg-type]
        {"stages": (Stage(name="search", detail="none"),)},  # type: ignore[arg-type]
        {"extra": [1]},
        {"facts": "none"},
        {"finish_reason": 7},
    ],
    ids=str,
)
def test_what_is_odd_beside_a_good_answer_does_not_discard_it(lab: Lab, odd: dict[str, Any]):
    """Usage, latency, stages and extras that cannot be right are left out; the answer is kept."""

    class Odd(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            return Answer(**{"text": "good"} | odd)

    result = lab.run(Odd(echo), 1)
    assert result.tally == Tally(scored=1)
    row = lab.rows_of("q0")[-1]
    assert row["answer"] == "good"
    assert row["elapsed_s"] >= 0
    assert result.paid in (None, 0)


@pytest.mark.parametrize(
    "large",
    [
        {"text": "x" * LARGEST_ANSWER},
        {"text": "条" * (LARGEST_ANSWER // 3)},
        {"passages": tuple(Passage(id=str(at), text="x" * 999) for at in range(4200))},
        {"extra": {"pages": ["x" * LARGEST_ANSWER]}},
    ],
    ids=["text", "chinese", "passages", "extra"],
)
def test_an_answer_that_is_too_large_fails_and_is_not_recorded(lab: Lab, large: dict[str, Any]):
    """Its row says how large it is, and the run goes on; a little less is an answer."""

    class Large(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            return Answer(**{"text": "good"} | large)

    result = lab.run(Large(echo), 1)
    assert result.tally == Tally(failed=1)
    row = lab.rows_of("q0")[-1]
    assert "and at most 4 MB are recorded; return fewer or shorter texts" in row["error"]
    assert len(str(row)) < 2000


def test_an_answer_of_almost_the_largest_size_is_recorded(lab: Lab):
    """It is scored as any other."""
    text = "x" * (LARGEST_ANSWER - 1000)
    result = lab.run(ScriptedSystem(lambda *_: Answer(text=text)), 1)
    assert result.tally == Tally(scored=1)
    assert lab.rows_of("q0")[-1]["answer"] == text


@pytest.mark.parametrize("error", [SystemFailed, CaseSkipped])
def test_a_message_of_any_length_is_cut(lab: Lab, error: type[Exception]):
    """Code of the user may raise our own errors with any text."""

    class Failing(ScriptedSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            raise error("refused " * 1_000_000)

    lab.run(Failing(echo), 1)
    row = lab.rows_of("q0")[-1]
    shown = row.get("error") or row["reason"]
    assert "refused refused" in shown
    assert len(shown) < 2100


def test_an_answer_that_could_not_be_read_again_fails(lab: Lab):
    """An answer is recorded for judging only if the next run can read it."""

    class Unscorable(SystemHandler):
        def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
            raise ValueError("no")

    system = ScriptedSystem(lambda *_: Answer(text=5))  # type: ignore[arg-type]
    result = lab.run(system, 1, handler=Unscorable(system))
    assert result.tally == Tally(failed=1)
