"""A few words that mean neither yes nor no are never taken for a yes."""

import pytest

from assay.scorers.correctness import correctness
from assay.scorers.legal.boolean_answer import stated_boolean

_ENGLISH = "Did the tenant pay the deposit?"
_RUSSIAN = "Оплатил ли арендатор залог?"
_CHINESE = "承租人是否支付了押金？"


@pytest.mark.parametrize(
    ("text", "question", "yes", "no"),
    [
        *((text, _ENGLISH, "Yes", "No") for text in (
            "banana", "Perhaps", "purple", "the deposit", "Tenant deposit", "Deposit: 500", "yes no", "Well", "Paid?",
        )),
        *((text, _RUSSIAN, "Да", "Нет") for text in (
            "банан", "Возможно", "фиолетовый", "залог", "арендатор", "да нет", "да, нет", "нет да", "Москва", "иногда",
        )),
        *((text, _CHINESE, "是", "否") for text in ("香蕉", "押金", "承租人", "也许", "是否", "是和否", "紫色")),
    ],
)  # fmt: skip
def test_words_without_a_meaning_are_neither_yes_nor_no(
    text: str, question: str, yes: str, no: str
):
    """A noun, a perhaps, and yes and no together answer no question of this kind."""
    assert stated_boolean(text, question) is None
    assert not correctness([yes], text, question).contained
    assert not correctness([no], text, question).contained


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("Paid.", _ENGLISH, True),
        ("He did.", _ENGLISH, True),
        ("Deposit paid", _ENGLISH, True),
        ("Not paid.", _ENGLISH, False),
        ("Mandatory.", "Is the deposit mandatory?", True),
        ("Agreed.", "Did the parties agree to this?", True),
        ("Оплатил.", _RUSSIAN, True),
        ("Залог внесён", _RUSSIAN, True),
        ("Не оплатил", _RUSSIAN, False),
        ("Да нет, не оплатил.", _RUSSIAN, False),
        ("Обязателен.", "Обязателен ли залог?", True),
        ("已支付。", _CHINESE, True),
        ("未支付", _CHINESE, False),
    ],
)
def test_short_answers_with_a_predicate_keep_their_meaning(
    text: str, question: str, expected: bool
):
    """A form of what is asked about, an auxiliary verb or a denial decides."""
    assert stated_boolean(text, question) is expected
