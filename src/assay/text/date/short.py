"""Years of two digits, where the century is certain."""

from typing import Final

from assay.text.number import numeral_value

UNKNOWN: Final = -1
"""A year whose century is not certain; it is never a valid part of a date."""
_OF_THIS_CENTURY: Final = range(30)
_OF_LAST_CENTURY: Final = range(60, 100)
_FIRST_YEAR_OF_CHINA: Final = 49
"""In speech, years from 1949 on are said with two digits: 四九年, 五八年."""


def short_year(digits: str) -> int:
    """The year of two digits; -1 if it may be of either century.

    >>> short_year("22"), short_year("98"), short_year("45")
    (2022, 1998, -1)
    """
    year = int(digits)
    if year in _OF_THIS_CENTURY:
        return 2000 + year
    return 1900 + year if year in _OF_LAST_CENTURY else UNKNOWN


def short_han_year(numeral: str) -> int:
    """The year of two Chinese digits; -1 if its century is not certain.

    Two digits in sequence may be a number of years, as 七八年.

    >>> short_han_year("九八"), short_han_year("零三"), short_han_year("七八"), short_han_year("二四")
    (1998, 2003, -1, -1)
    """
    tens, units = (int(numeral_value(digit) or 0) for digit in numeral)
    if units == tens + 1 and tens:
        return UNKNOWN
    year = 10 * tens + units
    if year >= _FIRST_YEAR_OF_CHINA:
        return 1900 + year
    return UNKNOWN if tens else 2000 + year
