"""Find values in a text that must not leak: one pass for digits, then a closer look around them."""

import re
from collections.abc import Iterable
from typing import Final

from assay.redact.escape import found_between_escapes
from assay.redact.finding import Finder, Finding, without_overlaps
from assay.redact.number import find_lettered, find_numbers, find_passports
from assay.redact.phone import find_phones
from assay.redact.place import (
    find_birth_dates,
    find_emails,
    find_network_addresses,
    find_plates,
    find_postal_addresses,
)
from assay.redact.secret import find_secrets
from assay.redact.spacing import unusual_spaces
from assay.redact.view import found_in_view

# Expressions here and in the finders begin with a character, and what must not stand before it
# comes after it: Python skips to the next such character many times faster than it tries a
# lookbehind at every place.
_DIGITS: Final = re.compile(r"[0-9](?:[ \u00a0\u202f().\-–]{0,3}[0-9]){6,}[Xx]?")
"""At least seven digits with at most three separators between two of them."""
_LETTERED: Final = re.compile(r"[0-9A-Z](?<![0-9A-Za-z].)[0-9A-Z][0-9]{2}[0-9A-Z ]{10,32}")
_WIDE: Final = re.compile(r"[０-９＠－（）＋．]")
_TO_ASCII: Final = tuple(zip("０１２３４５６７８９＠－（）＋．", "0123456789@-()+.", strict=True))
_DIGIT: Final = re.compile("[0-9]")

_WHOLE: Final[tuple[Finder, ...]] = (find_secrets, find_emails)
_WITH_DIGITS: Final[tuple[Finder, ...]] = (
    find_network_addresses,
    find_passports,
    find_plates,
    find_birth_dates,
    find_postal_addresses,
)


def find_values(text: str, further: Iterable[Finder] = ()) -> list[Finding]:
    """All values in ``text``, in order and without overlaps.

    ``further`` find more kinds: names of people, and the user's own words and patterns.

    >>> [(found.kind, found.value) for found in find_values("邮箱li@example.cn，电话13812345678。")]
    [('EMAIL', 'li@example.cn'), ('PHONE', '13812345678')]
    """
    chosen = tuple(further)
    return found_between_escapes(text, lambda plain: _find_with_spaces(plain, chosen))


def _find_with_spaces(text: str, further: Iterable[Finder]) -> list[Finding]:
    """The values in the text, and those that are found only without its unusual spaces."""
    found = _find_in(text, further)
    spaces = unusual_spaces(text)
    if not spaces:
        return found
    closer = found_in_view(text, spaces, lambda plain: _find_in(plain, further))
    apart = [
        each
        for each in closer
        if all(
            each.end <= other.start or other.end <= each.start or _covers(each, other)
            for other in found
        )
    ]
    return without_overlaps(
        [*(each for each in found if not any(_covers(other, each) for other in apart)), *apart]
    )


def _covers(finding: Finding, other: Finding) -> bool:
    return finding.start <= other.start and other.end <= finding.end


def _find_in(text: str, further: Iterable[Finder]) -> list[Finding]:
    plain = _narrow(text) if _WIDE.search(text) else text
    found: list[Finding] = []
    for finder in (*_WHOLE, *further):
        found += finder(plain)
    if _DIGIT.search(plain):
        for finder in _WITH_DIGITS:
            found += finder(plain)
        for match in _DIGITS.finditer(plain):
            start, end = match.span()
            found += find_numbers(plain, start, end)
            found += find_phones(plain, start, end)
        for match in _LETTERED.finditer(plain):
            found += find_lettered(plain, match.start(), match.end())
    kept = without_overlaps(found)
    if plain is text:
        return kept
    return [Finding(each.start, each.end, each.kind, text[each.start : each.end]) for each in kept]


def _narrow(text: str) -> str:
    """The text with wide digits and signs as narrow ones, each in its place."""
    for wide, narrow in _TO_ASCII:
        text = text.replace(wide, narrow)
    return text
