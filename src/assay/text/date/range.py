"""Ranges of dates: two dates with a dash or a word between them, or one that shares parts."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from assay.text.date.date import EN_MONTH, RU_MONTH, Date, dates, is_calendar_date, month_number
from assay.text.surface import surface

_LINK: Final = re.compile(
    r"\s{0,2}(?:-|—|~|起?至|起?到|по|до|to|until|till|through|and|и)\s{0,2}\Z", re.IGNORECASE
)
_OPENING: Final = re.compile(r"(?:\b(?:between|между)\s{1,2})\Z", re.IGNORECASE)
_TO_DAY: Final = re.compile(r"\s?(?:-|—|~|起?至|起?到)\s?(?P<day>[0-9]{1,2})\s?[日号號]")
_TO_MONTH: Final = re.compile(r"\s?(?:-|—|~|起?至|起?到)\s?(?P<month>[0-9]{1,2})\s?月(?!\s?[0-9])")
_FROM_DAY: Final = re.compile(
    r"(?<![0-9.])(?P<first>[0-9]{1,2})(?:-?го)?\s?(?:-|—|по|до|to)\s?\Z", re.IGNORECASE
)
_EN_DAYS: Final = re.compile(
    rf"\b{EN_MONTH}\b\.?\s(?P<first>[0-9]{{1,2}})\s?(?:-|—|to)\s?(?P<last>[0-9]{{1,2}}),?\s"
    r"(?P<year>[12][0-9]{3})(?![0-9])"
)
_MONTH_BEFORE: Final = re.compile(
    rf"\b(?:{EN_MONTH}|(?i:{RU_MONTH.replace('name', 'ru')}))\.?\s?(?:-|—|to|по|до)\s?\Z"
)
_YEARS: Final = re.compile(
    r"(?<![0-9./-])(?P<first>(?:1[5-9]|20)[0-9]{2})\s?(?:-|—|至|到|to|по)\s?"
    r"(?P<last>(?:1[5-9]|20)[0-9]{2})(?![0-9]|[-./][0-9])\s?(?:гг?\.|год[а-я]*|年)?"
)


class DateRange(Struct, frozen=True, kw_only=True):
    """From ``first`` to ``last``, both inside, and where the whole stands."""

    first: Date
    last: Date
    start: int
    end: int

    @property
    def iso(self) -> str:
        """ISO 8601's writing of an interval: ``2020-08-01/2020-08-30``."""
        return f"{self.first.iso}/{self.last.iso}"


def date_ranges(text: str) -> list[DateRange]:
    """The ranges of dates in ``text``; a part written once holds for both ends.

    A range that runs backwards is none. *And* (и) links two dates only after *between*
    (между).

    >>> [r.iso for r in date_ranges("с 1 по 30 августа 2020 г.; 2020年8月至10月; 2019–2021 гг.")]
    ['2020-08-01/2020-08-30', '2020-08/2020-10', '2019/2021']
    """
    flat = surface(text)
    found: list[DateRange] = []
    ranges = sorted(_candidates(flat.text), key=lambda one: (one.start, -one.end))
    for one in ranges:
        if not found or one.start >= found[-1].end:
            found.append(one)
    if flat.origins is None:
        return found
    return [_moved(one, flat.origins) for one in found]


def _moved(one: DateRange, origins: tuple[int, ...]) -> DateRange:
    def place(date: Date) -> Date:
        return _dated(
            date.year, date.month, date.day, origins[date.start], origins[date.end - 1] + 1
        )

    return DateRange(
        first=place(one.first),
        last=place(one.last),
        start=origins[one.start],
        end=origins[one.end - 1] + 1,
    )


def _dated(year: int | None, month: int | None, day: int | None, start: int, end: int) -> Date:
    return Date(year=year, month=month, day=day, start=start, end=end)


def _candidates(text: str) -> Iterator[DateRange]:
    found = dates(text)
    for place, date in enumerate(found):
        after = found[place + 1] if place + 1 < len(found) else None
        if after is not None and _linked(text, date, after):
            yield from _ordered(*_completed(date, after))
        yield from _shared_parts(text, date)
    for match in _EN_DAYS.finditer(text):
        year, month = int(match["year"]), month_number(match["name"])
        first = _dated(year, month, int(match["first"]), match.start(), match.end("first"))
        last = _dated(year, month, int(match["last"]), match.start("last"), match.end())
        yield from _ordered(first, last)
    for match in _YEARS.finditer(text):
        first = _dated(int(match["first"]), None, None, match.start(), match.end("first"))
        last = _dated(int(match["last"]), None, None, match.start("last"), match.end())
        yield from _ordered(first, last)


def _linked(text: str, first: Date, last: Date) -> bool:
    link = _LINK.match(text, first.end, last.start)
    if link is None:
        return False
    if link.group().strip().lower() in {"and", "и"}:
        return _OPENING.search(text, max(0, first.start - 12), first.start) is not None
    return True


def _completed(first: Date, last: Date) -> tuple[Date, Date]:
    """Both dates, each with the year the other has and it has not."""
    year = first.year if last.year is None else last.year
    return (
        _dated(first.year or year, first.month, first.day, first.start, first.end),
        _dated(last.year or year, last.month, last.day, last.start, last.end),
    )


def _shared_parts(text: str, date: Date) -> Iterator[DateRange]:
    """Ranges whose other end is a bare day or month beside ``date``."""
    if date.day is not None:
        if match := _TO_DAY.match(text, date.end):
            last = _dated(date.year, date.month, int(match["day"]), match.start("day"), match.end())
            yield from _ordered(date, last)
        if match := _FROM_DAY.search(text, max(0, date.start - 10), date.start):
            first = _dated(
                date.year, date.month, int(match["first"]), match.start(), match.end("first")
            )
            yield from _ordered(first, date)
    elif date.month is not None:
        if match := _TO_MONTH.match(text, date.end):
            last = _dated(date.year, int(match["month"]), None, match.start("month"), match.end())
            yield from _ordered(date, last)
        if match := _MONTH_BEFORE.search(text, max(0, date.start - 16), date.start):
            name = match["name"] or match["ru"]
            first = _dated(
                date.year, month_number(name), None, match.start(), match.start() + len(name)
            )
            yield from _ordered(first, date)


def _ordered(first: Date, last: Date) -> Iterator[DateRange]:
    valid = all(is_calendar_date(one.year, one.month, one.day) for one in (first, last))
    if valid and _key(first) < _key(last):
        yield DateRange(first=first, last=last, start=first.start, end=last.end)


def _key(date: Date) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 0, date.day or 0)
