"""Check digits, against python-stdnum as another implementation."""

import random
from collections.abc import Callable

import pytest
from stdnum import luhn
from stdnum.cn import ric

from assay.redact import checksum
from tests.redact.drawn import DRAWN


def test_luhn_agrees_with_another_implementation():
    """Every number of a random sample gets the same verdict."""
    chance = random.Random(1)
    for length in (2, 13, 15, 16, 19):
        for _ in range(300):
            number = "".join(chance.choices("0123456789", k=length))
            expected = luhn.is_valid(number) and len(set(number)) > 1
            assert checksum.has_luhn_digit(number) == expected, number


def test_identity_numbers_agree_with_another_implementation():
    """Every possible last digit; its own verdict also asks for a county that it knows."""
    chance = random.Random(2)
    for _ in range(50):
        number = DRAWN["ID_NUMBER"](chance)[1]
        for last in "0123456789X":
            changed = number[:-1] + last
            assert checksum.is_chinese_id(changed) == (last == ric.calc_check_digit(changed))


@pytest.mark.parametrize(
    ("slot", "check"),
    [
        ("USCC", checksum.is_uscc),
        ("CARD_CN", checksum.is_card),
        ("IBAN", checksum.is_iban),
        ("INN", checksum.is_inn),
        ("OGRN", checksum.is_ogrn),
        ("SNILS", checksum.is_snils),
    ],
)
def test_a_changed_digit_is_noticed(slot: str, check: Callable[[str], bool]):
    """The drawn number is right, and with any other last digit it is wrong."""
    chance = random.Random(3)
    for _ in range(30):
        number = DRAWN[slot](chance)[1].replace(" ", "").replace("-", "")
        assert check(number), number
        last = "0123456789".replace(number[-1], "")
        assert not any(check(number[:-1] + digit) for digit in last), number


@pytest.mark.parametrize(
    ("number", "is_right"), [("11010519491331002X", False), ("990105194912310021", False)]
)
def test_an_identity_number_needs_a_date_and_a_province(number: str, is_right: bool):
    """Month 13 and province 99 do not exist."""
    assert checksum.is_chinese_id(number) == is_right
