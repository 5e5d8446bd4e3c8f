"""Whether a stretch of text is only a part of a longer number, ordinal or version."""

import re
from functools import lru_cache
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.han import NUMERAL
from assay.text.number.word import words_value

_REACH: Final = 24
"""How many letters a number word has at most."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORD_AT_END: Final = re.compile(r"[^\W\d_]+\Z")
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)(?:\s|\s?[-\u2010\u2011]\s?)\Z")
_WORD_AFTER: Final = re.compile(r"(?:\s|\s?[-\u2010\u2011]\s?)([^\W\d_]+)(?![\w-])")
_ORDINAL: Final = lazy_pattern(lambda: alternatives("number.ordinal"))
_DOTTED: Final = re.compile(r"\d\.\d")
_DOT_AFTER: Final = re.compile(r"\.\d")
_DOT_BEFORE: Final = re.compile(r"\d\.\Z")
_LARGE_HAN: Final = "万萬亿億"
"""Units that a phrase may begin with: 万元 in 五万元."""


def is_part_of_value(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` begins or ends inside of a value that is written in words or dots.

    A scale word does not begin inside: "million" in "five million".

    >>> text = "двадцать пятого мая"
    >>> is_part_of_value(text, 9, 19), is_part_of_value(text, 0, 19)
    (True, False)
    >>> is_part_of_value("thirty-one", 0, 6), is_part_of_value("v1.2.3", 0, 4)
    (True, True)
    """
    inside = text[start:end]
    if not inside:
        return False
    return (
        _splits_numeral(text, start, end)
        or _splits_words(text, start, end)
        or (_DOTTED.search(inside) is not None and _splits_version(text, start, end))
    )


def _splits_numeral(text: str, start: int, end: int) -> bool:
    """Whether a Chinese numeral goes on before or after."""
    goes_on = end < len(text) and text[end] in NUMERAL and text[end - 1] in NUMERAL
    if start == 0 or text[start] in _LARGE_HAN:
        return goes_on
    return goes_on or (text[start] in NUMERAL and text[start - 1] in NUMERAL)


def _splits_words(text: str, start: int, end: int) -> bool:
    first = _WORD.match(text, start, end)
    before = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
    if first and before and text[first.end() : first.end() + 1] != "-":
        left, right = before[1].lower(), first[0].lower()
        if _is_added(left, right):
            return True
        if _is_joined(left, right):
            return False
    last = _WORD_AT_END.search(text, max(start, end - _REACH), end)
    after = _WORD_AFTER.match(text, end)
    return bool(last and after and _is_joined(last[0].lower(), after[1].lower()))


@lru_cache(maxsize=1 << 12)
def _is_joined(left: str, right: str) -> bool:
    """Whether two words are one number or ordinal."""
    return words_value(f"{left} {right}") is not None or _is_ordinal(left, right)


@lru_cache(maxsize=1 << 12)
def _is_added(left: str, right: str) -> bool:
    """Whether the second of two such words is added to the first: twenty five, not five hundred."""
    value, both = words_value(left), words_value(f"{left} {right}")
    is_sum = value is not None and both is not None and value < both < 2 * value
    return is_sum or _is_ordinal(left, right)


def _is_ordinal(left: str, right: str) -> bool:
    value = words_value(left)
    is_round = value is not None and value >= 20 and value % 10 == 0
    return is_round and _ORDINAL.fullmatch(right) is not None


def _splits_version(text: str, start: int, end: int) -> bool:
    """Whether digits go on after a dot: v1.2 in v1.2.3."""
    if text[end - 1].isdigit() and _DOT_AFTER.match(text, end):
        return True
    return text[start].isdigit() and _DOT_BEFORE.search(text, max(0, start - 2), start) is not None
