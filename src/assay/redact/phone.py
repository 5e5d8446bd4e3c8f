"""Telephone numbers: forms of several countries and the international one, checked by a library.

libphonenumber alone reads 0.2 MB of text in a second, so it sees only what has such a form. Its
tables do not know ranges for fiction and new ranges; after a word for a telephone, and in forms
that nothing else has, a number need only be as long as numbers are.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from assay.redact.context import has_context, is_harmless, is_list_item, may_have_context
from assay.redact.finding import Finding
from assay.redact.stem import matches_near
from assay.text.lexicon import alternatives

if TYPE_CHECKING:
    from types import ModuleType

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
"""What belongs to a number and stands before its stretch of digits: (+86) and 030/."""
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
    """The telephone numbers between ``start`` and ``end``, a stretch that has many digits.

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


def _may_be_phone(stretch: str, digits: int) -> bool:
    """Whether a stretch without ``+`` before it needs a closer look: most numbers do not."""
    if stretch.startswith("00"):
        return True
    if digits == len(stretch):
        return 10 <= digits <= 12
    return not stretch.startswith(("978-", "979-"))  # books


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
    """Whether another group of a longer code stands before: 1Z 999 AA1 01 2345 6784."""
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
