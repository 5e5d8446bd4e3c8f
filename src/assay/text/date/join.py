"""A day and its year in two places: 1 April (a Thursday), 2010; in 1984, on 12 May; 3 May to 4 June 1999.

A day without its year is another date. If two calendars are given, as in "25 October (7 November)
1917", none of the dates is read.
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.text.date.calendar import Date, is_calendar_date
from assay.text.date.ordinal import english_year_in_words, year_value
from assay.text.date.shared_year import is_range, shared_year
from assay.text.lexicon import alternatives, lazy_pattern

_YEAR: Final = "(?P<year>1[0-9]{3}|20[0-9]{2})(?![0-9])"
_BRACKET: Final = r"\s?[(\[（][^()\[\]（）]{1,40}[)\]）]"
_YEAR_AFTER: Final = lazy_pattern(
    lambda: (
        rf"(?:{_BRACKET},?\s|[)\]],?\s|(?:\s(?:{alternatives('date.day_link', 'en')})\s|-)[0-9]{{1,2}},?\s"
        rf"|(?:{_BRACKET})?\s?,?\s(?:{alternatives('date.year_link', 'en')})\s){_YEAR}"
    )
)
_YEAR_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:(?<![0-9./,-]){_YEAR}|\b(?P<words>{english_year_in_words()})),?\s"
        rf"(?:{alternatives('date.day_link_after_year', 'en')})?\Z"
    )
)
_YEAR_THEN_DAY: Final = lazy_pattern(lambda: alternatives("date.year_then_day"))
_DAY_THEN_YEAR: Final = lazy_pattern(
    lambda: rf"(?:{_BRACKET})?(?:{alternatives('date.day_then_year')})"
)
_DAY_COMMA_YEAR: Final = lazy_pattern(lambda: alternatives("date.day_comma_year"))
_NOTHING_AFTER: Final = re.compile(r"\s*(?:[。；.;)）]|\Z)")
_LINK: Final = lazy_pattern(lambda: rf"\s?(?:-|—|~)\s?|{alternatives('date.shares_year')}")
_TWO_CALENDARS: Final = lazy_pattern(r"\s?(?:[(\[（]|/)\s?(?:O\.\s?S\.\s)?", re.IGNORECASE)
_REPEATED: Final = lazy_pattern(
    lambda: (
        rf"\s?(?:[(（]\s?(?:{alternatives('date.that_is')})?|(?:{alternatives('date.that_is')}))\s?"
    )
)
# The day of a feast without a fixed one: 2018年春节（2月16日）.
_FEAST_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?<![0-9]){_YEAR} ?年的? ?(?:{alternatives('date.holidays_in_year', 'zh')})"
        rf"(?:[(（](?:{alternatives('date.that_is', 'zh')})?|{alternatives('date.that_is', 'zh')})\Z"
    )
)
_NEAR: Final = 60


def joined(text: str, dates: Sequence[Date]) -> list[Date]:
    """The dates with a year for each day whose year stands in another place."""
    if not any(date.year is None for date in dates):
        return list(dates)
    merged = _merged(text, _of_one_calendar(text, dates))
    return _with_shared_years(text, [_with_bare_year(text, date) for date in merged])


def _of_one_calendar(text: str, dates: Sequence[Date]) -> list[Date]:
    """The dates without those that are given in two calendars, or twice."""
    result: list[Date] = []
    skipped_to = -1
    for date in dates:
        before = result[-1] if result else None
        if date.start < skipped_to:
            continue
        if before is not None and before.day and date.day:
            between = text[before.end : date.start]
            is_same = (before.month, before.day) == (date.month, date.day)
            if is_same and _is_repeated(before, date) and _REPEATED.fullmatch(between):
                if before.year is None and date.year is not None:
                    result[-1] = _with_year(before, date.year, before.start, date.end)
                continue
            if not is_same and before.year is None and _TWO_CALENDARS.fullmatch(between):
                result.pop()
                skipped_to = date.end + _NEAR
                continue
        result.append(date)
    return result


def _is_repeated(before: Date, date: Date) -> bool:
    """Whether the years of two dates may be the same."""
    return before.year is None or date.year in {None, before.year}


def _merged(text: str, dates: Sequence[Date]) -> list[Date]:
    """The dates, with a year that stands alone put to the day before or after it."""
    result: list[Date] = []
    for date in dates:
        before = result[-1] if result else None
        if before is not None and _are_year_and_day(text, before, date):
            result[-1] = _with_year(
                date if before.month is None else before,
                before.year or date.year,
                before.start,
                date.end,
            )
        else:
            result.append(date)
    return result


def _are_year_and_day(text: str, first: Date, second: Date) -> bool:
    between = text[first.end : second.start]
    if len(between) > _NEAR:
        return False
    if first.month is None and second.year is None:
        return _YEAR_THEN_DAY.fullmatch(between) is not None
    if first.year is None and second.month is None:
        if _DAY_COMMA_YEAR.fullmatch(between):  # 6月18日，2024年
            return _NOTHING_AFTER.match(text, second.end) is not None
        return _DAY_THEN_YEAR.fullmatch(between) is not None
    return False


def _with_bare_year(text: str, date: Date) -> Date:
    if date.year is not None or date.day is None:
        return date
    if after := _YEAR_AFTER.match(text, date.end):
        return _with_year(date, int(after["year"]), date.start, after.end())
    if feast := _FEAST_BEFORE.search(text, max(0, date.start - _NEAR), date.start):
        return _with_year(date, int(feast["year"]), feast.start(), date.end)
    if before := _YEAR_BEFORE.search(text, max(0, date.start - _NEAR), date.start):
        year = int(before["year"]) if before["year"] else year_value(before["words"])
        return _with_year(date, year, before.start(), date.end)
    return date


def _with_shared_years(text: str, dates: Sequence[Date]) -> list[Date]:
    """The dates; if two are linked and only one has a year, both have one: 3 May to 4 June 1999.

    An end of a range whose year is not clear is left out.
    """
    result = list(dates[:1])
    for second in dates[1:]:
        first = result[-1]
        between = text[first.end : second.start]
        is_open = (first.year is None) != (second.year is None) and first.month and second.month
        if not is_open or not (first.day or second.day) or not _LINK.fullmatch(between):
            result.append(second)
            continue
        is_in_range = is_range(text, first.start, between)
        year = shared_year(first, second, is_range=is_in_range)
        if year is not None:
            result[-1] = first if first.year else _with_year(first, year, first.start, first.end)
            last = second if second.year else _with_year(second, year, second.start, second.end)
            result.append(last)
        elif not is_in_range:
            result.append(second)
        elif first.year is None:
            result[-1] = second
    return result


def _with_year(date: Date, year: int | None, start: int, end: int) -> Date:
    if not is_calendar_date(year, date.month, date.day):
        return date
    return Date(year=year, month=date.month, day=date.day, start=start, end=end)
