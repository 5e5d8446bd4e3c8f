"""Dates in text, in the notations of three languages.

Rules for ambiguous notations:

* with points, the day comes first (``30.08.2020``, ``30.VIII.2020``), or the year (``2020.08.30``);
* with slashes, the month comes first (``08/30/2020``), unless the first number is above 12 or the
  text is Russian;
* with hyphens, the year comes first (``2020-08-30``), or the day if the year is last
  (``30-08-2020``);
* a date with a year of two digits is ignored, and so is ``2020-08``, which may be a range of years;
* a year alone is a date only with the word for year (``2020年``, ``2020 г.``, ``the year 2020``) or after a
  verb that needs one (``built in 1820``);
* a date that does not exist in the calendar (``31.02.2020``), or is of another era or calendar
  (``公元前221年``, ``农历``), is ignored.

A date is read whole or not at all: of a date that is ignored no part is returned.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from assay.text.character import CYRILLIC
from assay.text.date.calendar import Date, is_calendar_date, last_day_of
from assay.text.date.context import is_in_russian, is_part, is_unreadable
from assay.text.date.days import with_days_after, with_days_before
from assay.text.date.join import joined
from assay.text.date.ordinal import (
    english_year_in_words,
    ordinal_day,
    ordinal_day_value,
    year_in_words,
    year_value,
)
from assay.text.lexicon import alternatives, entry, expressions
from assay.text.number import NUMERAL, numeral_value
from assay.text.span import Span
from assay.text.surface import surface

_CYRILLIC: Final = re.compile(f"[{CYRILLIC}]")
_FIRST_YEAR_OF_REPUBLIC: Final = 1912
REACH: Final = 64
"""How many characters before and after the name of its month a date may begin and end."""

_YEAR: Final = "(?P<year>[12][0-9]{3})(?![0-9])"
_DAY: Final = "(?P<day>0?[1-9]|[12][0-9]|3[01])(?![0-9])"
# In contracts a day is written into a blank: «_05_» мая, “05” May.
_QUOTED_DAY: Final = rf"(?:[«\"“„”'<][\s_]{{0,4}})?{_DAY}(?:[\s_]{{0,4}}[»\"”“'>])?"
_MONTH: Final = "(?P<month>0?[1-9]|1[0-2])(?![0-9])"
_HAN_PART: Final = rf"[0-9]{{1,2}}|[{NUMERAL}]{{1,3}}"
_HAN_MONTH: Final = rf"(?P<month>{_HAN_PART}|元) ?月"
# Without 日, a number after the month may count something: 3月15家.
_HAN_DAY: Final = rf" ?(?:(?P<day>{_HAN_PART}) ?[日号號]|(?P<bare_day>{_HAN_PART})(?=\Z|[\s,，.。;；、)）至到~-]))"
_HAN_YEAR: Final = "(?P<year>[12][0-9]{3}|[〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖]{4})"
_ORDINAL: Final = "(?:st|nd|rd|th)?"
_END: Final = r"(?![-/]|\.[0-9])"
_HAN_PATTERNS: Final = (
    rf"(?<![0-9{NUMERAL}]){_HAN_YEAR} ?年(?: ?{_HAN_MONTH}(?:{_HAN_DAY}|(?P<last_day>底?的?最后一[天日]))?)?",
    rf"(?<![0-9{NUMERAL}])(?<![0-9{NUMERAL}]年){_HAN_MONTH} ?(?P<day>{_HAN_PART}) ?[日号號]",
)
_REPUBLIC: Final = rf"民[国國] ?(?P<republic>[0-9]{{1,3}}|[{NUMERAL}]{{1,6}}|元) ?年(?: ?{_HAN_MONTH}(?:{_HAN_DAY})?)?"
_DIGIT_PATTERNS: Final = (
    rf"(?<![0-9./-]){_YEAR}(?P<mark>[-./]){_MONTH}(?P=mark){_DAY}{_END}",
    rf"(?<![0-9./-]){_DAY}(?P<mark>[.-]){_MONTH}(?P=mark){_YEAR}{_END}",
    rf"(?<![0-9./-]){_DAY}\.\s?(?P<roman>I{{1,3}}|I?V|VI{{1,3}}|I?X|XI{{1,2}})\.\s?{_YEAR}{_END}",
    rf"(?<![0-9./-])(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_YEAR}{_END}",
    r"(?<![0-9./,-])(?:(?P<month>0[1-9]|1[0-2])/|(?P<month_point>0[1-9])\.)(?P<year>(?:19|20)[0-9]{2})(?![0-9]|[./-][0-9])",
)
_YEAR_CUE: Final = (
    r"(?i:year|a\.?\s?d\.?|domini|circa|born|died|built|founded|painted|dates|dated|dating|class|\bca\.?|\bc\.)\s"
    r"|\b(?:in|around|about|roughly|approximately)\s(?=[12][0-9]{3}\s?(?:[.,;:)]|$))"
)
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_COMPACT: Final = (
    r"(?<![0-9A-Za-z.,/#№_-])(?<!№ )(?<![Nn]o\. )(?<![Nn]o\.: )(?P<year>(?:19|20)[0-9]{2})"
    r"(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])(?![0-9A-Za-z_]|[.,-][0-9])"
)


@cache
def en_month(group: str = "name") -> str:
    """The expression for an English month, with a capital letter or in capitals, as a group."""
    names = alternatives("date.months", "en")
    return f"(?P<{group}>{names}|{names.upper()})"


def _joined() -> str:
    """The expression for a date without spaces, as in passports: 05MAY2011."""
    return rf"(?<![0-9A-Za-z./_-]){_DAY}(?i:{en_month()}){_YEAR}(?![A-Za-z_-])"


@cache
def ru_month(group: str = "name") -> str:
    """The expression for a Russian month as a group, without its abbreviations."""
    return f"(?P<{group}>{alternatives('date.months', 'ru')})(?![а-яё])"


def _doubled() -> str:
    """The expression for a day that is written again in brackets: 5 (пятого) мая."""
    return rf"(?i:\s?\(\s?(?P<doubled>[0-9]{{1,2}}|{ordinal_day()})\s?\))?"


def _holiday_pattern() -> str:
    names = "|".join(
        sorted((*_holidays(), alternatives("date.moving_holidays", "zh")), reverse=True)
    )
    beside, other = (
        alternatives(f"date.{name}", "zh") for name in ("beside_holiday", "not_holiday")
    )
    return rf"(?<![0-9{NUMERAL}]){_HAN_YEAR} ?年的? ?(?P<holiday>(?>{names}))(?!{other})(?P<beside>{beside})?"


def _ru_patterns() -> tuple[str, ...]:
    # An abbreviation needs its point or a year after it.
    short = alternatives("date.months_short", "ru")
    month = (
        rf"(?i:(?P<name>(?:{alternatives('date.months', 'ru')})(?![а-яё])"
        rf"|(?:{short})(?=\.|\s[12][0-9]{{3}}(?![0-9]))))\.?"
    )
    year = (
        rf"(?:{_YEAR}(?:-го)?(?:\s?(?:{alternatives('date.year', 'ru')}))?"
        rf"|(?P<year_words>{year_in_words()})\s{alternatives('date.year_word', 'ru')}"
        rf"|(?P<bare_words>{year_in_words(ending='genitive')}))"
    )
    ending = rf"-?(?:{alternatives('date.day_suffix', 'ru')})"
    day_word = alternatives("date.day_word", "ru")
    day = rf"(?:{_QUOTED_DAY}(?:{ending})?|(?i:\b(?P<day_words>{ordinal_day()}))){_doubled()}(?:{day_word})?"
    month += rf"(?:{alternatives('date.month_word', 'ru')})?"
    suffix, into = (alternatives(f"date.{name}", "ru") for name in ("year_suffix", "in"))
    apart = "(?<![а-яё0-9])"
    genitive = "(?<=[ая.])"
    adjective = f"(?P<adjective>{alternatives('date.months_adjective', 'ru')})"
    return (
        rf"(?<![0-9]){day}\s{{1,2}}{month}(?:\s{{1,2}}{year})?",
        rf"{apart}{month}\s{{1,2}}(?:(?:{into})\s)?{_DAY}(?:{ending})?(?:{day_word})?,?\s{{1,2}}{year}",
        rf"{apart}{month}\s{{1,2}}(?:(?:{into})\s)?{_DAY}(?:{ending})?{day_word}",
        # «Сентября 5-го» is a day, «в сентябре 20-го» a year.
        rf"{apart}{month}{genitive}\s{{1,2}}(?:(?:{into})\s)?{_DAY}{ending}",
        rf"{apart}(?i:{adjective})[а-яё]{{2,3}}\s(?:[а-яё]+\s){{1,3}}{year}",
        rf"{apart}(?:(?P<last_day>{alternatives('date.last_day', 'ru')})\s)?{month},?\s{{1,2}}{year}",
        rf"(?<![0-9]){_YEAR}(?:{suffix})?\s?(?:{alternatives('date.year_alone', 'ru')})",
        rf"(?i:\b(?P<year_words>{year_in_words()})\s{alternatives('date.year_word', 'ru')})",
        rf"(?i:\b(?:{alternatives('date.in', 'ru')})\s(?P<bare_words>{year_in_words(ending='prepositional')}))",
        rf"(?i:\b(?:{alternatives('date.in', 'ru')})\s){_YEAR}-м\b",
        rf"(?i:\b(?:{alternatives('date.year_before', 'ru')})\s){_YEAR}",
    )


def _en_patterns() -> tuple[str, ...]:
    month = en_month()
    any_case = f"(?i:{month})"
    day = rf"(?:{_QUOTED_DAY}{_ORDINAL}|(?i:(?P<day_words>{ordinal_day()})\b)){_doubled()}"
    of = r"(?:\s{1,2}day)?(?:\s{1,2}of(?:\sthe\smonth\sof)?)?"
    words = english_year_in_words()
    year = rf"(?:(?:(?:of|in)\s)?the\syear\s)?(?:{_YEAR}|(?i:(?P<year_words>{words})\b))"
    holidays = "|".join(name for _, name in _english_holidays())
    return (
        rf"\b{month}\b\.?\s{{1,2}}(?:the\s)?{day}(?:,?\s{{1,2}}{year})?",
        rf"\b{any_case}\b\.?\s{{1,2}}(?:the\s)?{day},?\s{{1,2}}{_YEAR}",
        rf"(?<![0-9]){day}{of}[\s-]{{1,2}}{month}\b\.?(?:,?[\s-]{{1,2}}{year})?",
        rf"(?<![0-9]){day}{of}[\s-]{{1,2}}{any_case}\b\.?,?[\s-]{{1,2}}{_YEAR}",
        rf"\b{month}\b\.?,?(?:\s{{1,2}}(?:of|in)(?:\sthe\syear)?)?\s{{1,2}}{_YEAR}",
        rf"\b{month}\s(?:[a-z]+\s){{1,2}}of\s{_YEAR}",
        rf"\b{any_case}-{_DAY}-{_YEAR}",
        rf"(?i:\b(?P<last_day>last day of)\s){month}\b\.?,?\s{{1,2}}{_YEAR}",
        rf"(?<![0-9]){_YEAR}[\s-]{{1,2}}{month}\b\.?[\s-]{{1,2}}{day}",
        rf"(?i:\b(?P<holiday_en>{holidays})),?\s(?:of\s)?{_YEAR}",
        rf"(?i:\b(?:{alternatives('date.year_before', 'en')})\s){_YEAR}",
        rf"(?i:\b(?:{alternatives('date.year_words_before', 'en')})\s(?P<year_words>{words})\b)(?!-)",
    )


class _Notation(NamedTuple):
    """Patterns of dates, and what a text must contain for any of them to match.

    ``reach`` is how far from that place a date may begin or end, or ``None`` if the patterns are
    searched for in the whole text.
    """

    needed: re.Pattern[str]
    patterns: tuple[re.Pattern[str], ...]
    reach: int | None
    is_russian: bool


@cache
def _notations() -> tuple[_Notation, ...]:
    ru, en = _ru_patterns(), _en_patterns()
    ru_month, en_month = alternatives("date.months", "ru"), alternatives("date.months", "en")
    short = alternatives("date.months_short", "ru")
    # First letters come first, because these are tried at every word of a text.
    ru_months = rf"(?<![а-яё])(?=[ЯФМАИСОНДяфмаисонд])(?i:{ru_month}|{short})"
    en_months = (
        rf"\b(?=[JFMASOND])(?i:{en_month})\b"
        rf"|\b(?=[jfmasond])(?i:{en_month})\b(?=[^\n]{{0,20}}[12][0-9]{{3}})"
    )
    ru_years = (
        rf"[0-9]\s?(?:-[а-я]+\s)?[гГ]|[0-9]-м\b|(?=[Гг]о)(?i:{alternatives('date.year_word', 'ru')})"
        rf"|(?=[вВ])(?i:{alternatives('date.in', 'ru')})\s(?={alternatives('date.year_start', 'ru')})"
        rf"|(?=[Лл])(?i:{alternatives('date.year_before', 'ru')})"
    )
    ru_parts = (ru[:6], ru[6:])
    table = (
        ("[年月]", (*_HAN_PATTERNS, _REPUBLIC, _holiday_pattern()), None),
        (ru_months, ru_parts[0], REACH),
        (ru_years, ru_parts[1], REACH),
        (en_months, en[:-3], REACH),
        (rf"\b(?=[A-Z])(?i:{alternatives('date.holiday_word', 'en')})", en[-3:-2], REACH),
        (
            _YEAR_CUE,
            en[-2:-1],
            REACH,
        ),
        ("(?i:teen|twenty|thousand)(?:[ -]|$)", en[-1:], REACH),
        (rf"[0-9](?=[JFMASONDjfmasond])(?i:{en_month})(?=[12][0-9]{{3}})", (_joined(),), REACH),
        (r"[0-9][./-][0-9]|[0-9]\.\s?[IVX]", _DIGIT_PATTERNS, None),
        ("(?:19|20)[0-9]{6}", (_COMPACT,), None),
    )
    return tuple(
        _Notation(re.compile(needed), tuple(map(re.compile, patterns)), reach, patterns in ru_parts)
        for needed, patterns, reach in table
    )


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Yield all matches of all patterns, near the words that they need."""
    has_cyrillic = _CYRILLIC.search(text) is not None
    for needed, patterns, reach, is_russian in _notations():
        if is_russian and not has_cyrillic:
            continue
        for start, end in _places(text, needed, reach):
            for pattern in patterns:
                yield from pattern.finditer(text, start, end)


def _places(text: str, needed: re.Pattern[str], reach: int | None) -> list[tuple[int, int]]:
    """The parts of a text in which dates may be; they do not overlap."""
    if reach is None:
        return [(0, len(text))] if needed.search(text) else []
    places: list[tuple[int, int]] = []
    for match in needed.finditer(text):
        start, end = max(0, match.start() - reach), min(len(text), match.end() + reach)
        if places and start <= places[-1][1]:
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return places


def dates(text: str) -> list[Date]:
    """All dates in ``text``, from left to right; dates do not overlap.

    >>> [d.iso for d in dates("2020年8月30日; 30 августа 2020 г.; Aug 30, 2020; 31.02.2020")]
    ['2020-08-30', '2020-08-30', '2020-08-30']
    """
    flat = surface(text)
    kept: list[Date] = []
    end = ignored_end = 0
    for match, date in sorted(_candidates(flat.text), key=lambda candidate: _place(candidate[0])):
        if match.start() < end:
            continue
        end = match.end()
        if date is None:
            ignored_end = end
        elif flat.text[ignored_end : match.start()] != "/":  # 31 December/1 January 2024
            kept.append(date)
    kept = joined(flat.text, with_days_after(flat.text, kept))
    kept = with_days_before(flat.text, (date for date in kept if not is_part(flat.text, date)))
    if flat.origins is None:
        return kept
    return [_with_span(date, flat.span(date.start, date.end)) for date in kept]


def _place(match: re.Match[str]) -> tuple[int, int]:
    return match.start(), -match.end()


def _with_span(date: Date, span: Span) -> Date:
    return Date(year=date.year, month=date.month, day=date.day, start=span.start, end=span.end)


def _candidates(text: str) -> Iterator[tuple[re.Match[str], Date | None]]:
    """Yield what looks like a date, with the date, or ``None`` if it must be ignored."""
    for match in _matches(text):
        yield match, _date(match)


def _date(match: re.Match[str]) -> Date | None:
    parts = {name: text for name, text in match.groupdict().items() if text}
    year, month, day = _year(parts), *_month_and_day(parts)
    if "first" in parts and is_calendar_date(year, day, month) and is_in_russian(match):
        month, day = int(parts["second"]), int(parts["first"])
    if not is_calendar_date(year, month, day) or is_unreadable(match, year):
        return None
    return Date(year=year, month=month, day=day, start=match.start(), end=match.end())


def _year(parts: Mapping[str, str]) -> int | None:
    if "republic" in parts:
        return _FIRST_YEAR_OF_REPUBLIC - 1 + (_part(parts["republic"]) or 0)
    words = parts.get("year_words") or parts.get("bare_words")
    return (year_value(words) or -1) if words else _part(parts.get("year"))


def _month_and_day(parts: Mapping[str, str]) -> tuple[int | None, int | None]:
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        return (second, first) if first > 12 else (first, second)
    if "holiday" in parts:
        # A feast of the lunar calendar has no date here, and neither has the week of a holiday.
        holiday = _holidays().get(parts["holiday"], (-1, -1))
        return (-1, -1) if "beside" in parts else holiday
    if "holiday_en" in parts:
        return _english_holiday(parts["holiday_en"])
    month = _part(parts.get("month") or parts.get("month_point"))
    if roman := parts.get("roman"):
        month = _ROMAN.index(roman) + 1
    if name := parts.get("name") or parts.get("adjective"):
        month = month_number(name)
    if "last_day" in parts and month is not None:
        return month, last_day_of(_year(parts), month)
    day = _part(parts.get("day") or parts.get("bare_day"))
    if "day_words" in parts:
        day = ordinal_day_value(parts["day_words"])
    if doubled := parts.get("doubled"):
        same = _part(doubled) if doubled.isdigit() else ordinal_day_value(doubled)
        return month, day if same == day else -1
    return month, day


def _part(number: str | None) -> int | None:
    """A part of a date as a number; -1, which is never a valid part, if it cannot be read."""
    if not number:
        return None
    if number.isdigit():
        return int(number)
    if number == "元":
        return 1
    value = numeral_value(number)
    return -1 if value is None else int(value)


@cache
def _holidays() -> dict[str, tuple[int, int]]:
    """The month and the day of Chinese holidays, by name; those without a fixed day are left out."""
    table: dict[str, tuple[int, int]] = {}
    for month, day, *names in map(str.split, entry("zh", "date.holidays").strip().splitlines()):
        table.update(dict.fromkeys(names, (int(month), int(day))))
    return table


@cache
def _english_holidays() -> tuple[tuple[tuple[int, int], str], ...]:
    """The month and the day of English holidays, with the expression of each."""
    lines = (line.split(" ", 2) for line in expressions("date.holidays", "en"))
    return tuple(((int(month), int(day)), name) for month, day, name in lines)


def _english_holiday(name: str) -> tuple[int, int]:
    return next(
        day for day, pattern in _english_holidays() if re.fullmatch(pattern, name, re.IGNORECASE)
    )


def month_number(name: str) -> int:
    """The number of a month, 1 to 12, from its name or abbreviation in English or Russian."""
    return next(number for pattern, number in _month_numbers() if pattern.fullmatch(name))


@cache
def _month_numbers() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple(
        (re.compile(month, re.IGNORECASE), number)
        for language in ("en", "ru")
        for table in ("months", "months_short", "months_adjective")[: 1 if language == "en" else 3]
        for number, month in enumerate(expressions(f"date.{table}", language), 1)
    )
