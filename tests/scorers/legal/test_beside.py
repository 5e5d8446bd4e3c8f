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
        ("Who pays?", "the landlord", "It comes out of the landlord's pocket."),
    ],
)  # fmt: skip
def test_the_same_said_otherwise_is_right(question: str, gold: str, answer: str):
    """A value in another notation counts, and so does the clause that answers."""
    assert text_verdict(answer, gold, question=question).holds
