"""The text around a date that says that it is not all of the date, or that it is none."""

import re
from typing import Final

from assay.text.character import CYRILLIC
from assay.text.date.calendar import Date
from assay.text.lexicon import alternatives, lazy_pattern

# Right after a date: a year of two digits, a second day, or another era. Right before it: another
# calendar.
_AFTER: Final = lazy_pattern(
    lambda: (
        r",?\s{0,2}['’][0-9]{2}(?![0-9])|[-/][0-9]{2}(?![0-9])|/[0-9](?![0-9])"
        r"|,?\s(?:A\.?D\.?\s)?[0-9]{2}(?:-го)?(?=\s*(?:\Z|[.,;)]|BC))(?![.,][0-9])|,?\sA\.?D\.?\s[0-9]{1,3}(?![0-9])"
        rf"|{alternatives('date.unreadable_after')}"
        rf"|\s?[0-9]{{0,4}}\s?(?:{alternatives('date.year', 'ru')})?"
        rf"\s?(?:{alternatives('date.other_era', 'en', 'ru')})"
        rf"|\s[0-9]{{2}}\s?(?:{alternatives('date.year', 'ru')})"
        rf"|{alternatives('date.year_words_after')}"
    )
)
_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('date.other_era', 'zh')}|\bo\.\s?s\.|{alternatives('date.feast', 'ru')})\s?\Z"
    )
)
# Before a day in words: it is a part of a number that is no day, тридцать второго.
_TENS_BEFORE: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('date.tens')})[\s-]\Z")
# After a day without a year: a number that is no year of this calendar, 1 января 0001.
_NO_YEAR: Final = lazy_pattern(
    r",?\s(?:0[0-9]{2,}|[0-9]{5,}|[0-9]{3}(?=\s*(?:\Z|[.;)])))(?![0-9]|[.,][0-9])", re.NOFLAG
)
# Before a month or a year that is read without the parts that stand here: 5 (17) May.
_PART_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:[0-9]\s?[)\]]|(?<![0-9])[0-9]{{1,2}}(?:-?[{CYRILLIC}]{{1,3}})?\s?\([^()]{{1,24}}\)"
        rf"|[0-9][\s_]{{0,4}}[»\"”“'>]\s|(?<![0-9])[0-9]{{1,2}}(?:-?[{CYRILLIC}]{{1,3}})?\s"
        rf"|\b(?:{alternatives('date.cardinal')})\s|[0-9][./\s-]{{1,2}}[IVX]+[./\s-]{{1,2}}"
        rf"|[-—]\s?[0-9]{{1,2}}\.\s|{alternatives('date.part_before')})\s?\Z"
    )
)
_MONTH_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?<![a-zа-яё])(?:(?i:{alternatives('date.months', 'ru')})|{alternatives('date.months', 'en')})"
        r"(?![a-zа-яё])[^.,;:!?()—\n]{0,20}\Z|[0-9一二三四五六七八九十] ?月 ?\Z"
    ),
    re.NOFLAG,
)
# A year that is an amount: 1200 soldiers, 1500 г муки, 长达1200年.
_COUNTED: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('date.counted')})\b")
_COUNTED_IN_RUSSIAN: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('date.counted', 'ru')})\b")
_WEIGHT_BEFORE: Final = lazy_pattern(lambda: rf"{alternatives('date.weight_before', 'ru')}\Z")
_WEIGHT_AFTER: Final = lazy_pattern(lambda: alternatives("date.weight_after", "ru"))
_GRAMS: Final = lazy_pattern(r"[0-9]\s?г\.?\Z")
_DURATION_BEFORE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('date.duration_before', 'zh')})\Z"
)
_DURATION_AFTER: Final = lazy_pattern(lambda: alternatives("date.duration_after", "zh"))
_AGO: Final = lazy_pattern(lambda: alternatives("date.ago", "zh"))
_FIRST_YEAR: Final = 1700
"""An earlier number of four digits before a noun is an amount: 1200 people."""
_NEAR: Final = 30
# Before "in", "by" or "since": a number follows that is no year.
_NO_YEAR_AFTER: Final = lazy_pattern(lambda: rf"(?:{alternatives('date.no_year_after', 'en')})\s\Z")
_CHANGED: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('date.changed_by', 'en')})")
_CLAUSE: Final = lazy_pattern(r"[^.;:!?\n]*\Z", re.NOFLAG)
_CLAUSE_REACH: Final = 120
_CLOCK: Final = lazy_pattern(lambda: alternatives("date.clock", "en"))
_MINUTES: Final = 60
_NEVER_TIME, _BY = ("in", "since"), "by"


def is_unreadable(match: re.Match[str], year: int | None) -> bool:
    """Whether the text around a date says that it is not all of the date, or no date."""
    text, start = match.string, match.start()
    groups = {name for name, value in match.groupdict().items() if value}
    return bool(
        _AFTER.match(text, match.end()) is not None
        or _BEFORE.search(text, max(0, start - 16), start) is not None
        or (year is None and _NO_YEAR.match(text, match.end()) is not None)
        or ("day_words" in groups and _TENS_BEFORE.search(text, max(0, start - 24), start))
        or (year is not None and _is_amount(text, match, year))
        or ("after_word" in groups and _is_counted_before(match))
    )


def _is_counted_before(match: re.Match[str]) -> bool:
    """Whether the number after a preposition is an amount: rose by 2030, one in 1500."""
    text, start = match.string, match.start()
    if _NO_YEAR_AFTER.search(text, max(0, start - _NEAR), start):
        return True
    clause = _CLAUSE.search(text, max(0, start - _CLAUSE_REACH), start)
    word = match["after_word"].lower()
    if clause is None or word.startswith(_NEVER_TIME):
        return False
    is_time = int(match["year"][2:]) < _MINUTES and _CLOCK.search(clause.group()) is not None
    return is_time or (word == _BY and _CHANGED.search(clause.group()) is not None)


def _is_amount(text: str, match: re.Match[str], year: int) -> bool:
    """Whether the number of a year counts something."""
    start, end = match.span()
    is_round = year % 100 == 0
    if text[end - 1] == "年":
        return (
            _DURATION_BEFORE.search(text, max(0, start - 6), start) is not None
            or _DURATION_AFTER.match(text, end) is not None
            or (is_round and _AGO.match(text, end) is not None)
        )
    if text[end - 1].isdigit() and _COUNTED_IN_RUSSIAN.match(text, end):
        return True  # 5 мая 2020 человек
    if text[end - 1].isdigit():
        return (is_round or year < _FIRST_YEAR) and _COUNTED.match(text, end) is not None
    if _GRAMS.search(text, start, end):
        before = max(0, start - _NEAR)
        return (
            _WEIGHT_AFTER.match(text, end) is not None
            or _WEIGHT_BEFORE.search(text, before, start) is not None
        )
    return False


def is_part(text: str, date: Date) -> bool:
    """Whether a month or a year is a part of a date that is not read: 5 (17) May 1899."""
    if date.day is not None:
        return False
    if _PART_BEFORE.search(text, max(0, date.start - 40), date.start):
        return True
    before = max(0, date.start - 40)
    return date.month is None and _MONTH_BEFORE.search(text, before, date.start) is not None


def is_in_russian(match: re.Match[str]) -> bool:
    """Whether most letters near a date are Cyrillic, where the day comes before the month."""
    near = match.string[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    letters = [letter for letter in near if letter.isalpha()]
    cyrillic = sum("\u0400" <= letter <= "\u04ff" for letter in letters)
    return cyrillic * 2 > len(letters)
