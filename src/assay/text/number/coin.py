"""Amounts whose hundredths are written apart: 350 рублей 20 копеек, $3 and 20 cents."""

from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.candidate import EXACT, Reading, scaled
from assay.text.number.unit import HUNDREDTH, Unit, unit_after, unit_before

_LINK: Final = lazy_pattern(lambda: alternatives("number.cents_link"))
_LINK_AFTER_SIGN: Final = lazy_pattern(lambda: alternatives("number.cents_link_after_sign"))
_END: Final = lazy_pattern(lambda: alternatives("number.cents"))
_MOST: Final = 100
_BOUGHT: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('number.sum_before', 'ru')})[^\n]{{0,24}}\Z"
)
"""Before an amount without a unit: the line of a sum to be paid."""
_NEAR: Final = 48


def join_coins(text: str, readings: list[Reading]) -> list[Reading]:
    """Join an amount and its hundredths: 350 рублей 20 копеек, five dollars and ten cents."""
    joined: list[Reading] = []
    for reading in readings:
        before = joined[-1] if joined else None
        unit = None if before is None else _shared_unit(text, before, reading)
        if before is not None and unit is not None:
            total = EXACT.add(before.value, scaled(reading.value, HUNDREDTH))
            joined[-1] = before._replace(end=reading.end, value=total, currency=unit.name)
        else:
            joined.append(reading)
    return joined


def _shared_unit(text: str, before: Reading, coins: Reading) -> Unit | None:
    """The currency of both readings if the second is the hundredths of the first."""
    if not before.readable or not coins.readable or coins.value >= _MOST:
        return None
    if _LINK.fullmatch(text, before.end, coins.start) and _END.match(text, coins.end):
        return unit_after(text, before.end)
    is_whole = before.value == before.value.to_integral_value()
    if is_whole and _has_hyphen(text, before, coins):
        return Unit("RUB", before.start, coins.end)
    if is_whole and _LINK_AFTER_SIGN.fullmatch(text, before.end, coins.start):
        coin = unit_after(text, coins.end)
        return unit_before(text, before.start) if coin and coin.share == HUNDREDTH else None
    return None


def _has_hyphen(text: str, before: Reading, coins: Reading) -> bool:
    """Whether a hyphen is between roubles and two digits of kopecks: «к оплате 23 980-00 руб.».

    A range ascends, so what follows it would be more.
    """
    is_pair = text[before.end : coins.start] == "-" and text[coins.start : coins.end].isdecimal()
    if not is_pair or coins.end - coins.start != 2 or coins.value >= before.value:
        return False
    unit = unit_after(text, coins.end)
    if unit is not None:
        return unit.name == "RUB" and unit.share != HUNDREDTH
    return _BOUGHT.search(text, max(0, before.start - _NEAR), before.start) is not None
