"""Ranges of numbers: what is written only once applies to both ends (5–10 млн, $25–30k)."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from math import prod
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.candidate import ONE, Reading, scaled
from assay.text.number.chain import SCALING, chains
from assay.text.number.han import NUMERAL, UNITS
from assay.text.number.unit import Unit, unit_after

_HUNDRED: Final = Decimal(100)
_MYRIAD: Final = 10**4
_LONGEST_LINK: Final = 8
"""The longest text between the ends of a range has fewer characters."""
_DASH: Final = r"\s?(?:-|—|~|\.\.\.?|…)\s?"
_RANGE: Final = lazy_pattern(
    lambda: (
        rf"(?:(?P<dash>{_DASH}|至|到)"
        rf"|{alternatives('number.range')}|(?P<between>{alternatives('number.range_between')}))[$£€¥₽]?"
    )
)
_TIGHT_LINKS: Final = frozenset("-—~至到")
_BETWEEN: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.between')})[$£€¥₽]?\Z")
_DIGIT_BELOW: Final = Decimal(10)
# 三百万, of which a range shares 百万; in 三十万 and 三百五十万 it is not clear what it shares.
_HAN_SCALE: Final = lazy_pattern(
    r"(?:[0-9]+(?:\.[0-9]+)?|.) ?(?P<units>[百佰千仟][万萬亿億]+)", re.NOFLAG
)
_HAN_SMALL_UNIT: Final = lazy_pattern(
    r"[^万萬亿億]*[十拾百佰千仟廿卅卌][^万萬亿億]*[万萬亿億]", re.NOFLAG
)
# After the second number of a range: nothing that it counts.
_END: Final = lazy_pattern(r"\s*(?:\Z|[.,;:!?)\]。，；：！？、）])")


def scale_ranges(text: str, readings: list[Reading]) -> list[Reading]:
    """Apply the scale word of the second number of a range to the first: 5–10 млн."""
    result = list(readings)
    for index, (first, second) in enumerate(pairwise(readings)):
        if not second.readable and text[first.end : second.start] in _TIGHT_LINKS:
            result[index] = first._replace(readable=False)  # 3-5折, 3~5成
        elif (
            _may_be_scaled(text, first)
            and second.scale > first.scale
            and first.value < second.value
            and scaled(first.value, second.scale) < second.value
            and _are_range(text, first, second)
            and unit_after(text, first.end) is None
        ):
            scale = _shared_scale(text, first, second)
            value = None if scale is None else scaled(first.value, scale)
            if scale is None or value is None or value >= second.value:
                result[index] = first._replace(readable=False)
            else:
                result[index] = first._replace(value=value, alternative=None, scale=scale)
    return result


def _shared_scale(text: str, first: Reading, second: Reading) -> Decimal | None:
    """What the end of a range counts in, if its beginning counts in the same: hundred thousand.

    A single digit takes all scale words of "two to three hundred thousand", but a larger number only
    the last one: "twenty to three hundred thousand". ``None`` if it is not clear what a digit takes:
    three to four hundred and fifty thousand.
    """
    if first.scale != ONE or first.value >= _DIGIT_BELOW:
        return second.scale
    form = text[second.start : second.end]
    if (han := _HAN_SCALE.fullmatch(form)) is not None:
        return Decimal(prod(UNITS[unit] for unit in han["units"]))
    if _HAN_SMALL_UNIT.match(form):
        return None
    words = [] if form[0].isdigit() else next(chains(form), [])
    large = next((at for at, word in enumerate(words) if word.kind == "scales"), len(words))
    before = [word.kind in SCALING for word in words[:large]]
    if not any(before) or large == len(words):
        return second.scale
    if before != sorted(before):
        return None
    return prod((word.value for word in words[: large + 1] if word.kind in SCALING), start=ONE)


def _may_be_scaled(text: str, reading: Reading) -> bool:
    """Whether a number may take its scale word from the end of its range: 一千八百至1898亿."""
    if reading.scale in {ONE, _HUNDRED}:
        return True
    return reading.scale < _MYRIAD and text[reading.end - 1] in NUMERAL


def _are_range(text: str, first: Reading, second: Reading) -> bool:
    link = _RANGE.fullmatch(text, first.end, second.start)
    if link is None:
        return False
    if link["between"]:
        return _BETWEEN.search(text, max(0, first.start - 10), first.start) is not None
    return True


def shared_units(
    text: str, readings: Sequence[Reading], units: Sequence[Unit | None]
) -> list[Unit | None]:
    """The unit that each number without one takes from the other end of its range.

    ``units`` are those beside the numbers. What follows the second number applies to the first
    (3 to 5 percent), and what precedes the first one to the second ($25-30k).
    """
    result: list[Unit | None] = [None] * len(readings)
    for index, (first, second) in enumerate(pairwise(readings)):
        before, after = units[index], units[index + 1]
        if (before is None) == (after is None) or second.start - first.end > _LONGEST_LINK:
            continue
        if after is not None and after.end > second.start:
            if _are_range(text, first, second) and _is_ascending(text, first, second):
                result[index] = after
        elif (
            before is not None
            and before.end <= first.start
            and first.value < second.value
            and _are_range(text, first, second)
            and _has_no_other_unit(text, first, second)
        ):
            result[index + 1] = before
    return result


def _is_ascending(text: str, first: Reading, second: Reading) -> bool:
    """Whether two numbers may be a range; after a dash they always may."""
    link = _RANGE.fullmatch(text, first.end, second.start)
    return bool(link and link["dash"]) or first.value < second.value


def _has_no_other_unit(text: str, first: Reading, second: Reading) -> bool:
    """Whether the second number counts nothing else: $3-5, $5 to 10 million, not $5 to 10 men."""
    is_tight = text[first.end : second.start] in _TIGHT_LINKS
    return is_tight or second.scale > ONE or _END.match(text, second.end) is not None
