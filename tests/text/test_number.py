"""Numbers in named sentences: one line for each behaviour."""

import pytest

from assay.text.number import numbers, read_numbers, same_number
from assay.text.number_word import is_part_of_value, ordinal_value, words_value
from assay.text.numeral import numeral_value

DIGITS = [
    ("42,000; 42 000; 42\u202f000; 42'000", ["42000"] * 4),
    ("42.000,50 and 42,000.50 and 1.234.567", ["42000.5", "42000.5", "1234567"]),
    ("4,2 and 0,125 and .05 and 007", ["4.2", "0.125", "0.05", "7"]),
    ("４２，０００ ５％ 3．5", ["42000", "5", "3.5"]),
    ("₹2,50,000", ["250000"]),
    ("1,2,3 and 2020,2021", ["1", "2", "3", "2020", "2021"]),
    ("30.08.2020, 2020-08-30, 10:30", ["30", "8", "2020", "2020", "8", "30", "10", "30"]),
    ("1/2, 2 1/2, ¾, 2½ and ⅔", ["0.5", "2.5", "0.75", "2.5", "0." + "6" * 29 + "7"]),
    ("-5, (-3,5), t = −4, COVID-19, 3-5", ["-5", "-3.5", "-4", "19", "3", "5"]),
    ("минус 7, negative two, 零下5度, 负三, plus or minus 4", ["-7", "-2", "-5", "-3", "4"]),
    ("10k, $5m, €1.2bn, 5 млн, 2 трлн, 3 crore", ["10000", "5000000", "1200000000", "5000000", "2000000000000", "30000000"]),
    ("12,641 млрд and 12,641 million", ["12641000000", "12641000000"]),
    ("3 млн 200 тыс., 5 тысяч 300", ["3200000", "5300"]),
    ("в 2023 235 человек", ["2023", "235"]),
    ("Chapter XIV, XVIII и XIX века, Super Bowl LII, 第IV章; Louis XVI", ["14", "18", "19", "52", "4"]),
]  # fmt: skip
WORDS = [
    ("a hundred and five, two million three hundred thousand", ["105", "2300000"]),
    ("six hundred thousand, four hundred and eighteen", ["600418"]),
    (
        "half a million, a quarter of a million, two and a half million",
        ["500000", "250000", "2500000"],
    ),
    ("two point oh five, three quarters of a million", ["2.05", "750000"]),
    ("two thirds, one fifth, две трети, одна пятая", ["0." + "6" * 29 + "7", "0.2"] * 2),
    ("nineteen eighty-four", ["1984"]),
    ("the nineteenth century, в двадцать первом веке", ["19", "21"]),
    ("полтора миллиона, два с половиной, 5 с половиной тысяч", ["1500000", "2.5", "5500"]),
    ("ноль целых пять десятых, тысяча рублей, одна тысяча", ["0.5", "1000", "1000"]),
    ("two dozen, тридцать с лишним тысяч, 20-odd", ["24", "30000", "20"]),
    ("one year, but one of them; один процент, но один из них", ["1", "1"]),
]
CHINESE = [
    ("四万二千, 一百零五, 三亿五千万, 一万亿", ["42000", "105", "350000000", "1000000000000"]),
    ("壹万贰仟叁佰肆拾伍元陆角柒分, 十二萬", ["12345.67", "120000"]),
    ("4.2万, 3亿5千万, 1万2000, 1,200万", ["42000", "350000000", "12000", "12000000"]),
    ("二〇二〇年, 两年, 廿三日, 四万二", ["2020", "2", "23", "42000"]),
    ("三点一四, 三点五万, 三分之二, 百分之十二点五", ["3.14", "35000", "0." + "6" * 29 + "7", "12.5"]),
    ("两个半小时, 三年半, 三元五角, 九块九, 一米八", ["2.5", "3.5", "3.5", "9.9", "1.8"]),
    ("三十多万, 五百余人, 3个亿", ["300000", "500", "300000000"]),
    ("五千克, 3千米, 第三条, 共三方", ["5", "3", "3"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), [*DIGITS, *WORDS, *CHINESE])
def test_each_notation_has_its_value(text: str, values: list[str]):
    """Digits, words and numerals are read with their separators, scales, signs and shares."""
    assert [number.canonical for number in numbers(text)] == values


NOTHING = [
    "A4 and 8d02 and 3.2.1 and 10.0.0.1", "2^10, 5², 2×10^6, 24/7, Room 12B", "twenty-first, двадцать пятых, сто первая",
    "one hundred and first, a forty-second delay", "thousands of, тысячи людей, several hundred", "тысячи две, fourscore and seven",
    "five grand, 5 quadrillion, двадцать косарей", "三亚、张三、一般、万一、第一，", "几十、数百、十几万、三四个、三五百", "9兆元，打5折，七成",
    "no number", "",
]  # fmt: skip


@pytest.mark.parametrize("text", NOTHING)
def test_of_what_is_not_understood_no_part_is_read(text: str):
    """Codes, powers, ordinals, names, vague amounts and unknown words give no number."""
    assert numbers(text) == []


UNITS = [
    ("5 ％", "5", "percent"), ("пять процентов", "5", "percent"), ("百分之五", "5", "percent"), ("5‰", "0.5", "percent"),
    ("5个百分点", "5", None), ("5 percentage points", "5", None), ("2 п.п.", "2", None),
    ("42000元", "42000", "CNY"), ("人民币500", "500", "CNY"), ("¥1,000.50", "1000.5", "CNY"), ("42 тыс. рублей", "42000", "RUB"),
    ("100 ₽", "100", "RUB"), ("US$ 3.5bn", "3500000000", "USD"), ("-$5", "-5", "USD"), ("7 евро", "7", "EUR"), ("£5", "5", "GBP"),
    ("75 cents", "0.75", "USD"), ("350 рублей 20 копеек", "350.2", "RUB"), ("2.500 руб.", "2500", "RUB"), ("5 лет", "5", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "unit"), UNITS)
def test_a_unit_is_before_or_after(text: str, value: str, unit: str | None):
    """Percent and money are read by sign, code and name; percentage points are not percent."""
    (number,) = numbers(text)
    assert (number.canonical, number.currency or number.unit) == (value, unit)


RANGES = [
    ("5–10 млн", ["5000000", "10000000"]), ("two to three hundred thousand", ["200000", "300000"]), ("三到五万元", ["30000 CNY", "50000 CNY"]),
    ("$1.5-2 million", ["1500000 USD", "2000000 USD"]), ("от 3 до 5 процентов", ["3 percent", "5 percent"]), ("5–10%", ["5 percent", "10 percent"]),
    ("between $5 and 10 million", ["5000000 USD", "10000000 USD"]), ("sold for $5 to 10 people", ["5 USD", "10"]), ("2 and 3 million. 4. 5 million", ["2", "3000000", "4", "5000000"]), ("2...3 million", ["2000000", "3000000"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), RANGES)
def test_the_ends_of_a_range_share_scale_and_unit(text: str, expected: list[str]):
    """What is written once applies to both ends, and to nothing beside them."""
    read = [" ".join(filter(None, (n.canonical, n.currency or n.unit))) for n in numbers(text)]
    assert read == expected


@pytest.mark.parametrize(
    "text",
    [
        "thirty (30) days",
        "30 (тридцать) календарных дней",
        "三十（30）天",
        "30 000 (тридцать) дней"[:2] + " (thirty)",
    ],
)
def test_a_number_that_is_written_twice_is_one(text: str):
    """Digits and words of one value, one of them in brackets, are one number."""
    assert [number.canonical for number in numbers(text)] == ["30"]


def test_a_scale_behind_the_bracket_belongs_to_a_doubled_number():
    """In contracts the words are between the digits and their scale; other values stay two."""
    (number,) = numbers("12 (двенадцать) миллионов рублей")
    assert (number.canonical, number.currency) == ("12000000", "RUB")
    assert len(numbers("thirty (31) days; Article 5 (5)")) == 4


MARKS = [
    ("about 30", True), ("примерно в 30 км", True), ("约300人", True), ("some 300", True), ("500件左右", True), ("sixty boxes or so", True),
    ("300+ guests", True), ("more than 40", True), ("no more than 40", False), ("не более 30 дней", False), ("不得超过30天", False), ("handsome 30", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_marked"), MARKS)
def test_a_rough_value_has_a_mark(text: str, is_marked: bool):
    """Words for "about" and "more" mark a number unless a negation makes them a limit."""
    assert numbers(text)[0].approximate is is_marked


SAME = [
    ("235,0", "235.0", True), ("42,000", "四万二千", True), ("42.000", "42000", True), ("42", "42,000", False), ("5%", "5", False),
    ("5%", "百分之五", True), ("5%", "5个百分点", False), ("5 руб.", "$5", False), ("5 руб.", "5", True), ("7‰", "0.7%", True), ("-5", "5", False),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "is_same"), SAME)
def test_numbers_are_compared_by_value_and_unit(first: str, second: str, is_same: bool):
    """An ambiguous number matches by its other value, too, and the order does not matter."""
    (left,), (right,) = numbers(first), numbers(second)
    assert same_number(left, right) is same_number(right, left) is is_same


def test_per_mille_is_read_as_it_is_written():
    """What is compared as a tenth of a percent is shown as its writer has it."""
    assert [(n.canonical, n.unit) for n in read_numbers("7‰, 7%")] == [
        ("7", "permille"),
        ("7", "percent"),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [("в 42 000 руб.", "42 000"), ("t=-5°", "-5"), ("up $5m", "5m"), ("\u200b4\u200b2 руб", "4\u200b2"), ("400 млн. евро", "400 млн.")],
)  # fmt: skip
def test_the_place_covers_sign_and_scale(text: str, place: str):
    """Places are offsets of the original text, also beside invisible characters."""
    (number,) = numbers(text)
    assert text[number.start : number.end] == place


PARTS = [
    ("пятого мая", "двадцать пятого мая", True), ("thirty", "thirty-one days", True), ("five", "five hundred", True), ("三十", "共三十一天", True),
    ("1.2", "v1.2.3", True), ("пятого мая", "прошло пятого мая", False), ("million", "25 million", False), ("тысяч", "двадцать тысяч", False),
    ("万元", "五万元", False), ("twenty", "twenty, five of them", False), ("second-hand", "twenty second-hand cars", False), ("v1.2", "use v1.2.", False),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "text", "is_part"), PARTS)
def test_a_part_of_a_value_is_known(phrase: str, text: str, is_part: bool):
    """A word, a numeral or a version that goes on is a part; a scale word is not."""
    start = text.index(phrase)
    assert is_part_of_value(text, start, start + len(phrase)) is is_part


def test_single_expressions_have_values():
    """Numerals, words and ordinals are read without a text around them."""
    assert numeral_value("三万亿") == 3 * 10**12
    assert numeral_value("三四十") is numeral_value("万万") is numeral_value("") is None
    assert words_value("пятьюстами") == 500
    assert words_value("twenty-first") is None
    assert (ordinal_value("двадцать пятого"), ordinal_value("twenty-fortieth")) == (25, None)


@pytest.mark.parametrize("text", ["миллиона {}", "{} twenty", "3 million, {} fifths", "万{}亿"])
def test_a_number_of_any_length_can_be_read(text: str):
    """More digits than decimal arithmetic keeps raise nothing, and are no shorter number."""
    found = numbers(text.format("9" * 5000))
    assert all(number.value < 10**13 or number.value > 10**400 for number in found)
