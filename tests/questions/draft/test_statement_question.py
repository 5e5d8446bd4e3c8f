"""Questions that the rules of each language make of a sentence."""

import pytest

from assay.questions.draft.template import PassageText, document_drafts


def drafts(text: str, kind: str, seed: int = 0) -> list[tuple[str, tuple[str, ...]]]:
    """The questions and answers of a kind about a text."""
    found = document_drafts("a.txt", [PassageText(id="1", text=text, start=0)], seed)
    return [(item.question, item.answers) for item in found.drafts if item.kind == kind]


@pytest.mark.parametrize(
    ("sentence", "kind", "question", "answer"),
    [
        (
            "The Harlow Bridge was opened in 1874 by Queen Anne.",
            "date",
            "In what year was the Harlow Bridge opened by Queen Anne?",
            "1874",
        ),
        (
            "In 1874, the Owl Society moved to Harlow, which pleased the members.",
            "date",
            "In what year did the Owl Society move to Harlow?",
            "1874",
        ),
        (
            "The Owl Society employed 42 keepers in Harlow.",
            "number",
            "How many keepers did the Owl Society employ in Harlow?",
            "42",
        ),
        (
            "Nicholas Barrow designed the old lighthouse of Port Mellin.",
            "fact",
            "Who designed the old lighthouse of Port Mellin?",
            "Nicholas Barrow",
        ),
        (
            "A tide table is a list of the hours of high water.",
            "fact",
            "What is a tide table?",
            "a list of the hours of high water",
        ),
        (
            "В 1874 году Николай Баров переехал в Мурино.",
            "date",
            "В каком году Николай Баров переехал в Мурино?",
            "1874",
        ),
        (
            "Николай Баров построил старый маяк в порту Меллин.",
            "fact",
            "Кто построил старый маяк в порту Меллин?",
            "Николай Баров",
        ),
        (
            "Лодия — это парусное судно северных промышленников.",
            "fact",
            "Что такое лодия?",
            "парусное судно северных промышленников",
        ),
        (
            "В порту Меллин работает 45 опытных лоцманов.",
            "number",
            "Сколько опытных лоцманов работает в порту Меллин?",
            "45",
        ),
        (
            "梅林港灯塔协会成立于1874年，总部设在上海。",
            "date",
            "梅林港灯塔协会成立于哪一年？",
            "1874年",
        ),
        (
            "Штраф за нарушение правил составляет 500 рублей.",
            "number",
            "Сколько рублей составляет штраф за нарушение правил?",
            "500",
        ),
        (
            "图书馆位于城东河岸，共有藏书四十二万册。",
            "fact",
            "图书馆位于哪里？",
            "城东河岸",
        ),
        (
            "北京灯塔博物馆有120名讲解员，每天开放。",
            "number",
            "北京灯塔博物馆有多少名讲解员？",
            "120",
        ),
        (
            "上海潮汐表是一种记录高潮时间的表格。",
            "fact",
            "上海潮汐表是什么？",
            "一种记录高潮时间的表格",
        ),
    ],
)
def test_a_sentence_becomes_a_question(sentence: str, kind: str, question: str, answer: str):
    """The question has the word order of its language, and the answer is a part of the sentence."""
    known = "" if "Лодия" not in sentence else " Старая лодия и новая лодия стоят рядом."
    assert (question, (answer,)) in drafts(sentence + known, kind)
    assert answer in sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "He moved to Harlow in 1874.",
        "This bridge was opened in 1874 by Queen Anne.",
        "Он переехал в Мурино в 1874 году.",
        "他于1874年移居上海。",
        "The bridge: opened in 1874",
    ],
)
def test_a_sentence_that_leans_on_another_is_left_out(sentence: str):
    """Nobody could say who "he" is."""
    assert document_drafts("a.txt", [PassageText(id="1", text=sentence)], 0).drafts == ()


def test_no_question_contains_its_answer():
    """A name that the question says as well is not asked for."""
    text = "Nicholas Barrow founded the Nicholas Barrow Society in Port Mellin."
    assert all("Barrow" not in answers[0] for _, answers in drafts(text, "fact"))


@pytest.mark.parametrize(
    ("text", "yes", "no"),
    [
        ("The Harlow Bridge was opened in 1874 by Queen Anne.", "Yes", "No"),
        ("В 1874 году Николай Баров переехал в Мурино.", "Да", "Нет"),
        ("梅林港灯塔协会于1874年迁往上海。", "正确", "不正确"),
    ],
)
def test_a_false_statement_has_another_year(text: str, yes: str, no: str):
    """Whether the year is that of the document decides between yes and no."""
    seen = {}
    for seed in range(12):
        ((question, answers),) = drafts(text, "yes_no", seed)
        assert ("1874" in question) == (answers[0] == yes)
        seen[answers[0]] = question
    assert set(seen) == {yes, no}


def test_an_unanswerable_question_asks_about_a_year_that_the_document_does_not_mention():
    """The document nearly says it, and no answer is given."""
    text = "In 1874, the Owl Society employed 42 keepers in Harlow."
    ((question, answers),) = drafts(text, "unanswerable")
    assert "How many keepers" in question or "keepers" in question
    assert "1874" not in question
    assert answers == ()


def test_events_are_compared():
    """Which came first is told by the years, which the question leaves out."""
    text = (
        "The Harlow Bridge was opened by Queen Anne in 1874. "
        "Nicholas Barrow moved to Port Mellin in 1861."
    )
    ((question, answers),) = drafts(text, "comparison")
    assert answers == ("Nicholas Barrow moved to Port Mellin",)
    assert "The Harlow Bridge was opened by Queen Anne" in question
    assert "18" not in question


def test_two_passages_are_asked_about_together():
    """The evidence of both is given."""
    passages = [
        PassageText(id="1", text="The Harlow Bridge was opened by Queen Anne in 1874.", start=0),
        PassageText(id="2", text="Nicholas Barrow moved to Port Mellin in 1861.", start=60),
    ]
    found = document_drafts("a.txt", passages, 0).drafts
    (joined,) = [item for item in found if item.kind == "multi_passage"]
    assert [item.start for item in sorted(joined.evidence, key=lambda item: item.text)] == [60, 0]
    assert set(joined.answers[0].split("; ")) == {"1874", "1861"}


@pytest.mark.parametrize(
    "text",
    [
        "A" * 50_000 + " was opened in 1874.",
        "In 1874, " + "the Owl " * 20_000 + "moved.",
        "42 " * 30_000 + "keepers.",
        "由" * 40_000 + "1874年。",
        "[" * 30_000 + "(" * 30_000 + "Queen Anne opened it in 1874.",
        "В " + "а" * 50_000 + " 45 лоцманов.",
        "\x00\ud800 was the Owl Society in 1874.",
    ],
)
def test_odd_text_is_passed_over_quickly(text: str):
    """A sentence of any length is read in linear time."""
    document_drafts("a.txt", [PassageText(id="1", text=text)], 0)
