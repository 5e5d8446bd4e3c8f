"""Several days of one month: 5 и 6 мая 2024, May 5–7, 2024, 2024年5月5日和6日, 12.05—14.06.2024.

Only the day beside the month is a date by itself. The others take their month and year from it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from assay.text.date.calendar import Date, is_calendar_date
from assay.text.date.ordinal import ordinal_day, ordinal_day_value
from assay.text.date.shared_year import is_range, shared_year
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import NUMERAL, numeral_value

_REACH: Final = 48
_DASH: Final = r"\s?[-—~/]\s?"
# These before a number say that it is no day: 1.5, 12:05, $5, № 5.
_APART: Final = r"(?<![0-9.,:/$€£¥№#-])(?<![№#] )"
_NUMBER: Final = r"(?:0?[1-9]|[12][0-9]|3[01])(?![0-9])"
_HAN_NUMBER: Final = rf"(?:{_NUMBER}|[{NUMERAL}]{{1,3}})"


def _day() -> str:
    suffix = alternatives("date.day_suffix", "ru")
    return (
        rf"(?:the\s)?(?:{_NUMBER}(?:-?(?:{suffix})\b|(?:st|nd|rd|th)\b)?|\b(?:{ordinal_day()})\b)"
    )


def _link() -> str:
    return rf"(?:{_DASH}|,?\s(?:{alternatives('date.day_link', 'en', 'ru')})\s)"


_DAYS_BEFORE: Final = lazy_pattern(
    lambda: rf"{_APART}(?P<days>{_day()}(?:,\s{_day()}(?=,?\s[^,]))*){_link()}\Z"
)
# In the night from one day to the next, or put off from one to another.
_DAY_FROM: Final = lazy_pattern(
    lambda: (
        rf"\b(?:{alternatives('date.night_from', 'ru')})\s(?P<days>{_day()})"
        rf"\s(?:{alternatives('date.night_to', 'ru')})\s\Z"
    )
)
_DAYS_AFTER: Final = lazy_pattern(
    lambda: (
        rf"(?P<days>(?:,\s{_day()})*(?:{_link()}|(?P<comma>,\s)){_day()})"
        r"(?:,?\s(?P<year>[12][0-9]{3})(?![0-9])|(?(comma)(?!)|(?=\s?(?:\Z|[.;:!?)]))))"
    )
)
_HAN_DAYS_AFTER: Final = lazy_pattern(
    lambda: (
        rf"(?:\s?(?:[-—~]|{alternatives('date.day_link', 'zh')})\s?{_HAN_NUMBER}\s?[日号號]?)*"
        rf"\s?(?:[-—~]|{alternatives('date.day_link', 'zh')})\s?{_HAN_NUMBER}\s?[日号號]"
    )
)
_ONE: Final = lazy_pattern(lambda: rf"(?P<number>[0-9]{{1,2}})|(?P<words>{ordinal_day()})")
_ONE_HAN: Final = lazy_pattern(_HAN_NUMBER, re.NOFLAG)
_POINTS: Final = lazy_pattern(r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}\Z", re.NOFLAG)
_DAY_AND_MONTH_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"{_APART}(?P<day>{_NUMBER})\.(?P<month>0[1-9]|1[0-2])"
        rf"(?:\s?[-—~]\s?|\s(?:{alternatives('date.day_link', 'en', 'ru')})\s)\Z"
    )
)
_BEGINS_WITH_DAY: Final = lazy_pattern(
    lambda: rf"[«\"“„'<]?[\s_]{{0,4}}(?:{_NUMBER}(?!/|\s?[年月])|(?:{ordinal_day()})\b)"
)
_ENDS_WITH_DAY: Final = lazy_pattern(
    lambda: rf"(?<=[\w.]\s)(?:the\s)?(?:{_NUMBER}(?:st|nd|rd|th)?|(?:{ordinal_day()}))\Z"
)
_HAN_END: Final = lazy_pattern(rf"月\s?{_HAN_NUMBER}\s?[日号號]?\Z", re.NOFLAG)


def with_days_after(text: str, dates: Sequence[Date]) -> list[Date]:
    """The dates and the days of the same month that follow one of them: May 5 and 6, 2024."""
    ends = [*(date.start for date in dates[1:]), len(text)]
    found = (
        _with_days_after(text, date, end)
        for date, end in zip(dates, ends[: len(dates)], strict=True)
    )
    return list(chain.from_iterable(found))


def _with_days_after(text: str, date: Date, end: int) -> list[Date]:
    if date.day is None:
        return [date]
    if _HAN_END.search(text, date.start, date.end):
        match = _HAN_DAYS_AFTER.match(text, date.end, end)
        others = () if match is None else _ONE_HAN.finditer(match.group())
        days = [(_han_value(other.group()), *other.span()) for other in others]
        return _of_month(date, date.year, days, date.end)
    if date.year is not None or not _ENDS_WITH_DAY.search(text, date.start, date.end):
        return [date]
    match = _DAYS_AFTER.match(text, date.end, end)
    if match is None:
        return [date]
    year = int(match["year"]) if match["year"] else None
    found = list(_values(match["days"]))
    if year is not None and found:
        # The last day ends with the year that all of them share.
        found[-1] = (found[-1][0], found[-1][1], match.end() - date.end)
    return _of_month(date, year, found, date.end)


def with_days_before(text: str, dates: Iterable[Date]) -> list[Date]:
    """The dates and the days of the same month that precede one of them: 5 и 6 мая 2024."""
    result: list[Date] = []
    for date in dates:
        floor = max(date.start - _REACH, result[-1].end if result else 0)
        result += [*_days_before(text, date, floor), date]
    return result


def _days_before(text: str, date: Date, floor: int) -> list[Date]:
    if date.day is None:
        return []
    if _POINTS.match(text, date.start, date.end) and (
        match := _DAY_AND_MONTH_BEFORE.search(text, floor, date.start)
    ):
        month, day = int(match["month"]), int(match["day"])
        other = _date(None, month, day, match.start("day"), match.end("month"))
        link = text[match.end("month") : date.start]
        year = shared_year(other, date, is_range=is_range(text, other.start, link))
        other = _date(year, month, day, other.start, other.end)
        return [other] if year is not None and _exists(other) else []
    if not _BEGINS_WITH_DAY.match(text, date.start, date.end):
        return []
    match = _DAYS_BEFORE.search(text, floor, date.start) or _DAY_FROM.search(
        text, floor, date.start
    )
    if match is None:
        return []
    days = _of_month(date, date.year, list(_values(match["days"])), match.start("days"))[1:]
    return days if _ascend([*days, date]) else []


def _of_month(
    date: Date, year: int | None, days: Sequence[tuple[int, int, int]], offset: int
) -> list[Date]:
    """The date, and each of ``days`` as a date of its month; the date alone if one does not exist."""
    first = _date(year, date.month, date.day, date.start, date.end)
    others = [
        _date(year, date.month, day, offset + start, offset + end) for day, start, end in days
    ]
    if not all(map(_exists, (first, *others))) or not _ascend(
        [first, *others] if offset >= date.end else others
    ):
        return [date]
    return [first, *others]


def _ascend(dates: Sequence[Date]) -> bool:
    days = [date.day or 0 for date in dates]
    return days == sorted(set(days))


def _values(days: str) -> Iterator[tuple[int, int, int]]:
    """Each day of a list, and where it stands in the list."""
    for match in _ONE.finditer(days):
        value = int(match["number"]) if match["number"] else ordinal_day_value(match["words"])
        yield value, *match.span()


def _han_value(numeral: str) -> int:
    value = int(numeral) if numeral.isdigit() else numeral_value(numeral)
    return -1 if value is None else int(value)


def _exists(date: Date) -> bool:
    return is_calendar_date(date.year, date.month, date.day)


def _date(year: int | None, month: int | None, day: int | None, start: int, end: int) -> Date:
    return Date(year=year, month=month, day=day, start=start, end=end)
