"""Dates of an answer, including two days that share one month: 16 or 17 June."""

import re
from typing import Final

from assay.text import Date, dates
from assay.text.date import is_calendar_date
from assay.text.lexicon import alternatives, lazy_pattern

_DAY_BEFORE: Final = lazy_pattern(
    lambda: (
        r"(?<![\d.,:/-])(?P<day>[0-9]{1,2})(?:st|nd|rd|th|-го)?\s?"
        rf"(?:[,&/–-]|{alternatives('date.day_link', 'en', 'ru')})\s?\Z"
    ),
    re.NOFLAG,
)
_DAY_AFTER: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('date.day_link', 'zh')})(?P<day>[0-9]{{1,2}})(?=[日号])"
)


def answer_dates(text: str) -> list[Date]:
    """All dates of ``text`` from left to right; no two of them overlap.

    >>> [d.iso for d in answer_dates("The seventeenth of June 2031; 30.04.2032; третьего мая")]
    ['2031-06-17', '2032-04-30', '--05-03']
    """
    complete = dates(text)
    candidates = [
        *complete,
        *(other for date in complete for other in _with_same_month(text, date)),
    ]
    kept: list[Date] = []
    for date in sorted(candidates, key=lambda candidate: (candidate.start, -candidate.end)):
        if not kept or date.start >= kept[-1].end:
            kept.append(date)
    return kept


def _with_same_month(text: str, date: Date) -> list[Date]:
    """Days next to a date that share its month: "16 or 17 June", 3月20日或22日."""
    if date.day is None or date.month is None:
        return []
    matches = (
        _DAY_BEFORE.search(text, max(0, date.start - 16), date.start),
        _DAY_AFTER.match(text, date.end),
    )
    return [
        Date(
            year=date.year,
            month=date.month,
            day=int(match["day"]),
            start=match.start("day"),
            end=match.end("day"),
        )
        for match in matches
        if match and is_calendar_date(date.year, date.month, int(match["day"]))
    ]
