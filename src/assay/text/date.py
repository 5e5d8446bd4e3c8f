"""A date, whether it exists in the calendar, and the dates of a text.

Rules for ambiguous notations:

* with points, the day comes first (``30.08.2020``), or the year (``2020.08.30``); with hyphens and
  slashes, too, but a slash between a day and a month that may be either (``03/04/2020``) is read
  only in a Russian text;
* a year of two digits makes a date unreadable, and ``2020-08`` may be a range of years;
* a year alone is a date only with the word for year (``2020年``, ``2020 г.``), or after a word of
  time if no noun follows (``in 1848``);
* a date that does not exist in the calendar (``31.02.2020``), or is of another era or calendar
  (``公元前221年``, ``农历``), is ignored.

A date is read whole or not at all: of a date that is ignored no part is returned. A part that is
written once belongs to all dates of a range or list: ``3–5 May 2024``, ``2024年3月至5月``.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from assay.text.date_notation import Part, parts
from assay.text.normalise import surface
from assay.text.word_list import word_values

_YEAR_THEN_DAY: Final = re.compile(r"[,，]? ?(?:on )?(?:the )?")
_LONGEST_LINK: Final = 12
_LENGTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LONGEST_ACROSS: Final = 6
"""A range that crosses the New Year has at most so many months; a longer one may be meant otherwise:
brought forward from 5 May 2024 to 3 April."""


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
        written = [year, *(f"{part:02d}" for part in (self.month, self.day) if part is not None)]
        return "-".join(written)


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
    is_leap = year is None or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return day is None or 1 <= day <= (28 if month == 2 and not is_leap else _LENGTHS[month - 1])


def read_dates(text: str) -> list[Date]:
    """All dates in ``text``, from left to right; dates do not overlap.

    >>> [d.iso for d in read_dates("2020年8月30日; 30 августа 2020 г.; Aug 30, 2020; 31.02.2020")]
    ['2020-08-30', '2020-08-30', '2020-08-30']
    """
    flat = surface(text)
    found: list[Date] = []
    for part in _completed(flat.text, _merged(parts(flat.text))):
        is_lone = part.year is None and (part.day is None or part.month is None)
        if part.is_read and not is_lone and is_calendar_date(part.year, part.month, part.day):
            span = flat.span(part.start, part.end)
            found.append(
                Date(year=part.year, month=part.month, day=part.day, start=span.start, end=span.end)
            )
    return found


def _merged(found: Sequence[Part]) -> list[Part]:
    """The parts in order, the longest of those that overlap."""
    kept: list[Part] = []
    for part in sorted(found, key=lambda part: (part.start, -part.end)):
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return kept


def _completed(text: str, found: Sequence[Part]) -> list[Part]:
    """The parts with the month and the year that are written beside the other end of a range or list."""
    result = _with_year_before(text, found)
    for index in (*range(len(result) - 1), *reversed(range(len(result) - 1))):
        first, second = result[index : index + 2]
        kind = _link_kind(text, first.start, first.end, second.start)
        if kind is None or not (first.is_read and second.is_read):
            continue
        if second.month is None and second.year is None and first.day is not None:
            second = second._replace(month=first.month, year=first.year)
        elif first.month is not None and second.month is not None:
            first, second = _with_shared_year(first, second, kind)
        result[index : index + 2] = first, second
    return result


def _with_year_before(text: str, found: Sequence[Part]) -> list[Part]:
    """The parts, with a year that stands right before a day in that day: 2010年，4月1日, in 1984, on 12 May.

    Two days that are one in two calendars are not read: 25 октября (7 ноября) 1917 года.
    """
    result: list[Part] = []
    for part in found:
        last = result[-1] if result else None
        gap = text[last.end : part.start] if last is not None else ""
        if last is None or len(gap) > _LONGEST_LINK:
            result.append(part)
        elif (
            last.month is None and part.year is None and part.day and _YEAR_THEN_DAY.fullmatch(gap)
        ):
            is_read = part.is_read and last.is_read
            result[-1] = part._replace(start=last.start, year=last.year, is_read=is_read)
        elif last.day and last.year is None and gap in {" (", " / ", "/"}:
            result[-1] = last._replace(is_read=False)
            result.append(part._replace(is_read=False))
        else:
            result.append(part._replace(is_read=part.is_read and (last.is_read or gap != ") ")))
    return result


def _with_shared_year(first: Part, second: Part, kind: str) -> tuple[Part, Part]:
    """Both dates; the one without a year takes the year of the other, also across the New Year."""
    if kind == "comma" and first.year is not None and first.day is not None:
        return first, second  # born on 5 May 1990, on 6 June
    if (first.year is None) == (second.year is None) or not (first.month and second.month):
        return first, second
    across = 0
    if (first.month, first.day or 0) > (second.month, second.day or 31):
        if kind != "range" or second.month + 12 - first.month > _LONGEST_ACROSS:
            return first, second
        across = 1
    if first.year is not None:
        return first, second._replace(year=first.year + across)
    return first._replace(year=(second.year or 0) - across), second


def _link_kind(text: str, start: int, end: int, following: int) -> str | None:
    """How two dates are linked, of which the first is from ``start`` to ``end``: "range", "list" or "comma"."""
    if not end <= following <= end + _LONGEST_LINK:
        return None
    link = surface(text[end:following]).text.lower().strip()
    if link in {",", "，", ""}:
        return "comma" if link else None
    kind = word_values("link").get(link)
    kind = "list" if kind == "or" else kind
    before = text[max(0, start - 12) : start].lower().split()
    if kind == "list" and before and word_values("link").get(before[-1]) == "between":
        return "range"
    return kind
