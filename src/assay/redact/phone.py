"""Telephone numbers: forms of several countries and the international one, checked by a library.

libphonenumber alone reads 0.2 MB of text in a second, so it sees only what has such a form. Its
tables do not know ranges for fiction and new ranges; after a word for a telephone, and in forms
that nothing else has, a number need only be as long as numbers are.

A key is read, and tags are turned back, without the library.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.redact.finding import Finding
from assay.redact.nearby_words import has_context, is_harmless, is_list_item, may_have_context
from assay.redact.stem import matches_near
from assay.text.lexicon import alternatives

if TYPE_CHECKING:
    from types import ModuleType

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
_EXTENSION_WORD: Final = re.compile(r"(\(?0[0-9]{2,3}\)?[ \-–]?[0-9]{7,8})[ \-–]{1,2}([0-9]{1,5})")


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
    extended = _EXTENSION_WORD.fullmatch(value)
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


_GAP: Final = r"[ \u00a0\u202f\-–.]{0,2}"
_WIDE_GAP: Final = r"[ \u00a0\u202f\-–./]{0,2}"
_END: Final = r"(?![0-9A-Za-z]|\.\d|,\d{3}(?!\d))"
_FORM: Final = re.compile(
    r"(?<![0-9A-Za-z+.])(?:"
    rf"(?P<international>(?:\((?:\+|00)\d{{1,3}}\)|(?:\+|00){_GAP}\d{{1,3}})(?:{_WIDE_GAP}\(?\d{{1,5}}\)?){{2,6}})"
    rf"|(?P<mobile>(?:86[ \-])?1[3-9]\d{_GAP}\d{{4}}{_GAP}\d{{4}})"
    rf"|(?P<landline>\(?0\d{{2,3}}\)?[ \-–]?\d{{7,8}}(?:[ \-–]{{1,2}}\d{{1,5}})?)"
    r"|(?P<british>\(?0(?:\d{2}\)? \d{4} \d{4}|\d{3}\)? \d{3} \d{4}|\d{4}\)? \d{3} ?\d{3}|\d{2}-\d{4}-\d{4}|\d{3}-\d{3}-\d{4}))"
    r"|(?P<trunk>0\d(?:[ .]\d\d){4}|\(?0\d{1,4}\)?(?:[ \-/]{1,2}| / )\d{2,8}(?:[ \-]\d{2,6}){0,2})"
    r"|(?P<service>[48]00[ \-]\d{3,4}[ \-]\d{3,4})"
    rf"|(?P<russian>[78]{_GAP}\(?[3489]\d{{2,4}}\)?{_GAP}\d{{1,3}}{_GAP}\d{{2}}{_GAP}\d{{2}})"
    r"|(?P<city>\(\d{3,5}\) ?\d{1,3}-\d{2}-\d{2}|9\d{2}[ \-]\d{3}[ \-]\d{2}[ \-]\d{2})"
    rf"|(?P<american>(?:1[ \-.])?(?:\([2-9]\d{{2}}\)[ \-.]{{0,2}}|[2-9]\d{{2}}[ \-.]{{1,2}})[2-9]\d{{2}}[ \-.]\d{{4}})"
    rf"){_END}"
)
_REGIONS: Final = {
    "international": ("ZZ",),
    "mobile": ("CN",),
    "landline": ("CN", "GB", "DE"),
    "british": ("GB", "DE", "CN", "JP"),
    "trunk": ("DE", "GB", "FR", "IT", "CH", "AT", "NL", "UA", "AU", "JP", "KR", "CN"),
    "service": ("CN", "RU", "US"),
    "russian": ("RU",),
    "city": ("RU",),
    "american": ("US",),
}
_POSSIBLE: Final = frozenset({"british", "city"})
"""Forms that nothing else has; the tables are behind new numbers."""
_SPOKEN: Final = re.compile(
    rf"(?<![0-9A-Za-z+.])\(?\+?\(?(?:0\d{{1,4}}\)? ?/ ?)?\d(?:[ \u00a0\u202f().\-–]{{0,3}}\d){{5,14}}{_END}"
)
"""What may be a number after a word for a telephone."""
_DATE: Final = re.compile(
    r"(?:19|20)\d{2}[-–](?:19|20)\d{2}(?!\d)|\d{1,2}[.\-/ ]\d{1,2}[.\-/ ](?:19|20)\d{2}|(?:19|20)\d{2}[.\-/ ]?[01]\d[.\-/ ]?[0-3]\d(?!\d)"
)
_OPENING: Final = re.compile(r"[+(]{1,2}\Z|\(?0\d{1,4}\)? ?/ ?\Z")
"""What belongs to a number and is before its part of digits: (+86) and 030/."""
_CODE_BEFORE: Final = re.compile(r"[0-9][A-Za-z0-9]*[ \-/]\Z")
_BEFORE: Final = ("+", "(", "/", " ")
_FEWEST: Final = 9
"""Fewer digits are a number only after a word."""
_EXTENSION: Final = re.compile(r"(?<=\d{7})[ \-–]{1,2}\d{1,5}\Z")
_GROUPED: Final = re.compile(r"\d[ \-–.()]{1,3}\d")
_MARKED: Final = re.compile(r"[()\-–]")
_LAST_GROUP: Final = re.compile(r"[ \u00a0\u202f\-–./(]{1,3}\d+\)?\Z")


def find_phones(
    text: str, start: int, end: int, last_ends: dict[str, int] | None = None
) -> Iterator[Finding]:
    """The telephone numbers between ``start`` and ``end``, a part that has many digits.

    ``last_ends`` says where the last one ended, which the items of a list follow; it is kept up here.
    """
    ends = {} if last_ends is None else last_ends
    at = start
    if text[start - 1 : start] in _BEFORE:
        opening = _OPENING.search(text, max(0, start - 9), start)
        at = opening.start() if opening else start
    digits = sum(map(text[at:end].count, "0123456789"))
    if at == start and not _may_be_phone(text[start:end], digits):
        return
    while at < end:
        spoken = _SPOKEN.search(text, at, end + 5)  # what follows a number counts too
        found: tuple[int, int] | None = None
        if spoken is not None and _is_spoken(text, spoken, ends.get("PHONE", -1)):
            found = spoken.span()
        elif digits >= _FEWEST:
            found = _found_by_form(text, at, end)
        if found is None:
            return
        ends["PHONE"] = at = found[1]
        begin, stop = _within_brackets(text, *found)
        yield Finding(begin, stop, "PHONE", text[begin:stop])


def _may_be_phone(part: str, digits: int) -> bool:
    """Whether a part without ``+`` before it needs a closer look: most numbers do not."""
    if part.startswith("00"):
        return True
    if digits == len(part):
        return 10 <= digits <= 12
    return not part.startswith(("978-", "979-"))  # books


def _within_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """The place without a bracket whose other half is outside."""
    value = text[start:end]
    if value[0] == "(" and ")" not in value:
        start += 1
    if value[-1] == ")" and value.count("(") < value.count(")"):
        end -= 1
    return start, end


def find_short_phones(text: str) -> Iterator[Finding]:
    """Numbers of six to eight digits, right after a word that can only be about a telephone."""
    for match in matches_near(_short_form(), text, "phone", 12, 40):
        if not _DATE.match(match["number"]):
            yield Finding(*match.span("number"), "PHONE", match["number"])


def _found_by_form(text: str, at: int, end: int) -> tuple[int, int] | None:
    for match in _FORM.finditer(text, at, end + 5):
        if length := _phone_length(text, match):
            return match.start(), match.start() + length
    return None


def _is_spoken(text: str, match: re.Match[str], last_end: int) -> bool:
    """Whether a word or a list says that these digits are a telephone."""
    value = match[0]
    if _DATE.match(value):
        return False
    digits = sum(map(value.count, "0123456789"))
    is_grouped = _GROUPED.search(value) is not None
    if digits < 7 or not (is_grouped or digits >= 10):
        return False
    if not is_list_item(text, last_end, match.start()) and not (
        may_have_context(text, match.start(), "phone")
        and has_context(text, match.start(), "phone", near=16)
    ):
        return False
    number = f"+{value[2:]}" if value.startswith("00") else value
    regions = ("ZZ",) if "+" in number else ("RU", "CN", "US", "GB", "DE")
    return any(_is_valid(number, region, True) for region in regions)


def _phone_length(text: str, match: re.Match[str]) -> int:
    """How much of a match is a telephone number: it may be followed by another number."""
    form, start = str(match.lastgroup), match.start()
    value = match[0]
    is_international = form == "international" and "+" in value
    if not is_international and is_harmless(text, start):
        return 0
    if form in {"trunk", "british"} and (_DATE.match(value) or _is_in_code(text, start)):
        return 0
    while not _is_phone(text, start, value, form):
        last = _LAST_GROUP.search(value)
        if form != "international" or last is None:
            return 0
        value = value[: last.start()]
    return len(value)


def _is_in_code(text: str, start: int) -> bool:
    """Whether another group of a longer code is before: 1Z 999 AA1 01 2345 6784."""
    return _CODE_BEFORE.search(text, max(0, start - 8), start) is not None


def _is_phone(text: str, start: int, value: str, form: str) -> bool:
    number = value if not value.startswith("00") else f"+{value[2:]}"
    is_possible = form in _POSSIBLE or "+" in value
    if form == "russian" and _MARKED.search(value):
        is_possible = True
    if form == "trunk" and sum(map(value.count, "0123456789")) < 9:
        return False
    if form == "landline":
        number = _EXTENSION.sub("", number)
    if not any(_is_valid(number, region, is_possible) for region in _REGIONS[form]):
        return False
    if form == "russian":  # 11 digits in a row may be anything
        is_grouped = _GROUPED.search(value) is not None
        return is_grouped or value.startswith("89") or has_context(text, start, "phone")
    return True


@lru_cache(maxsize=4096)
def _is_valid(number: str, region: str, is_possible: bool) -> bool:
    phonenumbers = _library()
    try:
        parsed = phonenumbers.parse(number, None if region == "ZZ" else region)
    except phonenumbers.NumberParseException:
        return False
    if is_possible:
        return bool(phonenumbers.is_possible_number(parsed))
    return bool(phonenumbers.is_valid_number(parsed))


@cache
def _short_form() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{alternatives('redact.phone_strict')})[^\w\n]{{0,4}}(?P<number>\d{{2,3}}-\d{{2}}-\d{{2}}|\d{{3,4}}[- ]\d{{4}}|\d{{6,8}}){_END}(?![\-/]\d)",
        re.IGNORECASE,
    )


@cache
def _library() -> "ModuleType":
    import phonenumbers  # noqa: PLC0415 - takes 0.1 s to import, and most texts have no telephone

    return phonenumbers
