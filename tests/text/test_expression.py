"""Numbers and dates are read whole or not at all, on judged expressions and on composed ones."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import dates, numbers
from tests.support.expression import Expression, expressions, outcome

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=200)
EN_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
EN_TENS_WORDS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"
RU_SMALL_WORDS = (
    "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать"
    " тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"
)
RU_TENS_WORDS = "_ _ двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто"
RU_HUNDREDS_WORDS = "_ сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот"
EN_SMALL, EN_TENS = EN_SMALL_WORDS.split(), EN_TENS_WORDS.split()
RU_SMALL, RU_TENS = RU_SMALL_WORDS.split(), RU_TENS_WORDS.split()
RU_HUNDREDS = RU_HUNDREDS_WORDS.split()


@pytest.mark.parametrize("expression", list(expressions("tuned")), ids=lambda item: item.text)
def test_a_tuned_expression_is_read(expression: Expression):
    """Each expression gives its value and its mark, or nothing if it has none."""
    assert outcome(expression) == "read"


@pytest.mark.parametrize("kind", ["number", "date"])
@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_no_untouched_expression_is_read_wrongly(kind: str, language: str):
    """At least 85 of 100 are read and none has a wrong value."""
    outcomes = [
        outcome(expression)
        for expression in expressions("untouched")
        if (expression.kind, expression.language) == (kind, language)
    ]
    assert outcomes.count("wrong") == 0
    assert outcomes.count("read") >= 0.85 * len(outcomes)


def english(value: int) -> str:
    """An independent spelling of a number below a billion."""
    for scale, word in ((10**6, "million"), (1000, "thousand")):
        if value >= scale:
            rest = f" {english(value % scale)}" if value % scale else ""
            return f"{english(value // scale)} {word}{rest}"
    if value >= 100:
        rest = f" and {english(value % 100)}" if value % 100 else ""
        return f"{EN_SMALL[value // 100]} hundred{rest}"
    if value < 20:
        return EN_SMALL[value]
    return EN_TENS[value // 10] + (f"-{EN_SMALL[value % 10]}" if value % 10 else "")


def russian(value: int) -> str:
    """An independent spelling of a number below a million."""
    if value >= 1000:
        rest = f" {russian(value % 1000)}" if value % 1000 else ""
        return f"{russian(value // 1000)} тысяч{rest}"
    words = [RU_HUNDREDS[value // 100]] if value >= 100 else []
    value %= 100
    if value >= 20:
        words.append(RU_TENS[value // 10])
        value %= 10
    if value or not words:
        words.append(RU_SMALL[value])
    return " ".join(words)


@PROPERTY
@given(st.integers(2, 10**9 - 1))
def test_english_words_round_trip(value: int):
    """The spelling of a number is read as exactly this number."""
    assert [number.value for number in numbers(english(value))] == [value]


@PROPERTY
@given(st.integers(2, 10**6 - 1))
def test_russian_words_round_trip(value: int):
    """The spelling of a number is read as exactly this number."""
    assert [number.value for number in numbers(russian(value))] == [value]


TAILS = {
    "en": [
        " and a half", " point five", " dozen", " score", " hundred", " million", " thirds",
        "-first", "-seventh", " and three quarters", " and a half million", " lakh",
    ],
    "ru": [
        " с половиной", " целых пять десятых", " сотых", " дюжин", " сотен", " десятков",
        " миллионов", " первый", " пятого", " с половиной миллиона", " целых",
    ],
    "zh": ["点五", "多万", "几", "分之一", "个半", "块五", "块五毛", "米八", "几万", "余亿"],
}  # fmt: skip


@PROPERTY
@given(st.integers(2, 99), st.sampled_from(TAILS["en"]))
def test_no_beginning_of_an_english_number_is_its_value(value: int, tail: str):
    """Whatever continues a number changes its value or makes it unreadable."""
    for text in (english(value) + tail, f"{value}{tail}"):
        if tail[0] == "-" and text[0].isdigit():
            continue
        assert value not in [number.value for number in numbers(text)], text


@PROPERTY
@given(st.integers(2, 99), st.sampled_from(TAILS["ru"]))
def test_no_beginning_of_a_russian_number_is_its_value(value: int, tail: str):
    """Whatever continues a number changes its value or makes it unreadable."""
    text = russian(value) + tail
    assert value not in [number.value for number in numbers(text)], text


@PROPERTY
@given(st.sampled_from([20, 30, 40, 90, 120, 300]), st.sampled_from(TAILS["zh"]))
def test_no_beginning_of_a_chinese_number_is_its_value(value: int, tail: str):
    """Whatever continues a number changes its value or makes it unreadable."""
    numeral = {20: "二十", 30: "三十", 40: "四十", 90: "九十", 120: "一百二十", 300: "三百"}[value]
    texts = [numeral + tail] if tail in {"点五", "分之一"} else [numeral + tail, f"{value}{tail}"]
    for text in texts:
        assert value not in [number.value for number in numbers(text)], text


@PROPERTY
@given(
    st.dates(),
    st.sampled_from(
        [
            "{d} мар. {y}",
            "{d} марта {y} г.",
            "{y}年{m}月{d}日",
            "March the {d}th, {y}",
            "{d} March {y}",
        ]
    ),
    st.sampled_from(["", " г. до н. э.", " BC", " до нашей эры"]),
)
def test_a_date_is_whole_or_missing(day: dt.date, form: str, tail: str):
    """A date is read with all of its parts; with another era it is not read at all."""
    if not 1000 <= day.year < 3000 or (tail and ("年" in form or "г." in form)):
        return
    month = 3 if "{m}" not in form else day.month
    text = form.format(y=day.year, m=month, d=day.day) + tail
    isos = [date.iso for date in dates(text)]
    assert isos == ([] if tail else [f"{day.year}-{month:02d}-{day.day:02d}"]), text


MARKED = [
    ("около 30 человек", True), ("30 человек", False), ("some 300", True), ("约300人", True),
    ("30%左右", True), ("about $5m", True), ("с лишним 30", False), ("20-odd", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "approximate"), MARKED)
def test_an_approximate_value_has_a_mark(text: str, approximate: bool):
    """Words that say "about" before or after a number mark it, and its value stays."""
    (number,) = numbers(text)
    assert number.approximate is approximate


PLAIN = [
    ("三角形有三个角", ["3"]),
    ("第三块区域和五块九个", ["5", "9"]),
    ("三毛流浪记", []),
    ("a third party pays two thirds", [str(Decimal(2) / Decimal(3))[:10]]),
    ("12/2024 and 24/7", ["12", "2024"]),
    ("thirty seconds with two months", ["30", "2"]),
    ("пятая тысяча", []),
]


@pytest.mark.parametrize(("text", "values"), PLAIN)
def test_words_that_look_like_parts_of_numbers_are_left_alone(text: str, values: list[str]):
    """Names, shapes, ordinals and dates are not taken for money, fractions or amounts."""
    assert [number.canonical[:10] for number in numbers(text)] == values
