"""A date, and whether it exists in the calendar."""

from typing import Final

from msgspec import Struct

_LENGTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


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
    return 1 <= day <= last_day_of(year, month)


def last_day_of(year: int | None, month: int) -> int:
    """The number of days of a month.

    >>> last_day_of(2023, 2), last_day_of(2024, 2)
    (28, 29)
    """
    leap = year is None or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return 28 if month == 2 and not leap else _LENGTHS[month - 1]
