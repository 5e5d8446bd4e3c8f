"""Dates of an answer, including days in words and two days that share one month.

``assay.text.dates`` finds dates in digits; this module adds "двадцать девятого августа" and
both days of "16 or 17 June".
"""

import re
from functools import cache
from typing import Final

from assay.text import Date, dates
from assay.text.date import en_month, is_calendar_date, month_number, ru_month
from assay.text.lexicon import alternatives, entry, expressions, lazy_pattern, word_list


@cache
def _ordinal_values() -> dict[str, int]:
    """The values of the ordinal words for 1 to 31 by their expressions; longer words first."""
    values: dict[str, int] = {}
    for language in ("en", "ru"):
        units = word_list("date.ordinals", language)
        ending = "" if language == "en" else str(entry("ru", "date.ordinal_ending"))
        twenty, thirty = expressions("date.ordinal_tens", language)
        for unit in range(1, 10):
            values[f"{twenty}{units[unit - 1]}{ending}"] = 20 + unit
        values[f"{thirty}{units[0]}{ending}"] = 31
        values[f"{entry(language, 'date.ordinal_thirty')}{ending}"] = 30
        values.update({f"{word}{ending}": value for value, word in enumerate(units, 1)})
    return values


@cache
def _ordinals() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple(
        (re.compile(expression, re.IGNORECASE), value)
        for expression, value in _ordinal_values().items()
    )


_YEAR: Final = r"(?:,?\s+(?P<year>[12][0-9]{3})(?![0-9])(?:\s?(?:года?|г\.))?)?"


@cache
def _word_dates() -> tuple[re.Pattern[str], ...]:
    day = f"(?P<day>{'|'.join(_ordinal_values())})"
    return (
        re.compile(rf"\b(?i:{day})\s+(?:day\s+)?(?:of\s+)?{en_month()}\b{_YEAR}"),
        re.compile(rf"\b{en_month()}\s+(?:the\s+)?(?i:{day})\b{_YEAR}"),
        re.compile(rf"\b(?i:{day}\s+{ru_month()}){_YEAR}"),
    )


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
    complete = [
        *dates(text),
        *(date for pattern in _word_dates() for date in _in_words(pattern, text)),
    ]
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


def _in_words(pattern: re.Pattern[str], text: str) -> list[Date]:
    """The dates that ``pattern`` finds whose day is written in words."""
    word_dates = []
    for match in pattern.finditer(text):
        day = next(value for ordinal, value in _ordinals() if ordinal.fullmatch(match["day"]))
        month = month_number(match["name"])
        year = int(match["year"]) if match["year"] else None
        if is_calendar_date(year, month, day):
            word_dates.append(
                Date(year=year, month=month, day=day, start=match.start(), end=match.end())
            )
    return word_dates
