"""Number plates of China and Russia by their form, others after a word for them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.redact.context import has_context
from assay.redact.finding import Finding
from assay.redact.stem import matches_near
from assay.text.lexicon import alternatives, entry

_LATIN: Final = "A-HJ-NP-Za-hj-np-z"
_CHINESE: Final = re.compile(
    rf"[{entry('zh', 'redact.plate_province')}] ?[{_LATIN}][·•\-— ]?(?=[{_LATIN}0-9]{{0,5}}\d)"
    rf"[{_LATIN}0-9]{{4,5}}[{_LATIN}0-9挂学警港澳使领](?![A-Za-z0-9])"
)
_LETTERS: Final = "АВЕКМНОРСТУХABEKMHOPCTYX"
_SMALL: Final = "авекмнорстух"
_RUSSIAN_LETTERS: Final = frozenset(_LETTERS)
_SMALL_LETTERS: Final = frozenset(_SMALL)
_RUSSIAN: Final = re.compile(
    rf"[0-9](?<!\d.)[0-9]{{2}} ?(?:[{_LETTERS}]{{2}} ?|[{_SMALL}]{{2}} ?)\d{{2,3}}(?![А-Яа-яA-Za-z0-9])"
)
"""A plate after its first letter."""
_RUSSIAN_OTHER: Final = re.compile(
    rf"(?i:(?<![А-Яа-яЁёA-Za-z0-9])(?:[{_LETTERS}]{{2}} ?\d{{3,4}}|\d{{4}} ?[{_LETTERS}]{{2}}|[{_LETTERS}]{{2}} ?\d{{3}} ?[{_LETTERS}]|[{_LETTERS}] ?\d{{4}}) ?\d{{2,3}}(?![А-Яа-яA-Za-z0-9]))"
)
"""Plates of trailers, motorcycles, taxis, transit and police, which a word must introduce."""
_OTHER: Final = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Z0-9 \-]{0,8}\d)[A-Z0-9]{1,4}[ \-]?[A-Z0-9]{2,4}(?:[ \-]?[A-Z]{1,3})?(?![A-Za-z0-9])"
)


def find_plates(text: str) -> Iterator[Finding]:
    """Number plates of China and Russia by their form, others after a word for them."""
    for match in _CHINESE.finditer(text):
        yield _finding(text, *match.span())
    for match in _RUSSIAN.finditer(text):
        letters = _SMALL_LETTERS if match[0].strip("0123456789 ").islower() else _RUSSIAN_LETTERS
        before = text[max(0, match.start() - 3) : match.start()]
        if before[-1:] in letters and not before[-2:-1].isalpha():
            yield _finding(text, match.start() - 1, match.end())
        elif before[-2:-1] in letters and before[-1] == " " and not before[-3:-2].isalpha():
            yield _finding(text, match.start() - 2, match.end())
    for match in matches_near(_RUSSIAN_OTHER, text, "vehicle", 0, 60):
        if has_context(text, match.start(), "vehicle"):
            yield _finding(text, *match.span())
    for word in matches_near(_plate_word(), text, "plate", 14, 34):
        match_after = _OTHER.search(text, word.end(), word.end() + 24)
        if match_after and any(letter.isalpha() for letter in match_after[0]):
            yield _finding(text, *match_after.span())


@cache
def _plate_word() -> re.Pattern[str]:
    return re.compile(alternatives("redact.plate"), re.IGNORECASE)


def _finding(text: str, start: int, end: int) -> Finding:
    return Finding(start, end, "PLATE", text[start:end])
