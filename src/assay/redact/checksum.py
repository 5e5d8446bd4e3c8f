"""Check digits of identity numbers, cards and accounts, as their issuers define them.

Numbers are given without separators. Those that python-stdnum knows are checked by it, except
where its check is stricter than the issuers are (identity numbers) or slow (cards).
"""

import importlib
from datetime import date
from functools import cache
from typing import Any, Final

CARD_PREFIXES: Final = (
    ("4", (13, 16, 19)),
    *((str(prefix), (16,)) for prefix in range(51, 56)),
    *((str(prefix), (16,)) for prefix in range(2221, 2721)),
    *((str(prefix), (16, 17, 18, 19)) for prefix in range(2200, 2205)),
    ("34", (15,)),
    ("37", (15,)),
    *((prefix, (14,)) for prefix in ("300", "301", "302", "303", "304", "305", "36", "38", "39")),
    ("62", (16, 17, 18, 19)),
    ("6011", (16, 19)),
    ("65", (16, 19)),
    *((str(prefix), (16,)) for prefix in range(3528, 3590)),
)
"""First digits of the large issuers of bank cards, with the lengths that they use."""

PROVINCES: Final = frozenset(
    [
        "11",
        "12",
        "13",
        "14",
        "15",
        "21",
        "22",
        "23",
        "31",
        "32",
        "33",
        "34",
        "35",
        "36",
        "37",
        "41",
        "42",
        "43",
        "44",
        "45",
        "46",
        "50",
        "51",
        "52",
        "53",
        "54",
        "61",
        "62",
        "63",
        "64",
        "65",
        "71",
        "81",
        "82",
        "83",
        "91",
    ]
)
"""The first two digits of Chinese identity numbers."""

_DOUBLED: Final = dict(zip("0123456789", (0, 2, 4, 6, 8, 1, 3, 5, 7, 9), strict=True))
"""The digits of twice a digit, added."""
_BY_LENGTH: Final = {
    length: tuple(prefix for prefix, lengths in CARD_PREFIXES if length in lengths)
    for length in range(13, 20)
}


def is_chinese_id(number: str) -> bool:
    """Whether it is a Chinese identity number: province, date of birth and check digit.

    The 18 digits, weighted by powers of 2 from the right, leave 1 modulo 11; X stands for 10.
    python-stdnum also asks for a known county, but counties are founded and dissolved.

    >>> is_chinese_id("11010519491231002X"), is_chinese_id("110105194912310021")
    (True, False)
    """
    if number[:2] not in PROVINCES or not _is_date(number[6:14]):
        return False
    digits = [10 if digit == "X" else int(digit) for digit in number]
    return sum(digit << (17 - at) for at, digit in enumerate(digits)) % 11 == 1


def is_old_chinese_id(number: str) -> bool:
    """Whether 15 digits can be a Chinese identity number of the form before 1999.

    >>> is_old_chinese_id("110105491231002"), is_old_chinese_id("110105491331002")
    (True, False)
    """
    return number[:2] in PROVINCES and _is_date(f"19{number[6:12]}")


def is_uscc(number: str) -> bool:
    """Whether it is a Chinese unified social credit code.

    >>> is_uscc("91110000600037341L"), is_uscc("91110000600037341M")
    (True, False)
    """
    return bool(_stdnum("cn.uscc").is_valid(number))


def is_card(number: str) -> bool:
    """Whether it is a bank card: an issuer's first digits, its length, and Luhn's check digit.

    >>> is_card("4111111111111111"), is_card("4111111111111112"), is_card("1111111111111117")
    (True, False, False)
    """
    return number.startswith(_BY_LENGTH.get(len(number), ())) and has_luhn_digit(number)


def has_luhn_digit(number: str) -> bool:
    """Whether the last digit is Luhn's check digit, and not all digits are equal.

    >>> has_luhn_digit("79927398713"), has_luhn_digit("0000000000000000")
    (True, False)
    """
    if len(set(number)) == 1:
        return False
    doubled = sum(_DOUBLED[digit] for digit in number[-2::-2])
    return (doubled + sum(map(int, number[::-2]))) % 10 == 0


def is_iban(number: str) -> bool:
    """Whether it is an international account number, with the structure of its country.

    >>> is_iban("DE89370400440532013000"), is_iban("DE89370400440532013001")
    (True, False)
    """
    return bool(_stdnum("iban").is_valid(number))


def is_inn(number: str) -> bool:
    """Whether it is a Russian tax number of 10 or 12 digits.

    >>> is_inn("7707083893"), is_inn("7707083894")
    (True, False)
    """
    return bool(_stdnum("ru.inn").is_valid(number)) and len(set(number)) > 1


def is_ogrn(number: str) -> bool:
    """Whether it is a Russian registration number of a company or an entrepreneur.

    The check digit is the last digit of a remainder; python-stdnum 2.2 expects the whole remainder
    for entrepreneurs, and refuses three in thirteen of them.

    >>> is_ogrn("1027700132195"), is_ogrn("1027700132194"), is_ogrn("320779343035290")
    (True, False, True)
    """
    if not number.isdecimal() or number[0] not in {13: "123456789", 15: "34"}.get(len(number), ""):
        return False
    return int(number[:-1]) % (len(number) - 2) % 10 == int(number[-1])


def is_snils(number: str) -> bool:
    """Whether 11 digits are a Russian insurance number.

    The check number is the sum of the nine digits, weighted 9 to 1, modulo 101, where 100 counts
    as 0. Numbers up to 001-001-998 have none.

    >>> is_snils("11223344595"), is_snils("11223344596")
    (True, False)
    """
    if int(number[:9]) <= 1001998:
        return False
    total = sum(int(digit) * weight for digit, weight in zip(number, range(9, 0, -1), strict=False))
    return total % 101 % 100 == int(number[9:])


def is_ssn(number: str) -> bool:
    """Whether nine digits may be a social security number of the USA; it has no check digit.

    >>> is_ssn("219099999"), is_ssn("000123456"), is_ssn("900123456")
    (True, False, False)
    """
    return number[0] != "9" and number[:3] not in {"000", "666"} and number[3:5] != "00"


@cache
def _stdnum(name: str) -> Any:
    """A module of python-stdnum, which the extra ``redact`` installs."""
    return importlib.import_module(f"stdnum.{name}")


def _is_date(digits: str) -> bool:
    """Whether eight digits are a date from 1900 on."""
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:])).year >= 1900
    except ValueError:
        return False
