"""Dates with a year of two digits, which can be told only if the date is known: 12.02.22."""

import re
from collections.abc import Iterator
from typing import Final

from assay.text import Date, Span

_SHORT: Final = re.compile(
    r"(?<![0-9./-])(?P<day>[0-9]{1,2})(?P<mark>[./-])(?P<month>[0-9]{1,2})(?P=mark)"
    r"['’]?(?P<year>[0-9]{2})(?![0-9]|[./-][0-9])"
)


def short_dates(date: Date, text: str) -> Iterator[Span]:
    """Where ``text`` has a known day with the day first and the year in two digits.

    With slashes the month may come first, so there both numbers must leave no choice.

    >>> from assay.text import dates
    >>> (day,) = dates("12 февраля 2022 года")
    >>> list(short_dates(day, "12.02.22")), list(short_dates(day, "12/02/22"))
    ([Span(start=0, end=8)], [])
    """
    if date.year is None or date.month is None or date.day is None:
        return
    known = (date.day, date.month, date.year % 100)
    for match in _SHORT.finditer(text):
        told = tuple(int(match[name]) for name in ("day", "month", "year"))
        is_ambiguous = match["mark"] == "/" and told[0] <= 12 and told[0] != told[1]
        if told == known and not is_ambiguous:
            yield Span(start=match.start(), end=match.end())
