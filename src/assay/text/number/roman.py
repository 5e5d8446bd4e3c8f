"""Roman numerals beside what they number: Chapter XIV, глава XIV, XIX век, 第IV章, Louis XVI.

A numeral alone is no number: it may be the pronoun I, an initial or an abbreviation. The numeral I
is read after an English label only if a clause ends there: "Part I:", not "the part I played". After a
ruler or an exhibit one letter may be an initial (George V. Smith) or a letter (Exhibit V).
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.candidate import ONE, Reading

_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_DIGITS: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
# Typists write the Cyrillic letter for ten in centuries. The lookahead leaves out most pronouns.
_NUMERALS: Final = re.compile(
    r"(?:I(?! [a-z'])|[VXLCХ])(?<![A-Za-z0-9_\u0400-\u04ff.].)[IVXLCХ]*"
    r"(?:(?:\s?[-—]\s?|,\s|\s[a-zа-я]{1,3}\s)[IVXLCХ]+(?!\w))*"
    r"(?:(?P<code>[.'’-](?!s\b)\w+)|(?=(?:th|['’]s\b)?(?![^\W\u4e00-\u9fff])))"
)
_ONE: Final = re.compile("[IVXLCХ]+")
_LABEL: Final = lazy_pattern(lambda: rf"(?:\b(?:{alternatives('number.roman_label')})\s|第\s?)\Z")
_NAME: Final = lazy_pattern(
    lambda: (
        rf"(?:\b(?:{alternatives('number.roman_name')})\s"
        rf"|(?:{alternatives('number.roman_label_tight', 'zh')})\s?)\Z"
    )
)
_CENTURY: Final = lazy_pattern(lambda: rf"(?:th)?(?:{alternatives('number.roman_century')})")
_ONLY_LETTERS: Final = frozenset("LC")
_CYRILLIC_TEN: Final = str.maketrans("Х", "X")
_REACH: Final = 16


def roman_numerals(text: str) -> Iterator[Reading]:
    """Yield the Roman numerals of a surface text that number a part of a text or a century."""
    for match in _NUMERALS.finditer(text):
        start, end = match.span()
        is_named = end - start > 1 and _NAME.search(text, max(0, start - _REACH), start)
        if not (is_named or _CENTURY.match(text, end) or _is_labelled(text, start)):
            continue
        if match["code"]:
            yield Reading(start, end, ONE, readable=False)  # Section IV.2
            continue
        for one in _ONE.finditer(text, start, end):
            value = None if _ONLY_LETTERS.issuperset(one.group()) else roman_value(one.group())
            yield Reading(*one.span(), Decimal(value or 1), readable=value is not None)


def _is_labelled(text: str, start: int) -> bool:
    return _LABEL.search(text, max(0, start - _REACH), start) is not None


def roman_value(numeral: str) -> int | None:
    """The value of a Roman numeral, or ``None`` if it is not written as it should be.

    >>> roman_value("MCMXII"), roman_value("IIX"), roman_value("MCMC")
    (1912, None, None)
    """
    letters = numeral.translate(_CYRILLIC_TEN)
    values = [_VALUES[letter] for letter in letters]
    pairs = zip(values, [*values[1:], 0], strict=True)
    value = sum(-one if one < following else one for one, following in pairs)
    return value if value > 0 and _written(value) == letters else None


def _written(value: int) -> str:
    numeral = ""
    for size, letters in _DIGITS:
        count, value = divmod(value, size)
        numeral += letters * count
    return numeral
