"""What is beside a value in a text and makes it doubtful that the text gives it.

"Not in Paris", "Paris or Rome", "at least 30 days", "1945-1950", "all but France", "Paris is wrong": the value
is there, and something else may be meant. None of this decides; it makes an answer unsure.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Final

from assay.text.date import read_dates as dates
from assay.text.lexicon import word_set
from assay.text.normalise import Span
from assay.text.number import numbers
from assay.text.search_term import Token

_NEAR: Final = 5
"""A negation further away than this belongs to something else."""
_FOLLOWING: Final = 4
"""So many words after a value are looked at."""
_CLAUSE_MARK: Final = re.compile(r"[.;:!?,。；：！？，、\n]")
_MONEY: Final = "[$€£¥₽]?"
_TO: Final = r"(?:\s?[-–—~至到]\s?|\s(?:to|до|по)\s)"
_RANGE_AFTER: Final = re.compile(rf"{_TO}{_MONEY}\d")
_RANGE_BEFORE: Final = re.compile(rf"\d[^\s\d]?{_TO}{_MONEY}\Z")
_LINK: Final = re.compile(r"\s*(?:,|and\b|и\b|又|零)?\s*")
_LONGEST_LINK: Final = 40


def is_denied(
    text: str,
    found: Sequence[Token],
    start: int,
    *,
    directly: bool = False,
    words: str = "negation",
) -> bool:
    """Whether a negation is before the place ``start`` in its clause, or a word of another list.

    ``directly``: with nothing but small words between.

    ``found`` are the tokens of ``text``.

    >>> from assay.text.search_term import tokens
    >>> text = "It is not in Paris, but in Rome."
    >>> is_denied(text, tokens(text), 13), is_denied(text, tokens(text), 27)
    (True, False)
    """
    place = bisect_left(found, start, key=attrgetter("start"))
    for index in range(place - 1, max(-1, place - 1 - _NEAR), -1):
        token = found[index]
        if _CLAUSE_MARK.search(text, token.end, start):
            return False
        pair = found[index - 1].word + token.word if index else ""
        if not word_set(words).isdisjoint((token.word, pair)):
            return True
        if directly and not token.is_small:
            return False
    return False


def doubt(expected: Sequence[Token], place: Span, text: str, found: Sequence[Token]) -> str | None:
    """The first sign that a text with these tokens does not give the value that it names at a place.

    A sign that is also among the words of the expected value is none.
    """
    last = bisect_left(found, place.end, key=attrgetter("start"))
    if not _has(expected, "negation") and is_denied(text, found, place.start):
        is_direct = is_denied(text, found, place.start, directly=True)
        return "not it" if is_direct else "denied"
    if _follows("mistaken", text, found, last):
        return "mistaken"
    for words, directly in (("except", False), ("former", True)):
        if not _has(expected, words) and is_denied(
            text, found, place.start, directly=directly, words=words
        ):
            return words
    if not _has(expected, "alternative") and _is_alternative(text, place):
        return "alternative"
    if any(token.is_digits for token in expected):
        return _doubt_of_number(expected, place, text, found, last)
    return None


def _doubt_of_number(
    expected: Sequence[Token], place: Span, text: str, found: Sequence[Token], last: int
) -> str | None:
    """The sign that a number is a limit, an end of a range, or has a further part: 3 years and 6 months."""
    if not _has(expected, "limit") and (
        is_denied(text, found, place.start, words="limit", directly=True)
        or _follows("limit_after", text, found, last)
    ):
        return "limit"
    begins, ends = text[place.start].isdecimal(), text[place.end - 1].isdecimal()
    if (begins and _RANGE_BEFORE.search(text, max(0, place.start - 10), place.start)) or (
        ends and _RANGE_AFTER.match(text, place.end)
    ):
        is_date = any(each.start <= place.start < each.end and each.month for each in dates(text))
        return None if is_date else "range"
    measured = word_set("measured")
    if found[last - 1].word in measured:
        following = next((number for number in numbers(text) if number.start >= place.end), None)
        if following is not None and _LINK.fullmatch(text, place.end, following.start):
            after = bisect_left(found, following.end, key=attrgetter("start"))
            return "more" if after < len(found) and found[after].word in measured else None
    return None


def _follows(words: str, text: str, found: Sequence[Token], last: int) -> bool:
    """Whether the next word of the clause is one of a list: Paris is wrong, 北京错误, 30 days or more."""
    for index in range(last, min(len(found), last + _FOLLOWING)):
        token = found[index]
        pair = token.word + (found[index + 1].word if index + 1 < len(found) else "")
        if _CLAUSE_MARK.search(text, found[index - 1].end, token.start):
            return False
        if not word_set(words).isdisjoint((token.word, pair)):
            return True
        if not (token.is_small or token.word in word_set("measured")):
            return False
    return False


def _is_alternative(text: str, place: Span) -> bool:
    """Whether it is one of several names or numbers: Paris, London or Rome.

    With other words, "or" mostly joins two words for one thing: the crossbar or cross stroke.
    """
    if text[place.start].islower():
        return False
    before, after = _alternatives()
    start = max(0, place.start - _LONGEST_LINK)
    return bool(before.search(text, start, place.start) or after.match(text, place.end))


@cache
def _alternatives() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is before and after one of several names."""
    words, han = (
        "|".join(word_set("alternative", "en", "ru")),
        "|".join(word_set("alternative", "zh")),
    )
    name, small = r"[A-ZА-ЯЁ\d]", r"(?:(?:a|an|the)\s)?"
    return (
        re.compile(rf"\b{name}[\w.'’-]*,?\s(?:{words})\s{small}\Z|(?:{han})\Z"),
        re.compile(
            rf"(?:,\s[\w '’-]{{1,20}}){{0,4}},?\s(?:{words})\s{small}{name}|[、\u3400-\u9fff]{{0,8}}?(?:{han})"
        ),
    )


def _has(words: Sequence[Token], name: str) -> bool:
    return any(token.word in word_set(name) for token in words)
