"""A comma before three digits: decimals before a Russian scale word, thousands elsewhere."""

from decimal import Decimal

import pytest

from assay.text import numbers, same_number


@pytest.mark.parametrize(
    ("text", "value"),
    [("12,641 млрд руб.", "12641000000"), ("3,250 млн руб.", "3250000"), ("5,125 тыс. человек", "5125"),
     ("12,641 million", "12641000000"), ("42,000 руб.", "42000"), ("1,234,567 тыс.", "1234567000")],
)  # fmt: skip
def test_a_comma_before_a_russian_scale_is_a_decimal_one(text: str, value: str):
    """In English and without a scale it separates thousands."""
    (number,) = numbers(text)
    assert number.value == Decimal(value)


def test_an_amount_is_the_same_in_millions_and_in_milliards():
    """12,641 млрд is 12 641 млн, and not 12 641 млрд."""
    known, same, other = numbers("12,641 млрд; 12 641,0 млн; 12 641 млрд")
    assert same_number(known, same)
    assert not same_number(known, other)
