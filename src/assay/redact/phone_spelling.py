"""The spellings of one telephone number: with and without +, country code and national prefix.

Nothing here needs a library: a key is read, and tags are turned back, without one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_CODES_OF_ONE: Final = ("1", "7")
_CODES_OF_TWO: Final = frozenset(
    map(
        str,
        (
            *(20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, *range(43, 50), *range(51, 59)),
            *(*range(60, 67), 81, 82, 84, 86, *range(90, 96), 98),
        ),
    )
)
"""The codes of countries with one and two digits; all others have three."""
_COUNTRIES: Final = ("86", "44", "49", "33", "39", "41", "43", "31", "380", "61", "81", "82")
"""The countries whose national forms are found: a number with 0 before it may be of any of them."""
_EXIT: Final = ("00", "011", "810")
"""What is dialled before the code of a country."""
_SHORTEST: Final = 10
"""A number without the code of its region, which is shorter, belongs to no country."""
_CHINESE: Final = re.compile(r"(?:86)?(1[3-9][0-9]{9})")
_RUSSIAN: Final = re.compile(r"[78]([34789][0-9]{9})")
_AMERICAN: Final = re.compile(r"1([2-9][0-9]{2}[2-9][0-9]{6})")
_ONE_APART: Final = re.compile(r"1[ \-.(]")
_TRUNK_AFTER_CODE: Final = re.compile(r"\(0\)")
_EXTENSION: Final = re.compile(r"(\(?0[0-9]{2,3}\)?[ \-–]?[0-9]{7,8})[ \-–]{1,2}([0-9]{1,5})")


class PhoneNumber(NamedTuple):
    """A number as it is read.

    - ``digits``: as it is written.
    - ``country``: the code of its country; empty if it is not known.
    - ``national``: the number inside its country, without the 0 or 8 that is dialled before it.
    - ``extension``: what is dialled after it.
    - ``is_sure``: the number itself names its country.
    """

    digits: str
    country: str
    national: str
    extension: str = ""
    is_sure: bool = False


@lru_cache(maxsize=4096)
def read_phone(value: str) -> PhoneNumber:
    """Read a number; the signs between its digits do not matter.

    >>> read_phone("+7 903 555-77-88")[1:3] == read_phone("8 (903) 555 77 88")[1:3]
    True
    >>> read_phone("020 7946 0958")[1:3]
    ('', '2079460958')
    """
    extended = _EXTENSION.fullmatch(value)
    extension = extended[2] if extended else ""
    main = extended[1] if extended else value
    digits = "".join(filter(str.isdecimal, main))
    if "+" in main or digits.startswith("00"):
        full = "".join(filter(str.isdecimal, _TRUNK_AFTER_CODE.sub("", main))).lstrip("0")
        code = _country_code(full)
        return PhoneNumber(digits, code, full[len(code) :].lstrip("0"), extension, is_sure=True)
    country, national = _guessed(main, digits)
    return PhoneNumber(digits, country, national, extension)


def phone_spellings(value: str) -> Iterator[str]:
    """The digits of all spellings of a number, its own first.

    >>> sorted(phone_spellings("+1 212 456 7890"))[:2]
    ['0012124567890', '01112124567890']
    """
    number = read_phone(value)
    for digits in dict.fromkeys((number.digits, *_spellings(number))):
        yield digits + number.extension


def main_numbers(value: str) -> Iterator[str]:
    """The same for the number without its extension; none if it has none.

    >>> list(main_numbers("010-12345678-801"))[0]
    '01012345678'
    """
    number = read_phone(value)
    if number.extension:
        yield from dict.fromkeys((number.digits, *_spellings(number)))


def _spellings(number: PhoneNumber) -> Iterator[str]:
    national = number.national
    countries = [number.country] if number.country else []
    if not countries and (number.digits.startswith("0") or len(national) >= _SHORTEST):
        countries = [*_CODES_OF_ONE, *_COUNTRIES]
    yield national
    for country in countries:
        full = country + national
        yield full
        yield from (prefix + full for prefix in _EXIT)
        if country == "7":
            yield f"8{national}"
        elif country != "1":
            yield f"0{national}"
            yield f"{country}0{national}"


def _guessed(main: str, digits: str) -> tuple[str, str]:
    """The country that the form of a number without + says, and the number inside it."""
    if not _ONE_APART.match(main) and (match := _CHINESE.fullmatch(digits)):
        return "86", match[1]
    if match := _RUSSIAN.fullmatch(digits):
        return "7", match[1]
    if match := _AMERICAN.fullmatch(digits):
        return "1", match[1]
    return "", digits.lstrip("0")


def _country_code(full: str) -> str:
    if full.startswith(_CODES_OF_ONE):
        return full[0]
    return full[:2] if full[:2] in _CODES_OF_TWO else full[:3]


class PhoneTags:
    """The tags of telephone numbers: one for all spellings of a number."""

    def __init__(self) -> None:
        self._full: dict[str, str] = {}
        self._spelt: dict[str, str] = {}
        self._without_country: dict[str, str] = {}

    def tag(self, value: str) -> str | None:
        """The tag of a number that was added in any spelling.

        >>> tags = PhoneTags()
        >>> tags.add("[PHONE_1]", "916 123-45-67")
        >>> tags.tag("+7 916 123 45 67")
        '[PHONE_1]'
        """
        number = read_phone(value)
        tag = self._full.get(_identity(number)) if number.country else None
        if tag is None and not number.is_sure:
            tag = self._spelt.get(number.digits + number.extension)
        if tag is None and number.country:
            tag = self._without_country.get(number.national + number.extension)
        return tag

    def add(self, tag: str, value: str) -> None:
        """Note the tag of a number in one spelling.

        A number whose country is not known becomes that of the first country that is seen with it.
        """
        number = read_phone(value)
        national = number.national + number.extension
        if number.country:
            self._full.setdefault(_identity(number), tag)
            self._without_country.pop(national, None)
        elif national not in self._spelt:
            self._without_country[national] = tag
        for digits in phone_spellings(value):
            self._spelt.setdefault(digits, tag)


def _identity(number: PhoneNumber) -> str:
    return f"{number.country} {number.national} {number.extension}"
