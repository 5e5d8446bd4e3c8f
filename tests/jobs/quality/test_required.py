"""Required phrases: comparators in words, and inflected forms of a single word."""

import pytest

from assay.jobs.quality.expectation import Expectation
from assay.jobs.quality.score import phrase_span, required_span, score_answer


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        (">1234.5", "Прибыль составила более 1 234,5 млн руб."),
        (">1234.5", "Прибыль: > 1234,5."),
        ("более 99", "свыше 99 процентов"),
        ("более 99", "больше, чем 99"),
        ("более 99%", "выросла более чем на 99 %"),
        ("свыше 99", "超过99人"),
        ("более 99", "more than 99 people"),
        ("менее 5", "ниже 5 %"),
        ("<5", "少于5天"),
        ("не менее 10", "≥10"),
        ("не менее 10", "по меньшей мере 10 лет"),
        ("не менее 10", "10 лет и более"),
        ("at least 10", "不少于10日"),
        ("不少于 10", "at least 10 days"),
        ("не более 3", "at most 3"),
        ("более 99", "Это **более 99** человек."),
        ("более 99", "сначала 99, потом свыше 99"),
        ("более пятидесяти", "свыше 50"),
        ("超过五十", "more than 50"),
    ],
)
def test_the_same_comparator_is_found_in_other_words(phrase: str, answer: str):
    """A number with a comparator matches the same number and meaning, in signs and languages."""
    assert required_span(phrase, answer) is not None


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        ("более 99", "99 человек"),
        ("более 99", "не более 99"),
        ("более 99", "менее 99"),
        ("более 99", "свыше 199"),
        ("более 99", "более 100"),
        ("не менее 10", "более 10"),
        ("超过5", "不超过5"),
        ("more than 5", "no more than 5"),
    ],
)
def test_another_comparator_or_number_is_not_found(phrase: str, answer: str):
    """No comparator, the opposite one, and another number do not match."""
    assert required_span(phrase, answer) is None


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("78,3%", "-78,3%"),
        ("78,3%", "изменение −78,3 % за год"),
        ("78,3%", "минус 78,3%"),
        ("1,7%", "+1,7%"),
        ("1,7%", "плюс 1,7%"),
        ("5%", "负5%"),
    ],
)
def test_a_value_without_a_sign_is_found_after_one(value: str, answer: str):
    """A sign before the number changes nothing, in a mark or in a word."""
    assert required_span(value, answer) is not None


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("миллион", "15,7 миллиона"),
        ("отчёт", "по данным отчёта"),
        ("зачёт", "к зачёту"),
        ("рынок", "доля рынка"),
        ("Выручка", "рост выручки"),
        ("report", "the reports say"),
        ("invest", "they invested"),
        ("plan", "it was planned"),
        ("company", "two companies"),
        ("миллион", "235миллионов"),
    ],
)
def test_a_single_word_is_found_in_its_forms(word: str, answer: str):
    """Cases, numbers and tenses of a word match; the exact form alone does not."""
    assert required_span(word, answer) is not None
    assert phrase_span(word, answer) is None


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("organ", "the organization"),
        ("art", "start"),
        ("IT", "its"),
        ("отчёт", "отчётность"),
        ("общий отчёт", "общего отчёта"),
        ("235", "1235"),
        ("收入", "收到"),
    ],
)
def test_another_word_and_a_phrase_of_several_words_are_not_inflected(word: str, answer: str):
    """Derived words, parts of words, abbreviations and phrases match as they are only."""
    assert required_span(word, answer) is None


def test_forbidden_phrases_keep_the_exact_form():
    """`safe_ok` is not changed by inflection or by comparators in other words."""
    expected = Expectation(must_not_include=("миллион", "более 99"))
    metrics = score_answer(expected, "?", "15,7 миллиона, свыше 99", None)["metrics"]
    assert metrics["safe_ok"] == 1.0


def test_groups_are_inflected_and_the_match_shows_the_form():
    """An alternative of a group matches its forms; the match has the words of the answer."""
    expected = Expectation(must_include=(">5",), must_include_any=(("млрд", "миллион"),))
    row = score_answer(expected, "?", "свыше 5 миллионов", None)
    assert row["metrics"]["include_rate"] == 1.0
    assert [match["text"] for match in row["matches"]] == ["5", "миллионов"]


def test_the_exact_form_can_be_asked_for_everywhere():
    """With ``exact`` neither forms nor other comparators count."""
    expected = Expectation(must_include=("миллион", "более 99"), exact=True)
    metrics = score_answer(expected, "?", "15,7 миллиона, свыше 99", None)["metrics"]
    assert metrics["include_rate"] == 0.0


def test_a_page_supports_a_required_word_in_any_of_its_forms():
    """A cited page that has another form of the word, or of the comparator, supports the answer."""
    expected = Expectation(must_include=("отчёт", "более 99"))
    page = "Из отчётов следует: свыше 99 человек."
    row = score_answer(expected, "?", "По отчёту более 99 (стр. 1).", [page])
    assert row["metrics"]["citation_supported"] is True


@pytest.mark.parametrize(
    ("phrase", "answer"),
    [
        ("100 000 рублей", "Сумма составляет 100 000 (сто тысяч) рублей."),
        ("30 days", "The notice period is thirty (30) days."),
        ("30 дней", "30 (тридцать) календарных дней"),
        ("$5,000", "five thousand (5,000) dollars"),
        ("50 кг", "**50 килограммов**"),
        ("30天", "30日"),
        ("5 мая", "пятого мая"),
        ("王明", "王明月和王明先生"),
    ],
)
def test_a_required_value_is_found_in_another_notation(phrase: str, answer: str):
    """A number written twice, another name of the unit, and a day in words say the same."""
    assert required_span(phrase, answer) is not None


def test_a_required_chinese_name_is_not_found_in_a_longer_one():
    """王明月 is another person."""
    assert required_span("王明", "王明月") is None
