"""Tables of Chinese and Russian answers, computed by hand, and of values in any notation."""

import pytest

from assay.scorers.correctness import correctness, token_f1, word_f1

# expected, answer, exact, F1 by tokens (Chinese: characters), contained
CHINESE = [
    ("违约金", "违约金。", True, 1.0, True),
    ("違約金", "违约金", True, 1.0, True),
    ("三十日", "30日", True, 1.0, True),
    (
        "三十日内",
        "应在三十日内提出",
        False,
        2 * 3 / (3 + 7),
        True,
    ),  # 30 日 内 of 应 在 30 日 内 提 出
    ("北京", "南京", False, 0.5, False),
    ("四万二千元", "42,000 元", True, 1.0, True),
    ("四万二千元", "4.3万元", False, 0.5, False),  # only the unit is shared
    ("2020年8月30日", "签订于2020-08-30", False, 2 * 1 / (1 + 4), True),  # 签 订 于 and the date
    ("甲方", "不是甲方", False, 2 * 2 / (2 + 4), False),  # denied
]
RUSSIAN = [
    ("Москва", "в Москве", False, 2 * 1 / (1 + 2), True),
    ("городской суд", "Городского суда", True, 1.0, True),
    ("ёлка", "елки", True, 1.0, True),
    ("30 августа 2020 г.", "2020-08-30", True, 1.0, True),
    ("15,7 млн руб.", "15 700 000 рублей", True, 1.0, True),
    ("пять дней", "в течение пяти дней", False, 2 * 2 / (2 + 4), True),
    ("директор", "бухгалтер", False, 0.0, False),
    ("Иванов", "Ивановым", True, 1.0, True),
    ("Петров", "Петрову", True, 1.0, True),
    ("Роман", "Романом", True, 1.0, True),
    ("Павел", "с Павлом", False, 2 / 3, True),
    ("Магадан", "в Магадане", False, 2 / 3, True),
    ("Иван Лопухин", "Иваном Лопухиным", True, 1.0, True),
    ("Иван Иванов", "Иванов Иван", False, 1.0, False),  # each word is used once
    ("Иванов", "Иван", False, 0.0, False),
    ("Иванов Иванов", "Ивановым", False, 2 / 3, False),
    ("Орлов", "Орлик", False, 0.0, False),
]


@pytest.mark.parametrize(("expected", "answer", "exact", "f1", "contained"), CHINESE + RUSSIAN)
def test_answers_have_the_scores_computed_by_hand(
    expected: str, answer: str, exact: bool, f1: float, contained: bool
):
    """Each measure has the value in the table."""
    found = correctness([expected], answer)
    assert (found.exact, round(found.f1, 12), found.contained) == (exact, round(f1, 12), contained)


def test_chinese_is_compared_by_words_beside_characters():
    """Swapped characters share all characters and no word."""
    assert token_f1("合同解除", "除解同合") == 1.0
    assert word_f1("合同解除", "除解同合") < 1.0
    assert correctness(["red"], "red").word_f1 is None


def test_a_number_in_another_number_is_not_the_answer():
    """235 is not in 1235, by any measure."""
    found = correctness(["235"], "1235")
    assert (found.exact, found.f1, found.contained) == (False, 0.0, False)


def test_the_best_accepted_answer_counts():
    """One of several accepted answers is enough."""
    found = correctness(["sixty", "30 days"], "thirty days")
    assert (found.exact, found.f1, found.contained) == (True, 1.0, True)


@pytest.mark.parametrize(
    "answer", ["The document does not mention this.", "文档未提及", "В документе не указано"]
)
def test_an_abstention_is_wrong_and_counted(answer: str):
    """A system that abstains on an answerable question is wrong, even if it repeats the words."""
    found = correctness(["the document"], answer, "What is signed?")
    assert (found.exact, found.f1, found.contained, found.abstained) == (False, 0.0, False, True)


def test_an_expected_abstention_is_right():
    """If the expected answer itself says that nothing is said, the same words are right."""
    found = correctness(["The contract does not say."], "The contract does not say.")
    assert found.exact
    assert not found.abstained
