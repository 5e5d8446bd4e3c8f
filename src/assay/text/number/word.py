"""Numbers in Russian and English words: сорок две тысячи, fifteen hundred, two and a half million.

The words of a text are grouped into chains of number words and the small words that join them.
A chain is read from left to right. If a part of it cannot be read, nothing of that part is
returned, because the beginning of a number is another number.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

from assay.text.lexicon import alternatives, expressions, lazy_pattern, word_list
from assay.text.number.candidate import EXACT, ONE, QUOTIENT, Reading, scaled
from assay.text.number.tail import addition, odd_end, unreadable_end
from assay.text.number.unit import unit_after

_HUNDRED: Final = Decimal(100)
_HALF: Final = Decimal("0.5")
_NOTHING: Final = Decimal(0)
_NO_LIMIT: Final = Decimal("Infinity")
_WORD: Final = re.compile(r"[A-Za-z\u0400-\u04ff]+")
_BETWEEN: Final = re.compile(r"[ \t]*-?\s?\Z")
# A single "one" is an article or a pronoun, unless a countable noun follows it.
_COUNTED: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('number.counted')})")
# If this follows a number, the number is part of an ordinal: двадцать первого, hundred and first.
_ORDINAL: Final = lazy_pattern(
    lambda: rf"(?:[\s-]{{1,2}}|\sand\s)(?:{alternatives('number.ordinal')})"
)
_VAGUE_BEFORE: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('number.vague')})\s\Z")
_DIGITS_BEFORE: Final = re.compile(r"[0-9]\s{0,2}\Z")
# "One third" is a number, "one third party" is not.
_FRACTION_END: Final = lazy_pattern(lambda: rf"\s*(?:\Z|[^\w\s-]|{alternatives('number.of')})")
_JOINING: Final = frozenset(("and", "article", "of", "link", "point"))
_SCALING: Final = frozenset(("scales", "groups", "hundred"))
_CENTURIES: Final = range(16, 21)
_OH: Final = "oh"


class _Word(NamedTuple):
    """A word of a chain; ``kind`` is the table of the lexicon that contains it.

    ``comma`` is true if a comma separates the word from the one before it.
    """

    start: int
    end: int
    text: str
    kind: str
    value: Decimal
    comma: bool


class _Result(NamedTuple):
    """A number that ends before word ``following``; it has no value if it cannot be read."""

    following: int
    end: int
    value: Decimal | None
    scale: Decimal = ONE
    approximate: bool = False


@cache
def _vocabulary() -> dict[str, tuple[str, Decimal]]:
    """The kind and the value of each word that may be part of a number."""
    vocabulary: dict[str, tuple[str, Decimal]] = {}
    for kind in ("and", "article", "of", "link", "point", "half"):
        for word in word_list(f"number.{kind}"):
            vocabulary[word] = (kind, _HALF)
    for kind in ("words", "scales", "groups", "hundred", "whole", "fraction", "fractions"):
        for table in expressions(f"number.{kind}"):
            for value, *forms in map(str.split, filter(None, table.splitlines())):
                vocabulary.update(dict.fromkeys(forms, (kind, Decimal(value))))
    return vocabulary


@cache
def _number_words() -> frozenset[str]:
    return frozenset(word for word, (kind, _) in _vocabulary().items() if kind not in _JOINING)


@cache
def _words_for_one() -> frozenset[str]:
    return frozenset(word for word, entry in _vocabulary().items() if entry == ("words", ONE))


@cache
def _complete_alone() -> frozenset[str]:
    """Words that multiply and are numbers by themselves: the singular means one thousand."""
    return frozenset(word_list("number.alone"))


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word_list("number.scale_abbreviation"))


def number_words(text: str) -> Iterator[Reading]:
    """Yield the numbers that are written as words in a surface text.

    These are left out: a single *one* or *один* without a countable noun, plural scale words
    without a number (``thousands of``, ``тысячи людей``), and ordinals. An expression that
    cannot be read is a reading that is not ``readable``.
    """
    if _number_words().isdisjoint(_WORD.findall(text.lower())):
        return
    for chain in _chains(text):
        yield from _numbers(text, chain)


def _chains(text: str) -> Iterator[list[_Word]]:
    """Yield the longest sequences of words that may be part of a number and contain one."""
    vocabulary = _vocabulary()
    chain: list[_Word] = []
    has_number = False
    for match in _WORD.finditer(text):
        word = match.group().lower()
        entry = vocabulary.get(word)
        separator = _separator(text, chain[-1], match.start()) if chain and entry else None
        if chain and separator is None:
            if has_number:
                yield chain
            chain, has_number = [], False
        if entry is not None:
            kind, value = entry
            has_number = has_number or kind not in _JOINING
            chain.append(_Word(match.start(), match.end(), word, kind, value, separator == ","))
    if has_number:
        yield chain


def _separator(text: str, before: _Word, start: int) -> str | None:
    """What is between two words of one chain: nothing or a comma; ``None`` if anything else."""
    between = text[before.end : start]
    if _BETWEEN.match(between) or (between == ". " and before.text in _abbreviations()):
        return ""
    return "," if between == ", " and before.kind == "scales" and before.text.isascii() else None


def _numbers(text: str, chain: Sequence[_Word]) -> Iterator[Reading]:
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


def _is_inverted(words: Sequence[_Word], value: Decimal) -> bool:
    """Whether a scale word stands before its number: тысяч пять."""
    first = words[0]
    is_plain = all(word.kind == "words" for word in words[1:]) and value > first.value
    return len(words) > 1 and first.text in word_list("number.inverted") and is_plain


def _is_ordinal_scale(chain: Sequence[_Word], index: int) -> bool:
    """Whether a scale word follows an ordinal: пятая тысяча."""
    return (
        index > 0
        and chain[index].kind in _SCALING
        and chain[index - 1].kind in {"fraction", "fractions"}
    )


def _expression(text: str, chain: Sequence[_Word], index: int) -> _Result | None:
    """The number at ``index``, or all that follows it if the number does not end where it should."""
    result = _number(text, chain, index)
    if result is None or result.following >= len(chain) or result.value is None:
        return result
    before, after = chain[result.following - 1], chain[result.following]
    if after.text == _OH:
        return _year(text, chain, result, result.following + 1) or result
    if after.kind in _JOINING or after.comma or _may_begin(text, before, after):
        return result
    if (year := _year(text, chain, result)) is not None:
        return year
    following = result.following
    while following < len(chain) and chain[following].kind not in _JOINING:
        following += 1
    return _Result(following, chain[following - 1].end, None)


def _year(
    text: str, chain: Sequence[_Word], century: _Result, index: int | None = None
) -> _Result | None:
    """The year that is read as two numbers: nineteen eighty-four, nineteen oh five."""
    at = century.following if index is None else index
    rest = _number(text, chain, at) if at < len(chain) else None
    if rest is None or rest.value is None or century.value is None:
        return None
    if century.value not in _CENTURIES:
        return None
    if not (10 <= rest.value < 100 if index is None else 0 < rest.value < 10):
        return None
    return rest._replace(value=scaled(century.value, _HUNDRED) + rest.value)


def _may_begin(text: str, before: _Word, after: _Word) -> bool:
    """Whether a word begins a number of its own directly after another: two three, два-три."""
    if before.kind != "words" or after.kind != "words":
        return False
    return (before.value < 10 and after.value < 10) or text[before.end : after.start] == "-"


def _number(text: str, chain: Sequence[_Word], index: int) -> _Result | None:
    """The longest number that begins with a word, or ``None`` if the word begins no number."""
    word = chain[index]
    following = index + 1
    if word.kind == "whole":
        return _Result(following, word.end, word.value)
    if word.kind == "article" and following < len(chain):
        return _after_article(text, chain, following)
    if word.kind == "half":
        return _share_of_scale(chain, following, _HALF) or _share_of_percent(
            text, chain, following, _HALF
        )
    if word.kind in {"fraction", "fractions"} and word.text in word_list("number.bare_fraction"):
        return _share_of_scale(chain, following, QUOTIENT.divide(ONE, word.value))
    if word.kind == "point" and word.text.isascii():
        return _leading_point(text, chain, index)
    if word.kind in _SCALING or word.kind == "words":
        return _continued(text, chain, _integer(chain, index))
    return None


def _leading_point(text: str, chain: Sequence[_Word], index: int) -> _Result | None:
    """Point five percent; "point five" without a unit may be the fifth point of a list."""
    nothing = _Result(index, chain[index].start, _NOTHING)
    result = _with_decimals(chain, nothing)
    is_share = result.scale > ONE or unit_after(text, result.end) is not None
    return result if result.following > index and is_share else None


def _after_article(text: str, chain: Sequence[_Word], index: int) -> _Result | None:
    word = chain[index]
    if word.kind in _SCALING:
        return _continued(text, chain, _integer(chain, index))
    if word.kind == "half":
        return _share_of_scale(chain, index + 1, _HALF)
    if word.kind == "fraction":
        share = QUOTIENT.divide(ONE, word.value)
        return _share_of_scale(chain, index + 1, share) or _share_of_percent(
            text, chain, index + 1, share
        )
    return None


def _share_of_scale(chain: Sequence[_Word], index: int, share: Decimal) -> _Result | None:
    """Half a million, a quarter of a million."""
    while index < len(chain) and chain[index].kind in {"of", "article"}:
        index += 1
    if index == len(chain) or chain[index].kind not in _SCALING:
        return None
    word = chain[index]
    return _Result(index + 1, word.end, QUOTIENT.multiply(share, word.value), word.value)


def _share_of_percent(
    text: str, chain: Sequence[_Word], index: int, share: Decimal
) -> _Result | None:
    """Half a percent, a quarter of a percent."""
    begin = index
    while index < len(chain) and chain[index].kind in {"of", "article"}:
        index += 1
    end = chain[index - 1].end
    unit = unit_after(text, end) if index > begin else None
    return _Result(index, end, share) if unit is not None and unit.name == "percent" else None


def _integer(chain: Sequence[_Word], index: int) -> _Result:
    """The whole number that begins with a word; it contains at least this word."""
    begin = index
    total = section = _NOTHING
    limit = ceiling = _NO_LIMIT
    scale = ONE
    grouped = False
    while index < len(chain):
        word = chain[index]
        if word.kind == "and" and index > begin and _joins(chain, index):
            index += 1
            continue
        if word.kind == "words" and word.value < limit and (word.value or index == begin):
            section = EXACT.add(section, word.value)
            limit = _next_limit(word.value)
        elif word.kind == "hundred" and section < _HUNDRED and (section or not total):
            section = scaled(section or ONE, word.value)
            limit = _HUNDRED
        elif word.kind == "groups" and not grouped and section < 100:
            section = scaled(section or ONE, word.value)
            limit, grouped = _NOTHING, True
        elif word.kind == "scales" and word.value < ceiling:
            total = EXACT.add(total, scaled(section or ONE, word.value))
            section, limit, ceiling = _NOTHING, _NO_LIMIT, word.value
            scale = max(scale, word.value)
        else:
            break
        index += 1
    return _Result(index, chain[index - 1].end, EXACT.add(total, section), scale)


def _joins(chain: Sequence[_Word], index: int) -> bool:
    """Whether "and" continues a number: after a hundred or more, before a smaller number word."""
    if index + 1 == len(chain) or not chain[index].text.isascii():
        return False
    before, after = chain[index - 1], chain[index + 1]
    return before.kind in {"hundred", "scales"} and after.kind in {"words", "hundred"}


def _next_limit(value: Decimal) -> Decimal:
    if value >= 100:
        return _HUNDRED
    return Decimal(10) if value >= 20 else _NOTHING


def _continued(text: str, chain: Sequence[_Word], result: _Result) -> _Result:
    """The number with what may follow a whole number: a decimal part, a fraction, a half."""
    value = result.value
    assert value is not None
    if result.following < len(chain):
        kind = chain[result.following].kind
        if kind == "point":
            return _with_decimals(chain, result)
        if kind in {"fraction", "fractions"} and result.scale == ONE:
            return _fraction(text, chain, result)
    if (odd := odd_end(text, result.end)) is not None:
        return _with_scale(chain, result._replace(end=odd, approximate=True))
    if (extra := addition(text, result.end)) is not None:
        share, end = extra
        last = chain[result.following - 1]
        size = last.value if last.kind in {"scales", "groups"} else ONE
        value = EXACT.add(value, scaled(share, size))
        return _with_scale(chain, result._replace(end=end, value=value))
    return _mixed(chain, result)


def _mixed(chain: Sequence[_Word], whole: _Result) -> _Result:
    """The number with a fraction after "and": three and a fifth, две и пять десятых."""
    index = whole.following + 1
    if index >= len(chain) or chain[whole.following].kind != "and":
        return whole
    is_russian = not chain[whole.following].text.isascii()
    part = _Result(index, chain[index].end, ONE)
    if chain[index].kind == "words":
        part = _integer(chain, index)
    elif chain[index].kind == "article":
        part = part._replace(following=index + 1)
    unit = chain[part.following] if part.following < len(chain) else None
    if unit is None or part.value is None or unit.kind not in {"fraction", "fractions"}:
        return whole
    # «Две и пять десятых» is a number, «первая и третья» and «два и пять третьих» are not.
    if (is_russian and unit.value < 10) or (part.value == ONE) != (unit.kind == "fraction"):
        return whole
    value = EXACT.add(whole.value or _NOTHING, QUOTIENT.divide(part.value, unit.value))
    return _with_scale(chain, _Result(part.following + 1, unit.end, value))


def _with_scale(chain: Sequence[_Word], result: _Result) -> _Result:
    """The number times the scale words that follow what was read by its text."""
    index = result.following
    while index < len(chain) and chain[index].start < result.end:
        index += 1
    result = result._replace(following=index)
    while (
        (result.scale == ONE or index > result.following)
        and index < len(chain)
        and chain[index].kind in _SCALING
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


def _with_decimals(chain: Sequence[_Word], whole: _Result) -> _Result:
    """Three point one four, две целых пять десятых; without a value if the decimals are missing."""
    point = chain[whole.following]
    if not point.text.isascii():
        return _russian_fraction(chain, whole)
    digits = ""
    index = whole.following + 1
    if index < len(chain) and chain[index].kind == "words" and chain[index].value >= 10:
        # "Point seventy-one" is spoken for .71.
        part = _integer(chain, index)
        digits, index = f"{part.value:f}", part.following
    while index < len(chain) and (digit := _digit(chain[index])) is not None:
        digits += digit
        index += 1
    if not digits:
        return _Result(whole.following, whole.end, whole.value, whole.scale)
    if whole.scale != ONE and chain[whole.following - 1].kind != "words":
        return _Result(index, chain[index - 1].end, None)
    value = Decimal(f"{whole.value:f}.{digits}")
    return _with_scale(chain, _Result(index, chain[index - 1].end, value))


def _digit(word: _Word) -> str | None:
    if word.text == _OH:
        return "0"
    return f"{word.value:f}" if word.kind == "words" and word.value < 10 else None


def _russian_fraction(chain: Sequence[_Word], whole: _Result) -> _Result:
    """The number after целых: [и] пять десятых."""
    index = whole.following + 1
    if index < len(chain) and chain[index].kind == "and":
        index += 1
    if index == len(chain) or chain[index].kind != "words":
        return _Result(whole.following + 1, chain[whole.following].end, None)
    part = _integer(chain, index)
    unit = chain[part.following] if part.following < len(chain) else None
    if unit is None or unit.kind not in {"fraction", "fractions"} or part.value is None:
        return _Result(part.following, part.end, None)
    value = EXACT.add(whole.value or _NOTHING, QUOTIENT.divide(part.value, unit.value))
    return _with_scale(chain, _Result(part.following + 1, unit.end, value))


def _fraction(text: str, chain: Sequence[_Word], upper: _Result) -> _Result:
    """Two thirds, три четверти, three quarters of a million."""
    unit = chain[upper.following]
    following = upper.following + 1
    value = upper.value or ONE
    # "Двадцать пятых" and "twenty fifths" may be ordinals, and so is "двадцать пятая".
    is_ordinal = value >= 20 and value % 10 == 0 and unit.value < 10
    if is_ordinal or (value == ONE) != (unit.kind == "fraction"):
        return _Result(following, unit.end, None)
    if unit.text.isascii() and value == ONE and not _FRACTION_END.match(text, unit.end):
        return _Result(following, unit.end, None)
    quotient = QUOTIENT.divide(value, unit.value)
    share = _share_of_scale(chain, following, quotient)
    return share or _Result(following, unit.end, quotient)


def _is_number(text: str, words: Sequence[_Word]) -> bool:
    """Whether the words are a number in this context, and not an article or a vague amount."""
    first = words[0]
    if first.kind in _SCALING:
        # In "5 тысяч" the word belongs to the digits before it.
        if _DIGITS_BEFORE.search(text, max(0, first.start - 3), first.start):
            return False
        if first.text not in _complete_alone():
            return len(words) > 1 and first.text.isascii()
    if len(words) == 1 and first.text in _words_for_one():
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
