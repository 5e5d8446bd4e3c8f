from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import Number, numbers, numeral_value, same_number

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=200)
ANY = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(
    st.sampled_from("0123459.,' -–％%$元万亿千百十零一二两点负第年млнтысkбm½²①\u200b\u00a0/"),
    max_size=16,
)

FIGURES = [
    ("42,000", "42000"),
    ("42 000", "42000"),
    ("42\u00a0000", "42000"),
    ("42\u202f000", "42000"),
    ("42'000", "42000"),
    ("42’000", "42000"),
    ("４２，０００", "42000"),
    ("４２０００", "42000"),
    ("42.000,50", "42000.5"),
    ("42,000.50", "42000.5"),
    ("42 000,50", "42000.5"),
    ("1.234.567", "1234567"),
    ("1,234,567.8", "1234567.8"),
    ("42.000", "42"),
    ("235,0", "235"),
    ("235.0", "235"),
    ("3．5", "3.5"),
    ("0,125", "0.125"),
    ("007", "7"),
    ("4\u200b2", "42"),
    ("5½", "5.5"),
    ("2 ½ стакана", "2.5"),
    ("2\u00a0½ стакана", "2.5"),
    ("年薪30w。", "300000"),
    ("30W灯泡", "30"),
    ("a 60W bulb", "60"),
    ("3kk", "3000000"),
    ("3кк", "3000000"),
    ("七成受访者", "70"),
    ("等了半小时", "0.5"),
    ("Половина урожая погибла.", "0.5"),
    ("三只羊", "3"),
    ("¾", "0.75"),
    ("2023¹", "2023"),
    ("10 тыс.", "10000"),
    ("235 млн", "235000000"),
    ("1,5 млрд", "1500000000"),
    ("2 трлн", "2000000000000"),
    ("3 млн 200 тыс.", "3200000"),
    ("5 тысяч 300", "5300"),
    ("10k", "10000"),
    ("3.5 million", "3500000"),
    ("2bn", "2000000000"),
    ("$5m", "5000000"),
    ("5 m", "5"),
    ("5 hundred thousand", "500000"),
    ("FY2023", "2023"),
    ("2023Q3", "2023"),
    ("10m2", "10"),
    ("стр.5", "5"),
    ("1235", "1235"),
    ("12345678901234567890123456789012345", "12345678901234567890123456789012345"),
]
CHINESE = [
    ("四万二千元", "42000"),
    ("一百零五", "105"),
    ("一百一十五", "115"),
    ("十二", "12"),
    ("二十", "20"),
    ("两千", "2000"),
    ("两年", "2"),
    ("廿三", "23"),
    ("卅日", "30"),
    ("一万零五", "10005"),
    ("三亿五千万", "350000000"),
    ("一万亿", "1000000000000"),
    ("十万", "100000"),
    ("百万元", "1000000"),
    ("壹万贰仟叁佰肆拾伍元整", "12345"),
    ("二〇二〇年", "2020"),
    ("二零二三", "2023"),
    ("一九四九年", "1949"),
    ("四万二", "42000"),
    ("一百五", "150"),
    ("三点五万", "35000"),
    ("三点一四", "3.14"),
    ("4.2万", "42000"),
    ("5 万元", "50000"),
    ("3亿5千万", "350000000"),
    ("1万2", "12000"),
    ("1万2000", "12000"),
    ("3万零5百", "30500"),
    ("5千", "5000"),
    ("第三条", "3"),
    ("第五百八十五条", "585"),
    ("一个月", "1"),
    ("负三", "-3"),
    ("零下5度", "-5"),
    ("利润为-5万", "-50000"),
    ("十二萬", "120000"),
]
WORDS = [
    ("сорок две тысячи пятьсот рублей", "42500"),
    ("двадцать пять процентов", "25"),
    ("сто пять", "105"),
    ("полтора миллиона", "1500000"),
    ("тысяча рублей", "1000"),
    ("двух миллионов трёхсот тысяч", "2300000"),
    ("один процент", "1"),
    ("ноль", "0"),
    ("forty-two thousand", "42000"),
    ("a hundred and five", "105"),
    ("three hundred", "300"),
    ("Two million three hundred thousand", "2300000"),
    ("one year", "1"),
    ("seven", "7"),
    ("минус 7", "-7"),
]


@pytest.mark.parametrize(("text", "value"), [*FIGURES, *CHINESE, *WORDS])
def test_a_number_has_its_value(text: str, value: str):
    """Each notation of a number gives exactly one number with the right value."""
    assert [number.canonical for number in numbers(text)] == [value]


SEVERAL = [
    ("共5，30人", ["5", "30"]),
    ("1,2,3", ["1", "2", "3"]),
    ("3.5,4.2", ["3.5", "4.2"]),
    ("2020,2021", ["2020", "2021"]),
    ("①235", ["235"]),
    ("2019–2020", ["2019", "2020"]),
    ("5 -7", ["5", "7"]),
    ("(-3,5)", ["-3.5"]),
    ("t = −4", ["-4"]),
    ("COVID-19", ["19"]),
    ("— 5", ["5"]),
    ("5–10 млн", ["5000000", "10000000"]),
    ("3~5万元", ["30000", "50000"]),
    ("30.08.2020", ["30", "8", "2020"]),
    ("2020-08-30", ["2020", "8", "30"]),
    ("2020年8月30日", ["2020", "8", "30"]),
    ("Aug 30, 2020", ["30", "2020"]),
    ("10:30", ["10", "30"]),
    ("two three", ["2", "3"]),
    ("5 млн, 300", ["5000000", "300"]),
    ("2bn 10k", ["2000000000", "10000"]),
    ("в 2023 235 человек", ["2023", "235"]),
    ("一年三个月", ["1", "3"]),
]


@pytest.mark.parametrize(("text", "values"), SEVERAL)
def test_several_numbers_are_separated(text: str, values: list[str]):
    """Lists, ranges and dates give each of their numbers; a hyphen in them is not a minus sign."""
    assert [number.canonical for number in numbers(text)] == values


NONE = [
    "A4", "H2O", "8d024c2f", "3.2.1", "192.168.0.1", "三亚", "张三", "一般", "千万不要", "万一",
    "几十", "数百", "十几", "十分", "三四个", "第一，", "一个", "单位：万元", "one of them", "thousands of",
    "один из них", "тысячи людей", "двадцать первого", "twenty-first", "no number", "",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_text_that_only_looks_like_a_number_is_no_number(text: str):
    """Codes, names, idioms, articles, ordinals and indefinite amounts are not numbers."""
    assert numbers(text) == []


UNITS = [
    ("5%", "5", "percent", None),
    ("5 ％", "5", "percent", None),
    ("5 процентов", "5", "percent", None),
    ("5 percent", "5", "percent", None),
    ("百分之五", "5", "percent", None),
    ("百分之十二点五", "12.5", "percent", None),
    ("百分之百", "100", "percent", None),
    ("千分之五", "0.5", "percent", None),
    ("5‰", "0.5", "percent", None),
    ("5个百分点", "5", "percent", None),
    ("42000元", "42000", "currency", "CNY"),
    ("¥42,000", "42000", "currency", "CNY"),
    ("人民币500元", "500", "currency", "CNY"),
    ("RMB 500", "500", "currency", "CNY"),
    ("42 000 руб.", "42000", "currency", "RUB"),
    ("42 тыс. рублей", "42000", "currency", "RUB"),
    ("100 ₽", "100", "currency", "RUB"),
    ("$5", "5", "currency", "USD"),
    ("US$ 3.5bn", "3500000000", "currency", "USD"),
    ("USD500", "500", "currency", "USD"),
    ("5万美元", "50000", "currency", "USD"),
    ("€7", "7", "currency", "EUR"),
    ("семь евро", "7", "currency", "EUR"),
    ("-$5", "-5", "currency", "USD"),
    ("5 лет", "5", None, None),
    ("三分之二", "0.666666666666666666666666666667", None, None),
]


@pytest.mark.parametrize(("text", "value", "unit", "currency"), UNITS)
def test_units_are_read(text: str, value: str, unit: str | None, currency: str | None):
    """Percent and currencies are recognised before and after the number in three languages."""
    (number,) = numbers(text)
    assert (number.canonical, number.unit, number.currency) == (value, unit, currency)


def test_a_range_shares_its_unit():
    """In a range, the unit of the second number also applies to the first number."""
    first, second = numbers("5–10%")
    assert (first.unit, first.unit_span, second.unit) == ("percent", None, "percent")


SPANS = [
    ("в 42 000 руб.", "42 000"),
    ("约3亿5千万元", "3亿5千万"),
    ("t=-5°", "-5"),
    ("$5m up", "5m"),
]


@pytest.mark.parametrize(("text", "piece"), SPANS)
def test_spans_cover_sign_and_scale(text: str, piece: str):
    """The span of a number covers its sign and scale word in the original text."""
    (number,) = numbers(text)
    assert text[number.start : number.end] == piece


def test_spans_are_right_beside_invisible_characters():
    """Zero-width characters do not shift offsets."""
    text = "\u200bцена\u00ad 4\u200b2 руб"
    (number,) = numbers(text)
    assert text[number.start : number.end] == "4\u200b2"


SAME = [
    ("235,0", "235.0", True),
    ("42,000", "四万二千", True),
    ("4.2万", "42 000", True),
    ("3,142", "3.142", True),
    ("42.000", "42000", True),
    ("42", "42,000", False),
    ("235", "1235", False),
    ("5%", "5", False),
    ("5%", "百分之五", True),
    ("5 руб.", "$5", False),
    ("5 руб.", "5", True),
    ("-5", "5", False),
    ("1 млн", "1,000,000", True),
]


@pytest.mark.parametrize(("a", "b", "same"), SAME)
def test_same_number(a: str, b: str, same: bool):
    """Numbers are compared by value, percent and currency, and the order does not matter."""
    (left,), (right,) = numbers(a), numbers(b)
    assert same_number(left, right) is same
    assert same_number(right, left) is same


@PROPERTY
@given(st.one_of(ANY, TRICKY))
def test_numbers_never_raise_and_never_overlap(text: str):
    """Any string is read without an error; the spans are in order and do not overlap."""
    end = 0
    for number in numbers(text):
        assert end <= number.start < number.end <= len(text)
        end = number.end


@PROPERTY
@given(st.integers(0, 10**15), st.sampled_from([",", " ", "\u00a0", "\u202f"]))
def test_grouping_never_changes_a_value(value: int, separator: str):
    """Digits with thousands separators have the same value as without."""
    (number,) = numbers(f"{value:,}".replace(",", separator))
    assert number.value == value


@PROPERTY
@given(st.integers(1, 10**12 - 1))
def test_chinese_numerals_round_trip(value: int):
    """A well-formed Chinese numeral is read as its value."""
    assert numeral_value(_numeral(value)) == Decimal(value)


@PROPERTY
@given(st.integers(0, 99999), st.integers(1, 9))
def test_no_number_inside_another(value: int, extra: int):
    """With one more digit before or after, the text is another number and not the shorter one."""
    for text in (f"{extra}{value}", f"{value}{extra}"):
        assert [number.value for number in numbers(text)] == [Decimal(text)]


def test_a_number_is_plain_data():
    """Two readings of the same text are equal."""
    assert numbers("5%")[0] == numbers("5%")[0]
    assert isinstance(numbers("5")[0], Number)


def _numeral(value: int) -> str:
    if value >= 10**8:
        return _with_rest(_numeral(value // 10**8) + "亿", value % 10**8, 10**7)
    if value >= 10**4:
        return _with_rest(_numeral(value // 10**4) + "万", value % 10**4, 10**3)
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十")):
        if value >= unit:
            return _with_rest(
                "零一二三四五六七八九"[value // unit] + sign, value % unit, unit // 10
            )
    return "零一二三四五六七八九"[value]


def _with_rest(head: str, rest: int, next_unit: int) -> str:
    if rest == 0:
        return head
    return head + ("零" if rest < next_unit else "") + _numeral(rest)


@pytest.mark.parametrize(
    ("text", "is_approximate"),
    [
        ("外债超过3000亿美元", True),
        ("粉丝突破2.3万", True),
        ("电量不足5%", True),
        ("手术费差不多要八千块", True),
        ("不得超过30天", False),
        ("На митинг вышло человек двадцать.", True),
        ("Ей лет тридцать пять.", True),
        ("за 5 лет 30 человек", False),
        ("Идти туда часа три.", True),
        ("За три часа четыре звонка.", False),
    ],
)
def test_words_before_a_number_make_it_approximate(text: str, is_approximate: bool):
    """More than, nearly and the inverted order of Russian mark a number; a limit does not."""
    assert numbers(text)[-1].approximate is is_approximate
