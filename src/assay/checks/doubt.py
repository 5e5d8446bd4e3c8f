"""What stands around a value in a text and makes it doubtful that the text gives it.

"Paris or Rome", "at least 30 days", "1945-1950", "all but France", "Paris is wrong": the value is there,
and something else may be meant. None of this decides; it makes an answer unsure.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Final

from assay.checks.negation import CLAUSE_MARK, NEAR, is_denied
from assay.text import Span, Token, dates, is_han, numbers, tokens, word_set

_MONEY: Final = "[$€£¥₽]?"
_TO: Final = r"(?:\s?[-–—~至到]\s?|\s(?:to|до|по)\s)"
_RANGE_AFTER: Final = re.compile(rf"{_TO}{_MONEY}\d")
_RANGE_BEFORE: Final = re.compile(rf"\d[^\s\d]?{_TO}{_MONEY}\Z")
_LINK: Final = re.compile(r"\s*(?:,|and\b|и\b|又|零)?\s*")
_LONGEST_PHRASE: Final = 3
_LIST: Final = 40
"""So many characters after a value may end a list of alternatives: Paris, London or Rome."""


def doubt(expected: Sequence[Token], place: Span, text: str, found: Sequence[Token]) -> str | None:
    """The first sign that a text does not give the value that it names at a place.

    ``expected`` are the words of the value: a sign that they have themselves is none. ``found`` are the
    tokens of the text.

    >>> from assay.text import tokens
    >>> text = "At least 30 days, but not in Paris or Rome."
    >>> [doubt(tokens(value), Span(start=start, end=start + len(value)), text, tokens(text))
    ...  for value, start in (("30 days", 9), ("Paris", 29), ("Rome", 38))]
    ['limit', 'not it', 'denied']
    """
    first = bisect_left(found, place.start, key=attrgetter("start"))
    last = bisect_left(found, place.end, key=attrgetter("start"))
    if not _has(expected, "negation") and is_denied(text, found, place.start):
        is_direct = is_denied(text, found, place.start, directly=True)
        return "not it" if is_direct else "denied"
    if _is_mistaken(text, found, last):
        return "mistaken"
    for name in ("except", "former"):
        if not _has(expected, name) and _is_before(name, text, found, first, NEAR):
            return name
    if not _has(expected, "alternative") and _is_alternative(text, found, first, last):
        return "alternative"
    return _doubt_of_number(expected, text, found, first, last)


def _doubt_of_number(
    expected: Sequence[Token], text: str, found: Sequence[Token], first: int, last: int
) -> str | None:
    """The sign that a number is a limit, an end of a range, or has a further part: 3 years and 6 months."""
    if not any(token.is_digits for token in expected):
        return None
    if not _has(expected, "limit") and (
        _is_before("limit", text, found, first, 1)
        or _phrase_at("limit_after", found, last)
        or _phrase_at("limit_after", found, last + 1)
    ):
        return "limit"
    start, end = found[first].start, found[last - 1].end
    opens = found[first].is_digits and _RANGE_BEFORE.search(text, max(0, start - 10), start)
    closes = found[last - 1].is_digits and _RANGE_AFTER.match(text, end)
    if (opens or closes) and not any(
        date.start <= start and end <= date.end and date.month for date in dates(text)
    ):
        return "range"
    if found[last - 1].word in word_set("measured"):
        following = next((number for number in numbers(text) if number.start >= end), None)
        if following is not None and _LINK.fullmatch(text, end, following.start):
            after = bisect_left(found, following.end, key=attrgetter("start"))
            if after < len(found) and found[after].word in word_set("measured"):
                return "more"
    return None


def _is_mistaken(text: str, found: Sequence[Token], last: int) -> bool:
    """Whether what follows says that it is wrong: Paris is wrong, 北京错误."""
    for index in range(last, min(len(found), last + _LONGEST_PHRASE)):
        if CLAUSE_MARK.search(text, found[index - 1].end, found[index].start):
            return False
        if _phrase_at("mistaken", found, index):
            return True
        if not found[index].is_small:
            return False
    return False


def _is_alternative(text: str, found: Sequence[Token], first: int, last: int) -> bool:
    """Whether it is one of several names or numbers: Paris, London or Rome.

    With other words, "or" mostly joins two words for one thing: the crossbar or cross stroke.
    """
    if not _is_marked(text, found[first]):
        return False
    place = first - 1
    while place >= 0 and found[place].is_small and not _phrase_at("alternative", found, place):
        place -= 1
    size = max(
        _phrase_at("alternative", found, each) for each in (max(0, place), max(0, place - 1))
    )
    if (
        size
        and place >= size
        and not CLAUSE_MARK.search(text, found[place].end, found[first].start)
    ):
        return _is_marked(text, found[place - size])
    for index in range(last, len(found)):
        gap = text[found[index - 1].end : found[index].start].strip()
        if found[index].end - found[last - 1].end > _LIST or gap not in {"", ",", "、"}:
            return False
        if size := _phrase_at("alternative", found, index):
            following = found[index + size : index + size + 2]
            return any(_is_marked(text, token) for token in following)
        if index == last and not gap:
            return False
    return False


def _is_marked(text: str, token: Token) -> bool:
    """Whether a word may be a name or a number, as far as its script tells."""
    return token.is_digits or text[token.start].isupper() or is_han(token)


def _has(words: Sequence[Token], name: str) -> bool:
    return any(_phrase_at(name, words, index) for index in range(len(words)))


def _is_before(name: str, text: str, found: Sequence[Token], first: int, near: int) -> bool:
    """Whether a phrase of a list ends at most ``near`` tokens before, in the same clause."""
    for index in range(first - 1, max(-1, first - near - _LONGEST_PHRASE), -1):
        if CLAUSE_MARK.search(text, found[index].end, found[first].start):
            return False
        size = _phrase_at(name, found[:first], index)
        if size and index + size > first - near:
            return True
    return False


def _phrase_at(name: str, found: Sequence[Token], index: int) -> int:
    """How many tokens the phrase of a list has that begins with a token; 0 if none does."""
    for size in range(_LONGEST_PHRASE, 0, -1):
        if tuple(token.word for token in found[index : index + size]) in _phrases(name):
            return size
    return 0


@cache
def _phrases(name: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(token.word for token in tokens(phrase)) for phrase in word_set(name))
