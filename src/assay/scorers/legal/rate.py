"""Whether an amount is told for another period than the one asked about: 3,900 a year is no monthly rent."""

import re
from functools import cache
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_PERIODS: Final = ("day", "week", "month", "quarter", "year")
_NEAR: Final = 24
"""How many characters before the amount are looked at."""
_HAN: Final = lazy_pattern(lambda: f"[{HAN}]")


@cache
def _asked(period: str) -> re.Pattern[str]:
    return lazy_pattern(lambda: alternatives(f"rate.asked.{period}"))


@cache
def _after(period: str) -> re.Pattern[str]:
    """The period directly after an amount; at most its unit and a noun stand between them."""
    return lazy_pattern(
        lambda: rf"[^\S\n]?(?:[^\W\d]+[^\S\n]){{0,2}}?(?:{alternatives(f'rate.after.{period}')})"
    )


@cache
def _before(period: str) -> re.Pattern[str]:
    return lazy_pattern(lambda: rf"(?:{alternatives(f'rate.before.{period}')})\Z")


def has_other_period(text: str, span: Span, question: str) -> bool:
    """Whether ``question`` asks for an amount in one period, and the one at ``span`` is for another.

    >>> text = "The rent is 3,900 per year."
    >>> has_other_period(text, Span(start=12, end=17), "What is the monthly rent?")
    True
    >>> has_other_period(text, Span(start=12, end=17), "What is the annual rent?")
    False
    """
    asked = {period for period in _PERIODS if _asked(period).search(question)}
    if len(asked) != 1 or not numbers(span.of(text)):
        return False
    return bool(told := _told(text, span, content_words(question))) and not told & asked


def _told(text: str, span: Span, asked: frozenset[str]) -> set[str]:
    """The periods for which the amount is told."""
    before = text[max(0, span.start - _NEAR) : span.start]
    found = set()
    for period in _PERIODS:
        match = _before(period).search(before)
        is_named = match is not None and (
            _HAN.search(match.group()) or content_words(match.group()) & asked
        )
        if is_named or _after(period).match(text, span.end):
            found.add(period)
    return found
