"""The scripted system gives the answers of its script."""

import asyncio
from typing import Any

import pytest

from assay.errors import CaseSkipped, SystemFailed
from assay.records import Answer, Question
from assay.systems.protocol import Setting
from assay.systems.scripted import ScriptedSystem


def ask(system: ScriptedSystem, question_id: str = "q1", **settings: Any) -> Answer:
    """Ask one question and return the answer."""
    return asyncio.run(system.ask(Question(id=question_id, text="why?"), settings, 10))


def test_a_question_is_looked_up_by_id_then_by_text():
    """An entry for the id is preferred to an entry for the text."""
    assert ask(ScriptedSystem({"q1": "by id", "why?": "by text"})).text == "by id"
    assert ask(ScriptedSystem({"why?": "by text"})).text == "by text"


def test_a_function_decides_by_question_and_settings():
    """The answer of a script may depend on the variant."""
    system = ScriptedSystem(lambda question, settings: f"{question.id} {settings}")
    assert ask(system, dim=3).text == "q1 {'dim': 3}"


def test_an_unscripted_question_fails():
    """A question without a scripted answer fails with an error that names it."""
    with pytest.raises(SystemFailed, match="no answer for question 'q1'"):
        ask(ScriptedSystem({}))


@pytest.mark.parametrize("error", [ValueError("bad"), CaseSkipped("no")])
def test_a_scripted_error_is_raised(error: Exception):
    """A scripted exception is raised, so that tests can cause failures."""
    with pytest.raises(type(error)):
        ask(ScriptedSystem({"q1": error}))


def test_a_scripted_hang_never_answers():
    """A question scripted as ``HANG`` waits until it is cancelled."""
    system = ScriptedSystem({"q1": ScriptedSystem.HANG})

    async def scenario() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await system.ask(Question(id="q1", text="?"), {}, 10)

    asyncio.run(scenario())


def test_what_was_asked_is_listed_in_order():
    """``asked`` lists every question in order, including those that failed."""
    system = ScriptedSystem({"q1": "x"})
    ask(system)
    with pytest.raises(SystemFailed):
        ask(system, "q2")
    assert system.asked == ["q1", "q2"]


def test_properties_are_those_of_the_constructor():
    """Identity, settings and concurrency are those passed to the constructor."""
    known = {"dim": Setting(kind=int)}
    system = ScriptedSystem({}, identity="v2", settings=known, max_concurrency=3)
    assert (system.identity, system.settings, system.max_concurrency) == ("v2", known, 3)
    assert (ScriptedSystem({}).settings, ScriptedSystem({}).max_concurrency) == (None, None)
