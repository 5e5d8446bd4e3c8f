"""What a callable of the user receives."""

import asyncio
from typing import Any

import pytest

from assay.data.question import QuestionWithRow
from assay.errors import SystemLoadError
from assay.systems.python.system import PythonSystem
from assay.systems.python.target import hook_arguments, read_signature

QUESTION = QuestionWithRow(id="q7", text="why?", source="act.pdf", row={"hard": True})


def told(target: Any) -> str:
    """What the callable answers."""

    async def story() -> str:
        system = PythonSystem(target)
        try:
            return (await system.ask(QUESTION, {"x": 1}, 5)).text
        finally:
            await system.close()

    return asyncio.run(story())


def everything(question: str, question_id: str, source: str, row: Any, settings: Any, top_k: int):
    """All there is, in one text."""
    return f"{question} {question_id} {source} {row} {settings} {top_k}"


def in_another_order(
    *, top_k: int, settings: Any, row: Any, source: str, question_id: str, question: str
):
    """The same, by name only."""
    return everything(question, question_id, source, row, settings, top_k)


def all_of_it(**offered: Any) -> str:
    """The same, without a word about what it takes."""
    return everything(**offered)


@pytest.mark.parametrize("target", [everything, in_another_order, all_of_it])
def test_a_callable_may_take_the_whole_question(target: Any):
    """Id, text, source, the line's further fields, settings and top_k, by their names."""
    assert told(target) == "why? q7 act.pdf {'hard': True} {'x': 1} 5"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (lambda source, question: f"{source} {question}", "act.pdf why?"),
        (lambda text, row: f"{text} {row['hard']}", "why? True"),
        (lambda row: str(row), "{'hard': True}"),  # noqa: PLW0108 - the name of the parameter counts
        (lambda q, **rest: f"{q} {sorted(rest)}", "why? ['settings', 'top_k']"),
        (lambda *words: " ".join(words), "why?"),
        (lambda q="none", *, source=None: f"{q} {source}", "why? act.pdf"),
    ],
)
def test_parameters_are_filled_by_name_and_the_first_by_place(target: Any, expected: str):
    """The first parameter is the text unless it has the name of something else."""
    assert told(target) == expected


def test_the_row_and_nested_settings_belong_to_the_call():
    """A callable that changes them does not change the next question."""
    question = QuestionWithRow(id="q", text="?", row={"tags": ["a"]})
    settings = {"weights": [1, 2]}

    def careless(question: str, row: dict[str, Any], settings: dict[str, Any]) -> str:
        row["tags"].append("b")
        settings["weights"].clear()
        return question

    system = PythonSystem(careless)
    asyncio.run(system.ask(question, settings, 5))
    assert question.row == {"tags": ["a"]}
    assert settings == {"weights": [1, 2]}


def test_a_callable_that_needs_more_is_refused_when_it_is_loaded():
    """A backend's own function is not asked: the message says what to write."""

    def chat(request: Any, settings: Any, client: Any) -> str:
        return ""

    with pytest.raises(
        SystemLoadError, match=r"missing a required argument: 'client'.*short function"
    ):
        read_signature(chat)


def test_what_a_hook_takes():
    """Only what is offered; a function that needs more has another purpose."""
    offered = frozenset({"sources", "settings"})
    assert hook_arguments(lambda: None, offered) == frozenset()
    assert hook_arguments(lambda sources, settings: None, offered) == offered
    assert hook_arguments(lambda **rest: None, offered) == offered
    assert hook_arguments(lambda documents: None, offered) is None
