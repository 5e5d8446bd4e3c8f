"""Numbers in Russian and English words: сорок две тысячи, fifteen hundred, two and a half million.

The words of a text are grouped into chains of number words and the small words that join them.
A chain is read from left to right. If a part of it cannot be read, nothing of that part is
returned, because the beginning of a number is another number.
"""

import re
from collections.abc import Collection, Iterator, Sequence
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
from assay.text.number.tail import addition, after_score, odd_end, unreadable_end
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
_BETWEEN: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.between')})\Z")
_MILLION: Final = Decimal(10**6)
_DIGITS_BEFORE: Final = re.compile(r"[0-9]\s{0,2}\Z")
_CENTURIES: Final = range(16, 21)
# After these a scale word in the genitive means one: около тысячи.
_GENITIVE: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('number.before_genitive')})\s\Z")


def words_of(text: str) -> frozenset[str]:
    """The English and Russian words of a text, in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def number_words(text: str, words: Collection[str] | None = None) -> Iterator[Reading]:
    """Yield the numbers that are written as words in a surface text, whose ``words`` may be known.

    These are left out: a single *one* or *один* without a countable noun, plural scale words
    without a number (``thousands of``, ``тысячи людей``), and ordinals. An expression that
    cannot be read is a reading that is not ``readable``.
    """
    if vocabulary_of_numbers().isdisjoint(words_of(text) if words is None else words):
        return
    for chain in chains(text):
        yield from _numbers(text, chain)


def _numbers(text: str, chain: Sequence[Word]) -> Iterator[Reading]:
    index = 0
    while index < len(chain):
        start = chain[index].start
        if chain[index].kind in SCALING and _belongs_to_digits(text, chain, index):
            while index < len(chain) and chain[index].kind in SCALING:
                index += 1
            continue
        result = _inverted(chain, index) or _expression(text, chain, index)
        if result is None:
            index += 1
            continue
        end, value = result.end, result.value
        unreadable = unreadable_end(text, end)
        is_spelled = index > 0 and chain[index - 1].text == OH  # double oh seven
        if (
            value is None
            or is_spelled
            or _ORDINAL.match(text, end)
            or _is_ordinal_scale(chain, index)
        ):
            yield Reading(start, end, ONE, readable=False)
        elif unreadable is not None:
            yield Reading(start, unreadable, ONE, readable=False)
        elif _VAGUE_BEFORE.search(text, max(0, start - 20), start):
            yield Reading(start, end, ONE, readable=False)
        elif _is_number(text, chain[index : result.following]):
            approximate = result.approximate
            scale = max(result.scale, _last_group(chain[result.following - 1]))
            yield Reading(start, end, value, scale=scale, approximate=approximate)
        index = result.following


def _last_group(last: Word) -> Decimal:
    """What a range shares with its end if that is a group: two or three hundred, две-три сотни."""
    return last.value if last.kind in {"hundred", "groups"} else ONE


def _belongs_to_digits(text: str, chain: Sequence[Word], index: int) -> bool:
    """Whether only scale words stand between this one and digits: 5 тысяч, 5 hundred thousand."""
    while index and chain[index - 1].kind in SCALING:
        index -= 1
    first = chain[index].start
    return _DIGITS_BEFORE.search(text, max(0, first - 3), first) is not None


def _inverted(chain: Sequence[Word], index: int) -> Result | None:
    """The number after its scale word, which is then approximate: тысяч пять, десятка два."""
    first, following = chain[index], index + 1
    is_one = first.text in word_list("number.inverted_few")
    if not is_one and first.text not in word_list("number.inverted"):
        return None
    if following == len(chain) or chain[following].kind != "words":
        return None
    part = integer(chain, following)
    after = chain[part.following].kind if part.following < len(chain) else ""
    if after == "words" and part.value is not None and ONE < part.value < 10:
        return _rest(chain, part.following)  # «тысячи две-три»
    if part.value is None or after not in {"", "and"} or part.scale > ONE:
        return None
    # «Тысячи две», but «тысяч пять».
    if is_one and not ONE < part.value < 5:
        return None
    value = scaled(part.value, first.value)
    return Result(part.following, part.end, value, first.value, approximate=True)


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
    after = chain[result.following]
    if after.text == OH:
        year = _year(text, chain, result, result.following + 1)
        following = min(result.following + 2, len(chain))
        return year or Result(following, chain[following - 1].end, None)
    if after.kind == "and" and (
        _is_inverted_ten(text, chain, result.following)
        or _adds_one(chain, result.following)
        or _is_spoken_decimal(chain, result.following)
    ):
        return _rest(chain, result.following + 1)  # five and twenty, «тысяча и одна»
    if after.kind in JOINING or after.comma or _may_begin(text, chain, result.following):
        return result
    if (year := _year(text, chain, result)) is not None:
        return year
    return _rest(chain, result.following)


def _is_inverted_ten(text: str, chain: Sequence[Word], index: int) -> bool:
    """Whether a unit and a ten are one number in reverse order, and not the ends of a range."""
    if index + 1 == len(chain) or not chain[index].text.isascii():
        return False
    before, after = chain[index - 1], chain[index + 1]
    is_reversed = 0 < before.value < 10 and 20 <= after.value < 100 and not after.value % 10
    if not is_reversed or {before.kind, after.kind} != {"words"}:
        return False
    return _BETWEEN.search(text, max(0, before.start - 10), before.start) is None


def _adds_one(chain: Sequence[Word], index: int) -> bool:
    """Whether «и один» follows a hundred or more, which may be one number or two."""
    if index + 1 == len(chain) or chain[index].text.isascii():
        return False
    return chain[index - 1].value >= HUNDRED and chain[index + 1].text in words_for_one()


def _is_spoken_decimal(chain: Sequence[Word], index: int) -> bool:
    """Whether «и» and a digit follow a larger number, which may be its decimal: «тридцать шесть и шесть»."""
    if index + 1 == len(chain) or chain[index].text.isascii():
        return False
    before, after = chain[index - 1], chain[index + 1]
    is_last = index + 2 == len(chain) or chain[index + 2].kind in JOINING
    is_tens = index > 1 and chain[index - 2].kind == "words" and chain[index - 2].value >= 20
    return is_tens and is_last and before.kind == after.kind == "words" and 0 < after.value < 10


def _rest(chain: Sequence[Word], following: int) -> Result:
    """An expression that is not understood, to the end of its number words."""
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
    before, after = chain[century.following - 1], chain[at]
    if century.value not in _CENTURIES or not before.text.isascii():
        return None
    if before.text == after.text and rest.following == at + 1:
        return None  # twenty-twenty vision
    if not (10 <= rest.value < 100 if index is None else 0 < rest.value < 10):
        return None
    return rest._replace(value=scaled(century.value, HUNDRED) + rest.value)


def _may_begin(text: str, chain: Sequence[Word], index: int) -> bool:
    """Whether a word begins a number of its own directly after another: two-three, два-три.

    More than two in a row are digits that somebody spells, and so is what follows a zero.
    """
    before, after = chain[index - 1], chain[index]
    if before.kind != "words" or after.kind != "words":
        return False
    if "-" in text[before.end : after.start]:
        # "Two-fifty" and "twelve-fifty" may be an amount or a time, "two-three" is a range.
        is_spoken = before.text.isascii() and before.value % 10 and after.value >= 20
        return before.value < after.value and not is_spoken
    others = (*chain[max(0, index - 2) : index - 1], *chain[index + 1 : index + 2])
    is_pair = 0 < before.value < 10 and after.value < 10
    return is_pair and not any(word.kind == "words" and word.value < 10 for word in others)


def _number(text: str, chain: Sequence[Word], index: int) -> Result | None:
    """The longest number that begins with a word, or ``None`` if the word begins no number."""
    word = chain[index]
    following = index + 1
    if word.kind == "whole":
        return Result(following, word.end, word.value)
    if word.kind == "article" and following < len(chain):
        return _after_article(text, chain, following)
    if word.kind == "half":
        return _half(text, chain, following)
    if word.text in words_for_one() and following < len(chain) and chain[following].kind == "half":
        share = _half(text, chain, following + 1)
        return share or Result(following + 1, chain[following].end, HALF)
    if word.kind in {"fraction", "fractions"} and word.text in word_list("number.bare_fraction"):
        return share_of_scale(chain, following, QUOTIENT.divide(ONE, word.value))
    if word.kind == "point" and word.text.isascii():
        return _leading_point(text, chain, index)
    if word.kind in SCALING or word.kind == "words":
        return _continued(text, chain, integer(chain, index))
    return None


def _half(text: str, chain: Sequence[Word], index: int) -> Result | None:
    """Half a million, half of one percent."""
    return share_of_scale(chain, index, HALF) or share_of_percent(text, chain, index, HALF)


def _leading_point(text: str, chain: Sequence[Word], index: int) -> Result | None:
    """Point five percent; "point five" without a unit may be the fifth point of a list."""
    nothing = Result(index, chain[index].start, NOTHING)
    result = with_decimals(chain, nothing)
    if result.following == index:
        return None
    is_share = result.scale > ONE or unit_after(text, result.end) is not None
    return result if is_share else result._replace(value=None)


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
    if _is_shortened(chain, result):
        return result._replace(value=None)
    if chain[result.following - 1].kind == "scores" and (more := after_score(text, result.end)):
        added = words_value(more[0])
        total = None if added is None else EXACT.add(value, added)
        return with_scale(chain, result._replace(end=more[1], value=total))
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
        if last.kind == "hundred":
            return result._replace(end=end, value=None)  # a hundred and a half: 100.5 or 150
        size = last.value if last.kind in {"scales", "groups"} else ONE
        value = EXACT.add(value, scaled(share, size))
        return with_scale(chain, result._replace(end=end, value=value))
    return mixed(chain, result)


def _is_shortened(chain: Sequence[Word], result: Result) -> bool:
    """Whether hundreds follow a million directly: «миллион двести» is 1,200,000 or 1,000,200."""
    index = result.following - 1
    while index and chain[index].kind in {"words", "hundred"}:
        index -= 1
    last = chain[index]
    if last.kind != "scales" or last.value < _MILLION or index == result.following - 1:
        return False
    rest = (result.value or NOTHING) % last.value
    return rest % HUNDRED == 0 and rest > 0


def _is_number(text: str, words: Sequence[Word]) -> bool:
    """Whether the words are a number in this context, and not an article or a vague amount."""
    first = words[0]
    if first.kind in SCALING and _inverted(words, 0) is None:
        # In "5 тысяч" the word belongs to the digits before it.
        if _DIGITS_BEFORE.search(text, max(0, first.start - 3), first.start):
            return False
        if len(words) == 1 and _GENITIVE.search(text, max(0, first.start - 20), first.start):
            return first.text in word_list("number.alone_genitive")
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
