"""Ordinal numbers: the third, 3rd, XVI, шестнадцатом, 第三."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.text import Span
from assay.text.lexicon import alternatives, entry, languages_of, lazy_pattern, word_list
from assay.text.number import numeral_value

_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50}
_FIGURE: Final = lazy_pattern(
    lambda: (
        rf"\b(?P<figure>\d{{1,3}})(?:{alternatives('form.ordinal_suffix')})\b|\b(?P<roman>[IVXL]+)\b"
        r"|第(?P<han>[一二三四五六七八九十]{1,3}|\d{1,3})"
    ),
    re.NOFLAG,
)


@cache
def _words(language: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    stems = word_list("date.ordinals", language)
    ending = "" if language == "en" else str(entry(language, "form.ordinal_ending"))
    # Longer words first: «десят» is a part of «двадцат» in no form, but "sixteenth" begins with "six".
    names = "|".join(sorted(stems, key=len, reverse=True)).replace("е", "[её]")
    return re.compile(rf"\b(?P<stem>{names}){ending}\b", re.IGNORECASE), stems


def ordinals(text: str) -> Iterator[tuple[int, Span]]:
    """Yield the ordinal numbers of ``text`` with their spans.

    >>> [number for number, _ in ordinals("the 3rd floor, the XVI century, third")]
    [3, 16, 3]
    """
    for match in _FIGURE.finditer(text):
        number = _figure(match)
        if number:
            yield number, Span(start=match.start(), end=match.end())
    for language in languages_of(text):
        if language != "zh":
            pattern, stems = _words(language)
            for match in pattern.finditer(text):
                stem = match["stem"].lower().replace("ё", "е")
                yield stems.index(stem) + 1, Span(start=match.start(), end=match.end())


def _figure(match: re.Match[str]) -> int:
    if match["figure"]:
        return int(match["figure"])
    if match["han"]:
        han = match["han"]
        return int(han) if han.isdigit() else int(numeral_value(han) or 0)
    values = [_ROMAN[sign] for sign in match["roman"]]
    following = (*values[1:], 0)
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))
