"""Names of people and organisations, as far as words around them and the models know."""

import socket
from typing import Any

import pytest

from assay.errors import UseError
from assay.redact import name as name_module
from assay.redact.name import find_names
from tests.redact.named import named


def found(text: str) -> set[tuple[str, str]]:
    """The kinds and values in a text."""
    return {(each.kind, each.value) for each in find_names(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Signed by Mr. John Harlow for Owl Ltd.",
         {("PERSON", "John Harlow"), ("ORGANISATION", "Owl Ltd")}),
        ("The tenant Mary Ann Fields pays Dr. O'Neil.",
         {("PERSON", "Mary Ann Fields"), ("PERSON", "O'Neil")}),
        ("甲方：王小明，乙方为上海明德科技有限公司。",
         {("PERSON", "王小明"), ("ORGANISATION", "上海明德科技有限公司")}),
    ],
)  # fmt: skip
def test_names_are_found_by_their_words(text: str, expected: set[tuple[str, str]]):
    """English and Chinese names need no model."""
    assert found(text) >= expected


@pytest.mark.parametrize(
    "text",
    [
        "The Company shall pay the Bank within ten days.",
        "Monday is the last day of Article Five.",
        "公司应当在三日内付款，银行不承担责任。",
    ],
)
def test_common_nouns_are_no_names(text: str):
    """A party that is not named is not masked."""
    assert found(text) == set()


def test_russian_names_are_found_without_a_network(monkeypatch: pytest.MonkeyPatch):
    """The weights lie in an installed package."""

    def refuse(*_: Any) -> None:
        pytest.fail("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    text = "Договор между ООО «Ромашка» и Петровым Иваном Сергеевичем подписан."
    assert found(text) == {
        ("ORGANISATION", "ООО «Ромашка»"),
        ("PERSON", "Петровым Иваном Сергеевичем"),
    }


def test_a_missing_model_is_named(monkeypatch: pytest.MonkeyPatch):
    """The message says what to install."""
    monkeypatch.setattr(name_module, "find_spec", lambda _: None)
    with pytest.raises(UseError, match=r"pip install 'assay-eval\[names\]'"):
        name_module.check_names()


@pytest.mark.parametrize(("language", "least"), [("en", 14), ("zh", 16), ("ru", 15)])
def test_names_in_the_labelled_sentences(language: str, least: int):
    """What docs/evidence/redaction.md says about recall; at most one finding of a language is no name."""
    hits = mistakes = 0
    for text, places in named(language):
        each_found = list(find_names(text))
        hits += sum(
            any(each.start <= start and end <= each.end for each in each_found)
            for _, start, end in places
        )
        mistakes += sum(
            not any(each.start < end and start < each.end for _, start, end in places)
            for each in each_found
        )
    assert hits >= least
    assert mistakes <= 1
