"""Dates of birth: dates beside a word about birth."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.redact.finding import Finding
from assay.redact.heading import column_heading
from assay.redact.stem import matches_near
from assay.text import dates
from assay.text.lexicon import alternatives

_YEAR_BEFORE: Final = re.compile(r"(?<![0-9./\-])[12][0-9]{3} ?\Z")
"""The word is about a year alone: 1986 г.р."""
_SHORT_DATE: Final = re.compile(
    r"(?<![0-9])(?:[0-9]{2}年[0-9]{1,2}月[0-9]{1,2}[日号]"
    r"|[0-3]?[0-9][ \-][A-Z][a-z]{2}[ \-][0-9]{2}|[0-3]?[0-9]([./\-])[01]?[0-9]\1[0-9]{2}|(?:19|20)[0-9]{2}[01][0-9][0-3][0-9])(?![0-9])"
)
"""Dates with two digits of the year or without separators, which only such a word makes dates."""
_SENTENCE_END: Final = re.compile(r"[。；]|[.;\n]\s")
_NEXT: Final = re.compile(r"[ ,(（\"«»]{0,3}")
_ANY: Final = re.compile("")
_LENGTH_WITH_YEAR: Final = 8
_LONGEST_TABLE: Final = 20_000
_IN_TABLE: Final = re.compile(r"[,;|\t]")


def find_birth_dates(text: str) -> Iterator[Finding]:
    """Dates after or right before a word about birth, and right before the Chinese 生."""
    for word in matches_near(_birth_word(), text, "birth", 16, 24, needs=_ANY):
        start = max(0, word.start() - 30)
        has_year = _YEAR_BEFORE.search(text[start : word.start()]) is not None
        for begin, end in _dates(text[start : word.end() + 48]):
            at, stop = start + begin, start + end
            is_after = (
                not has_year and at >= word.end() and not _SENTENCE_END.search(text, word.end(), at)
            )
            is_before = (
                at < word.start()
                and stop <= word.end()
                and _NEXT.fullmatch(text, stop, max(stop, word.start()))
            )
            if is_after or is_before:
                yield Finding(at, stop, "BIRTH_DATE", text[at:stop])
                break
        yield from _find_in_column(text, word)
    for word in matches_near(_word_after(), text, "born", 4, 4, needs=_ANY):
        start = max(0, word.start() - 14)
        for begin, end in _dates(text[start : word.start()]):
            if start + end == word.start():
                yield Finding(
                    start + begin, start + end, "BIRTH_DATE", text[start + begin : start + end]
                )
    for word in matches_near(_sign_before(), text, "born_sign", 2, 8):
        for begin, end in _dates(text[word.end() : word.end() + 20]):
            if begin == 0 and end >= _LENGTH_WITH_YEAR:
                at, stop = word.end(), word.end() + end
                yield Finding(at, stop, "BIRTH_DATE", text[at:stop])


def _find_in_column(text: str, word: re.Match[str]) -> Iterator[Finding]:
    """The dates below the word, if it is the heading of a column."""
    line_end = text.find("\n", word.end())
    line_start = text.rfind("\n", 0, word.start()) + 1
    if line_end < 0 or not _IN_TABLE.search(text, line_start, line_end):
        return
    stop = min(len(text), line_end + _LONGEST_TABLE)
    for begin, end in _dates(text[line_end:stop]):
        at = line_end + begin
        if _birth_word().search(column_heading(text, at)):
            yield Finding(at, line_end + end, "BIRTH_DATE", text[at : line_end + end])


def _dates(text: str) -> list[tuple[int, int]]:
    """Where dates with a day are; a year alone identifies nobody."""
    places = [(found.start, found.end) for found in dates(text) if found.day is not None]
    if not places and "\n" in text:
        # a number at the start of the next line may look as if it belonged to the date
        places = [
            (start + found.start, start + found.end)
            for start, line in _lines(text)
            for found in dates(line)
            if found.day is not None
        ]
    for match in _SHORT_DATE.finditer(text):
        start, end = match.span()
        if not any(begin <= start and end <= stop for begin, stop in places):
            places = [each for each in places if each[1] <= start or end <= each[0]]
            places.append((start, end))
    return sorted(places)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its start."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


@cache
def _birth_word() -> re.Pattern[str]:
    return re.compile(alternatives("redact.birth"), re.IGNORECASE)


@cache
def _word_after() -> re.Pattern[str]:
    return re.compile(alternatives("redact.born"), re.IGNORECASE)


@cache
def _sign_before() -> re.Pattern[str]:
    return re.compile(alternatives("redact.born_sign"))
