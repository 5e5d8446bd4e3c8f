"""Whether the doctor sees that a system keeps settings or answers of one question for another."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.config.workspace import Workspace
from assay.jobs.doctor.checkup import check_named_system, not_needed
from assay.jobs.doctor.leak import CheckResult, check_leaks, setting_pairs
from assay.records import Answer, Question
from assay.runs.executor import run_in_loop
from assay.systems.python.system import PythonSystem

SETTINGS = {"mode": ("a", "b")}
current: dict[str, Any] = {}


def honest(question: str, settings: dict[str, Any]) -> str:
    """Answers by its own settings."""
    return str(settings["mode"])


def sticky(question: str, settings: dict[str, Any]) -> str:
    """Once switched to b, it stays there."""
    if settings["mode"] == "b":
        current["mode"] = "b"
    return str(current.get("mode", "a"))


def kept(question: str, settings: dict[str, Any]) -> str:
    """What one call sets, the next one has unless it sets it too."""
    current.update(settings)
    return str(current.get("mode", "a"))


def make_global() -> Callable[..., str]:
    """A callable whose settings are a global; after four calls in turn, two come at once."""
    both, calls = threading.Barrier(2), list[str]()

    def ask(question: str, settings: dict[str, Any]) -> str:
        current["mode"] = settings["mode"]
        calls.append(question)
        if len(calls) > 4:
            both.wait(30)  # both have set their mode
        return str(current["mode"])

    return ask


async def at_once(question: str, settings: dict[str, Any]) -> str:
    """An asynchronous callable that is honest."""
    return str(settings["mode"])


def findings(ask: Any, **options: Any) -> list[CheckResult]:
    """What is found about a callable."""
    current.clear()
    system = PythonSystem(ask, settings=SETTINGS, **options)

    async def put(settings: Any) -> Answer:
        return await system.ask(Question(id="q", text="why?"), settings, 10)

    async def story() -> list[CheckResult]:
        try:
            return await check_leaks(system, setting_pairs(system), put)
        finally:
            await system.close()

    return run_in_loop(story())


def verdicts(found: list[CheckResult]) -> list[bool | None]:
    """Only whether each finding is a fault."""
    return [finding.ok for finding in found]


def test_an_honest_system_passes():
    """In turn and at the same time."""
    assert verdicts(findings(honest)) == [True, True]
    assert verdicts(findings(at_once)) == [True, True]


def test_settings_that_stick_are_a_fault():
    """One question at a time does not help against them."""
    (found,) = findings(sticky)
    assert found.ok is False
    assert "gives the answer of the other setting" in found.what


def test_settings_that_the_next_variant_does_not_set_are_a_fault():
    """Two variants that set the same keys look right; one that sets nothing gets the last one's."""
    (found,) = findings(kept)
    assert found.ok is False
    assert "then without it" in found.what


def test_global_settings_are_a_note_while_one_question_is_asked_at_a_time():
    """And a fault if the system says that it can take more."""
    first, second = findings(make_global())
    assert (first.ok, second.ok) == (True, None)
    assert "its answers mix" in second.what
    assert "do not use --concurrency" in second.what
    assert verdicts(findings(make_global(), max_concurrency=2)) == [True, False]


def test_what_is_not_known_is_a_note():
    """Chance, settings without effect, and settings that nobody knows."""
    numbers = iter(range(1000))
    (found,) = findings(lambda question: str(next(numbers)))
    assert found.ok is None
    assert "distinguished from chance" in found.what
    (found,) = findings(lambda question: "yes")
    assert "the same answer" in found.what
    system = PythonSystem(honest)
    (found,) = run_in_loop(check_leaks(system, setting_pairs(system), lambda _: None))  # type: ignore[arg-type,return-value]
    assert "no two settings" in found.what


def test_the_doctor_needs_nothing_that_the_system_does_not_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Neither chunks nor questions nor a sound experiments file; it asks a question of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doctor_lab.py").write_text("def ask(question): return question\n")
    (tmp_path / "experiments").mkdir()
    experiments = tmp_path / "experiments" / "experiments.yaml"
    workspace = Workspace(root=tmp_path)
    for text in (
        "defaults: {questions_path: gone.jsonl, chunks_manifest: gone/manifest.json}\n",
        "defaults: {topk: 3}\n",
    ):
        experiments.write_text(text)
        found = list(check_named_system("python:doctor_lab:ask", workspace, 30.0))
        assert [finding.what for finding in found if finding.ok is False] == []
        assert any("What does the document say?" in finding.what for finding in found)


def test_faults_around_a_named_system_are_notes():
    """What the system needs is found out when it is asked."""
    given = [
        CheckResult(ok=False, what="x"),
        CheckResult(ok=True, what="y"),
        CheckResult(ok=None, what="z"),
    ]
    assert verdicts(list(not_needed(given))) == [None, True, None]
