"""The latency of a row is the system's own: what is in it, and what is not."""

import asyncio
import inspect
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.config.system import CommandConfig, HttpConfig
from assay.errors import CaseSkipped
from assay.models.limit import Backoff
from assay.models.meter import Stopwatch
from assay.records import Answer, Case, Prompt, Question, Score, Variant
from assay.runs.handler import SystemHandler
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem
from assay.systems.protocol import Setting
from assay.systems.python.system import PythonSystem
from assay.systems.scripted import ScriptedSystem
from tests.support.clock import stop_time
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


def test_time_is_taken_in_the_thread_that_works(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """An event loop that is busy before and after a blocking call adds nothing to its latency."""
    clock = stop_time(monkeypatch)
    stopped = threading.Event()
    stop = Stopwatch.stop

    def stop_and_tell(watch: Stopwatch) -> None:
        stop(watch)
        stopped.set()

    def keep_busy() -> None:
        stopped.wait(60)
        clock.wait(0.5)

    monkeypatch.setattr(Stopwatch, "stop", stop_and_tell)

    class Busy(PythonSystem):
        async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
            """Ask, and keep the event loop from going on until the answer is half a second old."""
            asyncio.get_running_loop().call_soon(keep_busy)
            return await super().ask(question, settings, top_k)

    lab.run(Busy(lambda question: "x"), 1)
    assert lab.rows()[0]["elapsed_s"] == 0.0
    assert clock.now == 0.5


def test_resetting_a_conversation_is_no_latency(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """The time of ``reset`` is not that of the answer."""
    clock = stop_time(monkeypatch)
    system = PythonSystem(lambda question: "x", reset=lambda: clock.wait(0.5), identity="t")
    lab.run(system, 1)
    assert lab.rows()[0]["elapsed_s"] == 0.0
    assert clock.now == 0.5


def test_failed_attempts_and_the_waits_between_them_are_no_latency(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
):
    """The latency is that of the attempt that succeeded; all attempts are counted."""
    clock = stop_time(monkeypatch)
    monkeypatch.setattr(Backoff, "delay_s", lambda *_, **__: clock.wait(0.4) or 0.0)
    answers = iter([0.4, 0.4, 0.0])

    def answer(_: Seen) -> Told:
        wait_s = next(answers)
        clock.wait(wait_s)
        return Told(body={"answer": "x"}, status=500 if wait_s else 200)

    with JsonServer(answer) as server:
        system = HttpSystem(HttpConfig(url=server.url))
        lab.run(system, 1, settings=ONE_BY_ONE)
    (row,) = lab.rows()
    assert row["status"] == "scored"
    assert row["elapsed_s"] == 0.0
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


def wait_for(file: Path) -> None:
    """Wait until a file is there."""
    for _ in range(6000):
        if file.exists():
            return
        time.sleep(0.01)
    raise AssertionError(f"{file.name} does not come")


class SlowScorer(SystemHandler):
    """Scores the first answer until the second one is given, and a second longer."""

    def __init__(self, system: Any, folder: Path) -> None:
        super().__init__(system)
        self.asked_at = self.scored_at = 0.0
        self._folder = folder

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Note when the second question is asked."""
        if case.question.id == "q1":
            self.asked_at = time.perf_counter()
        return await super().ask(case, prompt)

    def score(self, case: Case, answer: Answer, verdict: Any) -> Mapping[str, Score]:
        """Keep the event loop from going on."""
        if case.question.id == "q0":
            (self._folder / "scoring").touch()
            wait_for(self._folder / "given")
            time.sleep(1.0)
            self.scored_at = time.perf_counter()
        return {}


def answer_in_turn(question: str, folder: Path) -> str:
    """Answer the first question when the second one is asked, and that one when this is scored."""
    if question == "first":
        wait_for(folder / "asked")
    else:
        (folder / "asked").touch()
        wait_for(folder / "scoring")
    return "x"


def note_given(question: str, folder: Path) -> None:
    """Say that the answer to the second question is on its way: the scoring need not last on."""
    if question == "second":
        (folder / "given").touch()


def waits_for_scoring(lab: Lab, system: Any) -> bool:
    """Whether the latency of the second answer includes the time for which the first was scored."""
    questions = [Question(id="q0", text="first"), Question(id="q1", text="second")]
    plan = lab.plan_of(questions, system)
    scorer = SlowScorer(system, lab.folder)
    lab.run(system, plan=plan, handler=scorer, settings=RunSettings(concurrency=2))
    (row,) = lab.rows_of("q1")
    return bool(row["elapsed_s"] > scorer.scored_at - scorer.asked_at - 0.2)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says when bytes arrived")
@pytest.mark.parametrize("ends_at_close", [False, True])
def test_scoring_is_no_latency_of_an_http_system(lab: Lab, ends_at_close: bool):
    """A reply that arrives while another answer is scored has the time of its arrival."""

    def answer(seen: Seen) -> Told:
        question = seen.json["question"]
        return Told(
            body={"answer": answer_in_turn(question, lab.folder)},
            headers={"Connection": "close"} if ends_at_close else {},
            then=partial(note_given, question, lab.folder),
        )

    with JsonServer(answer) as server:
        assert not waits_for_scoring(lab, HttpSystem(HttpConfig(url=server.url)))


def test_scoring_is_no_latency_of_an_async_function(lab: Lab):
    """The event loop that runs the function is free while another answer is scored."""

    async def answer(question: str) -> str:
        said = await asyncio.to_thread(answer_in_turn, question, lab.folder)
        note_given(question, lab.folder)
        return said

    assert not waits_for_scoring(lab, PythonSystem(answer, identity="t"))


def test_scoring_is_no_latency_of_a_program(lab: Lab):
    """The line that a program writes while another answer is scored is read at once."""
    script = (
        "import json, sys, time\nfrom pathlib import Path\n"
        f"{inspect.getsource(wait_for)}\n{inspect.getsource(answer_in_turn)}\n"
        f"{inspect.getsource(note_given)}\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    said = answer_in_turn(asked['question'], Path(sys.argv[1]))\n"
        "    print(json.dumps({'answer': said, 'request_id': asked['request_id']}), flush=True)\n"
        "    note_given(asked['question'], Path(sys.argv[1]))\n"
    )
    command = [sys.executable, "-c", script, str(lab.folder)]
    config = CommandConfig(command=command, processes=2)
    assert not waits_for_scoring(lab, CommandSystem(config))
