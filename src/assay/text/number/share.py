"""Parts of a whole in words: two thirds, three point one four, half a million, две целых пять десятых."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.candidate import EXACT, ONE, QUOTIENT
from assay.text.number.chain import SCALING, Result, Word, words_for_one
from assay.text.number.unit import unit_after
from assay.text.number.whole import NOTHING, integer, with_scale

# "One third" is a number, "one third party" is not.
_FRACTION_END: Final = lazy_pattern(lambda: rf"\s*(?:\Z|[^\w\s-]|{alternatives('number.of')})")
OH: Final = "oh"


def share_of_scale(chain: Sequence[Word], index: int, share: Decimal) -> Result | None:
    """Half a million, a quarter of a million."""
    while index < len(chain) and chain[index].kind in {"of", "article"}:
        index += 1
    if index == len(chain) or chain[index].kind not in SCALING:
        return None
    word = chain[index]
    return Result(index + 1, word.end, QUOTIENT.multiply(share, word.value), word.value)


def share_of_percent(text: str, chain: Sequence[Word], index: int, share: Decimal) -> Result | None:
    """Half a percent, a quarter of a percent, half of one percent."""
    begin = index
    while index < len(chain) and chain[index].kind in {"of", "article"}:
        index += 1
    if begin < index < len(chain) and chain[index].text in words_for_one():
        index += 1
    end = chain[index - 1].end
    unit = unit_after(text, end) if index > begin else None
    return Result(index, end, share) if unit is not None and unit.name == "percent" else None


def mixed(chain: Sequence[Word], whole: Result) -> Result:
    """The number with a fraction after "and": three and a fifth, две и пять десятых."""
    index = whole.following + 1
    if index >= len(chain) or chain[whole.following].kind != "and":
        return whole
    is_russian = not chain[whole.following].text.isascii()
    part = Result(index, chain[index].end, ONE)
    if chain[index].kind == "words":
        part = integer(chain, index)
    elif chain[index].kind == "article":
        part = part._replace(following=index + 1)
    else:
        return whole  # two hundred and fifth
    unit = chain[part.following] if part.following < len(chain) else None
    if unit is None or part.value is None or unit.kind not in {"fraction", "fractions"}:
        return whole
    # «Две и две трети» is a number, «первая и третья» and «два и пять третьих» are not.
    has_number = chain[index].kind == "words" and part.value < unit.value
    if (is_russian and not has_number) or (part.value == ONE) != (unit.kind == "fraction"):
        return whole
    value = EXACT.add(whole.value or NOTHING, QUOTIENT.divide(part.value, unit.value))
    return with_scale(chain, Result(part.following + 1, unit.end, value))


def with_decimals(chain: Sequence[Word], whole: Result) -> Result:
    """Three point one four, две целых пять десятых; without a value if the decimals are missing."""
    point = chain[whole.following]
    if not point.text.isascii():
        return _russian_fraction(chain, whole)
    digits = ""
    index = whole.following + 1
    if index < len(chain) and chain[index].kind == "words" and chain[index].value >= 10:
        # "Point seventy-one" is spoken for .71.
        part = integer(chain, index)
        digits, index = f"{part.value:f}", part.following
    while index < len(chain) and (digit := _digit(chain[index])) is not None:
        digits += digit
        index += 1
    if not digits:
        return Result(whole.following, whole.end, whole.value, whole.scale)
    if whole.scale != ONE and chain[whole.following - 1].kind != "words":
        return Result(index, chain[index - 1].end, None)
    value = Decimal(f"{whole.value:f}.{digits}")
    return with_scale(chain, Result(index, chain[index - 1].end, value))


def _digit(word: Word) -> str | None:
    if word.text == OH:
        return "0"
    return f"{word.value:f}" if word.kind == "words" and word.value < 10 else None


def _russian_fraction(chain: Sequence[Word], whole: Result) -> Result:
    """The number after целых: [и] пять десятых."""
    index = whole.following + 1
    if index < len(chain) and chain[index].kind == "and":
        index += 1
    if index == len(chain) or chain[index].kind != "words":
        return Result(whole.following + 1, chain[whole.following].end, None)
    part = integer(chain, index)
    unit = chain[part.following] if part.following < len(chain) else None
    if unit is None or unit.kind not in {"fraction", "fractions"} or part.value is None:
        return Result(part.following, part.end, None)
    value = EXACT.add(whole.value or NOTHING, QUOTIENT.divide(part.value, unit.value))
    return with_scale(chain, Result(part.following + 1, unit.end, value))


def fraction_value(text: str, chain: Sequence[Word], upper: Result) -> Result:
    """Two thirds, три четверти, three quarters of a million."""
    unit = chain[upper.following]
    following = upper.following + 1
    value = upper.value or ONE
    # "Двадцать пятых" and "twenty fifths" may be ordinals, and so is "двадцать пятая".
    is_ordinal = value >= 20 and value % 10 == 0 and unit.value < 10
    # "Four hundred and three quarters" is a whole number and a fraction.
    is_ordinal = is_ordinal or chain[max(0, upper.following - 2)].kind == "and"
    # "Two hundred thousandths" is 0.2 or 0.002.
    is_ordinal = is_ordinal or (upper.value != ONE and value % 100 == 0 and unit.value >= 100)
    if is_ordinal or (value == ONE) != (unit.kind == "fraction"):
        return Result(following, unit.end, None)
    if unit.text.isascii() and value == ONE and not _FRACTION_END.match(text, unit.end):
        return Result(following, unit.end, None)
    quotient = QUOTIENT.divide(value, unit.value)
    share = share_of_scale(chain, following, quotient) or share_of_percent(
        text, chain, following, quotient
    )
    return share or Result(following, unit.end, quotient)
