"""Numbers in Russian and English words: сорок две тысячи, forty-two thousand."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

from assay.text.lexicon import alternatives, expressions, lazy_pattern, word_list
from assay.text.number.candidate import EXACT, Reading, scaled

_HUNDRED: Final = Decimal(100)
_WORD: Final = re.compile(r"[A-Za-z\u0400-\u04ff]+")
_BETWEEN: Final = re.compile(r"[ \t]*-?\s?\Z")
# A single "one" is an article or a pronoun, unless a countable noun follows it.
_COUNTED: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('number.counted')})")
# If this follows a number, the number is an ordinal: двадцать первого, twenty-first.
_ORDINAL: Final = lazy_pattern(lambda: rf"[\s-]{{1,2}}(?:{alternatives('number.ordinal')})")


@cache
def _values() -> dict[str, Decimal]:
    """The values of the number words."""
    rows = (line.split() for text in expressions("number.words") for line in text.splitlines())
    return {word: Decimal(value) for value, *forms in rows for word in forms}


@cache
def _ones() -> frozenset[str]:
    return frozenset(word for word, value in _values().items() if value == 1)


@cache
def _scale_words_alone() -> frozenset[str]:
    """Scale words that are numbers by themselves: the singular means one thousand."""
    return frozenset(word_list("number.scale_alone"))


@cache
def _scale_abbreviations() -> frozenset[str]:
    return frozenset(word_list("number.scale_abbreviation"))


class _Word(NamedTuple):
    start: int
    end: int
    word: str
    value: Decimal


def number_words(text: str) -> Iterator[Reading]:
    """Yield the numbers that are written as words in a surface text.

    These are left out: a single *one* or *один* without a countable noun, plural scale words
    without a number (``thousands of``, ``тысячи людей``), and ordinals.
    """
    values = _values()
    if values.keys().isdisjoint(_WORD.findall(text.lower())):
        return
    group: list[_Word] = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        value = values.get(word)
        if value is None:
            if word in {"and", "a"} and group:
                continue
            if group:
                yield from _numbers(text, group)
                group = []
            continue
        if group and not _adjacent(text, group[-1], match.start()):
            yield from _numbers(text, group)
            group = []
        group.append(_Word(match.start(), match.end(), word, value))
    if group:
        yield from _numbers(text, group)


def _adjacent(text: str, before: _Word, start: int) -> bool:
    between = text[before.end : start]
    if between.lower() == " and " and before.value >= _HUNDRED:
        return True
    if between == ". " and before.word in _scale_abbreviations():
        return True
    return _BETWEEN.match(between) is not None


def _numbers(text: str, group: list[_Word]) -> Iterator[Reading]:
    """Yield the numbers in a sequence of number words.

    A new number begins where the next word cannot continue the current one.
    """
    begin = 0
    while begin < len(group):
        end = begin
        total = section = Decimal(0)
        limit = ceiling = Decimal("Infinity")
        scale = Decimal(1)
        while end < len(group):
            value = group[end].value
            if value == _HUNDRED and group[end].word == "hundred":
                if not (end == begin or 0 < section < 10):
                    break
                section = scaled(section or Decimal(1), _HUNDRED)
                limit = _HUNDRED
            elif value >= 1000:
                if value >= ceiling:
                    break
                total = EXACT.add(total, scaled(section or Decimal(1), value))
                section, limit, ceiling = Decimal(0), Decimal("Infinity"), value
                scale = max(scale, value)
            else:
                if value >= limit or (value == 0 and end > begin):
                    break
                section = EXACT.add(section, value)
                limit = _next_limit(value)
            end += 1
        end = max(end, begin + 1)
        words = group[begin:end]
        if _is_number(text, words):
            start = _start_with_article(text, words[0])
            value = EXACT.add(total, section)
            yield Reading(start, words[-1].end, value, scale=scale)
        begin = end


def _next_limit(value: Decimal) -> Decimal:
    if value >= 100:
        return Decimal(100)
    return Decimal(10) if value >= 20 else Decimal(0)


def _start_with_article(text: str, word: _Word) -> int:
    """The start of the word, or of the article before it in "a hundred"."""
    if word.value >= _HUNDRED and text[max(0, word.start - 2) : word.start].lower() == "a ":
        return word.start - 2
    return word.start


def _is_number(text: str, words: list[_Word]) -> bool:
    """Whether the words are a number in this context, and not an ordinal or an article."""
    if _ORDINAL.match(text, words[-1].end):
        return False
    first = words[0]
    if first.value >= 1000 or first.word == "hundred":
        # In "5 тысяч" the word belongs to the digits before it.
        if re.search(r"[0-9]\s{0,2}\Z", text[max(0, first.start - 3) : first.start]):
            return False
        if len(words) == 1 and first.word not in _scale_words_alone():
            return _start_with_article(text, first) != first.start
    if len(words) == 1 and first.word in _ones():
        return _COUNTED.match(text, first.end) is not None
    return True
