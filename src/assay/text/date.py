"""A date, whether it exists in the calendar, its notations in three languages, and the dates of a text.

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
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct

from assay.text.lexicon import word_set, word_values
from assay.text.normalise import folded, surface
from assay.text.number_word import ordinal_value, words_value
from assay.text.numeral import NUMERAL, numeral_value

_YEAR: Final = "[12][0-9]{3}"
_BOUND: Final = "(?<![A-Za-z0-9_./-])"
_END: Final = r"(?![0-9]|[./-][0-9])"
_BIG_FIRST: Final = re.compile(rf"{_BOUND}({_YEAR})([-./])([0-9]{{1,2}})\2([0-9]{{1,2}}){_END}")
_YEAR_LAST: Final = re.compile(rf"{_BOUND}([0-9]{{1,2}})([-./])([0-9]{{1,2}})\2({_YEAR}){_END}")
_MONTH_AND_YEAR: Final = re.compile(rf"{_BOUND}(0[1-9]|1[0-2])/((?:19|20)[0-9]{{2}}){_END}")
_MAY_BE_DATE: Final = re.compile(rf"[年月]|{_YEAR}|год")

_HAN_PART: Final = rf"[0-9]{{1,2}}|[{NUMERAL}]{{1,3}}"
_HAN_YEAR: Final = rf"(?P<year>{_YEAR}|[〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖]{{4}}) ?年"
_HAN_MONTH: Final = rf"(?P<month>{_HAN_PART}|元) ?月"
_HAN_DAY: Final = rf"(?P<day>{_HAN_PART}) ?[日号號]"
# Without 日, a number after the month may count something: 3月15家.
_HAN_BARE_DAY: Final = rf"(?P<bare>{_HAN_PART})(?=\Z|[\s,，.。;；、）)至到~-])"
_HAN_START: Final = f"(?<![0-9{NUMERAL}])"
_HAN_LINK: Final = "[至到—~和与及或、-]"
_HAN: Final = (
    rf"{_HAN_START}{_HAN_YEAR}(?:的? ?{_HAN_MONTH}份?(?: ?(?:{_HAN_DAY}|{_HAN_BARE_DAY}))?)?",
    rf"{_HAN_START}{_HAN_MONTH} ?{_HAN_DAY}",
    rf"(?<={_HAN_LINK})(?:{_HAN_MONTH}|{_HAN_DAY})",
)
_HAN_DATES: Final = tuple(map(re.compile, _HAN))
_HAN_TWO_MONTHS: Final = re.compile(rf" ?(?:{_HAN_PART}){_HAN_LINK}(?:{_HAN_PART}) ?月")

_WORD: Final = re.compile(r"[A-Za-z\u0400-\u045f]{3,}")
_REACH: Final = 64
_YEARS: Final = range(1000, 3000)
_YEAR_WORD: Final = re.compile(r"\sгод[а-я]{0,3}\b")
_YEAR_IN_WORDS: Final = re.compile(r"(?<=[а-я]) год[ауом]{0,2}\b")
_ENGLISH_YEAR: Final = re.compile(
    rf"\b(?:([A-Za-z]+) )?([A-Za-z.]+?)\.?(?: (?:or )?about)?[ -]({_YEAR})"
    r"(?![\w%]|[.,/-][0-9])(?:(?= ([A-Za-z]+)))?"
)
# After a day or a month: a year that is not written in full, or is of another era.
_SHORT_YEAR: Final = re.compile(
    r"[.,]{0,2}\s?['’-]\s?[0-9]{2}(?![0-9])|\s[0-9]{1,3}\s?г"
    r"|\s[0-9]{2,3}(?=\s*(?:\Z|[.,;)](?![0-9])))"
)
_OTHER_YEAR: Final = re.compile(
    r"[,\s]{1,2}(?:A\.?D\.?\s[0-9]{1,3}(?![0-9])|[0-9]{1,3}(?=\s?(?:B\.?C|A\.?D|C\.?E))"
    r"|[0-9]{5,6}(?![0-9]|[,.][0-9]))"
)
_NUMBER_BEFORE: Final = re.compile(
    r"[0-9)](?:-?[а-яa-z]{1,3})?(?:\s?[»\"”'])?(?:\sof)?[\s/-]{1,2}\Z"
)
_OF_BEFORE: Final = re.compile(r"(?:\s(?:day\s)?of(?:\sthe\smonth\sof)?)?\s\Z", re.IGNORECASE)
_WORDS_BEFORE: Final = re.compile(r"(?:[^\W\d_]+[ -])?[^\W\d_]+\Z")
_RUSSIAN_WORDS: Final = re.compile(r"(?:[а-я]+ ){1,5}[а-я]+\Z")
_WORDS_AFTER: Final = re.compile(r"[,\s]{1,2}(?:the\s)?((?:[^\W\d_]+[ -]){0,5}[^\W\d_]+)")
_YEAR_BEFORE: Final = re.compile(rf"(?<![\w./-])({_YEAR})[ -]\Z")
_DIGITS: Final = re.compile("[0-9]+")


class DatePart(NamedTuple):
    """What is written of a date at one place; ``is_read`` is false if it is not understood."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    is_read: bool = True


def parts(text: str) -> list[DatePart]:
    """What is written of dates in a surface text, in any order; parts may overlap."""
    lower = folded(text)
    has_months = not word_values("month").keys().isdisjoint(_WORD.findall(lower))
    if not has_months and _MAY_BE_DATE.search(text) is None:
        return []
    found = [*_numeric(text), *_chinese(text), *_years(text)]
    if has_months:
        for match in _WORD.finditer(lower):
            if match.group() in word_values("month"):
                found += _around_month(text, *match.span())
    return found


def _numeric(text: str) -> Iterator[DatePart]:
    """Yield dates in digits: 2020-08-30, 30.08.2020, 08/30/2020."""
    for match in _BIG_FIRST.finditer(text):
        yield DatePart(*match.span(), int(match[1]), int(match[3]), int(match[4]))
    for match in _MONTH_AND_YEAR.finditer(text):
        yield DatePart(*match.span(), int(match[2]), int(match[1]), None)
    for match in _YEAR_LAST.finditer(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        is_sure = match[2] != "/" or max(first, second) > 12 or first == second
        near = text[max(0, match.start() - 30) : match.end() + 30]
        if not is_sure:
            is_sure = any("а" <= letter <= "я" for letter in near)
        elif second > 12 and match[2] == "/":
            first, second = second, first
        yield DatePart(*match.span(), year, second, first, is_read=is_sure)


def _chinese(text: str) -> Iterator[DatePart]:
    """Yield 2020年8月30日, 二〇二〇年八月, 8月30日, and a month or day after the sign of a list."""
    if "年" not in text and "月" not in text and "日" not in text:
        return
    for match in (match for pattern in _HAN_DATES for match in pattern.finditer(text)):
        start, end = match.span()
        parts = match.groupdict()
        year, month, day = (
            parts.get("year"),
            parts.get("month"),
            parts.get("day") or parts.get("bare"),
        )
        before = text[max(0, start - 4) : start].rstrip().removesuffix("每年")
        is_read = not before.endswith((*word_set("other_calendar", "zh"), "年"))
        if year and not month:
            is_ago = year.endswith("00") and text.startswith(("前", "后"), end)
            is_long = before.endswith(tuple(word_set("lasting", "zh")))
            is_read &= not (is_ago or is_long or _HAN_TWO_MONTHS.match(text, end))
        if not day:
            is_read &= not text.startswith(tuple(word_set("no_year_after", "zh")), end)
        values = _han_value(year), _han_value(month), _han_value(day)
        yield DatePart(start, end, values[0], values[1], values[2], is_read)


def _han_value(numeral: str | None) -> int | None:
    if numeral is None:
        return None
    if numeral.isdecimal() or numeral == "元":
        return 1 if numeral == "元" else int(numeral)
    return int(numeral_value(numeral) or 0)  # 0 is no month and no day


def _years(text: str) -> Iterator[DatePart]:
    """Yield years alone beside a word that makes them years: 2020 г., in 1848."""
    for match in _russian_year().finditer(text):
        is_read = not _is_other_era(text, match.end())
        yield DatePart(*match.span(), int(match[1]), None, None, is_read=is_read)
    lower = folded(text)
    for match in _YEAR_IN_WORDS.finditer(lower):
        end = match.start()
        before = _RUSSIAN_WORDS.search(lower, max(0, end - _REACH), end)
        words = before[0].split(" ") if before else []
        for first in range(len(words) - 1):
            form = " ".join(words[first:])
            if (value := ordinal_value(form)) is not None and value in _YEARS:
                yield DatePart(end - len(form), match.end(), value, None, None)
                break
    for match in _ENGLISH_YEAR.finditer(text):
        noun, word, year, after = match.groups()
        end = match.end(3)
        is_time = word.lower() in word_set("before_year")
        if word in {"to", "and", "or"}:  # from 1914 to 1918
            is_time = text[max(0, match.start() - 5) : match.start()].strip().isdecimal()
        is_last = after is None and not text[end : end + 2].strip().isalnum()
        is_time &= is_last or (after or "").lower() in word_set("after_year")
        if is_time or (word == "of" and (noun or "").lower() in word_set("year_noun")):
            yield DatePart(*match.span(3), int(year), None, None, not _is_other_era(text, end))


def _is_other_era(text: str, end: int) -> bool:
    following = text[end : end + 16].lower().lstrip(" ,.").replace(" ", "")
    return following.startswith(tuple(word_set("other_era")))


@cache
def _alternatives(name: str) -> str:
    return "|".join(sorted(map(re.escape, word_set(name)), reverse=True))


@cache
def _russian_year() -> re.Pattern[str]:
    ending, word = _alternatives("year_ending"), _alternatives("year_word")
    return re.compile(
        rf"(?<![0-9.,/—-])({_YEAR})(?:(?:-?(?:{ending}))? ?(?:{word})(?![а-я])|-[йгм]о?у?\b)"
    )


@cache
def _days() -> str:
    """The expression for a day or several days of a month in digits."""
    ending = rf"(?:-?(?:{_alternatives('day_ending')}))?"
    day = rf"(?:[«\"“„']\s?)?(?:0?[0-9]|[1-3][0-9])(?:\s?[»\"”'])?{ending}"
    return rf"{day}(?:(?:\s?[-—~,]\s?|,?\s(?:{_alternatives('day_link')})\s){day}){{0,9}}"


@cache
def _days_before() -> re.Pattern[str]:
    of = rf"(?:\s(?:{_alternatives('day_of')}))?"
    return re.compile(rf"(?<![\w$€£])(?<![\d][.,:/-])({_days()}){of}[\s/-]{{1,2}}\Z", re.IGNORECASE)


@cache
def _days_after() -> re.Pattern[str]:
    quantity = rf"(?![\w%:/]|[.,][0-9]| %| (?:{_alternatives('large_number')})\b)"
    return re.compile(rf"\.?[\s-]{{1,2}}(?:the\s)?({_days()}){quantity}", re.IGNORECASE)


@cache
def _year_after() -> re.Pattern[str]:
    of = rf"(?:(?:{_alternatives('year_of')})\s)?"
    word = rf"(?:-?(?:{_alternatives('year_ending')}))?(?:\s?(?:{_alternatives('year_word')}))?"
    end = "(?![0-9A-Za-z]|[.,/-][0-9]|-[ех])"
    return re.compile(rf"\.?,?[\s/-]{{1,2}}{of}({_YEAR}){end}{word}", re.IGNORECASE)


class _Days(NamedTuple):
    """The days beside a month, each with its place; none if they are not understood."""

    places: list[tuple[int, int]]
    start: int
    end: int


def _around_month(text: str, start: int, end: int) -> Iterator[DatePart]:
    """Yield the dates of a month that is named from ``start`` to ``end``; a month alone, too."""
    name = text[start:end]
    month = int(word_values("month")[folded(name)])
    before = text[max(0, start - _REACH) : start]
    after = _after_month(text, end) if name.isascii() else None
    is_after = after is not None and before[-1:] == "-" != text[end]  # May 3-June 4
    days = (None if is_after else _before_month(before, start)) or after
    begin, stop = (start, end) if days is None else (min(start, days.start), max(end, days.end))
    year, stop = _year_beside(text, stop)
    if year is None and stop > end and (earlier := _YEAR_BEFORE.search(before)) is not None:
        year, begin = int(earlier[1]), start - len(before) + earlier.start()
    if year is None and name.isascii() and not name[0].isupper():
        return  # "may" and "march" are other words, too
    if year is None and text[stop : stop + 1] == "." and name.lower() in word_set("short_month"):
        stop += stop == end
    is_read = year != 0 and (days is None or bool(days.places)) and not _is_other_era(text, stop)
    is_read &= not before.lower().rstrip().endswith(tuple(word_set("part_of_month")))
    places = days.places if days is not None and days.places else [(begin, None)]
    for index, (place, day) in enumerate(places):
        is_first, is_last = index == 0, index == len(places) - 1
        until = stop if is_last else place + len(str(day))
        yield DatePart(begin if is_first else place, until, year, month, day, is_read=is_read)


def _before_month(before: str, start: int) -> _Days | None:
    """The days that end right before a month at ``start``: 3–5 May, «30» августа, the first of May."""
    offset = start - len(before)
    if (days := _days_before().search(before)) is not None:
        found = _DIGITS.finditer(days[1])
        places = [(offset + days.start(1) + day.start(), int(day[0])) for day in found]
        return _Days(places, offset + days.start(1), start)
    if _NUMBER_BEFORE.search(before) and not _YEAR_BEFORE.search(before):
        return _Days([], start, start)
    of = _OF_BEFORE.search(before)
    words = _WORDS_BEFORE.search(before, 0, of.start()) if of else None
    for form in (words[0], re.split("[ -]", words[0])[-1]) if words else ():
        place = offset + words.end() - len(form) if words else start
        if (day := ordinal_value(form)) is not None:
            return _Days([(place, day)], place, start)
        if words_value(form) is not None:
            return _Days([], place, start)
    return None


def _after_month(text: str, end: int) -> _Days | None:
    """The days that begin right after an English month: May 3–5, March the fifteenth."""
    if (days := _days_after().match(text, end)) is not None:
        found = _DIGITS.finditer(days[1])
        return _Days([(days.start(1) + day.start(), int(day[0])) for day in found], end, days.end())
    words = _WORDS_AFTER.match(text, end)
    for form in _beginnings(words[1], 2) if words and text[end] == " " else ():
        if words and (day := ordinal_value(form)) is not None:
            return _Days([(words.start(1), day)], end, words.start(1) + len(form))
    return None


def _beginnings(words: str, most: int) -> Iterator[str]:
    """Yield the first words of a text, at most ``most``; longer beginnings come first."""
    gaps = [match.start() for match in re.finditer("[ -]", words)]
    for gap in reversed([*gaps, len(words)][:most]):
        yield words[:gap]


def _year_beside(text: str, end: int) -> tuple[int | None, int]:
    """The year after a day or a month, and its end; 0 if it is not understood, ``None`` if there is none."""
    if (year := _year_after().match(text, end)) is not None:
        return int(year[1]), year.end()
    if (other := _SHORT_YEAR.match(text, end) or _OTHER_YEAR.match(text, end)) is not None:
        return 0, other.end()
    words = _WORDS_AFTER.match(text, end)
    for form in _beginnings(words[1], 6) if words else ():
        value = ordinal_value(form) if form[0] > "z" else words_value(form)
        if value is not None and words is not None:
            stop = words.start(1) + len(form)
            word = _YEAR_WORD.match(text, stop)
            year_value = int(value) if value in _YEARS else 0
            return (year_value, word.end() if word else stop) if year_value or word else (None, end)
    return None, end


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


def _merged(found: Sequence[DatePart]) -> list[DatePart]:
    """The parts in order, the longest of those that overlap."""
    kept: list[DatePart] = []
    for part in sorted(found, key=lambda part: (part.start, -part.end)):
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return kept


def _completed(text: str, found: Sequence[DatePart]) -> list[DatePart]:
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


def _with_year_before(text: str, found: Sequence[DatePart]) -> list[DatePart]:
    """The parts, with a year that is right before a day in that day: 2010年，4月1日, in 1984, on 12 May.

    Two days that are one in two calendars are not read: 25 октября (7 ноября) 1917 года.
    """
    result: list[DatePart] = []
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


def _with_shared_year(first: DatePart, second: DatePart, kind: str) -> tuple[DatePart, DatePart]:
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
