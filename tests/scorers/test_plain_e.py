"""Russian texts rarely write ё: it is the same letter as е wherever answers are compared."""

from itertools import product

import pytest

from assay.scorers.correctness import correctness
from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import text_verdict
from assay.text import with_plain_e

_CASES = [
    ("всё", "Все.", "Что он продал?"),
    ("Пётр Первый", "Петром Первым", "Кем?"),
    ("Королёв", "Его сменил Королёв.", "Кто был первым?"),
    ("Самара", "Учёный пришёл из Самары.", "Где живёт учёный?"),
    ("Министерство учёта", "Минучёт", "Кто?"),
    ("чёрный кот", "кот, весь чёрный", "Кто?"),
    ("Роман", "Днём позже пришёл Роман.", "Кто пришёл первым?"),
    ("поручитель", "Долг платит заёмщик, а не поручитель.", "Кто платит?"),
    ("трёхлетний срок", "четырёхлетний срок", "Каков срок?"),
    ("отчёт", "Её отчёт не утверждён, принят расчёт.", "Что принято?"),
]


def _outcome(expected: str, answer: str, question: str) -> tuple[object, ...]:
    found = correctness([expected], answer, question)
    text = text_verdict(answer, expected, [answer], question=question)
    entity = entity_verdict(answer, expected, [answer], question=question)
    return found, text.holds, entity.holds


@pytest.mark.parametrize("case", _CASES)
def test_it_makes_no_difference_where_a_text_writes_yo(case: tuple[str, str, str]):
    """Expected answer, answer and question may each have ё or е, and the outcome is the same."""
    spellings = product(*((text, with_plain_e(text)) for text in case))
    assert len({_outcome(*each) for each in spellings}) == 1


@pytest.mark.parametrize(
    ("expected", "answer"), [("всё", "все"), ("все", "Всё."), ("Ёлка", "ЕЛКА")]
)
def test_the_whole_answer_may_differ_by_it(expected: str, answer: str):
    """«Все» is exactly «всё»."""
    assert correctness([expected], answer).exact
    assert text_verdict(answer, expected).holds


@pytest.mark.parametrize(("expected", "answer"), [("йод", "ёд"), ("Пётр", "Пэтр")])
def test_other_letters_are_not_the_same(expected: str, answer: str):
    """Only ё is е; й and э are letters of their own."""
    assert not correctness([expected], answer).exact
