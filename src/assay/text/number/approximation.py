"""Whether the words around a number say that it is not exact: about 30, 约为八百, человек двести."""

import re
from functools import cache, lru_cache
from typing import Final

from assay.text.lexicon import alternatives, expressions, lazy_pattern
from assay.text.number.chain import vocabulary_of_numbers
from assay.text.number.han import NUMERAL

_AFTER: Final = lazy_pattern(lambda: alternatives("number.approximate_after"))
_NOUN: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.approximate_noun', 'ru')})\Z")
_INVERTED: Final = lazy_pattern(lambda: alternatives("number.inverted_noun", "ru"))
_NOT_INVERTED: Final = lazy_pattern(lambda: alternatives("number.not_inverted", "ru"))
_GROUP: Final = lazy_pattern(lambda: alternatives("number.approximate_group", "ru"))
_LIMIT: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.limit_before', 'zh')})\Z")
_LINKED: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.approximate_linked', 'zh')})\Z")
# After a number, a tilde is the dash of a range: 5~10, 5℃~10℃.
_RANGE: Final = lazy_pattern(rf"[0-9{NUMERAL}][^\s0-9~]{{0,3}}\s?~-?\Z", re.NOFLAG)
# Before a mark: with it, it is a limit and not an approximate value, no more than.
_DENIED: Final = lazy_pattern(
    lambda: rf"\b(?:{alternatives('number.denied_mark', 'en', 'ru')})\s\Z"
)
_GROUP_WORDS: Final = (2, 4)
"""How long the words before a group are: «с десяток», «под сорок»."""
_MONEY: Final = lazy_pattern(
    r"(?<![A-Za-z])(?:[A-Z]{3} ?|Rs\.? ?|[A-Z]{0,2}[$€£¥₽₹₩₺₴₸฿₪₫₱₦] ?)\Z", re.NOFLAG
)
_REACH, _MARGIN = 24, 16
"""How many characters before a number may say so, and how many more say where a word begins."""
_FIRST_HAN: Final = "\u4e00"


def is_approximate(text: str, start: int, end: int) -> bool:
    """Whether words before or after the number from ``start`` to ``end`` say that it is not exact.

    >>> is_approximate("about 30 people", 6, 8), is_approximate("handsome 30", 9, 11)
    (True, False)
    """
    is_said = _is_said_before(text[max(0, start - _REACH - _MARGIN) : start])
    if is_said is not None:
        return is_said
    if any(start >= reach and _GROUP.match(text, start - reach) for reach in _GROUP_WORDS):
        return True
    if "\u0400" <= text[start : start + 1] < "\u0530" and _is_inverted(text, start):
        return True
    return end < len(text) and _AFTER.match(text, end) is not None


def _is_inverted(text: str, start: int) -> bool:
    """Whether what a number in words counts stands before it: прождали автобус минут двадцать."""
    words = text[max(0, start - _REACH - _MARGIN) : start].lower().split()
    if not words or not text[start - 1].isspace() or not _INVERTED.fullmatch(words[-1]):
        return False
    if len(words) == 1:
        return True
    before = words[-2]
    if not before[-1].isalpha() or before in vocabulary_of_numbers():
        return False  # 5 минут двадцать секунд
    return _NOT_INVERTED.fullmatch(before) is None


@lru_cache(maxsize=1 << 12)
def _is_said_before(window: str) -> bool | None:
    """Whether the words before a number say that it is not exact; ``None`` if they say nothing.

    The same words come often in an answer that repeats itself.
    """
    window = _MONEY.sub("", window)  # more than ₹120, about AUD 5
    before = window[-_REACH:].rstrip().lower()
    if before.endswith(_chinese_words()) and not _LIMIT.search(before):
        return not before.endswith("~") or _RANGE.search(before) is None
    if before[-1:] >= _FIRST_HAN and _LINKED.search(before):
        return True
    if window[-1:] == " " and before.endswith(_western_words()):
        # The whole word, not the end of another one: some, but not handsome.
        marks = (mark for mark in _western_words() if before.endswith(mark))
        if any(_is_mark(before[: -len(mark)]) for mark in marks):
            return True
    return True if _NOUN.search(window, max(0, len(window) - _REACH)) else None


def _is_mark(before: str) -> bool:
    """Whether a word after ``before`` is a whole one, and no limit: over, but not «не более»."""
    return not before[-1:].isalpha() and _DENIED.search(before) is None


@cache
def _western_words() -> tuple[str, ...]:
    return expressions("number.approximate_before", "en", "ru")


@cache
def _chinese_words() -> tuple[str, ...]:
    return ("~", "≈", *expressions("number.approximate_before", "zh"))
