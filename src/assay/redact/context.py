"""Words near a number that say what it is, or that it is something harmless."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from assay.text.lexicon import expressions

NEAR: Final = 24
"""How many characters before a value a word may stand to be about it."""
_SEPARATORS: Final = ("|", "\t", ";", ",")
_LONGEST_TABLE: Final = 20_000
_LONGEST_HEADING: Final = 40
_DIGIT: Final = re.compile("[0-9]")
_STOP: Final = re.compile(r"[.;。；!?！？\n](?=\s|$)|[。；！？\n]")


def has_context(text: str, start: int, kind: str, near: int = NEAR) -> bool:
    """Whether a word for ``kind`` stands shortly before ``start``, in the same clause.

    >>> text = "ИНН 7707083893, счёт 40702810"
    >>> has_context(text, 4, "inn"), has_context(text, 21, "inn", near=8)
    (True, False)
    """
    pattern = _pattern(kind)
    if pattern.search(_before(text, start, near)) is not None:
        return True
    heading = _heading(text, start)
    return bool(heading) and pattern.search(heading) is not None


def is_harmless(text: str, start: int) -> bool:
    """Whether the number at ``start`` is introduced as that of a contract, an article or a book.

    >>> is_harmless("договор № 4111111111111111", 10)
    True
    """
    before = _before(text, start, 16)
    return _pattern("harmless").search(before) is not None


def matches_near(
    pattern: re.Pattern[str],
    text: str,
    stems: Sequence[str],
    before: int,
    after: int,
    *,
    with_digit: bool = False,
) -> Iterator[re.Match[str]]:
    """The matches of ``pattern`` that lie near one of the ``stems``, which are small letters.

    ``with_digit``: each of them has a digit.

    To look for a stem is many times faster than to try an expression at every place of a text.

    >>> [match[0] for match in matches_near(re.compile("[a-z]+:"), "a: " * 9 + "Key: 1", ["key"], 0, 9)]
    ['ey:']
    """
    lowered = _lowered(text)
    if len(lowered) != len(text):  # a few letters become two
        if any(stem in lowered for stem in stems):
            yield from pattern.finditer(text)
        return
    end = 0
    for start, stop in _around(lowered, stems, before, after):
        if with_digit and not _DIGIT.search(text, start, stop):
            continue
        for match in pattern.finditer(text, max(start, end), stop):
            yield match
            end = match.end()


@lru_cache(maxsize=1)  # the finders ask for the same text one after the other
def _lowered(text: str) -> str:
    return text.lower()


def _around(text: str, stems: Sequence[str], before: int, after: int) -> Iterator[tuple[int, int]]:
    """The stretches around the stems, joined where they overlap."""
    places: list[int] = []
    for stem in stems:
        at = text.find(stem)
        while at >= 0:
            places.append(at)
            at = text.find(stem, at + 1)
    start = stop = -1
    for place in sorted(places):
        if place - before > stop:
            if stop >= 0:
                yield start, stop
            start = max(0, place - before)
        stop = place + after
    if stop >= 0:
        yield start, stop


def _before(text: str, start: int, near: int) -> str:
    before = text[max(0, start - near) : start]
    ends = list(_STOP.finditer(before))
    # "Tel. 555" and "тел. 8 916" keep their word: a full stop ends a clause only before a capital
    return before[ends[-1].end() :] if ends and ends[-1][0] in "。；！？\n;!?" else before


def _heading(text: str, start: int) -> str:
    r"""The heading of the column in which ``start`` is; empty if it is in no table.

    >>> text = "name,phone\nAnn,5550100"
    >>> _heading(text, text.index("555"))
    'phone'
    """
    line_start = text.rfind("\n", 0, start) + 1
    if not line_start:
        return ""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    separator = next((each for each in _SEPARATORS if text.count(each, line_start, line_end)), "")
    if not separator:
        return ""
    gap = text.rfind("\n\n", max(0, line_start - _LONGEST_TABLE), line_start)
    table = gap + 2 if gap >= 0 else max(0, line_start - _LONGEST_TABLE)
    first_end = text.find("\n", table)
    count = text.count(separator, table, first_end)
    if not 0 <= table < first_end < line_start or count != text.count(
        separator, line_start, line_end
    ):
        return ""
    cell = text[table:first_end].split(separator)[text.count(separator, line_start, start)]
    return cell if len(cell) <= _LONGEST_HEADING else ""


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(expressions(f"redact.{kind}")), re.IGNORECASE)
