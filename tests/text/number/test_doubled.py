"""Numbers that are written twice, in digits and in words."""

import pytest

from assay.text import numbers


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("thirty (30) days", "30", None),
        ("30 (тридцать) календарных дней", "30", None),
        ("三十（30）天", "30", None),
        ("100 000 (Сто тысяч) рублей 00 копеек", "100000", "RUB"),
        ("five thousand (5,000) dollars", "5000", "USD"),
        ("42.500 (forty-two thousand five hundred) euros", "42500", "EUR"),
    ],
)
def test_a_number_written_twice_is_one(text: str, value: str, unit: str | None):
    """Digits and words of one value, one of them in brackets, are one number with its unit."""
    assert [(number.canonical, number.currency) for number in numbers(text)] == [(value, unit)]


@pytest.mark.parametrize(
    "text", ["Article 5 (5)", "thirty (31) days", "30 (thirty-one) days", "two (see 2)"]
)
def test_two_numbers_stay_two(text: str):
    """Equal notations, other values and other words in the brackets join nothing."""
    assert len(numbers(text)) == 2
