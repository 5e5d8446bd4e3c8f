"""Ranges of dates: two dates joined by a dash or a word."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from msgspec import Struct

from assay.text.date.date import Date, dates, link_kind
from assay.text.lists import word_set, word_values
from assay.text.surface import Surface, surface


class DateRange(Struct, frozen=True, kw_only=True):
    """A range from ``first`` to ``last``, both included, and its position in the text."""

    first: Date
    last: Date
    start: int
    end: int

    @property
    def iso(self) -> str:
        """The interval in ISO 8601 notation: ``2020-08-01/2020-08-30``."""
        return f"{self.first.iso}/{self.last.iso}"


def date_ranges(text: str) -> list[DateRange]:
    """The ranges of dates in ``text``. A part that is written once applies to both ends.

    The first date must be before the last. *And* (и) joins two dates only after *between*
    (между).

    >>> [r.iso for r in date_ranges("с 1 по 30 августа 2020 г.; 2020年8月至10月; 2019–2021 гг.")]
    ['2020-08-01/2020-08-30', '2020-08/2020-10', '2019/2021']
    """
    kept: list[DateRange] = []
    for found in sorted(_candidates(text), key=lambda found: (found.start, -found.end)):
        if not kept or found.start >= kept[-1].end:
            kept.append(found)
    return kept


def _candidates(text: str) -> Iterator[DateRange]:
    for first, last in pairwise(dates(text)):
        kind = link_kind(text, first.start, first.end, last.start)
        if kind == "range" and _key(first) < _key(last):
            yield DateRange(first=first, last=last, start=first.start, end=last.end)
    flat = surface(text)
    for match in _years().finditer(flat.text):
        if int(match[1]) < int(match[2]):
            first, last = (_year(flat, match, group) for group in (1, 2))
            yield DateRange(first=first, last=last, start=first.start, end=last.end)


def _year(flat: Surface, match: re.Match[str], group: int) -> Date:
    span = flat.span(match.start(group), match.end(group) if group == 1 else match.end())
    return Date(year=int(match[group]), month=None, day=None, start=span.start, end=span.end)


@cache
def _years() -> re.Pattern[str]:
    links = "|".join(
        re.escape(word) for word, kind in word_values("link").items() if kind == "range"
    )
    word = "|".join(map(re.escape, sorted(word_set("year_word"), reverse=True)))
    year = "((?:1[0-9]|20)[0-9]{2})"
    return re.compile(
        rf"(?<![A-Za-z0-9.,/-]){year}\s?(?:{links})\s?{year}(?![0-9]|[-./,][0-9])(?:\s?(?:{word}))?"
    )


def _key(date: Date) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 0, date.day or 0)
