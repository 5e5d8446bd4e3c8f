"""The thoughts of a model are not its answer, whatever marks them."""

import pytest

from assay.text.normalise import Span
from assay.text.thought import (
    SCORED_CHARACTERS,
    scored_answer,
    scored_text,
    without_first_thought,
    without_thoughts,
)


@pytest.mark.parametrize(
    "reply",
    [
        "<think>maybe 12 crowns</think>30 days", "<Thinking>\nmaybe 12 crowns\n</Thinking>\n\n30 days\n",
        "<reasoning>12 кроны?</reasoning> 30 days", "<thought type='hidden'>十二</thought>30 days",
        "[THINK]12 crowns[/THINK]30 days", "◁think▷12 crowns◁/think▷30 days",
        "<|channel|>analysis<|message|>12 crowns<|end|><|channel|>final<|message|>30 days",
        "maybe 12 crowns</think>30 days", "<think>12<think>crowns</think>crowns</think>30 days",
        "<think>12</think><think>crowns</think>30 days",
    ],
)  # fmt: skip
def test_only_the_answer_is_left(reply: str):
    """Marks of several families of models, nested, repeated, and without a beginning."""
    assert without_thoughts(reply) == "30 days"


def test_an_unfinished_thought_has_no_answer():
    """The reply was cut off before the answer."""
    assert without_thoughts("<think>maybe 12 crowns") == ""
    assert without_thoughts("<think>maybe 12 crowns</think>") == ""
    assert without_thoughts("A start.\n<think>maybe 12 crowns") == "A start."
    assert without_thoughts("On <think> tags.\n<think>maybe 12 crowns") == "On <think> tags."
    assert without_thoughts("assistant<|channel|>analysis<|message|>12 crowns") == "assistant"


@pytest.mark.parametrize(
    "reply",
    [
        "I think 30 days", "`<think>` and `</think>` mark it", "«<think>» это тег", "The tag is <think>.",
        "Your question about <think> tags aside, Paris.", "По тегу <think> ответ таков:\nПариж", " 30 days ",
        "<b>30</b>",
    ],
)  # fmt: skip
def test_an_answer_without_thoughts_stays_as_it_is(reply: str):
    """Also one that quotes a mark, and the spaces around it."""
    assert without_thoughts(reply) == reply


def test_only_the_first_thought_of_a_judge_is_taken_off():
    """A mark inside of its JSON is a part of what it says."""
    reply = '<think>hm</think>{"reason": "it says <think>"}'
    assert without_first_thought(reply) == '{"reason": "it says <think>"}'


def test_a_very_long_answer_is_scored_by_its_beginning_and_end():
    """No word is cut, and places in the scored text are found again in the reply."""
    reply = f"<think>x</think>first {'word ' * 100_000}last"
    scored = scored_answer(reply)
    assert len(scored.text) <= SCORED_CHARACTERS + 200
    assert scored.text.startswith("first word")
    assert scored.text.endswith("word last")
    assert set(scored.text.split()) == {"first", "word", "last"}
    span = Span(start=len(scored.text) - 4, end=len(scored.text))
    assert scored.in_reply(span).of(reply) == "last"
    assert scored_text(reply) == scored.text


def test_an_answer_of_usual_length_is_scored_whole():
    """Up to the limit nothing is left out."""
    reply = "x" * SCORED_CHARACTERS
    assert scored_text(reply) == reply
