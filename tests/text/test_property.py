"""Numbers that are written by a generator: each is read whole, with its value and its place."""

from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.number import numbers

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)
EN_SMALL_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen"""
EN_TENS_WORDS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"
EN_SMALL, EN_TENS = EN_SMALL_WORDS.split(), EN_TENS_WORDS.split()
EN_SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"))
RU_CASES = {
    "nominative": (
        """ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать
        четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать""",
        "_ _ двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
        "_ сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот",
        "тысяч миллионов миллиардов",
    ),
    "genitive": (
        """нуля одного двух трёх четырёх пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати
        четырнадцати пятнадцати шестнадцати семнадцати восемнадцати девятнадцати""",
        "_ _ двадцати тридцати сорока пятидесяти шестидесяти семидесяти восьмидесяти девяноста",
        "_ ста двухсот трёхсот четырёхсот пятисот шестисот семисот восьмисот девятисот",
        "тысяч миллионов миллиардов",
    ),
    "instrumental": (
        """нулём одним двумя тремя четырьмя пятью шестью семью восемью девятью десятью одиннадцатью двенадцатью
        тринадцатью четырнадцатью пятнадцатью шестнадцатью семнадцатью восемнадцатью девятнадцатью""",
        "_ _ двадцатью тридцатью сорока пятьюдесятью шестьюдесятью семьюдесятью восемьюдесятью девяноста",
        "_ ста двумястами тремястами четырьмястами пятьюстами шестьюстами семьюстами восемьюстами девятьюстами",
        "тысячами миллионами миллиардами",
    ),
}
ZH_USUAL, ZH_FORMAL = ("零一二三四五六七八九", "十百千万亿"), ("零壹贰叁肆伍陆柒捌玖", "拾佰仟万亿")


def english(value: int) -> str:
    """The usual spelling in words."""
    for scale, word in EN_SCALES:
        if value >= scale:
            rest = f" {english(value % scale)}" if value % scale else ""
            return f"{english(value // scale)} {word}{rest}"
    if value >= 100:
        rest = f" and {english(value % 100)}" if value % 100 else ""
        return f"{EN_SMALL[value // 100]} hundred{rest}"
    if value < 20:
        return EN_SMALL[value]
    return EN_TENS[value // 10] + (f"-{EN_SMALL[value % 10]}" if value % 10 else "")


def russian(value: int, case: str) -> str:
    """The spelling in words of a case, without the inflection of a last "one"."""
    small, tens, hundreds, scales = (words.split() for words in RU_CASES[case])
    for scale, word in zip((10**9, 10**6, 1000), reversed(scales), strict=True):
        if value >= scale:
            rest = f" {russian(value % scale, case)}" if value % scale else ""
            return f"{russian(value // scale, case)} {word}{rest}"
    words = [hundreds[value // 100]] if value >= 100 else []
    value %= 100
    words += [tens[value // 10]] if value >= 20 else []
    value = value % 10 if value >= 20 else value
    return " ".join([*words, small[value]] if value or not words else words)


def chinese(value: int, style: tuple[str, str] = ZH_USUAL) -> str:
    """The numeral with its zeros."""
    digits, units = style
    for size, unit in (
        (10**8, units[4]),
        (10**4, units[3]),
        (1000, units[2]),
        (100, units[1]),
        (10, units[0]),
    ):
        if value >= size:
            rest = value % size
            zero = digits[0] if rest and rest < size // 10 else ""
            return (
                chinese(value // size, style) + unit + zero + (chinese(rest, style) if rest else "")
            )
    return digits[value]


class Written(NamedTuple):
    """A number as it is written, and its value."""

    text: str
    value: Decimal


@st.composite
def written_numbers(draw: st.DrawFn) -> Written:
    """A whole number, a decimal or a rounded one in one of many notations of three languages."""
    value, digit = draw(st.integers(2, 10 ** draw(st.integers(1, 12)) - 1)), draw(st.integers(1, 9))
    small, exact = value % 998 + 2, Decimal(value)
    tenths, grouped = Decimal(small) + Decimal(digit) / 10, f"{value:,}"
    case = draw(st.sampled_from(list(RU_CASES)))
    forms = [
        Written(str(value), exact),
        *(Written(grouped.replace(",", gap), exact) for gap in (",", " ", "\u00a0", "\u202f", "'")),
        Written(str(value).translate({48 + n: 0xFF10 + n for n in range(10)}), exact),
        Written(english(value), exact),
        Written(russian(value, case), exact),
        Written(chinese(value) + "元", exact),
        Written(chinese(value, ZH_FORMAL) + "元", exact),
        Written(f"{small}.{digit}", tenths),
        Written(f"{small},{digit} млн", tenths * 10**6),
        Written(f"${small}.{digit}bn", tenths * 10**9),
        Written(f"{small}.{digit}万", tenths * 10**4),
        Written(f"{small}亿{digit}千万", Decimal(small * 10**8 + digit * 10**7)),
        Written(f"{english(small)} and a half million", (Decimal(small) + Decimal("0.5")) * 10**6),
        Written(
            f"{russian(small, case)} с половиной тысяч", (Decimal(small) + Decimal("0.5")) * 1000
        ),
        Written(f"{english(small)} point {EN_SMALL[digit]}", tenths),
        Written(f"{chinese(small)}点{ZH_USUAL[0][digit]}", tenths),
        Written(f"百分之{chinese(small)}", Decimal(small)),
        Written(f"минус {small}", Decimal(-small)),
    ]
    return draw(st.sampled_from(forms))


FRAMES = ["{}", "It was {}.", "Всего {} было.", "共{}，", "({})", "of {}; and"]


@PROPERTY
@given(written_numbers(), st.sampled_from(FRAMES))
def test_what_is_written_is_read_back(written: Written, frame: str):
    """The value is the one that was written, and the place is where it was written."""
    text = frame.format(written.text)
    (number,) = numbers(text)
    assert number.value == written.value
    unit = number.unit_span
    start = number.start if unit is None else min(number.start, unit.start)
    end = number.end if unit is None else max(number.end, unit.end)
    assert text[start:end].removesuffix(".") == written.text


SPELLINGS: dict[str, Callable[[int], str]] = {
    "digits": str,
    "en": english,
    "ru": lambda value: russian(value, "nominative"),
    "zh": chinese,
}
TAILS = {
    "digits": " and a half| point five| dozen| million| quadrillion| с половиной| биллионов|½|²|⁄7|几|万几|块五|个亿",
    "en": " and a half| point five| dozen| hundred| million| quadrillion| thirds|-first|-seventh",
    "ru": " с половиной| целых пять десятых| сотен| миллионов| биллионов| первых",
    "zh": "点五|多万|几|几万|分之一|个半|块五|个亿|万几",
}
EACH_TAIL = [(name, tail) for name, tails in TAILS.items() for tail in tails.split("|")]


@PROPERTY
@given(st.sampled_from([20, 30, 90, 120, 300]), st.sampled_from(EACH_TAIL))
def test_no_beginning_of_a_number_is_its_value(value: int, tail: tuple[str, str]):
    """Whatever continues a number changes its value or makes it unreadable."""
    text = SPELLINGS[tail[0]](value) + tail[1]
    assert value not in [number.value for number in numbers(text)], text


@PROPERTY
@given(st.integers(0, 99999), st.integers(1, 9))
def test_a_longer_number_is_another_one(value: int, extra: int):
    """With one more digit before or after, the text is another number and not the shorter one."""
    for text in (f"{extra}{value}", f"{value}{extra}"):
        assert [number.value for number in numbers(text)] == [Decimal(text)]


ANY = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(
    st.sampled_from(
        "0123459.,' -–％%$元万亿千百十零一二两点负第年分之млнтысkбm½²①\u200b\u00a0/()XIV"
    ),
    max_size=16,
)


@PROPERTY
@given(st.one_of(ANY, TRICKY))
def test_any_text_is_read_and_numbers_do_not_overlap(text: str):
    """Any string is read without an error; the places are in order."""
    end = 0
    for number in numbers(text):
        assert end <= number.start < number.end <= len(text)
        end = number.end
