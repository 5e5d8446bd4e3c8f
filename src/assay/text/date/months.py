"""Several months of a year that is written once: March–May 2024, с марта по май 2024 года, 2024年3月至5月.

Only the month beside the year is a date by itself. The others take their year from it, or the one
before or after it if the range crosses the New Year.
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.text.date.calendar import Date, is_calendar_date
from assay.text.date.month import month_number
from assay.text.date.notation import en_month, ru_month
from assay.text.date.shared_year import is_range, shared_year
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import NUMERAL, numeral_value

_REACH: Final = 48
_DASH: Final = r"\s?(?:-|—|~)\s?"


def _name(group: str) -> str:
    """A month; of a Russian abbreviation the point may be missing between two of them."""
    short = alternatives("date.months_short", "ru")
    russian = rf"(?i:{ru_month('ru_' + group)}|(?P<short_{group}>{short})(?![а-яё]))"
    return rf"(?<![\w-])(?:{en_month(group)}\b|{russian})\.?"


def _link() -> str:
    words = "|".join(alternatives(f"date.{name}", "en", "ru") for name in ("to", "and", "or"))
    stage = alternatives("date.stage_of_month", "en", "ru")
    return rf"(?P<link>{_DASH}|,?\s(?:{words})\s)(?:(?:{stage})[\s-])?"


_BEFORE: Final = lazy_pattern(
    lambda: rf"{_name('first')}(?:{alternatives('date.month_word', 'ru')})?{_link()}\Z", re.NOFLAG
)
_LISTED: Final = lazy_pattern(lambda: rf"{_name('first')}(?P<link>,\s)\Z", re.NOFLAG)
_AFTER: Final = lazy_pattern(
    lambda: (
        rf"(?P<link>{_DASH}|\s(?:{alternatives('date.to', 'en', 'ru')})\s){_name('last')}"
        r"(?!\w|\s?[0-9]|,\s[0-9])"
    ),
    re.NOFLAG,
)
_HAN_AFTER: Final = lazy_pattern(
    lambda: (
        rf"(?P<link>{_DASH}|\s?(?:{alternatives('date.shares_year', 'zh')}|、)\s?)"
        rf"(?P<han>[0-9]{{1,2}}|[{NUMERAL}]{{1,3}}|元) ?月(?:{alternatives('date.month_tail', 'zh')})?(?! ?[0-9{NUMERAL}])"
    )
)
# The day of a month, of which only the month would be read.
_DAY_BEFORE: Final = lazy_pattern(r"[0-9](?:st|nd|rd|th|-?[а-яё]{1,3})?(?:\sof)?\s\Z")


def with_months(text: str, dates: Sequence[Date]) -> list[Date]:
    """The dates, and the months that share the year of one of them."""
    result: list[Date] = []
    for index, date in enumerate(dates):
        if date.day is not None or date.month is None or date.year is None:
            result.append(date)
            continue
        floor = max(date.start - _REACH, result[-1].end if result else 0)
        result += [*_months_before(text, date, floor), date]
        ceiling = dates[index + 1].start if index + 1 < len(dates) else len(text)
        result += _months_after(text, date, ceiling)
    return result


def _months_before(text: str, date: Date, floor: int) -> list[Date]:
    found: list[Date] = []
    pattern, last = _BEFORE, date
    while match := pattern.search(text, floor, last.start):
        name = match["first"] or match["ru_first"] or match["short_first"]
        start = match.start()
        if _DAY_BEFORE.search(text, floor, start):
            return []
        first = _month(None, month_number(name), start, start + len(name))
        is_in_range = pattern is _BEFORE and is_range(text, start, match["link"])
        year = shared_year(first, last, is_range=is_in_range)
        if year is None:
            return []
        first = _month(year, first.month, start, first.end)
        found.insert(0, first)
        if is_in_range:
            break
        pattern, last = _LISTED, first
    return found


def _months_after(text: str, date: Date, ceiling: int) -> list[Date]:
    found: list[Date] = []
    last = date
    is_han = text[date.end - 1] == "月"
    pattern = _HAN_AFTER if is_han else _AFTER
    while match := pattern.match(text, last.end, ceiling):
        number = _number(match["han"]) if is_han else _named(match.groupdict())
        start = match.end("link")
        second = _month(None, number, start, match.end())
        is_in_range = is_range(text, last.start, match["link"])
        year = shared_year(last, second, is_range=is_in_range)
        if year is None or not is_calendar_date(year, number, None):
            break
        last = _month(year, number, start, match.end())
        found.append(last)
        if is_in_range:
            break
    return found


def _named(groups: dict[str, str | None]) -> int:
    return month_number(groups["last"] or groups["ru_last"] or groups["short_last"] or "")


def _number(numeral: str) -> int:
    value = int(numeral) if numeral.isdigit() else 1 if numeral == "元" else numeral_value(numeral)
    return -1 if value is None else int(value)


def _month(year: int | None, month: int | None, start: int, end: int) -> Date:
    return Date(year=year, month=month, day=None, start=start, end=end)
