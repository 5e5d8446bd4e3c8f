"""Backends that were written for one caller: no row has another variant's or question's state.

Each backend keeps state where all its calls share it, counts for itself what it sees, and is run
with 500 cases at the default concurrency.
"""

import asyncio
import threading
import time
from collections import Counter
from typing import Any

import pytest

from assay.config.experiment import RunSettings
from assay.errors import ProviderUnavailable
from assay.records import Question, Variant
from assay.runs.progress import SilentReporter
from assay.runs.survey import SettingsGate, by_variant
from assay.systems.python.system import PythonSystem
from tests.support.clock import pass_deadline, stop_time
from tests.support.lab import Lab

CASES = 500
MODES = ("on", "off")
TWO = (Variant(name="on", settings={"mode": "on"}), Variant(name="off", settings={"mode": "off"}))


class Witness:
    """What a backend notices about its callers: mixed-up calls, and calls at the same time."""

    def __init__(self) -> None:
        self.mixed_up: Counter[str] = Counter()
        self.asked = self.inside = self.most_inside = 0
        self._lock = threading.Lock()

    def enter(self) -> None:
        """A call begins."""
        with self._lock:
            self.asked += 1
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)

    def leave(self, *, expected: Any, found: Any, what: str) -> None:
        """A call ends; its state must still be its own."""
        with self._lock:
            self.inside -= 1
            self.mixed_up[what] += expected != found


class GlobalSettings(Witness):
    """A backend whose settings are a global that every call sets before it reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.current = ""

    def ask(self, question: str, settings: dict[str, Any]) -> str:
        """Set the global, work for a moment, and use it."""
        self.enter()
        self.current = settings["mode"]
        time.sleep(0)  # let another thread run, if there is one
        used = self.current
        self.leave(expected=settings["mode"], found=used, what="settings")
        return used


class SharedSession(Witness):
    """A backend with one session that holds one document and one question at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.session: dict[str, Any] = {}

    def ask(self, question: str, question_id: str, source: str, settings: dict[str, Any]) -> str:
        """Load the document into the session, write the question, and read both back."""
        self.enter()
        self.session = {"source": source, "history": []}
        self.session["history"].append(question_id)
        time.sleep(0)
        found = (self.session["source"], self.session["history"], settings["mode"])
        self.leave(expected=(source, [question_id], settings["mode"]), found=found, what="session")
        return f"{found[0]} {found[1][0]} {found[2]}"


class Sleeper(Witness):
    """A backend that now and then works on after its deadline and writes into its session.

    It does so once the failure of the case has been recorded, when the next one wants to begin.
    """

    def __init__(self, sleeping: set[str]) -> None:
        super().__init__()
        self.sleeping = sleeping
        self.current = ""
        self.recorded = {(name, mode): threading.Event() for name in sleeping for mode in MODES}

    def ask(self, question: str, question_id: str, settings: dict[str, Any]) -> str:
        """Write the question into the session, and read it back."""
        self.enter()
        if question_id in self.sleeping:
            self.recorded[question_id, settings["mode"]].wait(30)
            time.sleep(0.005)
        own = self.current = f"{question_id} {settings['mode']}"
        time.sleep(0)
        found = self.current
        self.leave(expected=own, found=found, what="late")
        return found


class Recorder(SilentReporter):
    """Tells the sleeping backend that the row of its case is written."""

    def __init__(self, backend: Sleeper) -> None:
        self._recorded = backend.recorded

    def case(self, progress: Any, row: Any) -> None:
        """Wake the call up."""
        if event := self._recorded.get((row.question_id, row.config)):
            event.set()


def questions(number: int) -> list[Question]:
    """Questions about five documents."""
    return [Question(id=f"q{n}", text="why?", source=f"d{n % 5}") for n in range(number)]


def run(lab: Lab, backend: Any, **options: Any) -> Any:
    """Ask 500 cases of two variants."""
    lab.variants = TWO
    system = PythonSystem(backend, vouched=options.pop("vouched", None))
    plan = lab.plan_of(questions(CASES // 2), system)
    return lab.run(system, plan=plan, **options)


def test_global_settings_never_reach_another_variant(lab: Lab):
    """Every row has the answer of its own variant, and the backend saw one call at a time."""
    backend = GlobalSettings()
    result = run(lab, backend)
    assert result.tally.scored == CASES == backend.asked
    assert [row for row in lab.rows() if row["answer"] != row["config"]] == []
    assert (backend.mixed_up["settings"], backend.most_inside) == (0, 1)


def test_a_shared_session_never_holds_another_question(lab: Lab):
    """Every row has its own document, question and variant."""
    backend = SharedSession()
    run(lab, backend)
    wrong = [
        row
        for row in lab.rows()
        if row["answer"] != f"{row['source']} {row['question_id']} {row['config']}"
    ]
    assert wrong == []
    assert (backend.asked, backend.mixed_up["session"], backend.most_inside) == (CASES, 0, 1)


def test_a_call_past_its_deadline_never_meets_another_question(lab: Lab):
    """Its case fails; the next one is asked when it has ended, and has its own state."""
    backend = Sleeper({"q7", "q90", "q249"})
    run(lab, backend, settings=RunSettings(timeout_s=0.2), reporter=Recorder(backend))
    rows = lab.rows()
    failed = [row for row in rows if row["status"] == "failed"]
    assert {(row["question_id"], row["config"]) for row in failed} >= set(backend.recorded)
    assert {row["error_kind"] for row in failed} == {"timeout"}
    answers = [row for row in rows if row["status"] == "scored"]
    assert [r for r in answers if r["answer"] != f"{r['question_id']} {r['config']}"] == []
    assert (backend.asked, backend.mixed_up["late"], backend.most_inside) == (CASES, 0, 1)


def test_an_explicit_concurrency_is_followed_within_a_variant(lab: Lab):
    """Several questions at once, but never of two variants."""
    backend = GlobalSettings()
    together = threading.Barrier(4)

    def ask(question: str, settings: dict[str, Any]) -> str:
        if backend.asked < 4:
            backend.enter()
            backend.leave(expected=0, found=0, what="")
            together.wait(30)
        return backend.ask(question, settings)

    lab.variants = TWO
    system = PythonSystem(ask, vouched=4)
    result = lab.run(system, plan=lab.plan_of(questions(40), system))
    assert result.tally.scored == 80
    assert backend.mixed_up["settings"] == 0
    assert [row for row in lab.rows() if row["answer"] != row["config"]] == []


def test_a_system_that_never_comes_back_ends_the_run(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """The run stops with what to do, and can be resumed."""
    monkeypatch.setattr("assay.systems.python.system.PATIENCE_S", 0.05)
    stop_time(monkeypatch)
    release = threading.Event()

    def ask(question: str) -> str:
        pass_deadline()  # the next case keeps its time until the patience ends
        return str(release.wait(60))

    try:
        result = run(
            lab,
            ask,
            settings=RunSettings(timeout_s=0.5),
        )
    finally:
        release.set()
    assert isinstance(result.stopped, ProviderUnavailable)
    assert result.tally.failed == 1


def test_the_gate_lets_variants_in_one_after_the_other():
    """Cases of a variant are inside together; those of another wait, in their order."""
    log: list[str] = []

    async def story() -> None:
        gate = SettingsGate()
        go_on = asyncio.Event()

        async def stay(name: str) -> None:
            async with gate.variant(name):
                log.append(f"+{name}")
                await go_on.wait()
                log.append(f"-{name}")

        tasks = [asyncio.create_task(stay(name)) for name in ("a", "a", "b", "a", "b")]
        await asyncio.sleep(0)
        assert log == ["+a", "+a"]
        tasks[2].cancel()  # one that waits may give up
        go_on.set()
        await asyncio.wait(tasks)

    asyncio.run(story())
    assert log == ["+a", "+a", "-a", "-a", "+a", "-a", "+b", "-b"]


def test_cases_are_put_in_groups_of_a_variant(lab: Lab):
    """Each variant is asked the same questions before the next part of the plan."""
    lab.variants = TWO
    plan = lab.plan_of(questions(20), PythonSystem(lambda question: question))
    ordered = list(by_variant(plan.cases(), variants=2, questions=8))
    assert sorted(case.key for case in ordered) == sorted(case.key for case in plan.cases())
    names = [case.variant.name for case in ordered[:16]]
    assert names in (["on"] * 8 + ["off"] * 8, ["off"] * 8 + ["on"] * 8)
    first, second = (
        {case.question.id for case in ordered[part]} for part in (slice(8), slice(8, 16))
    )
    assert first == second
