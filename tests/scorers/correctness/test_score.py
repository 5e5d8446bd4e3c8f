"""Tables of Chinese and Russian answers, computed by hand, and of values in any notation."""

import pytest

from assay.records import Answer
from assay.scorers.ablation import score_answer
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
    ("四万二千元", "4.3万元", False, 0.0, False),  # only the unit is shared
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
    ("Иван Иванов", "Иванов Иван", True, 1.0, True),  # the family name first
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


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("三年", "36个月"),
        ("一周", "7天"),
        ("甲、乙、丙", "丙、甲和乙"),
        ("3 года", "36 месяцев"),
        ("50%", "половина"),
        ("2 years", "24 months"),
    ],
)
def test_an_exact_answer_has_the_best_f1(expected: str, answer: str):
    """The exact match decides first, also if another notation shares no token."""
    found = correctness([expected], answer)
    assert (found.exact, found.f1, found.contained) == (True, 1.0, True)
    assert found.word_f1 in {1.0, None}


def test_chinese_is_compared_by_words_beside_characters():
    """Swapped characters share all characters and no word."""
    assert token_f1("合同解除", "除解同合") == 1.0
    assert word_f1("合同解除", "除解同合") < 1.0
    assert correctness(["red"], "red").word_f1 is None


def test_word_f1_is_defined_by_what_is_expected():
    """A Chinese refusal to a Russian question adds no value; a Chinese question always has one."""
    assert correctness(["Москва"], "不知道。", "Где?").word_f1 is None
    assert correctness(["42"], "forty-one", "多少？").word_f1 == 0.0
    assert correctness(["北京"], "I do not know.").word_f1 == 0.0


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


@pytest.mark.parametrize("text", ["not applicable", "don't know", "не указано", "不知道"])
def test_an_answer_that_is_the_expected_one_never_abstains(text: str):
    """Words that usually abstain are right if they are expected, and no fault of the answered rate."""
    assert not correctness([text], text.capitalize(), "What?").abstained
    row = score_answer([], True, Answer(text=text), question="What?", accepted=[text])
    assert row["scores"]["answered_when_answerable"] is None


def test_a_no_is_not_an_abstention_if_yes_or_no_is_expected():
    """An answer that says no and goes on about the text is a wrong answer, not a refusal."""
    found = correctness(["yes"], "No. The text says yes only for tenants.", "Is it allowed?")
    assert (found.abstained, found.contained) == (False, False)


# expected, answers that say it, answers that do not
YES_AND_NO = [
    ("no", ["No, the tenant may not.", "It does not.", "Not at all."],
     ["Yes, there is no limit on that.", "There is no doubt: yes.", "Yes, no exceptions.", "It does."]),
    ("yes", ["Yes.", "Correct.", "Indeed, it does.", "No doubt about it, yes."],
     ["No, yes would be wrong", "yes and no", "It does not."]),
    ("нет", ["Нет, не может.", "Ни в коем случае."], ["Да, ограничений нет.", "Да. Возражений нет."]),
    ("да", ["Верно.", "Никаких сомнений: да."], ["Нет. Да, он мог бы, но не стал.", "Неверно."]),
    ("否", ["不是。", "从未。"], ["是的，否则无效。", "可以，不可否认。"]),
    ("是", ["对。", "毫无疑问，是的。", "确实如此。"], ["不是。", "否。"]),
    ("没有", ["没有。"], ["有，没有问题"]),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "right", "wrong"), YES_AND_NO)
def test_yes_and_no_are_read_as_a_whole(expected: str, right: list[str], wrong: list[str]):
    """What an answer says first and as a whole decides, not a word inside of it."""
    assert [answer for answer in right if not correctness([expected], answer).contained] == []
    assert [answer for answer in wrong if correctness([expected], answer).contained] == []


# expected, answer: the same value, so both exact and contained
SAME_VALUE = [
    ("30 days", "thirty (30) days"), ("30 дней", "30 (тридцать) календарных дней"),
    ("100 000 рублей", "100 000 (сто тысяч) рублей"), ("30天", "三十（30）天"),
    ("$5,000", "five thousand (5,000) dollars"), ("10 km", "10 kilometers"),
    ("50 кг", "50 килограммов"), ("30天", "30日"), ("3 hours", "3 hrs"), ("третий", "3-й"),
    ("1st", "the first"), ("5 мая", "пятого мая"), ("3:00 PM", "15:00"), ("2020年", "2020"),
    ("1812 г.", "1812"), ("XIX век", "19 век"), ("2 раза", "дважды"), ("10–20", "от 10 до 20"),
    ("12 февраля 2022 г.", "12.02.22"), ("甲、乙、丙", "丙，乙和甲"), ("Москва, Киев", "Киев и Москва"),
    ("Пушкин А. С.", "А. С. Пушкин"),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "answer"), SAME_VALUE)
def test_the_same_value_in_another_notation_is_exact(expected: str, answer: str):
    """Numbers, units, ordinals, times, dates, lists and names count however they are written."""
    found = correctness([expected], answer)
    assert (found.exact, found.contained) == (True, True)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [("John Smith", "Smith, John"), ("red, green and blue", "blue, green and red"),
     ("café", "cafe"), ("cats", "a cat")],
)  # fmt: skip
def test_english_words_in_another_order_or_form_are_contained_only(expected: str, answer: str):
    """Exact match stays the definition of SQuAD."""
    found = correctness([expected], answer)
    assert (found.exact, found.contained) == (False, True)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [("30 days", "30"), ("30 days", "30 months"), ("at least 5 kg", "5 kg"), ("10 km", "10 m"),
     ("10 км", "более 10 км"), ("2020年", "2020元"), ("third", "two thirds"), ("14:00", "14"),
     ("red, green and blue", "red and blue"), ("World War II", "World War I"),
     ("12.02.2022", "12/02/22"), ("20:00", "8:00")],
)  # fmt: skip
def test_another_value_is_neither_exact_nor_contained(expected: str, answer: str):
    """A unit that is missing or another one, a limit and an ambiguous date are not the same."""
    found = correctness([expected], answer)
    assert (found.exact, found.contained) == (False, False)


@pytest.mark.parametrize(
    ("expected", "wrong", "same"),
    [
        ("$36.50", "$58", "36.50 dollars"),
        ("£36.50", "£58", "GBP 36.50"),
        ("€36.50", "It is €58.", "36,50 €"),
        ("36%", "58%", "36 percent"),
        ("50 percent", "5 percent", "50%"),
        ("36 руб.", "58 руб.", "тридцать шесть рублей"),
        ("36 руб. 50 коп.", "58 руб. 70 коп.", "36,50 ₽"),
        ("36元", "58元", "人民币36元"),
        ("百分之三十六", "百分之五十八", "36%"),
    ],
)
def test_two_amounts_do_not_share_their_currency(expected: str, wrong: str, same: str):
    """Another amount of the same currency, or another percentage, shares nothing."""
    assert token_f1(expected, wrong) == 0.0
    assert token_f1(expected, same) == 1.0
    assert correctness([expected], wrong).f1 == 0.0


def test_a_number_without_its_currency_is_a_part_of_the_amount():
    """The right number alone has a part of the amount; the right number of another currency less."""
    assert token_f1("$36.50", "36.50") == pytest.approx(2 / 3)
    assert token_f1("$36.50", "€36.50") == 0.5
    assert token_f1("36 kg", "58 kg") == 0.5  # a word, as for SQuAD


NONE = [
    (
        "What is the deposit?",
        "Not stated in the document",
        "The document does not mention a deposit.",
    ),
    ("What is the wifi code?", "I don't know", "I could not find that in the documents."),
    ("What is the fax number?", "N/A", "The text gives no fax number."),
    ("Каков залог?", "В документе не указано", "В тексте о залоге ничего не говорится."),
    ("Какой факс?", "Нет данных", "Номер факса не упоминается."),
    ("押金是多少？", "文中未提及", "文件没有说明押金。"),
    ("传真是多少？", "无", "资料里没有传真号码。"),
]


@pytest.mark.parametrize(("question", "expected", "answer"), NONE)
def test_an_abstention_is_right_where_the_expected_answer_says_that_there_is_none(
    question: str, expected: str, answer: str
):
    """Every measure is 1 for an abstention in other words, and 0 for an invented answer."""
    found = correctness([expected], answer, question)
    assert (found.exact, found.f1, found.contained, found.abstained) == (True, 1.0, True, False)
    invented = correctness([expected], "500", question)
    assert (invented.exact, invented.f1, invented.contained) == (False, 0.0, False)


def test_an_invented_answer_beside_a_refusal_is_wrong_where_none_is_expected():
    """The words of the expected refusal do not make an answer right that does not abstain."""
    answer = "The deposit is not stated in the document, but it is 500 pounds."
    found = correctness(["Not stated in the document"], answer, "What is the deposit?")
    assert not found.contained
    found = correctness(["Not stated", "500 pounds"], "500 pounds", "What is the deposit?")
    assert found.exact


def test_a_row_says_that_an_expected_abstention_abstains():
    """It is no answer, and whether the question was answered is undefined for every system."""
    for text, abstained in (("It is not stated.", True), ("It is 500.", False)):
        row = score_answer(
            (), True, Answer(text=text), question="What is the deposit?", accepted=["N/A"]
        )
        assert row["abstained"] is abstained
        assert row["scores"]["answered_when_answerable"] is None
