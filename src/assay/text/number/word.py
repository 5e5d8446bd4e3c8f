"""Numbers in Russian and English words: сорок две тысячи, fifteen hundred, two and a half million.

The words of a text are grouped into chains of number words and the small words that join them.
A chain is read from left to right. If a part of it cannot be read, nothing of that part is
returned, because the beginning of a number is another number.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern, word_list
from assay.text.number.candidate import EXACT, ONE, QUOTIENT, Reading, scaled
from assay.text.number.chain import (
    HALF,
    JOINING,
    SCALING,
    Result,
    Word,
    chains,
    complete_alone,
    vocabulary_of_numbers,
    words_for_one,
)
from assay.text.number.share import (
    OH,
    fraction_value,
    mixed,
    share_of_percent,
    share_of_scale,
    with_decimals,
)
from assay.text.number.tail import addition, odd_end, unreadable_end
from assay.text.number.unit import unit_after
from assay.text.number.whole import HUNDRED, NOTHING, integer, with_scale

_WORD: Final = re.compile(r"[A-Za-z\u0400-\u04ff]+")
# A single "one" is an article or a pronoun, unless a countable noun follows it.
_COUNTED: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('number.counted')})")
# If this follows a number, the number is part of an ordinal: двадцать первого, hundred and first.
_ORDINAL: Final = lazy_pattern(
    lambda: rf"(?:[\s-]{{1,2}}|\sand\s)(?:{alternatives('number.ordinal')})"
)
_VAGUE_BEFORE: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('number.vague')})\s\Z")
_DIGITS_BEFORE: Final = re.compile(r"[0-9]\s{0,2}\Z")
_CENTURIES: Final = range(16, 21)


def number_words(text: str) -> Iterator[Reading]:
    """Yield the numbers that are written as words in a surface text.

    These are left out: a single *one* or *один* without a countable noun, plural scale words
    without a number (``thousands of``, ``тысячи людей``), and ordinals. An expression that
    cannot be read is a reading that is not ``readable``.
    """
    if vocabulary_of_numbers().isdisjoint(_WORD.findall(text.lower())):
        return
    for chain in chains(text):
        yield from _numbers(text, chain)


def _numbers(text: str, chain: Sequence[Word]) -> Iterator[Reading]:
    index = 0
    while index < len(chain):
        start = chain[index].start
        result = _expression(text, chain, index)
        if result is None:
            index += 1
            continue
        end, value = result.end, result.value
        unreadable = unreadable_end(text, end)
        if value is None or _ORDINAL.match(text, end) or _is_ordinal_scale(chain, index):
            yield Reading(start, end, ONE, readable=False)
        elif unreadable is not None:
            yield Reading(start, unreadable, ONE, readable=False)
        elif _VAGUE_BEFORE.search(text, max(0, start - 20), start):
            yield Reading(start, end, ONE, readable=False)
        elif _is_inverted(chain[index : result.following], value):
            scale = chain[index].value
            inverted = scaled(value - scale, scale)
            yield Reading(start, end, inverted, scale=scale, approximate=True)
        elif _is_number(text, chain[index : result.following]):
            approximate = result.approximate
            yield Reading(start, end, value, scale=result.scale, approximate=approximate)
        index = result.following


def _is_inverted(words: Sequence[Word], value: Decimal) -> bool:
    """Whether a scale word stands before its number: тысяч пять."""
    first = words[0]
    is_plain = all(word.kind == "words" for word in words[1:]) and value > first.value
    return len(words) > 1 and first.text in word_list("number.inverted") and is_plain


def _is_ordinal_scale(chain: Sequence[Word], index: int) -> bool:
    """Whether a scale word follows an ordinal: пятая тысяча."""
    return (
        index > 0
        and chain[index].kind in SCALING
        and chain[index - 1].kind in {"fraction", "fractions"}
    )


def _expression(text: str, chain: Sequence[Word], index: int) -> Result | None:
    """The number at ``index``, or all that follows it if the number does not end where it should."""
    result = _number(text, chain, index)
    if result is None or result.following >= len(chain) or result.value is None:
        return result
    before, after = chain[result.following - 1], chain[result.following]
    if after.text == OH:
        return _year(text, chain, result, result.following + 1) or result
    if after.kind in JOINING or after.comma or _may_begin(text, before, after):
        return result
    if (year := _year(text, chain, result)) is not None:
        return year
    following = result.following
    while following < len(chain) and chain[following].kind not in JOINING:
        following += 1
    return Result(following, chain[following - 1].end, None)


def _year(
    text: str, chain: Sequence[Word], century: Result, index: int | None = None
) -> Result | None:
    """The year that is read as two numbers: nineteen eighty-four, nineteen oh five."""
    at = century.following if index is None else index
    rest = _number(text, chain, at) if at < len(chain) else None
    if rest is None or rest.value is None or century.value is None:
        return None
    if century.value not in _CENTURIES:
        return None
    if not (10 <= rest.value < 100 if index is None else 0 < rest.value < 10):
        return None
    return rest._replace(value=scaled(century.value, HUNDRED) + rest.value)


def _may_begin(text: str, before: Word, after: Word) -> bool:
    """Whether a word begins a number of its own directly after another: two three, два-три."""
    if before.kind != "words" or after.kind != "words":
        return False
    return (before.value < 10 and after.value < 10) or text[before.end : after.start] == "-"


def _number(text: str, chain: Sequence[Word], index: int) -> Result | None:
    """The longest number that begins with a word, or ``None`` if the word begins no number."""
    word = chain[index]
    following = index + 1
    if word.kind == "whole":
        return Result(following, word.end, word.value)
    if word.kind == "article" and following < len(chain):
        return _after_article(text, chain, following)
    if word.kind == "half":
        return share_of_scale(chain, following, HALF) or share_of_percent(
            text, chain, following, HALF
        )
    if word.kind in {"fraction", "fractions"} and word.text in word_list("number.bare_fraction"):
        return share_of_scale(chain, following, QUOTIENT.divide(ONE, word.value))
    if word.kind == "point" and word.text.isascii():
        return _leading_point(text, chain, index)
    if word.kind in SCALING or word.kind == "words":
        return _continued(text, chain, integer(chain, index))
    return None


def _leading_point(text: str, chain: Sequence[Word], index: int) -> Result | None:
    """Point five percent; "point five" without a unit may be the fifth point of a list."""
    nothing = Result(index, chain[index].start, NOTHING)
    result = with_decimals(chain, nothing)
    is_share = result.scale > ONE or unit_after(text, result.end) is not None
    return result if result.following > index and is_share else None


def _after_article(text: str, chain: Sequence[Word], index: int) -> Result | None:
    word = chain[index]
    if word.kind in SCALING:
        return _continued(text, chain, integer(chain, index))
    if word.kind == "half":
        return share_of_scale(chain, index + 1, HALF)
    if word.kind == "fraction":
        share = QUOTIENT.divide(ONE, word.value)
        return share_of_scale(chain, index + 1, share) or share_of_percent(
            text, chain, index + 1, share
        )
    return None


def _continued(text: str, chain: Sequence[Word], result: Result) -> Result:
    """The number with what may follow a whole number: a decimal part, a fraction, a half."""
    value = result.value
    assert value is not None
    if result.following < len(chain):
        kind = chain[result.following].kind
        if kind == "point":
            return with_decimals(chain, result)
        if kind in {"fraction", "fractions"} and result.scale == ONE:
            return fraction_value(text, chain, result)
    if (odd := odd_end(text, result.end)) is not None:
        return with_scale(chain, result._replace(end=odd, approximate=True))
    if (extra := addition(text, result.end)) is not None:
        share, end = extra
        last = chain[result.following - 1]
        size = last.value if last.kind in {"scales", "groups"} else ONE
        value = EXACT.add(value, scaled(share, size))
        return with_scale(chain, result._replace(end=end, value=value))
    return mixed(chain, result)


def _is_number(text: str, words: Sequence[Word]) -> bool:
    """Whether the words are a number in this context, and not an article or a vague amount."""
    first = words[0]
    if first.kind in SCALING:
        # In "5 тысяч" the word belongs to the digits before it.
        if _DIGITS_BEFORE.search(text, max(0, first.start - 3), first.start):
            return False
        if first.text not in complete_alone():
            return len(words) > 1 and first.text.isascii()
    if len(words) == 1 and first.text in words_for_one():
        return _COUNTED.match(text, first.end) is not None
    return True


def words_value(text: str) -> Decimal | None:
    """The value of a number that is written in words only, or ``None`` if the text is not one.

    >>> words_value("две тысячи двадцать")
    Decimal('2020')
    """
    readings = list(number_words(text))
    if len(readings) != 1 or not readings[0].readable:
        return None
    reading = readings[0]
    return reading.value if (reading.start, reading.end) == (0, len(text)) else None
