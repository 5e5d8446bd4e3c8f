"""Numbers that are put together from parts: each is read whole or not at all."""

from decimal import Decimal
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import numbers

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)

EN_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
EN_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
RU_UNITS = ["ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять"]
RU_TEENS = [
    "десять",
    "одиннадцать",
    "двенадцать",
    "тринадцать",
    "четырнадцать",
    "пятнадцать",
    "шестнадцать",
    "семнадцать",
    "восемнадцать",
    "девятнадцать",
]
RU_TENS = [
    "двадцать",
    "тридцать",
    "сорок",
    "пятьдесят",
    "шестьдесят",
    "семьдесят",
    "восемьдесят",
    "девяносто",
]
RU_HUNDREDS = [
    "сто",
    "двести",
    "триста",
    "четыреста",
    "пятьсот",
    "шестьсот",
    "семьсот",
    "восемьсот",
    "девятьсот",
]
ZH_DIGITS = "零一二三四五六七八九"
HALF = Decimal("0.5")


class Composite(NamedTuple):
    """An expression, and the values that may be read from it."""

    text: str
    values: list[Decimal]


def english(value: int) -> str:
    """A number below 1000 in words."""
    if value >= 100:
        rest = f" and {english(value % 100)}" if value % 100 else ""
        return f"{EN_UNITS[value // 100]} hundred{rest}"
    return _below_hundred(value, EN_UNITS, EN_TEENS, EN_TENS, "-")


def russian(value: int) -> str:
    """A number below 1000 in words."""
    if value >= 100:
        rest = f" {russian(value % 100)}" if value % 100 else ""
        return RU_HUNDREDS[value // 100 - 1] + rest
    return _below_hundred(value, RU_UNITS, RU_TEENS, RU_TENS, " ")


def _below_hundred(
    value: int, units: list[str], teens: list[str], tens: list[str], gap: str
) -> str:
    if value < 10:
        return units[value]
    if value < 20:
        return teens[value - 10]
    ten = tens[value // 10 - 2]
    return f"{ten}{gap}{units[value % 10]}" if value % 10 else ten


def chinese(value: int) -> str:
    """A number below 10,000 as a numeral."""
    text, zero = "", False
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit:
            text += ("零" if zero and text else "") + ZH_DIGITS[digit] + sign
            zero = False
        else:
            zero = bool(text)
    return text


SMALL, BELOW_THOUSAND, DIGIT = st.integers(2, 99), st.integers(2, 999), st.integers(1, 9)
EN_SCALE = st.sampled_from([("thousand", 10**3), ("million", 10**6), ("billion", 10**9)])
RU_SCALE = st.sampled_from([("тысяч", 10**3), ("миллионов", 10**6), ("миллиардов", 10**9)])
ZH_SCALE = st.sampled_from([("万", 10**4), ("亿", 10**8)])


@st.composite
def english_composites(draw: st.DrawFn) -> Composite:
    """A number of English words or digits with a fraction, a scale, a group or hundredths."""
    value, (word, scale), digit = draw(BELOW_THOUSAND), draw(EN_SCALE), draw(DIGIT)
    number = draw(st.sampled_from([english(value), str(value)]))
    exact, tenth = Decimal(value), Decimal(digit) / 10
    forms = [
        (f"{number} {word}", [exact * scale]),
        (f"{number} and a half {word}", [(exact + HALF) * scale]),
        (f"{number} {word} and a half", [(exact + HALF) * scale]),
        (f"{number} and three quarters", [exact + Decimal("0.75")]),
        (f"{english(value)} point {EN_UNITS[digit]} {word}", [(exact + tenth) * scale]),
        (f"{english(value)} point oh {EN_UNITS[digit]}", [exact + tenth / 10]),
        (f"{value}.{digit} {word}", [(exact + tenth) * scale]),
        (f"{value}½ {word}", [(exact + HALF) * scale]),
        (f"{value} 3/4", [exact + Decimal("0.75")]),
        (f"{value}.{digit}e{digit}", [(exact + tenth).scaleb(digit)]),
        (f"{value}×10^{digit}", [exact.scaleb(digit)]),
        (f"{number} dozen and a half", [exact * 12 + 6]),
        (f"{english(value)} {word}-odd", [exact * scale]),
        (f"{number} dollars and {english(digit)} cents", [exact + tenth / 10]),
        (f"{number} to {value + digit} {word}", [exact * scale, (exact + digit) * scale]),
        (f"${value}-{value + digit} {word}", [exact * scale, (exact + digit) * scale]),
        (f"{english(digit)} and {EN_TENS[digit - 2]}", [exact * 0 + 10 * digit + digit]),
    ]
    return Composite(*draw(st.sampled_from(forms)))


@st.composite
def russian_composites(draw: st.DrawFn) -> Composite:
    """A number of Russian words or digits with a fraction, a scale, a group or hundredths."""
    value, (word, scale), digit = draw(BELOW_THOUSAND), draw(RU_SCALE), draw(DIGIT)
    number = draw(st.sampled_from([russian(value), str(value)]))
    exact, tenth = Decimal(value), Decimal(digit) / 10
    few = draw(st.integers(2, 4))
    forms = [
        (f"{number} {word}", [exact * scale]),
        (f"{number} с половиной {word}", [(exact + HALF) * scale]),
        (f"{number} {word} с половиной", [(exact + HALF) * scale]),
        (f"{number} с четвертью {word}", [(exact + HALF / 2) * scale]),
        (f"{number} с лишним {word}", [exact * scale]),
        (f"{number} {word} с гаком", [exact * scale]),
        (f"{russian(value)} целых {RU_UNITS[digit]} десятых", [exact + tenth]),
        (f"{russian(value)} целых {RU_UNITS[digit]} сотых {word}", [(exact + tenth / 10) * scale]),
        (f"{value},{digit} {word}", [(exact + tenth) * scale]),
        (f"{value} тыс. {digit * 100}", [exact * 1000 + digit * 100]),
        (f"{russian(value)} миллионов {RU_HUNDREDS[digit - 1]}", [exact * 10**6 + digit * 10**5]),
        (f"{number} рублей {russian(digit)} копеек", [exact + tenth / 10]),
        (f"{number} рублей {russian(10 * digit)}", [exact + tenth]),
        (f"{value}-{value + digit} {word}", [exact * scale, (exact + digit) * scale]),
        (f"тысячи {RU_UNITS[few]}", [Decimal(few) * 1000]),
        (
            f"тысячи {RU_UNITS[few]}-{RU_UNITS[few + 1]}",
            [Decimal(few) * 1000, Decimal(few + 1) * 1000],
        ),
        (f"{number} градусов мороза", [-exact]),
        (f"{number} в третьей степени", [exact**3]),
    ]
    return Composite(*draw(st.sampled_from(forms)))


@st.composite
def chinese_composites(draw: st.DrawFn) -> Composite:
    """A Chinese number with 多, 半, a point, a fraction, colloquial money or a measure."""
    value, (sign, scale), digit = draw(st.integers(2, 9999)), draw(ZH_SCALE), draw(DIGIT)
    number = draw(st.sampled_from([chinese(value), str(value)]))
    tens = chinese(10 * value) if value < 1000 else str(10 * value)
    exact, tenth, last = Decimal(value), Decimal(digit) / 10, ZH_DIGITS[digit]
    more = draw(st.sampled_from("多余来"))
    measure = draw(st.sampled_from(["个", "年", "斤", "升", "公里", "小时", "倍", "杯", "公斤"]))
    forms = [
        (f"{number}{sign}", [exact * scale]),
        (f"{tens}{more}{sign}", [exact * 10 * scale]),
        (f"{number}{sign}{more}人", [exact * scale]),
        (f"{number}{sign}{last}千", [exact * scale + digit * 1000]),
        (f"{chinese(value)}点{last}{sign}", [(exact + tenth) * scale]),
        (f"{number}{measure}半", [exact + HALF]),
        (f"{number}块{last}", [exact + tenth]),
        (f"{number}块{last}毛{last}", [exact + tenth + tenth / 10]),
        (f"{number}元{last}角", [exact + tenth]),
        (f"{number}米{last}", [exact + tenth]),
        (f"{number}度{last}", [exact + tenth]),
        (f"{chinese(value)}又四分之一", [exact + HALF / 2]),
        (f"{chinese(100 * digit)}单{last}", [Decimal(101 * digit)]),
        (f"{tens}有{last}", [exact * 10 + digit]),
        (f"{tens}几{sign}", []),
        (f"{chinese(value)}千克", [exact]),
        (f"{number}的{last}次方", [exact**digit]),
        (f"{number}至{value + digit}{sign}", [exact * scale, (exact + digit) * scale]),
        (f"{last}成", [tenth * 100]),
        (f"零下{number}度{last}", [-exact - tenth]),
    ]
    return Composite(*draw(st.sampled_from(forms)))


FRAMES = ["{}", "It was {}.", "Всего {}.", "共{}。", "({})"]


@PROPERTY
@given(
    st.one_of(english_composites(), russian_composites(), chinese_composites()),
    st.sampled_from(FRAMES),
)
def test_a_composite_is_read_whole_or_not_at_all(composite: Composite, frame: str):
    """Of an expression with several parts either its values are read, or nothing."""
    read = [number.value for number in numbers(frame.format(composite.text))]
    assert read in ([], composite.values), (composite, read)
