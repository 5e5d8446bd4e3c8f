"""Dates of an answer, including days in words and two days that share one month.

``assay.text.dates`` finds dates in digits; this module adds "двадцать девятого августа" and
both days of "16 or 17 June".
"""

import re
from typing import Final

from assay.text import Date, dates
from assay.text.date import EN_MONTH, RU_MONTH, is_calendar_date, month_number

_ORDINALS_EN_WORDS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS_EN: Final = _ORDINALS_EN_WORDS.split()
_ORDINAL_STEMS_RU_WORDS: Final = (
    "перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат"
    " четырнадцат пятнадцат шестнадцат семнадцат восемнадцат девятнадцат двадцат"
)
_ORDINAL_STEMS_RU: Final = _ORDINAL_STEMS_RU_WORDS.split()
_RU_END: Final = r"(?:ого|ое|ому|ым|ьего|ье|ьему|ьим)"


def _ordinal_values() -> dict[str, int]:
    """The values of the ordinal words for 1 to 31 by their expressions; longer words first."""
    values: dict[str, int] = {}
    for tens, en, ru in ((20, "twenty", "двадцать"), (30, "thirty", "тридцать")):
        for units in range(1, 10 if tens == 20 else 2):
            values[rf"{en}[ -]{_ORDINALS_EN[units - 1]}"] = tens + units
            values[rf"{ru} {_ORDINAL_STEMS_RU[units - 1]}{_RU_END}"] = tens + units
    values["thirtieth"] = 30
    values[f"тридцат{_RU_END}"] = 30
    for value, (en, ru) in enumerate(zip(_ORDINALS_EN, _ORDINAL_STEMS_RU, strict=True), 1):
        values[en] = value
        values[f"{ru}{_RU_END}"] = value
    return values


_ORDINALS: Final = tuple(
    (re.compile(expression, re.IGNORECASE), value)
    for expression, value in _ordinal_values().items()
)
_ORDINAL: Final = "|".join(_ordinal_values())
_YEAR: Final = r"(?:,?\s+(?P<year>[12][0-9]{3})(?![0-9])(?:\s?(?:года?|г\.))?)?"
_WORD_DATES: Final = (
    re.compile(rf"\b(?i:(?P<day>{_ORDINAL}))\s+(?:day\s+)?(?:of\s+)?{EN_MONTH}\b{_YEAR}"),
    re.compile(rf"\b{EN_MONTH}\s+(?:the\s+)?(?i:(?P<day>{_ORDINAL}))\b{_YEAR}"),
    re.compile(rf"\b(?i:(?P<day>{_ORDINAL})\s+{RU_MONTH}){_YEAR}"),
)

_DAY_BEFORE: Final = re.compile(
    r"(?<![\d.,:/-])(?P<day>[0-9]{1,2})(?:st|nd|rd|th|-го)?\s?(?:,|and|or|и|или|to|по|&|/|-|–)\s?\Z"
)
_DAY_AFTER: Final = re.compile(r"(?:或者?|和|、|至|到|还是)(?P<day>[0-9]{1,2})(?=[日号])")


def answer_dates(text: str) -> list[Date]:
    """All dates of ``text`` from left to right; no two of them overlap.

    >>> [d.iso for d in answer_dates("The seventeenth of June 2031; 30.04.2032; третьего мая")]
    ['2031-06-17', '2032-04-30', '--05-03']
    """
    complete = [
        *dates(text),
        *(date for pattern in _WORD_DATES for date in _in_words(pattern, text)),
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
        day = next(value for ordinal, value in _ORDINALS if ordinal.fullmatch(match["day"]))
        month = month_number(match["name"])
        year = int(match["year"]) if match["year"] else None
        if is_calendar_date(year, month, day):
            word_dates.append(
                Date(year=year, month=month, day=day, start=match.start(), end=match.end())
            )
    return word_dates
