"""The end of a month, which is its last day: the end of October, 31 October."""

from calendar import monthrange
from collections.abc import Iterator
from typing import Final

from assay.text import Date, Span, dates
from assay.text.lexicon import alternatives, lazy_pattern

_MONTH_END: Final = lazy_pattern(lambda: alternatives("form.month_end"))
_LEAP_YEAR: Final = 2024
_COMMON_YEAR: Final = 2023


def last_days(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has the last day of the month of which ``wording`` is the end.

    >>> text = "It is open until 31 October."
    >>> [span.of(text) for span in last_days("the end of October", text)]
    ['31 October']
    """
    end = _MONTH_END.fullmatch(wording.strip(" ."))
    if end is None:
        return
    name = next(filter(None, end.groups()))
    known = [date.month for date in dates(f"1 {name} 2000") + dates(f"{name}1日")]
    for date in dates(text):
        if known and date.month == known[0] and _is_last(date):
            written = text[date.start : date.end].rstrip(" .")  # the point may be the sentence's
            yield Span(start=date.start, end=date.start + len(written))


def _is_last(date: Date) -> bool:
    """Whether a date is the last day of its month; for February, in any year."""
    if date.month is None or date.day is None:
        return False
    return date.day in {monthrange(year, date.month)[1] for year in (_LEAP_YEAR, _COMMON_YEAR)}
