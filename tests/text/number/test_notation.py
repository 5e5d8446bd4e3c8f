"""Scales, separators, signs and shared units in any notation: the value, or nothing."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import numbers

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)
VALUES = [
    ("5仟元", ["5000 CNY"]),
    ("5佰", ["500"]),
    ("5拾万元", ["500000 CNY"]),
    ("壹仟贰佰元", ["1200 CNY"]),
    ("3多万人", ["30000"]),
    ("1，000元", ["1000 CNY"]),
    ("1，000.50元", ["1000.5 CNY"]),
    ("￥36，500", ["36500 CNY"]),
    ("$5MM", ["5000000 USD"]),
    ("$5 M", ["5000000 USD"]),
    ("$5tr", ["5000000000000 USD"]),
    ("5 Mrd", ["5000000000"]),
    ("5 milliard", ["5000000000"]),
    ("5 thousands", ["5000"]),
    ("5 мильонов", ["5000000"]),
    ("亏损-100万元", ["-1000000 CNY"]),
    ("$(1,234)", ["-1234 USD"]),
    ("$-1,234", ["-1234 USD"]),
    ("1⁄2", ["0.5"]),
    ("2 1⁄2", ["2.5"]),
    ("5 х 10^3", ["5000"]),
    ("2023¹", ["2023"]),
    ("1,234¹", ["1234"]),
    ("5‱", ["0.05 percent"]),
    ("百分之三到五", ["3 percent", "5 percent"]),
    ("百分之三十至五十", ["30 percent", "50 percent"]),
    ("百分之三到百分之五", ["3 percent", "5 percent"]),
    ("$1.5-2 million", ["1500000 USD", "2000000 USD"]),
    ("$25-30k", ["25000 USD", "30000 USD"]),
    ("between $5 and 10 million", ["5000000 USD", "10000000 USD"]),
    ("3 to 5 percent", ["3 percent", "5 percent"]),
    ("от 3 до 5 рублей", ["3 RUB", "5 RUB"]),
    ("от трёх до пяти процентов", ["3 percent", "5 percent"]),
    ("sold for $5 to 10 people", ["5 USD", "10"]),
]
NOTHING = [
    "5 bil", "5bil", "5 Bio", "5 tril", "5 Tsd.", "5 quadrillion", "5 zillion", "1 биллион", "пять биллионов",
    "5 квадриллионов", "5 мрд", "5млд", "5 ярдов рублей", "21⁄2", "5²", "2¹⁰", "12,5²", "101₂", "1,234,567.8.9",
    "共5，300人", "1，234，567元",
]  # fmt: skip


def _read(text: str) -> list[str]:
    return [
        " ".join(filter(None, (number.canonical, number.currency or number.unit)))
        for number in numbers(text)
    ]


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_an_expression_is_read_whole(text: str, expected: list[str]):
    """Formal characters, abbreviations, raised marks and shared units belong to the number."""
    assert _read(text) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_not_understood_gives_nothing(text: str):
    """A scale, a power or a separator that may mean two values leaves no part of the number."""
    assert _read(text) == []


@PROPERTY
@given(
    st.integers(1, 999),
    st.sampled_from(
        [
            "仟",
            "佰",
            "万仟",
            " bil",
            "MM",
            " Mrd",
            " milliard",
            " биллион",
            " sextillion",
            "²",
            "¹⁰",
            "₂",
            "⁄7",
            "⁄2",
        ]
    ),
)
def test_the_digits_before_a_scale_are_not_the_value(digits: int, tail: str):
    """What follows the digits changes the value, so the digits alone are never returned."""
    for before in ("", "$", "共", "около "):
        assert Decimal(digits) not in [
            number.value for number in numbers(f"{before}{digits}{tail}")
        ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Займ на 12 (двенадцать) миллионов рублей", "12000000"),
        ("восемьдесят (80) тысяч рублей", "80000"),
        ("a grant of 7 (seven) million euros", "7000000"),
        ("借款25（二十五）万元", "250000"),
        ("a term of 30 (thirty) days", "30"),
    ],
)
def test_the_scale_behind_a_doubled_number_belongs_to_it(text: str, value: str):
    """In contracts the words stand between a number and its scale."""
    assert [number.canonical for number in numbers(text)] == [value]


def test_parts_of_a_machine_are_no_zero():
    """零件 is a word, and 零次 is a number."""
    assert [n.canonical for n in numbers("这台泵有四百个零件")] == ["400"]
    assert [n.canonical for n in numbers("零次")] == ["0"]


@pytest.mark.parametrize("text", ["33⅓%", "2⅔ cups", "2 ⅔ cups", "1⅙"])
def test_a_number_with_a_fraction_that_has_no_end_is_not_read(text: str):
    """The whole part alone would be a wrong value."""
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [(".5 million", 500_000), ("1⅒", Decimal("1.1")), ("p < .05", Decimal("0.05"))],
)
def test_a_leading_point_and_a_small_fraction_are_read_whole(text: str, value: Decimal):
    """A scale word counts after a number that begins with its point, too."""
    assert [number.value for number in numbers(text)] == [value]
