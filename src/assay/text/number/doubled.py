"""Numbers in brackets: written twice, in digits and in words (thirty (30) days), or with a scale behind them.

In accounts a number in brackets is negative: (1,234) thousand. Elsewhere such a number is not understood.
"""

import re
from decimal import Decimal
from typing import Final

from assay.text.lexicon import lazy_pattern
from assay.text.number.candidate import ONE, Reading, scaled
from assay.text.number.han import UNITS
from assay.text.number.sign import follows_account, inner_sign
from assay.text.number.tail import scale_words
from assay.text.number.unit import unit_before

_OPEN: Final = lazy_pattern(r"\s?\(\s?", re.NOFLAG)
_CLOSE: Final = lazy_pattern(r"\s?\)", re.NOFLAG)
_HAN_SCALE: Final = lazy_pattern("([万萬亿億])", re.NOFLAG)
_DIGIT: Final = re.compile("[0-9]")


def join_doubled(text: str, readings: list[Reading]) -> list[Reading]:
    """Make one reading of a number and the same value in brackets in the other notation.

    One of the two must be in digits and the other in words or numerals: ``Article 5 (5)`` has
    two numbers. The reading ends after the bracket, so that the unit behind it belongs to it.
    """
    joined: list[Reading] = []
    for reading in readings:
        before = joined[-1] if joined else None
        close = _CLOSE.match(text, reading.end)
        if before is not None and close is not None and _is_doubled(text, before, reading):
            # Words are not ambiguous, digits may be: 42.500 (forty-two thousand five hundred).
            exact = before if before.alternative is None else reading
            whole = exact._replace(start=before.start, end=close.end(), alternative=None)
            joined[-1] = _with_scale_behind(text, whole)
        else:
            joined.append(reading)
    return joined


def scale_bracketed(text: str, readings: list[Reading]) -> list[Reading]:
    """Apply the scale word behind a bracket to the number in it: убыток (1 234) тыс. руб."""
    return [_with_scale_of_bracket(text, reading) for reading in readings]


def _with_scale_of_bracket(text: str, reading: Reading) -> Reading:
    start, end = reading.start, reading.end
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")" or reading.scale > ONE:
        return reading
    scale, scale_end = _scale_behind(text, end + 1)
    if scale == ONE:
        return reading
    is_money = inner_sign(text, start, end)
    unit = unit_before(text, start - 1) if is_money else None
    return reading._replace(
        end=scale_end,
        value=scaled(reading.value, scale).copy_negate(),
        alternative=None,
        scale=scale,
        currency=unit.name if unit is not None else reading.currency,
        readable=reading.readable and (is_money or follows_account(text, start)),
    )


def _scale_behind(text: str, end: int) -> tuple[Decimal, int]:
    han = _HAN_SCALE.match(text, end)
    return (Decimal(UNITS[han[1]]), han.end()) if han is not None else scale_words(text, end)


def _with_scale_behind(text: str, reading: Reading) -> Reading:
    """The number with the scale word behind the bracket: 15 (пятнадцать) миллионов рублей."""
    if reading.scale > ONE:
        return reading
    scale, end = _scale_behind(text, reading.end)
    if scale == ONE:
        return reading
    return reading._replace(end=end, value=scaled(reading.value, scale), scale=scale)


def _is_doubled(text: str, first: Reading, second: Reading) -> bool:
    if not (first.readable and second.readable) or first.percent != second.percent:
        return False
    values = {first.value, first.alternative} & {second.value, second.alternative} - {None}
    is_other = bool(_DIGIT.search(text, first.start, first.end)) != bool(
        _DIGIT.search(text, second.start, second.end)
    )
    return bool(values) and is_other and _OPEN.fullmatch(text, first.end, second.start) is not None
