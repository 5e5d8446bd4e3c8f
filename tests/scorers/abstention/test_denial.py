"""A clause that denies what was asked refuses, if the question is known."""

import pytest

from assay import abstains, assess_abstention

DENIED = [
    ("Why was the flight late?", "No cause is offered."),
    ("Who owns the mill?", "The owner goes unmentioned."),
    ("Was the cargo sealed?", "Whether it was sealed has not been established."),
    ("How old is the oak?", "Its age cannot be worked out from the letter."),
    ("Кто владеет мельницей?", "Владелец нигде не назван."),
    ("Опломбирован ли груз?", "Материалы не позволяют это установить."),
    ("Сколько лет дубу?", "Возраст дуба опущен."),
    ("磨坊归谁所有？", "业主是谁，信里没有点明。"),
    ("货物封好了吗？", "是否封好，尚无定论。"),
    ("橡树有多少年？", "树龄一栏是空的。"),
]
ANSWERED = [
    ("When was the report published?", "The report was not published."),
    ("Which rows can't be booked?", "The first row can't be booked."),
    ("Was a price agreed?", "No price was agreed."),
    ("Who may enter?", "Adults only. Persons not listed in the register may not."),
    ("How long may I stay?", "There is no fixed limit."),
    ("Why did the trial end?", "It ended because the witness could not identify the driver."),
    ("Who gave the order?", "It is not stated, though the stamp points to Major Hill."),
    ("Когда издали отчёт?", "Отчёт не издали."),
    ("Согласована ли цена?", "Цена не согласована."),
    ("Сколько можно оставаться?", "Ограничений по времени нет."),
    ("报告什么时候发表的？", "报告没有发表。"),
    ("约定价格了吗？", "没有约定价格。"),
    ("可以住多久？", "没有时间限制。"),
]


@pytest.mark.parametrize(("question", "answer"), DENIED)
def test_a_denial_of_what_was_asked_refuses(question: str, answer: str):
    """A negation and a verb of telling, finding or proving are enough if the question is known."""
    result = assess_abstention(answer, question)
    assert result.abstains
    assert result.decided_by is not None
    assert result.decided_by.of(answer)


@pytest.mark.parametrize(("question", "answer"), ANSWERED)
def test_a_denial_that_answers_does_not_refuse(question: str, answer: str):
    """The denied verb is one of the question, the question denies, or an answer is there."""
    assert not abstains(answer, question)
