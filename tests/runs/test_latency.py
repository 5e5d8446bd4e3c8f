"""The latency of a row is the system's own: what is in it, and what is not."""

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.config.system import CommandConfig, HttpConfig
from assay.errors import CaseSkipped
from assay.models.limit import Backoff
from assay.records import Answer, Case, Question, Score, Variant
from assay.runs.handler import SystemHandler
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem
from assay.systems.protocol import Setting
from assay.systems.python.system import PythonSystem
from assay.systems.scripted import ScriptedSystem
from tests.support.json_server import JsonServer, Seen, Told
from tests.support.lab import ONE_BY_ONE, Lab


class Recorder:
    """A pipeline that writes down how it is used."""

    SETTINGS: Mapping[str, Any] = {"mode": str}

    def __init__(self) -> None:
        self.calls: list[str] = []

    def prepare(self, settings: Mapping[str, Any]) -> None:
        """Note the settings."""
        self.calls.append(f"prepare {settings['mode']}")

    def ask(self, question: str) -> str:
        """Note that a question is asked."""
        self.calls.append("ask")
        return question


def test_the_system_is_prepared_for_every_variant_before_the_first_question(lab: Lab):
    """What a variant needs is no part of the first question that is put to it."""
    recorder = Recorder()
    lab.variants = tuple(Variant(name=mode, settings={"mode": mode}) for mode in ("a", "b"))
    lab.run(PythonSystem(recorder), 2)
    assert recorder.calls == ["prepare a", "prepare b", *["ask"] * 4]


def test_a_run_that_asks_nothing_prepares_nothing(lab: Lab):
    """A finished run that is started again does not prepare the system."""
    lab.variants = (Variant(name="a", settings={"mode": "a"}),)
    lab.run(PythonSystem(Recorder()), 2)
    again = Recorder()
    lab.run(PythonSystem(again), 2)
    assert again.calls == []


def test_the_system_is_told_how_many_questions_come_at_once(lab: Lab):
    """It is the smaller of the concurrency and the number of questions that are left."""
    told: list[int] = []

    class Warm(ScriptedSystem):
        async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
            """Note the number."""
            told.append(concurrency)

    lab.run(Warm(lambda *_: "x"), 2, settings=RunSettings(concurrency=8))
    lab.run(Warm(lambda *_: "x"), 8, settings=RunSettings(concurrency=4))
    assert told == [2, 4]


def test_time_is_taken_in_the_thread_that_works(lab: Lab):
    """An event loop that is busy before and after a blocking call adds nothing to its latency."""

    class Busy(PythonSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            """Ask, and keep the event loop from going on for half a second."""
            asyncio.get_running_loop().call_soon(time.sleep, 0.5)
            return await super().ask(question, settings, top_k)

    lab.run(Busy(lambda question: "x"), 1)
    assert lab.rows()[0]["elapsed_s"] < 0.3


def test_resetting_a_conversation_is_no_latency(lab: Lab):
    """The time of ``reset`` is not that of the answer."""
    system = PythonSystem(lambda question: "x", reset=lambda: time.sleep(0.5), identity="t")
    lab.run(system, 1)
    assert lab.rows()[0]["elapsed_s"] < 0.3


def test_failed_attempts_and_the_waits_between_them_are_no_latency(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
):
    """The latency is that of the attempt that succeeded; all attempts are counted."""
    monkeypatch.setattr(Backoff, "delay_s", lambda *_, **__: 0.4)
    answers = iter([0.4, 0.4, 0.0])

    def answer(_: Seen) -> Told:
        wait_s = next(answers)
        time.sleep(wait_s)
        return Told(body={"answer": "x"}, status=500 if wait_s else 200)

    with JsonServer(answer) as server:
        system = HttpSystem(HttpConfig(url=server.url))
        lab.run(system, 1, settings=ONE_BY_ONE)
    (row,) = lab.rows()
    assert row["status"] == "scored"
    assert row["elapsed_s"] < 0.3
    assert row["attempts"] == 3


def test_the_first_questions_in_flight_are_marked(lab: Lab):
    """Those that were asked before any other had ended are, in every part of the run."""

    class InPairs(ScriptedSystem):
        """Answers the first two questions only when both are asked."""

        def __init__(self) -> None:
            super().__init__(lambda *_: "x", settings={"a": Setting()})
            self._both: asyncio.Event | None = None

        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            """Wait for the second question."""
            self._both = self._both or asyncio.Event()
            answer = await super().ask(question, settings, top_k)
            if len(self.asked) == 2:
                self._both.set()
            await self._both.wait()
            return answer

    two_at_once = RunSettings(concurrency=2)
    lab.run(InPairs(), 5, settings=two_at_once)
    assert [row.get("first_in_flight", False) for row in lab.rows()] == [True] * 2 + [False] * 3
    lab.run(InPairs(), 8, settings=two_at_once)
    assert [row.get("first_in_flight", False) for row in lab.rows()[5:]] == [True, True, False]


def test_a_skipped_case_is_no_call(lab: Lab):
    """The first question after it is still the first in flight."""
    system = ScriptedSystem({"q0": CaseSkipped("too long"), "q1": "x", "q2": "y"})
    lab.run(system, 3, settings=ONE_BY_ONE)
    marks = {row["question_id"]: row.get("first_in_flight", False) for row in lab.rows()}
    assert marks == {"q0": False, "q1": True, "q2": False}


def test_every_call_that_is_made_again_is_an_attempt(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """The client retries by itself, and the row counts what it did."""
    monkeypatch.setattr(Backoff, "delay_s", lambda *_, **__: 0.0)
    replies = iter(["drop", "drop", "drop", "fine"])

    def answer(_: Seen) -> Told:
        return Told(body={"answer": "x"}, status=200 if next(replies) == "fine" else 503)

    with JsonServer(answer) as server:
        system = HttpSystem(HttpConfig(url=server.url, retries=3))
        lab.run(system, 1, settings=ONE_BY_ONE)
    assert lab.rows()[0]["attempts"] == 4


class SlowScorer(SystemHandler):
    """Takes half a second of its thread to score an answer."""

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Score slowly."""
        time.sleep(0.5)
        return {}


def latency_while_another_is_scored(lab: Lab, system: Any) -> float:
    """The latency of the slower of two questions; the answer of the first one is being scored."""
    questions = [Question(id="q0", text="0.0"), Question(id="q1", text="0.1")]
    plan = lab.plan_of(questions, system)
    settings = RunSettings(concurrency=2)
    lab.run(system, plan=plan, handler=SlowScorer(system), settings=settings)
    (row,) = lab.rows_of("q1")
    return float(row["elapsed_s"])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says when bytes arrived")
@pytest.mark.parametrize("ends_at_close", [False, True])
def test_scoring_is_no_latency_of_an_http_system(lab: Lab, ends_at_close: bool):
    """A reply that arrives while another answer is scored has the time of its arrival."""

    def answer(seen: Seen) -> Told:
        time.sleep(float(seen.json["question"]))
        headers = {"Connection": "close"} if ends_at_close else {}
        return Told(body={"answer": "x"}, headers=headers)

    with JsonServer(answer) as server:
        latency_s = latency_while_another_is_scored(lab, HttpSystem(HttpConfig(url=server.url)))
    assert 0.08 < latency_s < 0.3


def test_scoring_is_no_latency_of_an_async_function(lab: Lab):
    """The event loop that runs the function is free while another answer is scored."""

    async def answer(question: str) -> str:
        await asyncio.sleep(float(question))
        return "x"

    latency_s = latency_while_another_is_scored(lab, PythonSystem(answer, identity="t"))
    assert 0.08 < latency_s < 0.3


def test_scoring_is_no_latency_of_a_program(lab: Lab):
    """The line that a program writes while another answer is scored is read at once."""
    script = (
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    time.sleep(float(asked.get('question', 0)))\n"
        "    print(json.dumps({'answer': 'x', 'request_id': asked['request_id']}), flush=True)\n"
    )
    config = CommandConfig(command=[sys.executable, "-c", script], processes=2, prepare=True)
    latency_s = latency_while_another_is_scored(lab, CommandSystem(config))
    assert 0.08 < latency_s < 0.3
