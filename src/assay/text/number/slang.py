"""Thousands in Russian slang: двести штук, косарь. Without money beside them they are not read.

"Twenty pieces" and a mower are written with the same words. A number before "pieces" stays as it is
unless the sentence is of money: then it is thousands if that is sure, and else not read.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.candidate import ONE, Reading, scaled

_PART, _PIECE = "осарь", "штук"
"""Letters without which a text has none of these words."""
_THOUSAND: Final = Decimal(1000)
_PIECES: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('number.pieces', 'ru')})")
_ALONE: Final = lazy_pattern(lambda: alternatives("number.slang_thousand", "ru"))
_SURE: Final = lazy_pattern(lambda: alternatives("number.slang_sure", "ru"))
_MAYBE: Final = lazy_pattern(lambda: alternatives("number.slang_maybe", "ru"))
_SENTENCE_END: Final = re.compile(r"[.!?;\n]")
_REACH: Final = 60


def slang(text: str) -> Iterator[Reading]:
    """Yield a word for a thousand that stands alone in a sentence of money."""
    if _PART not in text:
        return
    for match in _ALONE.finditer(text):
        if _SURE.search(_sentence(text, match.start(), match.end())):
            yield Reading(match.start(), match.end(), _THOUSAND, scale=_THOUSAND)


def with_slang(text: str, readings: list[Reading]) -> list[Reading]:
    """The readings, with those that count pieces of a thousand multiplied or not readable."""
    if _PIECE not in text:
        return readings
    return [
        _of_pieces(text, reading, match)
        if (match := _PIECES.match(text, reading.end)) is not None and reading.readable
        else reading
        for reading in readings
    ]


def _of_pieces(text: str, reading: Reading, pieces: re.Match[str]) -> Reading:
    around = _sentence(text, reading.start, pieces.end())
    if _SURE.search(around) and reading.scale == ONE:
        value = scaled(reading.value, _THOUSAND)
        return reading._replace(end=pieces.end(), value=value, alternative=None, scale=_THOUSAND)
    return reading._replace(readable=False) if _MAYBE.search(around) else reading


def _sentence(text: str, start: int, end: int) -> str:
    """The words around a place, in its sentence."""
    before = _SENTENCE_END.split(text[max(0, start - _REACH) : start])[-1]
    return f"{before}{text[start:end]}{_SENTENCE_END.split(text[end : end + _REACH])[0]}"
