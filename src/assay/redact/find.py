"""Find values in a text that must not leak: one pass for digits, then a closer look around them."""

import re
from collections.abc import Iterable
from typing import Final

from assay.redact.finding import Finder, Finding, without_overlaps
from assay.redact.number import find_lettered, find_numbers
from assay.redact.phone import find_phones
from assay.redact.place import (
    find_birth_dates,
    find_emails,
    find_network_addresses,
    find_plates,
    find_postal_addresses,
)
from assay.redact.secret import find_secrets

_DIGITS: Final = re.compile(r"[+(]?[0-9](?:[ \u00a0\u202f().\-–№,]{0,3}[0-9]){6,}[Xx]?")
"""At least seven digits with at most three separators between two of them."""
_LETTERED: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Z]{2}[0-9]{2}[0-9A-Z ]{10,32}")
_WIDE: Final = re.compile(r"[０-９＠－（）＋．：]")
_TO_ASCII: Final = str.maketrans("０１２３４５６７８９＠－（）＋．", "0123456789@-()+.")
_ANYTHING: Final = re.compile(r"[0-9@]|://|PRIVATE KEY")

_WHOLE: Final[tuple[Finder, ...]] = (find_secrets, find_emails)
_WITH_DIGITS: Final[tuple[Finder, ...]] = (
    find_network_addresses,
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
    plain = text.translate(_TO_ASCII) if _WIDE.search(text) else text
    found: list[Finding] = []
    for finder in (*_WHOLE, *further):
        found += finder(plain)
    if _ANYTHING.search(plain):
        for finder in _WITH_DIGITS:
            found += finder(plain)
        for match in _DIGITS.finditer(plain):
            found += find_numbers(plain, match.start(), match.end())
            found += find_phones(plain, match.start(), match.end())
        for match in _LETTERED.finditer(plain):
            found += find_lettered(plain, match.start(), match.end())
    kept = without_overlaps(found)
    if plain is text:
        return kept
    return [Finding(each.start, each.end, each.kind, text[each.start : each.end]) for each in kept]
