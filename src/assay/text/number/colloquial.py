"""What spoken Chinese adds to a number: 三十多万, 九十九块九, 两个半小时, 一米八.

Each of these changes the value, so a number that ends before it would be wrong.
"""

import re
from decimal import Decimal
from functools import cache
from typing import Final

from assay.text.lexicon import alternatives, entry, lazy_pattern
from assay.text.number.candidate import EXACT, ONE, Reading, scaled
from assay.text.number.han import DIGITS, NUMERAL, UNITS

_DIGIT: Final = "[一二两三四五六七八九壹贰叁肆伍陆柒捌玖1-9]"
_MANY: Final = lazy_pattern("[个個](?P<more>多)?(?P<unit>[亿億])", re.NOFLAG)
_HUNDRED_MILLION: Final = frozenset("亿億")
_TENTH: Final = Decimal("0.1")
_HUNDREDTH: Final = Decimal("0.01")
_HALF: Final = Decimal("0.5")


def _money_expression() -> str:
    jiao, fen = (alternatives(f"number.{name}", "zh") for name in ("jiao", "fen"))
    # A digit that counts something else is no money: 三块九个.
    last = rf"(?![0-9点{NUMERAL}]|\.[0-9]|{alternatives('number.measure', 'zh')})"
    cents = rf"(?:零?(?P<fen>{_DIGIT})(?:{fen}|{last}))?"
    return (
        rf"(?:{alternatives('number.yuan', 'zh')})零?(?P<jiao>{_DIGIT})(?:{jiao}){cents}"
        rf"|(?:{alternatives('number.yuan', 'zh')})零?(?P<only_fen>{_DIGIT})(?:{fen})"
        rf"|(?:{alternatives('number.kuai', 'zh')})零?(?P<bare>{_DIGIT}){last}"
    )


_MONEY: Final = lazy_pattern(_money_expression)
_SMALL_MONEY: Final = lazy_pattern(
    lambda: (
        rf"(?P<jiao>{alternatives('number.jiao_alone', 'zh')})(?:(?P<fen>{_DIGIT})(?:分|(?![0-9{NUMERAL}]|{alternatives('number.counted_after', 'zh')})))?"
        rf"|(?P<only_fen>{alternatives('number.fen_alone', 'zh')})"
    )
)
_MORE: Final = lazy_pattern(
    lambda: (
        rf" ?(?:{alternatives('number.more', 'zh')})(?P<units> [万萬亿億]+|[十拾百佰千仟万萬亿億]*)"
    )
)
_AND_A_HALF: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('number.half_measure', 'zh')})半(?!{alternatives('number.not_half', 'zh')})"
    )
)
_METRE: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('number.metre', 'zh')})(?P<tenth>{_DIGIT})(?P<hundredth>{_DIGIT})?"
        rf"(?![0-9{NUMERAL}]|\.[0-9]|{alternatives('number.measure', 'zh')})"
    )
)
_UNREADABLE: Final = lazy_pattern(lambda: alternatives("number.unreadable_after", "zh"))


@cache
def _first_characters() -> frozenset[str]:
    """The characters with which a tail may begin; most numbers are followed by another one."""
    return frozenset(str(entry("zh", "number.tail_start")))


def with_colloquial_tail(text: str, reading: Reading) -> Reading:
    """The number with what follows it, or the number itself if nothing does.

    It is not readable if what follows is not understood, as in 二十几 and 两点半.
    """
    following = text[reading.end : reading.end + 4]
    if following[:1] == " ":
        return _with_more(text, reading) if following[1:2] in _first_characters() else reading
    if (many := _MANY.match(text, reading.end)) is not None:
        about = reading.approximate or many["more"] is not None
        reading = reading._replace(end=many.end(), approximate=about)
        return _times(reading, UNITS[many["unit"]])
    if following[:1] not in _first_characters() and "半" not in following:
        return reading
    if not reading.readable:
        return reading
    if (unreadable := _UNREADABLE.match(text, reading.end)) is not None:
        return reading._replace(end=unreadable.end(), readable=False)
    reading = _with_more(text, reading)
    if (half := _AND_A_HALF.match(text, reading.end)) is not None:
        value = EXACT.add(reading.value, _HALF)
        reading = reading._replace(end=half.end(), value=value, alternative=None)
        if text[half.end() : half.end() + 1] in _HUNDRED_MILLION:
            return _times(reading._replace(end=half.end() + 1), UNITS["亿"])
        return reading
    if (metre := _METRE.match(text, reading.end)) is not None:
        extra = _tenths(metre["tenth"], metre["hundredth"])
        return reading._replace(end=metre.end(), value=EXACT.add(reading.value, extra))
    return _with_money(text, reading)


def _times(reading: Reading, unit: int) -> Reading:
    """The number times a unit that follows it: 三个亿, 两个半亿."""
    scale = Decimal(unit)
    value = scaled(reading.value, scale)
    return reading._replace(value=value, alternative=None, scale=scale)


def _with_more(text: str, reading: Reading) -> Reading:
    more = _MORE.match(text, reading.end)
    last = text[reading.end - 1]
    if more is None:
        return reading
    if not (last == "0" or last in UNITS or reading.percent or more["units"]):
        return reading
    scale = ONE
    for unit in more["units"].lstrip():
        scale = scaled(scale, Decimal(UNITS[unit]))
    return reading._replace(
        end=more.end(),
        value=scaled(reading.value, scale),
        alternative=None,
        scale=max(reading.scale, scale),
        approximate=True,
    )


def _with_money(text: str, reading: Reading) -> Reading:
    money = _MONEY.match(text, reading.end)
    if money is not None:
        extra = _tenths(money["bare"] or money["jiao"], money["fen"] or money["only_fen"])
        value = EXACT.add(reading.value, extra)
    elif (money := _SMALL_MONEY.match(text, reading.end)) is not None:
        if reading.value >= (10 if money["jiao"] else 100):
            return reading._replace(end=money.end(), readable=False)
        if money["jiao"]:
            value = EXACT.add(scaled(reading.value, _TENTH), _tenths(None, money["fen"]))
        else:
            value = scaled(reading.value, _HUNDREDTH)
    else:
        return reading
    return reading._replace(end=money.end(), value=value, alternative=None, currency="CNY")


def _tenths(tenth: str | None, hundredth: str | None) -> Decimal:
    first, second = (_digit(digit) if digit else 0 for digit in (tenth, hundredth))
    return first * _TENTH + second * _HUNDREDTH


def _digit(character: str) -> int:
    return int(character) if character.isascii() else DIGITS[character]
