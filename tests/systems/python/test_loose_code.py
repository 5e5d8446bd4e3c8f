"""The version of code of notebooks and scripts, and of values that are bound to a function."""

import types
from functools import partial
from typing import Any

import pytest

from assay.systems.python.loose_code import bound_version, code_version

SCRIPT = '''
LIMIT = 5
PROMPT = "Answer briefly."
API_KEY = "k-1"
cache = {}
count = 0

def shorten(text):
    """Another function of the script."""
    return text[:LIMIT]

class Index:
    size = 3

    def find(self, question):
        return shorten(question)

index = Index()

def ask(question, style="short"):
    global count
    count += 1
    cache[question] = API_KEY
    return f"{PROMPT} {index.find(question)} {style}"
'''


def script(source: str = SCRIPT) -> dict[str, Any]:
    """The names of a script that was started, as those of a notebook: without a file."""
    module = types.ModuleType("__main__")
    exec(compile(source, "<script>", "exec"), vars(module))
    return vars(module)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 5", "LIMIT = 6"),
        ("Answer briefly.", "Answer at length."),
        ("text[:LIMIT]", "text[-LIMIT:]"),
        ("size = 3", "size = 4"),
        ("return shorten(question)", "return question"),
        ('style="short"', 'style="long"'),
        ("{style}", "({style})"),
    ],
)
def test_an_edit_of_what_a_function_uses_is_noticed(old: str, new: str):
    """Its own code, a constant, another function or class beside it, a default."""
    assert code_version(script()["ask"]) != code_version(script(SCRIPT.replace(old, new))["ask"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"k-1"', '"k-2"'),
        ("count = 0", "count = 9"),
        ("cache = {}", "cache = {1: 2}"),
        ("\ndef ask", "\ndef other():\n    return 1\n\ndef ask"),
        ("LIMIT = 5", "# the most letters\nLIMIT = 5"),
    ],
)
def test_what_says_nothing_about_answers_is_not(old: str, new: str):
    """A key, a counter that the function writes, a store of values, other functions, comments."""
    assert code_version(script()["ask"]) == code_version(script(SCRIPT.replace(old, new))["ask"])


def test_calling_a_function_does_not_change_its_version():
    """It may count its calls and remember answers."""
    names = script()
    before = code_version(names["ask"])
    names["ask"]("How long?")
    assert names["count"] == 1
    assert code_version(names["ask"]) == before


class Service:
    """An object that keeps what it was made with, and counts."""

    def __init__(self, top_k: int, password: str = "", client: Any = None) -> None:
        self.top_k, self.password, self.client = top_k, password, client
        self.calls = 0

    def ask(self, question: str) -> str:
        """Answer."""
        self.calls += 1
        return question[: self.top_k]


class Private:
    """An object that keeps what it was made with to itself."""

    def __init__(self, top_k: int, api_key: str = "") -> None:
        self._top_k, self._api_key = top_k, api_key
        self._calls = 0

    def ask(self, question: str) -> str:
        """Answer."""
        self._calls += 1
        return question[: self._top_k]


@pytest.mark.parametrize("version", [code_version, bound_version])
def test_an_argument_kept_with_an_underscore_counts(version: Any):
    """``self._top_k = top_k`` is as good as ``self.top_k``; a key is still no part of it."""
    assert version(Private(3)) != version(Private(4))
    used = Private(3, api_key="secret")
    used.ask("Why?")
    assert version(used) == version(Private(3))


@pytest.mark.parametrize("version", [code_version, bound_version])
def test_an_object_is_what_it_was_made_with(version: Any):
    """Not its passwords, its clients, or what it counts; a method is that of its object."""
    first, other = Service(3), Service(4)
    assert version(first) != version(other)
    assert version(first.ask) != version(other.ask)
    same = Service(3, "secret", client=object())
    same.ask("Why?")
    assert version(same) == version(first)


def test_closures_and_partials_are_what_they_hold():
    """Two functions that one function made share their source, and not their values."""

    def made(text: str) -> Any:
        asked = 0

        def ask(question: str) -> str:
            nonlocal asked
            asked += 1
            return text

        return ask

    one, other = made("a"), made("b")
    assert code_version(one) != code_version(other)
    assert bound_version(one) != bound_version(other)
    before = bound_version(one)
    one("Why?")
    assert bound_version(one) == before
    assert bound_version(partial(one, "x")) != bound_version(partial(one, "y"))
    assert bound_version(test_closures_and_partials_are_what_they_hold) == ""


def test_lambdas_on_one_line_are_told_apart():
    """Their source is the same line."""
    one, other = (lambda question: "a"), (lambda question: "b")
    assert code_version(one) != code_version(other)
    assert code_version(lambda question: "a") == code_version(one)
