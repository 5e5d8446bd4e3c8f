"""What may stand beside a refusal without being an answer, and what is one all the same."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A code, an empty search, handing over.
        ("Who leads the audit?", "NO_MATCHING_CONTEXT"),
        ("Who leads the audit?", "Search results: 0 relevant chunks."),
        ("Кто ведёт проверку?", "Передаю ваш вопрос специалисту."),
        ("谁负责审计？", "为您转接人工客服。"),
        # The speaker, a greeting, advice.
        ("What is the toll?", "I looked through the leaflet. It doesn't mention the amount."),
        ("Сколько стоит проезд?", "Упс! В буклете цена не указана. Загляните на сайт."),
        ("过路费是多少？", "哎呀，手册里没写。麻烦您问问收费站。"),
        # A part of the text by its number, and a quotation that shows the gap.
        (None, "The lease is silent on pets. Clause 4 sets the rent and Clause 6 deals with repairs."),
        ("Какова глубина пруда?", "Отчёт ограничивается словом «глубокий», метров не приводит."),
        # The reason for a refusal.
        ("保险赔多少？", "答：无法计算。理由：保额50万元，但尚未定损。"),
        # A text that deals with something else.
        ("What year was the mill built?", "The article discusses its repair in 1990; when it was built isn't told."),
    ],
)  # fmt: skip
def test_what_is_no_answer(question: str | None, answer: str):
    """Nothing beside the refusal is about the question."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A quotation is what was asked for.
        ("Что написано на двери?", "«Нет входа, не стучать»."),
        ("门上写着什么？", "“无可奉告”。"),
        # A reason, and what somebody said.
        ("Why was the claim rejected?", "Because there was insufficient proof of payment."),
        ("What does the study admit?", "That it was not possible to determine the cause."),
        # Yes and no.
        ("Did the seller mention the leak?", "No. The seller said nothing about the leak."),
        ("Вручили ли письмо?", "Нет: адресат не найден."),
        # One of two things, and a conclusion.
        ("What are the start and the end date?", "It starts on 3 May 2021. I couldn't find an end date."),
        ("Who took the ring?", "It is never proven, but the evidence in the text points to the cook."),
        ("Кто не пришёл?", "Не пришёл бухгалтер, причины неизвестны."),
    ],
)  # fmt: skip
def test_what_is_an_answer(question: str, answer: str):
    """A denial, a quotation or a caveat does not make an answer an abstention."""
    assert not abstains(answer, question)
