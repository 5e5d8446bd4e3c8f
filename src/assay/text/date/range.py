"""Ranges of dates: two dates joined by a dash or a word, or two dates that share some parts."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from assay.text.date.calendar import Date, is_calendar_date
from assay.text.date.date import dates
from assay.text.date.month import month_number
from assay.text.date.notation import en_month, ru_month
from assay.text.lexicon import alternatives, expressions, lazy_pattern
from assay.text.surface import surface

_DASH: Final = "-|—|~"
_LINK: Final = lazy_pattern(
    lambda: rf"\s{{0,2}}(?:{_DASH}|{alternatives('date.to')}|{alternatives('date.and')})\s{{0,2}}\Z"
)
_OPENING: Final = lazy_pattern(lambda: rf"(?:\b(?:{alternatives('date.between')})\s{{1,2}})\Z")
_TO_DAY: Final = lazy_pattern(
    lambda: rf"\s?(?:{_DASH}|{alternatives('date.to', 'zh')})\s?(?P<day>[0-9]{{1,2}})\s?[日号號]"
)
_TO_MONTH: Final = lazy_pattern(
    lambda: (
        rf"\s?(?:{_DASH}|{alternatives('date.to', 'zh')})\s?"
        r"(?P<month>[0-9]{1,2})\s?月(?!\s?[0-9])"
    )
)
_FROM_DAY: Final = lazy_pattern(
    lambda: (
        rf"(?<![0-9.])(?P<first>[0-9]{{1,2}})(?:-?го)?\s?"
        rf"(?:-|—|{alternatives('date.to', 'ru')}|to)\s?\Z"
    )
)
_EN_DAYS: Final = lazy_pattern(
    lambda: (
        rf"\b{en_month()}\b\.?\s(?P<first>[0-9]{{1,2}})\s?(?:-|—|to)\s?(?P<last>[0-9]{{1,2}}),?\s"
        r"(?P<year>[12][0-9]{3})(?![0-9])"
    ),
    re.NOFLAG,
)
_MONTH_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"\b(?:{en_month()}|(?i:{ru_month('ru')}))\.?\s?"
        rf"(?:-|—|to|{alternatives('date.to', 'ru')})\s?\Z"
    ),
    re.NOFLAG,
)
_YEARS: Final = lazy_pattern(
    lambda: (
        r"(?<![0-9./-])(?P<first>(?:1[5-9]|20)[0-9]{2})\s?"
        rf"(?:-|—|{alternatives('date.year_to')})\s?"
        r"(?P<last>(?:1[5-9]|20)[0-9]{2})(?![0-9]|[-./][0-9])"
        rf"\s?(?:{alternatives('date.years', 'ru')}|年)?"
    ),
    re.NOFLAG,
)


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
    flat = surface(text)
    kept: list[DateRange] = []
    candidates = sorted(
        _candidates(flat.text), key=lambda candidate: (candidate.start, -candidate.end)
    )
    for candidate in candidates:
        if not kept or candidate.start >= kept[-1].end:
            kept.append(candidate)
    if flat.origins is None:
        return kept
    return [_in_original(candidate, flat.origins) for candidate in kept]


def _in_original(date_range: DateRange, origins: tuple[int, ...]) -> DateRange:
    """The range with offsets of the original text instead of the surface text."""

    def moved(date: Date) -> Date:
        return _make_date(
            date.year, date.month, date.day, origins[date.start], origins[date.end - 1] + 1
        )

    return DateRange(
        first=moved(date_range.first),
        last=moved(date_range.last),
        start=origins[date_range.start],
        end=origins[date_range.end - 1] + 1,
    )


def _make_date(year: int | None, month: int | None, day: int | None, start: int, end: int) -> Date:
    return Date(year=year, month=month, day=day, start=start, end=end)


def _candidates(text: str) -> Iterator[DateRange]:
    in_text = dates(text)
    for index, date in enumerate(in_text):
        after = in_text[index + 1] if index + 1 < len(in_text) else None
        if after is not None and _is_linked(text, date, after):
            yield from _valid_range(*_with_shared_year(date, after))
        yield from _shared_parts(text, date)
    for match in _EN_DAYS.finditer(text):
        year, month = int(match["year"]), month_number(match["name"])
        first = _make_date(year, month, int(match["first"]), match.start(), match.end("first"))
        last = _make_date(year, month, int(match["last"]), match.start("last"), match.end())
        yield from _valid_range(first, last)
    for match in _YEARS.finditer(text):
        first = _make_date(int(match["first"]), None, None, match.start(), match.end("first"))
        last = _make_date(int(match["last"]), None, None, match.start("last"), match.end())
        yield from _valid_range(first, last)


def _is_linked(text: str, first: Date, last: Date) -> bool:
    link = _LINK.match(text, first.end, last.start)
    if link is None:
        return False
    if link.group().strip().lower() in expressions("date.and"):
        return _OPENING.search(text, max(0, first.start - 12), first.start) is not None
    return True


def _with_shared_year(first: Date, last: Date) -> tuple[Date, Date]:
    """Both dates; a date without a year gets the year of the other."""
    year = first.year if last.year is None else last.year
    return (
        _make_date(first.year or year, first.month, first.day, first.start, first.end),
        _make_date(last.year or year, last.month, last.day, last.start, last.end),
    )


def _shared_parts(text: str, date: Date) -> Iterator[DateRange]:
    """The ranges whose other end is only a day or a month beside ``date``."""
    if date.day is not None:
        if match := _TO_DAY.match(text, date.end):
            last = _make_date(
                date.year, date.month, int(match["day"]), match.start("day"), match.end()
            )
            yield from _valid_range(date, last)
        if match := _FROM_DAY.search(text, max(0, date.start - 10), date.start):
            first = _make_date(
                date.year, date.month, int(match["first"]), match.start(), match.end("first")
            )
            yield from _valid_range(first, date)
    elif date.month is not None:
        if match := _TO_MONTH.match(text, date.end):
            last = _make_date(
                date.year, int(match["month"]), None, match.start("month"), match.end()
            )
            yield from _valid_range(date, last)
        if match := _MONTH_BEFORE.search(text, max(0, date.start - 16), date.start):
            name = match["name"] or match["ru"]
            first = _make_date(
                date.year, month_number(name), None, match.start(), match.start() + len(name)
            )
            yield from _valid_range(first, date)


def _valid_range(first: Date, last: Date) -> Iterator[DateRange]:
    """The range, if both dates exist and the first is before the last."""
    exist = all(is_calendar_date(date.year, date.month, date.day) for date in (first, last))
    if exist and _key(first) < _key(last):
        yield DateRange(first=first, last=last, start=first.start, end=last.end)


def _key(date: Date) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 0, date.day or 0)
