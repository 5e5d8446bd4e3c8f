"""Dates in text, in the notations of three languages.

Rules for ambiguous notations:

* with points, the day comes first (``30.08.2020``, ``30.VIII.2020``), or the year (``2020.08.30``);
* with slashes, the month comes first (``08/30/2020``), unless the first number is above 12 or the
  text is Russian;
* with hyphens, the year comes first (``2020-08-30``), or the day if the year is last
  (``30-08-2020``);
* a date with a year of two digits is ignored, and so is ``2020-08``, which may be a range of years, unless
  the words beside it say what it is (``акт от 30.06.22``, ``账期：2020-08``);
* a year alone is a date only with the word for year (``2020年``, ``2020 г.``, ``the year 2020``) or after a
  verb that needs one (``built in 1820``);
* a date that does not exist in the calendar (``31.02.2020``), or is of another era or calendar
  (``公元前221年``, ``农历``), is ignored.

A date is read whole or not at all: of a date that is ignored no part is returned.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from assay.text.character import CYRILLIC
from assay.text.date.calendar import Date, is_calendar_date, last_day_of
from assay.text.date.context import is_in_russian, is_part, is_unreadable
from assay.text.date.days import with_days_after, with_days_before
from assay.text.date.era import era_year
from assay.text.date.join import joined
from assay.text.date.month import month_number
from assay.text.date.months import with_months
from assay.text.date.notation import english_holidays, holidays, notations
from assay.text.date.ordinal import ordinal_day_value, year_value
from assay.text.date.short import short_han_year, short_year
from assay.text.number import numeral_value, roman_value
from assay.text.span import Span
from assay.text.surface import surface

_CYRILLIC: Final = re.compile(f"[{CYRILLIC}]")
_LUNAR_DAY: Final = re.compile("[廿卄][一二三四五六七八九]?")
_FIRST_YEAR_OF_REPUBLIC: Final = 1912
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ROMAN_YEARS: Final = range(1500, 2100)
_EDGES_OF_YEAR: Final = {"first_of_year": (1, 1), "last_of_year": (12, 31)}


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Yield all matches of all patterns, near the words that they need."""
    has_cyrillic = _CYRILLIC.search(text) is not None
    for needed, patterns, reach, is_russian in notations():
        if is_russian and not has_cyrillic:
            continue
        for start, end in _places(text, needed, reach):
            for pattern in patterns:
                yield from pattern.finditer(text, start, end)


def _places(text: str, needed: re.Pattern[str], reach: int | None) -> list[tuple[int, int]]:
    """The parts of a text in which dates may be; they do not overlap."""
    if reach is None:
        return [(0, len(text))] if needed.search(text) else []
    places: list[tuple[int, int]] = []
    for match in needed.finditer(text):
        start, end = max(0, match.start() - reach), min(len(text), match.end() + reach)
        if places and start <= places[-1][1]:
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return places


def dates(text: str) -> list[Date]:
    """All dates in ``text``, from left to right; dates do not overlap.

    >>> [d.iso for d in dates("2020年8月30日; 30 августа 2020 г.; Aug 30, 2020; 31.02.2020")]
    ['2020-08-30', '2020-08-30', '2020-08-30']
    """
    flat = surface(text)
    kept: list[Date] = []
    end = ignored_end = 0
    for match, date in sorted(_candidates(flat.text), key=lambda candidate: _place(candidate[0])):
        if match.start() < end:
            continue
        end = match.end()
        if date is None:
            ignored_end = end
        elif flat.text[ignored_end : match.start()] != "/":  # 31 December/1 January 2024
            kept.append(date)
    kept = joined(flat.text, with_days_after(flat.text, kept))
    kept = with_days_before(flat.text, (date for date in kept if not is_part(flat.text, date)))
    kept = with_months(flat.text, kept)
    if flat.origins is None:
        return kept
    return [_with_span(date, flat.span(date.start, date.end)) for date in kept]


def _place(match: re.Match[str]) -> tuple[int, int]:
    return match.start(), -match.end()


def _with_span(date: Date, span: Span) -> Date:
    return Date(year=date.year, month=date.month, day=date.day, start=span.start, end=span.end)


def _candidates(text: str) -> Iterator[tuple[re.Match[str], Date | None]]:
    """Yield what looks like a date, with the date, or ``None`` if it must be ignored."""
    for match in _matches(text):
        yield match, _date(match)


def _date(match: re.Match[str]) -> Date | None:
    parts = {name: text for name, text in match.groupdict().items() if text}
    year, month, day = _year(parts), *_month_and_day(parts)
    if "first" in parts and is_calendar_date(year, day, month) and is_in_russian(match):
        month, day = int(parts["second"]), int(parts["first"])
    if not is_calendar_date(year, month, day) or is_unreadable(match, year):
        return None
    if _LUNAR_DAY.fullmatch(parts.get("bare_day", "")):
        return None  # 三月廿八 without 日 is a day of the lunar calendar
    start = match.end("label") if "label" in parts else match.start()
    return Date(year=year, month=month, day=day, start=start, end=match.end())


def _year(parts: Mapping[str, str]) -> int | None:
    if "republic" in parts:
        return _FIRST_YEAR_OF_REPUBLIC - 1 + (_part(parts["republic"]) or 0)
    if "era" in parts:
        return era_year(parts)
    if short := parts.get("short"):
        return short_year(short)
    if short := parts.get("short_han"):
        return short_han_year(short)
    if roman := parts.get("roman_year") or parts.get("roman_alone"):
        value = roman_value(roman)
        return value if value in _ROMAN_YEARS else -1
    words = parts.get("year_words") or parts.get("bare_words")
    return (
        (year_value(words) or -1) if words else _part(parts.get("year") or parts.get("year_last"))
    )


def _month_and_day(parts: Mapping[str, str]) -> tuple[int | None, int | None]:
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        return (second, first) if first > 12 else (first, second)
    if "holiday" in parts:
        # A feast of the lunar calendar has no date here, and neither has the week of a holiday.
        holiday = holidays().get(parts["holiday"], (-1, -1))
        return (-1, -1) if "beside" in parts else holiday
    if "holiday_en" in parts:
        return _english_holiday(parts["holiday_en"])
    if edge := next((name for name in _EDGES_OF_YEAR if name in parts), None):
        return _EDGES_OF_YEAR[edge]
    return _usual_month_and_day(parts)


def _usual_month_and_day(parts: Mapping[str, str]) -> tuple[int | None, int | None]:
    month = _part(parts.get("month") or parts.get("month_point") or parts.get("month_first"))
    if roman := parts.get("roman"):
        month = _ROMAN.index(roman) + 1
    if name := parts.get("name") or parts.get("adjective"):
        month = month_number(name)
    if "last_day" in parts and month is not None:
        return month, last_day_of(_year(parts), month)
    day = _part(parts.get("day") or parts.get("bare_day"))
    if "day_words" in parts:
        day = ordinal_day_value(parts["day_words"])
    if doubled := parts.get("doubled"):
        same = _part(doubled) if doubled.isdigit() else ordinal_day_value(doubled)
        return month, day if same == day else -1
    return month, day


def _part(number: str | None) -> int | None:
    """A part of a date as a number; -1, which is never a valid part, if it cannot be read."""
    if not number:
        return None
    if number.isdigit():
        return int(number)
    if number == "元":
        return 1
    value = numeral_value(number)
    return -1 if value is None else int(value)


def _english_holiday(name: str) -> tuple[int, int]:
    return next(
        day for day, pattern in english_holidays() if re.fullmatch(pattern, name, re.IGNORECASE)
    )
