"""Refusals that say nothing about the text: by class, each with answers that look alike."""

import json

import pytest

from assay import abstains
from tests.support.path import ROOT

CLASSES = ROOT / "bench" / "detectors" / "data" / "abstention_classes.jsonl"
KNOWN_ERRORS = {"missed": 112, "wrong": 20}
"""Of the 846 answers written for the classes."""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The speaker will not guess, or must decline.
        ("What is the maximum speed?", "I would be making it up if I gave you a number."),
        ("Как вскрыть этот замок?", "С этим помогать не возьмусь."),
        ("我的余额是多少？", "我没有接入您的银行，查不了余额。"),
        # A program has no value.
        ("What is the price?", "price = None"),
        ("Какая цена?", "цена = None"),
        ("价格是多少？", "价格 = None"),
        # What should have it is blank, lost or not there, whatever the verb.
        ("What is the CEO's salary?", "That figure is kept out of the filing."),
        ("Сколько выпало снега?", "Осадкомер в ту ночь не работал, показаний нет."),
        ("租约何时到期？", "第四页应该写着期限，可那页没传上来。"),
        # What was said before does not answer.
        ("Which company bought the mine?", "Some company bought the mine. The name of it: N/A"),
    ],
)
def test_a_refusal_need_not_speak_of_the_text(question: str, answer: str):
    """The speaker, a program or an empty place refuses."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many tickets were sold?", "None. The show was cancelled."),
        ("What is null in this database?", "NULL marks a value that is unknown or missing."),
        ("Почему лётчик повернул назад?", "Он не видел полосу."),
        ("飞行员为什么返航？", "因为看不见跑道。"),
        ("Сколько стоит вход?", "Нисколько, вход свободный."),
        ("先给的什么药？", "阿司匹林，剂量看不清。"),
        ("What is the deadline?", "30 June. I could not find a time of day."),
        ("What is the policy on refunds?", "No refunds are given on sale items."),
        ("Did anyone see the accident?", "No one did."),
    ],
)
def test_a_negative_fact_is_an_answer(question: str, answer: str):
    """A denial of what was asked about, a definition, a reason or a short answer is no refusal."""
    assert not abstains(answer, question)


def test_the_classes_are_judged_no_worse():
    """The errors on the answers that were written for the classes do not grow."""
    errors = {"missed": 0, "wrong": 0}
    for item in map(json.loads, CLASSES.read_text(encoding="utf-8").splitlines()):
        if abstains(item["text"], item.get("question")) is not item["abstains"]:
            errors["missed" if item["abstains"] else "wrong"] += 1
    assert errors["missed"] <= KNOWN_ERRORS["missed"], errors
    assert errors["wrong"] <= KNOWN_ERRORS["wrong"], errors


@pytest.mark.parametrize(
    "answer",
    [
        "Within 14 days after the lease ends.",
        "14 days after the agreement stops.",
        "Two months before the contract ends.",
        "For 7 years once the contract ends.",
        "Until the policy ends.",
    ],
)
def test_the_end_of_a_contract_is_a_time(answer: str):
    """A contract that ends is no text that breaks off, if it says when something is done."""
    assert not abstains(answer, "When is the deposit returned?")
    assert abstains("The copy of the lease ends after page 2.", "When is the deposit returned?")
