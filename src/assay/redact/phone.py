"""Telephone numbers: forms of three countries and the international one, checked by a library.

libphonenumber alone reads 0.2 MB of text in a second, so it sees only what has such a form.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from assay.redact.context import has_context, is_harmless
from assay.redact.finding import Finding

if TYPE_CHECKING:
    from types import ModuleType

_GAP: Final = r"[ \u00a0\u202f\-–.]{0,2}"
_FORM: Final = re.compile(
    r"(?<![0-9A-Za-z+.])(?:"
    rf"(?P<international>(?:\+|00){_GAP}\d{{1,3}}(?:{_GAP}\(?\d{{1,5}}\)?){{2,5}})"
    rf"|(?P<mobile>1[3-9]\d{_GAP}\d{{4}}{_GAP}\d{{4}})"
    rf"|(?P<landline>\(?0\d{{2,3}}\)?[ \-–]?\d{{7,8}}(?:[ \-–]{{1,2}}\d{{1,5}})?)"
    r"|(?P<service>[48]00[ \-]\d{3,4}[ \-]\d{3,4})"
    rf"|(?P<russian>[78]{_GAP}\(?[3489]\d{{2,4}}\)?{_GAP}\d{{1,3}}{_GAP}\d{{2}}{_GAP}\d{{2}})"
    r"|(?P<city>\(\d{3,5}\) ?\d{1,3}-\d{2}-\d{2})"
    rf"|(?P<american>(?:1[ \-.])?\(?[2-9]\d{{2}}\)?[ \-.]{{1,2}}[2-9]\d{{2}}[ \-.]\d{{4}})"
    r"|(?P<local>\d{3}-\d{2}-\d{2}|\d{3}-\d{4}|\d{10,11})"
    r")(?![0-9A-Za-z]|\.\d|,\d{3}(?!\d))"
)
_REGIONS: Final = {
    "international": ("ZZ",),
    "mobile": ("CN",),
    "landline": ("CN",),
    "service": ("CN", "RU", "US"),
    "russian": ("RU",),
    "city": ("RU",),
    "american": ("US",),
    "local": ("RU", "CN", "US"),
}
_OPENING: Final = ("+", "(")
_GROUPED: Final = re.compile(r"\d[ \-–.)]\d")


def find_phones(text: str, start: int, end: int) -> Iterator[Finding]:
    """The telephone numbers between ``start`` and ``end``, a stretch that has many digits."""
    if text[start - 1 : start] in _OPENING:
        start -= 1
    if text[start - 1 : start] == "+":
        start -= 1
    for match in _FORM.finditer(text, start, end + 4):  # what follows a number counts too
        form = str(match.lastgroup)
        if _is_phone(text, match, form):
            yield Finding(match.start(), match.end(), "PHONE", match[0])


def _is_phone(text: str, match: re.Match[str], form: str) -> bool:
    if form == "local":
        return has_context(text, match.start(), "phone", near=16)
    if is_harmless(text, match.start()) and not has_context(text, match.start(), "phone"):
        return False
    number = match[0] if not match[0].startswith("00") else f"+{match[0][2:]}"
    is_sure = form == "city" or match[0].startswith("+")  # the tables are behind new numbers
    if not any(_is_valid(number, region, is_sure) for region in _REGIONS[form]):
        return False
    if form == "russian":  # 11 digits in a row may be anything
        is_grouped = _GROUPED.search(match[0]) is not None
        return is_grouped or match[0].startswith("89") or has_context(text, match.start(), "phone")
    return True


@lru_cache(maxsize=4096)
def _is_valid(number: str, region: str, is_sure: bool) -> bool:
    phonenumbers = _library()
    try:
        parsed = phonenumbers.parse(number, None if region == "ZZ" else region)
    except phonenumbers.NumberParseException:
        return False
    if is_sure:
        return bool(phonenumbers.is_possible_number(parsed))
    return bool(phonenumbers.is_valid_number(parsed))


@cache
def _library() -> "ModuleType":
    import phonenumbers  # noqa: PLC0415 - takes 0.1 s to import, and most texts have no telephone

    return phonenumbers
