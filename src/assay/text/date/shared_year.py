"""The year of a date that is written once for both ends of a range, or for all dates of a list.

A range may cross the New Year: of "28 December – 3 January 2024" the first day is in 2023.
"""

from typing import Final

from assay.text.date.calendar import Date
from assay.text.lexicon import alternatives, lazy_pattern

LONGEST_ACROSS: Final = 6
"""A range that crosses the New Year has at most so many months; a longer one may be meant otherwise:
brought forward from 5 May 2024 to 3 April."""
_BETWEEN: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('date.between')})\s{{1,2}}\Z")
_TO: Final = lazy_pattern(lambda: rf"\s?(?:-|—|~)\s?|\s?(?:{alternatives('date.to')})\s?")


def is_range(text: str, start: int, link: str) -> bool:
    """Whether ``link`` joins the ends of a range of which the first begins at ``start``; else a list.

    >>> is_range("from 3 May to 4 June", 5, " to "), is_range("on 3 May and 4 June", 3, " and ")
    (True, False)
    """
    is_between = _BETWEEN.search(text, max(0, start - 12), start) is not None
    return is_between or _TO.fullmatch(link) is not None


def shared_year(first: Date, second: Date, *, is_range: bool) -> int | None:
    """The year of the one of two linked dates that has none; ``None`` if it is not clear."""
    months = (first.month or 0), (second.month or 0)
    days = (first.day or 0, second.day or 0) if first.day and second.day else (0, 0)
    is_ascending = (months[0], days[0]) <= (months[1], days[1])
    if is_ascending:
        return first.year or second.year
    if not is_range or months[1] + 12 - months[0] > LONGEST_ACROSS:
        return None
    return first.year + 1 if first.year is not None else (second.year or 0) - 1
