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
            "The old bell of Port Mellin is called Long Anne.",
            "fact",
            "What is the old bell of Port Mellin called?",
            "Long Anne",
        ),
        (
            "The Harlow Bridge was designed by Nicholas Barrow in 1874.",
            "fact",
            "Who was the Harlow Bridge designed by in 1874?",
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
            "Музей маяков в порту Меллин состоит из башни и дома смотрителя.",
            "fact",
            "Из чего состоит музей маяков в порту Меллин?",
            "башни и дома смотрителя",
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


def test_an_unanswerable_question_asks_about_a_year_that_the_document_does_not_mention():
    """The document nearly says it, and no answer is given."""
    text = "In 1874, the Owl Society employed 42 keepers in Harlow."
    ((question, answers),) = drafts(text, "unanswerable")
    assert "How many keepers" in question or "keepers" in question
    assert "1874" not in question
    assert answers == ()


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "1) The Harlow Bridge was opened in 1874 by Queen Anne.",
            "In what year was the Harlow Bridge opened by Queen Anne?",
        ),
        (
            "a. The Harlow Bridge was opened in 1874 by Queen Anne.",
            "In what year was the Harlow Bridge opened by Queen Anne?",
        ),
        (
            "Статья 3. В 1874 году Николай Баров переехал в Мурино.",
            "В каком году Николай Баров переехал в Мурино?",
        ),
        ("第三条 梅林港灯塔协会成立于1874年，总部设在上海。", "梅林港灯塔协会成立于哪一年？"),
    ],
)
def test_the_number_of_a_sentence_in_a_list_is_not_asked(sentence: str, question: str):
    """It belongs to the list, and people do not say it."""
    assert question in [text for text, _ in drafts(sentence, "date")]


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "In 1237 Batu Khan, a grandson of Genghis Khan, started a war in Kievan Rus.",
            "In what year did Batu Khan start a war in Kievan Rus?",
        ),
        (
            "В 1237 году хан Батый, внук Чингисхана, начал поход на Киевскую Русь.",
            "В каком году хан Батый начал поход на Киевскую Русь?",
        ),
        (
            "Галерея Ивана Цуя открылась в 1991 году и представляет коллекцию из Китая.",
            "В каком году открылась галерея Ивана Цуя?",
        ),
    ],
)
def test_what_only_adds_to_a_sentence_is_left_out_of_the_question(sentence: str, question: str):
    """A question has one clause, and it is whole."""
    known = " В городе есть галерея." if "Галерея" in sentence else ""
    assert question in [text for text, _ in drafts(sentence + known, "date")]


@pytest.mark.parametrize(
    "sentence",
    [
        "The Owl Society sent a ship to the bay of Mellin with 42 keepers on board.",
        "Порт Меллин является крупнейшим портом северного берега.",
        "В 1874 году, во время войны за старый маяк, Николай Баров переехал в Мурино.",
        "大圣三条如意棒前遮后挡运机谋。",
    ],
)
def test_rather_no_question_than_one_that_nobody_would_ask(sentence: str):
    """No gap to fill, no question word in the middle, no wrong case, and no second clause."""
    assert document_drafts("a.txt", [PassageText(id="1", text=sentence)], 0).drafts == ()


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
