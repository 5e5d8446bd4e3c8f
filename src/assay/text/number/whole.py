"""Whole numbers in words, and the scale words that multiply a number."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from assay.text.number.candidate import EXACT, ONE, scaled
from assay.text.number.chain import SCALING, Result, Word

HUNDRED: Final = Decimal(100)
NOTHING: Final = Decimal(0)
_NO_LIMIT: Final = Decimal("Infinity")
_SCORE: Final = Decimal(20)


def integer(chain: Sequence[Word], index: int) -> Result:
    """The whole number that begins with a word; it contains at least this word."""
    begin = index
    total = section = NOTHING
    limit = ceiling = _NO_LIMIT
    scale = ONE
    grouped = False
    while index < len(chain):
        word = chain[index]
        if word.kind == "and" and index > begin and _joins(chain, index):
            index += 1
            continue
        is_first = index == begin
        if word.kind == "words" and word.value < limit and (_continues(word.value) or is_first):
            section = EXACT.add(section, word.value)
            limit = _next_limit(word.value)
        elif word.kind == "hundred" and section < HUNDRED and (section or not total):
            section = scaled(section or ONE, word.value)
            limit = HUNDRED
        elif word.kind == "groups" and not grouped and section < 100:
            section = scaled(section or ONE, word.value)
            limit, grouped = NOTHING, True
        elif word.kind == "scores" and not grouped and section < 100:
            section = scaled(section or ONE, word.value)
            limit, grouped = _SCORE, True
        elif word.kind == "scales" and word.value < ceiling:
            total = EXACT.add(total, scaled(section or ONE, word.value))
            section, limit, ceiling = NOTHING, _NO_LIMIT, word.value
            scale = max(scale, word.value)
        else:
            break
        index += 1
    return Result(index, chain[index - 1].end, EXACT.add(total, section), scale)


def _joins(chain: Sequence[Word], index: int) -> bool:
    """Whether "and" continues a number: after a hundred or more, before a smaller number word."""
    if index + 1 == len(chain) or not chain[index].text.isascii():
        return False
    before, after = chain[index - 1], chain[index + 1]
    return before.kind in {"hundred", "scales", "scores"} and after.kind in {"words", "hundred"}


def _continues(value: Decimal) -> bool:
    """Whether a word may follow the beginning of a number: neither zero nor «полторы»."""
    return value > NOTHING and value == value.to_integral_value()


def _next_limit(value: Decimal) -> Decimal:
    if value >= 100:
        return HUNDRED
    return Decimal(10) if value >= 20 else NOTHING


def with_scale(chain: Sequence[Word], result: Result) -> Result:
    """The number times the scale words that follow what was read by its text."""
    index = result.following
    while index < len(chain) and chain[index].start < result.end:
        index += 1
    result = result._replace(following=index)
    while (
        (result.scale == ONE or index > result.following)
        and index < len(chain)
        and chain[index].kind in SCALING
        and result.value is not None
    ):
        word = chain[index]
        result = result._replace(
            following=index + 1,
            end=word.end,
            value=scaled(result.value, word.value),
            scale=max(result.scale, word.value),
        )
        index += 1
        if chain[index - 1].kind == "scales":
            break
    return result
