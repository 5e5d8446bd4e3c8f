"""Per mille is a unit of its own for readers, and a tenth of a percent where numbers are compared."""

import pytest

from assay import read_numbers
from assay.text import numbers, same_number


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("солёность 7 ‰", ["7"]),
        ("0,8 промилле", ["0.8"]),
        ("ноль целых семь десятых промилле", ["0.7"]),
        ("five per mille", ["5"]),
        ("5–7‰", ["5", "7"]),
        ("盐度为35‰", ["35"]),
    ],
)
def test_per_mille_is_read_as_it_is_written(text: str, values: list[str]):
    """The value is the number that is written, also at both ends of a range."""
    assert [(number.canonical, number.unit) for number in read_numbers(text)] == [
        (value, "permille") for value in values
    ]


def test_per_mille_equals_its_percentage_where_numbers_are_compared():
    """An answer in percent and a source per mille mean the same."""
    first, second = numbers("7‰, 0.7%")
    assert same_number(first, second)
    written = read_numbers("7‰, 7%, 7")
    assert not same_number(written[0], written[1])
    assert not same_number(written[0], written[2])
