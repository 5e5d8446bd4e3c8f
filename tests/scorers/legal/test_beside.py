"""Right words that a short answer says about something else than the question."""

import pytest

from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("What is the maximum deposit?", "300 euros", "The minimum deposit is 300 euros, the maximum 900."),
        ("Which drug did she get?", "aspirin", "She declined aspirin and got ibuprofen."),
        ("Who found the leak?", "the porter", "The leak was caused by the porter and found by a guest."),
        ("Who is the heir?", "his nephew", "His nephew's daughter is the heir."),
        ("Where was the firm founded?", "Lyon", "Nantes; it moved to Lyon later."),
        ("Кто нашёл течь?", "дворник", "Течь вызвал дворник, а нашёл её гость."),
        ("Какое лечение он получил?", "массаж", "От массажа он отказался, ему сделали операцию."),
        ("最高押金是多少？", "300元", "最低300元，最高900元。"),
        ("基金会是谁创办的？", "沈明远", "基金会由沈明远的弟弟沈明达创办。"),
        # The predicate of the question is in another clause, or its opposite in this one.
        ("Which team won the cup?", "Rovers", "United won the cup after beating Rovers."),
        ("Who wrote the report?", "Dana Cole", "The report, which Dana Cole had ordered, was written by Max Frey."),
        ("When did the strike end?", "3 June", "The strike began on 3 June and ended a month later."),
        ("Когда закончилась забастовка?", "3 июня", "Забастовка началась 3 июня и закончилась через месяц."),
        ("罢工何时结束？", "6月3日", "罢工6月3日开始，一个月后结束。"),
        ("总部在哪里？", "利兹", "公司在利兹创立，总部设在约克。"),
        # Two clauses with one verb, a number of something else, a destination, a denied subject.
        ("Who pays for repairs?", "the landlord", "The tenant pays for repairs; the landlord pays the insurance."),
        ("How many guests fell ill?", "two", "Nine guests fell ill in the first two days."),
        ("他们从哪里出发？", "里加", "他们从塔林出发前往里加。"),
        ("Кто убирает снег?", "жильцы", "Жильцы снег не убирают, это делает подрядчик."),
        # Roles that are swapped, words of two clauses.
        ("谁赢了谁？", "周赢了吴", "吴赢了周。"),
        ("Which hand was hurt?", "left hand", "The right hand was hurt, the left one was fine."),
    ],
)  # fmt: skip
def test_the_right_words_about_something_else_are_wrong(question: str, gold: str, answer: str):
    """The clause that has the words is not the one that answers."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("What is the maximum deposit?", "300 euros", "The maximum deposit is 300 euros, the minimum 90."),
        ("Who found the leak?", "the porter", "It was the porter who found the leak."),
        ("What share did she keep?", "40%", "two fifths"),
        ("Сколько стоит абонемент?", "9 000 руб.", "девять тысяч"),
        ("年票多少钱？", "1800元", "一千八"),
        ("Who issued it?", "the World Health Organization", "It was issued by the WHO."),
        ("Кто выдал справку?", "Министерство образования", "Справку выдало Минобразования."),
        ("谁批准的？", "国家市场监督管理总局", "由国家市监总局批准。"),
        ("条约在哪里签订？", "南京", "双方代表齐聚南京，条约就在那里签订。"),
        ("Who wrote the report?", "Dana Cole", "Dana Cole wrote it, and Max Frey edited it."),
        ("Who pays?", "the landlord", "It comes out of the landlord's pocket."),
    ],
)  # fmt: skip
def test_the_same_said_otherwise_is_right(question: str, gold: str, answer: str):
    """A value in another notation counts, and so does the clause that answers."""
    assert text_verdict(answer, gold, question=question).holds
