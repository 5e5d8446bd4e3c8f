"""Ranges of numbers: both ends have the scale that is written once, or the unclear end is not read."""

import pytest

from assay.text import numbers

RANGES = [
    ("two to three hundred thousand", ["200000", "300000"]),
    ("between two and three hundred thousand", ["200000", "300000"]),
    ("two or three hundred million people", ["200000000", "300000000"]),
    ("2 to 3 million", ["2000000", "3000000"]),
    ("twenty to three hundred thousand", ["20000", "300000"]),
    ("two hundred to three hundred thousand", ["200000", "300000"]),
    ("две-три тысячи", ["2000", "3000"]),
    ("две-три сотни тысяч", ["200000", "300000"]),
    ("от двух до трёх сотен тысяч", ["200000", "300000"]),
    ("два-три десятка тысяч", ["20000", "30000"]),
    ("от двух до трёхсот тысяч", ["2000", "300000"]),
    ("2 либо 3 миллиона", ["2000000", "3000000"]),
    ("2至3百万", ["2000000", "3000000"]),
    ("两到三百万", ["2000000", "3000000"]),
    ("一到两千万", ["10000000", "20000000"]),
    ("五到六百亿", ["50000000000", "60000000000"]),
    ("二十至三十万", ["200000", "300000"]),
    # What the first end counts is not clear.
    ("five to two hundred thousand", ["200000"]),
    ("three to four hundred and fifty thousand", ["450000"]),
    ("二到三十万", ["300000"]),
    # "Two or three" before a scale is vague.
    ("两三百万", []),
    ("二三十万", []),
    ("2、3百万", []),
]


@pytest.mark.parametrize(("text", "expected"), RANGES)
def test_both_ends_of_a_range_have_the_scale(text: str, expected: list[str]):
    """A digit takes all scale words of the other end, a larger number the last one."""
    assert [number.canonical for number in numbers(text)] == expected


SHARES = [
    ("½ million", ["500000"]),
    ("¾ of a million dollars", ["750000"]),
    ("½ a million", ["500000"]),
    ("½ dozen", ["6"]),
    ("½ млн рублей", ["500000"]),
    ("полмиллиона", ["500000"]),
    ("½万", ["5000"]),
    ("¼ mile", ["0.25"]),
    ("½ of a mile", ["0.5"]),
]


@pytest.mark.parametrize(("text", "expected"), SHARES)
def test_a_fraction_character_has_the_scale_after_it(text: str, expected: list[str]):
    """Half of a million is read with its million."""
    assert [number.canonical for number in numbers(text)] == expected
