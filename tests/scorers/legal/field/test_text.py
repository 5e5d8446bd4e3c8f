"""Short answers: the words of the expected text stand together, about what was asked."""

import pytest

from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("destruction of the forest", "The destruction of the forest."),
        ("destruction of the forest", "It is caused by destruction of forests."),
        ("the harbour office", "You pay at the harbour office."),
        ("ремонтом ленточной пилорамы", "На ремонт ленточной пилорамы."),
        ("向甲方所在地人民法院起诉", "可以到甲方所在地的法院起诉。"),
    ],
)
def test_a_right_text_is_kept(expected: str, answer: str):
    """The text may be inflected, reworded, or part of a sentence."""
    assert text_verdict(answer, expected).holds


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("destruction of the forest", "The forests store carbon."),
        ("pharmacy legislation", "Storage conditions are specified in legislation."),
        ("the harbour office", "Not the harbour office."),
        ("well into the nineteenth century", "Not well into the nineteenth century."),
        ("латинском языке", "Он написал её на немецком языке."),
        ("氧气室", "高压氧药物增加患者周围的氧气分压。"),
        ("《终极冒险》", "《神秘冒险》"),
    ],
)
def test_a_text_that_shares_some_words_is_wrong(expected: str, answer: str):
    """All content words of a short text are needed, and not denied."""
    assert not text_verdict(answer, expected).holds


def test_the_words_must_answer_the_question():
    """Words in a clause about something else are no answer."""
    question = "Who was the lawyer of the plaintiff?"
    answer = "Pell was the lawyer of the plaintiff; Orme was the driver."
    assert not entity_verdict(answer, "Orme", question=question).holds
    assert not text_verdict(answer, "Orme", question=question).holds
    assert entity_verdict(answer, "Pell", question=question).holds


@pytest.mark.parametrize(
    ("expected", "answer", "holds"),
    [
        ("New England Patriots", "They intercepted a pass on New England's attempt.", False),
        ("Super Bowl XXXIII", "He played in a Super Bowl.", False),
        ("University of Paris", "Not University of Paris", False),
        ("University of Paris", "He taught at the University of Paris.", True),
        ("Hugh Orme", "It was Orme.", True),
        ("Шведов Олег Ильич", "О. И. Шведову", True),
        ("Нью-Ингленд Пэтриотс", "Это Нью-Ингленд.", False),
    ],
)
def test_a_part_of_a_name_is_enough_only_for_a_person(expected: str, answer: str, holds: bool):
    """The surname identifies a person; a part of another name identifies nothing."""
    assert entity_verdict(answer, expected).holds is holds
