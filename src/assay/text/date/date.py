"""Dates in text, in the notations of three languages.

Rules for ambiguous notations:

* with points, the day comes first (``30.08.2020``), or the year (``2020.08.30``);
* with slashes, the month comes first (``08/30/2020``), unless the first number is above 12;
* with hyphens, the year comes first (``2020-08-30``), or the day if the year is last
  (``30-08-2020``);
* a year of two digits is not a date, and neither is ``2020-08``, which may be a range of years;
* a year alone is a date only with the word for year: ``2020年``, ``2020 г.``, ``2020 год``;
* a date that does not exist in the calendar (``31.02.2020``) is ignored.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec import Struct

from assay.text.lexicon import alternatives, expressions
from assay.text.number import NUMERAL, numeral_value
from assay.text.span import Span
from assay.text.surface import surface

_LENGTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_YEAR: Final = "(?P<year>[12][0-9]{3})(?![0-9])"
_DAY: Final = "(?P<day>0?[1-9]|[12][0-9]|3[01])(?![0-9])"
_MONTH: Final = "(?P<month>0?[1-9]|1[0-2])(?![0-9])"
_HAN: Final = f"[{NUMERAL}]"
_HAN_PART: Final = rf"[0-9]{{1,2}}|{_HAN}{{1,3}}"
_HAN_DAY: Final = rf" ?(?P<day>{_HAN_PART}) ?[日号號]"
_HAN_MONTH: Final = rf"(?P<month>{_HAN_PART}) ?月"
_ORDINAL: Final = "(?:st|nd|rd|th)?"
_END: Final = r"(?![-/]|\.[0-9])"
_HAN_PATTERNS: Final = (
    rf"(?<![0-9{NUMERAL}])(?P<year>[12][0-9]{{3}}|[〇零一二三四五六七八九]{{4}}) ?年(?: ?{_HAN_MONTH}(?:{_HAN_DAY})?)?",
    rf"(?<![0-9{NUMERAL}])(?<![0-9]年){_HAN_MONTH}{_HAN_DAY}",
)
_DIGIT_PATTERNS: Final = (
    rf"(?<![0-9./-]){_YEAR}(?P<mark>[-./]){_MONTH}(?P=mark){_DAY}{_END}",
    rf"(?<![0-9./-]){_DAY}(?P<mark>[.-]){_MONTH}(?P=mark){_YEAR}{_END}",
    rf"(?<![0-9./-])(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_YEAR}{_END}",
)


@cache
def en_month(group: str = "name") -> str:
    """The expression for an English month, with a capital letter or in capitals, as a group."""
    names = alternatives("date.months", "en")
    return f"(?P<{group}>{names}|{names.upper()})"


@cache
def ru_month(group: str = "name") -> str:
    """The expression for a Russian month as a group."""
    return f"(?P<{group}>{alternatives('date.months', 'ru')})(?![а-яё])"


def _ru_patterns() -> tuple[str, ...]:
    month = f"(?i:{ru_month()})"
    year = rf"{_YEAR}(?:\s?(?:{alternatives('date.year', 'ru')}))?"
    return (
        rf"(?<![0-9])[«\"“„]?{_DAY}[»\"”]?(?:-?го)?\s{{1,2}}{month}(?:\s{{1,2}}{year})?",
        rf"(?<![а-яё0-9]){month}\s{{1,2}}{year}",
        rf"(?<![0-9]){_YEAR}\s?(?:{alternatives('date.year_alone', 'ru')})",
    )


def _en_patterns() -> tuple[str, ...]:
    month = en_month()
    return (
        rf"\b{month}\b\.?\s{{1,2}}{_DAY}{_ORDINAL}(?:,?\s{{1,2}}{_YEAR})?",
        rf"(?<![0-9]){_DAY}{_ORDINAL}(?:\s{{1,2}}of)?[\s-]{{1,2}}{month}\b\.?(?:,?[\s-]{{1,2}}{_YEAR})?",
        rf"\b{month}\b\.?,?(?:\s{{1,2}}of)?\s{{1,2}}{_YEAR}",
    )


@cache
def _groups() -> tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...]:
    """Groups of patterns.

    The first pattern of a group is a quick test: if the text does not contain a match of it, the
    other patterns are not tried.
    """
    return tuple(
        (re.compile(needed), tuple(map(re.compile, patterns)))
        for needed, patterns in (
            ("[年月]", _HAN_PATTERNS),
            ("[0-9][^0-9]{1,4}[а-яА-Я]|[а-я]\\s+[0-9]{4}", _ru_patterns()),
            ("[A-Z]", _en_patterns()),
            ("[0-9][./-][0-9]", _DIGIT_PATTERNS),
        )
    )


class Date(Struct, frozen=True, kw_only=True):
    """A date and its position in the text. The parts that are not written are ``None``."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    @property
    def iso(self) -> str:
        """``2020-08-30``, ``2020-08``, ``2020``, or ``--08-30`` if there is no year."""
        year = "-" if self.year is None else f"{self.year:04d}"
        parts = [year, *(f"{part:02d}" for part in (self.month, self.day) if part is not None)]
        return "-".join(parts)


def dates(text: str) -> list[Date]:
    """All dates in ``text``, from left to right; dates do not overlap.

    >>> [d.iso for d in dates("2020年8月30日; 30 августа 2020 г.; Aug 30, 2020; 31.02.2020")]
    ['2020-08-30', '2020-08-30', '2020-08-30']
    """
    flat = surface(text)
    kept: list[Date] = []
    for date in sorted(_candidates(flat.text), key=lambda date: (date.start, -date.end)):
        if not kept or date.start >= kept[-1].end:
            kept.append(date)
    if flat.origins is None:
        return kept
    return [_with_span(date, flat.span(date.start, date.end)) for date in kept]


def _with_span(date: Date, span: Span) -> Date:
    return Date(year=date.year, month=date.month, day=date.day, start=span.start, end=span.end)


def _candidates(text: str) -> Iterator[Date]:
    for needed, patterns in _groups():
        if needed.search(text) is None:
            continue
        for pattern in patterns:
            yield from filter(None, map(_date, pattern.finditer(text)))


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    year: int | None
    month: int | None
    day: int | None
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        month, day = (second, first) if first > 12 else (first, second)
        year = int(parts["year"])
    else:
        year, month, day = (_part(parts.get(name)) for name in ("year", "month", "day"))
        if parts.get("name"):
            month = month_number(parts["name"])
    if not is_calendar_date(year, month, day):
        return None
    return Date(year=year, month=month, day=day, start=match.start(), end=match.end())


def _part(number: str | None) -> int | None:
    """A part of a date as a number; -1, which is never a valid part, if it cannot be read."""
    if not number:
        return None
    if number.isdigit():
        return int(number)
    value = numeral_value(number)
    return -1 if value is None else int(value)


def month_number(name: str) -> int:
    """The number of a month, 1 to 12, from its name or abbreviation in English or Russian."""
    return next(number for pattern, number in _month_numbers() if pattern.fullmatch(name))


@cache
def _month_numbers() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple(
        (re.compile(month, re.IGNORECASE), number)
        for language in ("en", "ru")
        for number, month in enumerate(expressions("date.months", language), 1)
    )


def is_calendar_date(year: int | None, month: int | None, day: int | None) -> bool:
    """Whether the date exists in the calendar. Parts may be ``None`` if they are not known.

    A date needs at least a year or a month, and a day needs a month.

    >>> is_calendar_date(2020, 2, 29), is_calendar_date(2021, 2, 29), is_calendar_date(None, 2, 29)
    (True, False, True)
    """
    if year is not None and not 1 <= year <= 9999:
        return False
    if month is None:
        return day is None and year is not None
    if not 1 <= month <= 12:
        return False
    if day is None:
        return True
    leap = year is None or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    longest = 28 if month == 2 and not leap else _LENGTHS[month - 1]
    return 1 <= day <= longest
