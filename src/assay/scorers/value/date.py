"""Dates of an answer, also with days in words (двадцать девятого августа) or sharing a month."""

import re
from typing import Final

from assay.text import Date, dates
from assay.text.date import EN_MONTH, RU_MONTH, is_calendar_date, month_number

_EN_WORDS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_EN_ONES: Final = _EN_WORDS.split()
_RU_WORDS: Final = (
    "перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат"
    " четырнадцат пятнадцат шестнадцат семнадцат восемнадцат девятнадцат двадцат"
)
_RU_ONES: Final = _RU_WORDS.split()
_RU_END: Final = r"(?:ого|ое|ому|ым|ьего|ье|ьему|ьим)"


def _ordinals() -> dict[str, int]:
    """Patterns of the ordinal words of 1 to 31, longer ones first."""
    found: dict[str, int] = {}
    for ten, en, ru in ((20, "twenty", "двадцать"), (30, "thirty", "тридцать")):
        for one in range(1, 10 if ten == 20 else 2):
            found[rf"{en}[ -]{_EN_ONES[one - 1]}"] = ten + one
            found[rf"{ru} {_RU_ONES[one - 1]}{_RU_END}"] = ten + one
    found["thirtieth"] = 30
    found[f"тридцат{_RU_END}"] = 30
    for value, (en, ru) in enumerate(zip(_EN_ONES, _RU_ONES, strict=True), 1):
        found[en] = value
        found[f"{ru}{_RU_END}"] = value
    return found


_ORDINALS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), value) for pattern, value in _ordinals().items()
)
_ORDINAL: Final = "|".join(_ordinals())
_YEAR: Final = r"(?:,?\s+(?P<year>[12][0-9]{3})(?![0-9])(?:\s?(?:года?|г\.))?)?"
_WORDED: Final = (
    re.compile(rf"\b(?i:(?P<day>{_ORDINAL}))\s+(?:day\s+)?(?:of\s+)?{EN_MONTH}\b{_YEAR}"),
    re.compile(rf"\b{EN_MONTH}\s+(?:the\s+)?(?i:(?P<day>{_ORDINAL}))\b{_YEAR}"),
    re.compile(rf"\b(?i:(?P<day>{_ORDINAL})\s+{RU_MONTH}){_YEAR}"),
)

_DAY_BEFORE: Final = re.compile(
    r"(?<![\d.,:/-])(?P<day>[0-9]{1,2})(?:st|nd|rd|th|-го)?\s?(?:,|and|or|и|или|to|по|&|/|-|–)\s?\Z"
)
_DAY_AFTER: Final = re.compile(r"(?:或者?|和|、|至|到|还是)(?P<day>[0-9]{1,2})(?=[日号])")


def answer_dates(text: str) -> list[Date]:
    """All dates of ``text`` from left to right, none inside another.

    >>> [d.iso for d in answer_dates("The seventeenth of June 2031; 30.04.2032; третьего мая")]
    ['2031-06-17', '2032-04-30', '--05-03']
    """
    whole = [*dates(text), *(date for pattern in _WORDED for date in _worded(pattern, text))]
    found = [*whole, *(other for date in whole for other in _sharing(text, date))]
    kept: list[Date] = []
    for date in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or date.start >= kept[-1].end:
            kept.append(date)
    return kept


def _sharing(text: str, date: Date) -> list[Date]:
    """Bare days beside a date that have its month: 16 or 17 June, 3月20日或22日."""
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


def _worded(pattern: re.Pattern[str], text: str) -> list[Date]:
    found = []
    for match in pattern.finditer(text):
        day = next(value for one, value in _ORDINALS if one.fullmatch(match["day"]))
        month = month_number(match["name"])
        year = int(match["year"]) if match["year"] else None
        if is_calendar_date(year, month, day):
            found.append(
                Date(year=year, month=month, day=day, start=match.start(), end=match.end())
            )
    return found
