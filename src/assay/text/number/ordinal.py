"""Ordinals in words: the forty-third amendment, сорок седьмую койку, на третьем этаже.

A ten and a unit are read before what they number. A single word is read only before a few nouns
that are numbered (``number.numbered``), because "third party" and "second" are no numbers.
"""

import re
from collections.abc import Collection, Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from assay.text.lexicon import alternatives, expressions, languages_of, word_list
from assay.text.number.candidate import Reading
from assay.text.number.chain import vocabulary_of_numbers

_LANGUAGES: Final = ("en", "ru")
_WORD_BEFORE: Final = re.compile(r"([A-Za-z\u0400-\u04ff]+|[0-9])[\s-]{1,2}\Z")
_WORD_AFTER: Final = re.compile(r"[\s-]([A-Za-z\u0400-\u04ff]+)")
_REACH: Final = 24


@cache
def _tens(language: str) -> dict[str, int]:
    """The tens from twenty on in the form in which an ordinal begins."""
    (table,) = expressions("number.words", language)
    lines = (line.split() for line in table.strip().splitlines())
    values = ((int(value), forms[0]) for value, *forms in lines if value.isdigit())
    return {form: value for value, form in values if 20 <= value < 100}


@cache
def _units(language: str) -> dict[str, int]:
    """The stems of the ordinals from first to twentieth."""
    return {stem: value for value, stem in enumerate(word_list("date.ordinals", language), 1)}


@cache
def _pattern(language: str) -> re.Pattern[str]:
    stems = [stem.replace("е", "[её]") for stem in _units(language)]
    units, singles = "|".join(stems[:9]), "|".join(reversed(stems))
    # First letters come first, because these are tried at every word of a text.
    first = "".join(sorted({stem[0] for stem in (*_units(language), *_tens(language))}))
    endings = "|".join(word_list("number.ordinal_endings", "ru") if language == "ru" else ())
    tens = "|".join(_tens(language))
    after = alternatives("number.after_ordinal", language)
    numbered = alternatives("number.numbered", language)
    return re.compile(
        rf"\b(?=[{first}])(?:(?P<tens>{tens})[\s-](?P<unit>{units})(?:{endings})\b(?:{after})"
        rf"|(?P<single>{singles})(?:{endings})\b(?=[\s-](?:{numbered})))"
    )


@cache
def _forms() -> frozenset[str]:
    """All forms of the ordinals from first to twentieth."""
    endings = word_list("number.ordinal_endings", "ru")
    stems = {stem.replace("е", yo) for stem in _units("ru") for yo in "её"}
    russian = (stem + ending for stem in stems for ending in endings)
    return frozenset((*_units("en"), *russian))


def ordinals(text: str, words: Collection[str]) -> Iterator[Reading]:
    """Yield the ordinals in words of a surface text with these words, in lower case."""
    lower = text.lower()
    # The letters of a few languages become longer.
    if _forms().isdisjoint(words) or len(lower) != len(text):
        return
    for language in languages_of(text):
        if language in _LANGUAGES:
            for match in _pattern(language).finditer(lower):
                if not _is_part(match):
                    yield Reading(match.start(), match.end(), Decimal(_value(match, language)))


def _value(match: re.Match[str], language: str) -> int:
    stem = (match["unit"] or match["single"]).replace("ё", "е")
    tens = match["tens"]
    return _units(language)[stem] + (_tens(language)[tens] if tens else 0)


def _is_part(match: re.Match[str]) -> bool:
    """Whether a number goes on before or after the ordinal: hundred and fifth, пятая тысяча."""
    text, start, end = match.string, match.start(), match.end()
    before = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
    after = _WORD_AFTER.match(text, end)
    numbers = vocabulary_of_numbers()
    if text[start - 1 : start] == "-":
        return True  # one-in-twenty-fifth
    is_after = before is not None and (before[1].isdigit() or before[1] in numbers | _joining())
    return is_after or (after is not None and after[1] in numbers)


@cache
def _joining() -> frozenset[str]:
    return frozenset(word_list("number.and"))
