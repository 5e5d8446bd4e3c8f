"""The unit of a number: percent, per mille, a known currency, or the hundredth part of one."""

from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from assay.text.lexicon import expressions, lazy_pattern
from assay.text.number.candidate import ONE

_SIGNS: Final = {
    "RUB": "₽",
    "USD": r"\$",
    "EUR": "€",
    "GBP": "£",
    "JPY": None,
    "HKD": r"hk\$",
    "CNY": "¥",
}
"""The currencies in the order in which they are tried after a number, each with its sign."""
_COINS: Final = ("EUR", "USD", "GBP", "RUB")
"""The currencies with a small coin, in the order in which the coins are tried: евроцент, цент."""
_COIN: Final = "coin_"
PERMILLE: Final = "permille"
_SHARES: Final = {PERMILLE: Decimal("0.1"), "permyriad": Decimal("0.01")}
_CODES_BEFORE: Final = {
    "HKD": r"hk\$|hkd",
    "USD": r"us\$|usd|\$",
    "EUR": "eur|€",
    "GBP": "gbp|£",
    "RUB": "rub|₽",
    "JPY": "jpy",
    "CNY": "cny|rmb|¥",
}


def _after() -> str:
    percent = "|".join((r"\s?%", *expressions("unit.percent")))
    currencies = (
        f"(?P<{code}>\\s?(?:{'|'.join((*filter(None, [sign]), *expressions(f'unit.currency.{code}')))}))"
        for code, sign in _SIGNS.items()
    )
    coins = (f"(?P<{_COIN}{code}>{'|'.join(expressions(f'unit.coin.{code}'))})" for code in _COINS)
    permille = "|".join((r"\s?‰", *expressions("unit.permille", required=False)))
    shares = (f"(?P<permille>{permille})", f"(?P<percent>{percent})", r"(?P<permyriad>\s?‱)")
    return "|".join((*shares, *coins, *currencies))


def _before() -> str:
    words = {"CNY": expressions("unit.currency_before.CNY")}
    currencies = (
        f"(?P<{code}>{'|'.join((pattern, *words.get(code, ())))})"
        for code, pattern in _CODES_BEFORE.items()
    )
    # A currency sign after a number belongs to that number: 100 € 200.
    return rf"(?<![A-Za-z0-9])(?<![0-9] )(?:{'|'.join(currencies)})\s?\Z"


HUNDREDTH: Final = Decimal("0.01")
_AFTER_PATTERN: Final = lazy_pattern(_after)
_BEFORE_PATTERN: Final = lazy_pattern(_before)


class Unit(NamedTuple):
    """A unit beside a number: ``percent`` or a currency code.

    ``share`` is how much of it one of what is written is: 0.01 for cents, 0.1 for ``‰``.
    """

    name: str
    start: int
    end: int
    share: Decimal = ONE


def unit_after(text: str, end: int) -> Unit | None:
    """The unit after a number that ends at ``end`` in a surface text; ``None`` if none."""
    match = _AFTER_PATTERN.match(text, end)
    if match is None:
        return None
    lead = len(match.group()) - len(match.group().lstrip())
    name = str(match.lastgroup)
    start, end = match.start() + lead, match.end()
    if name in _SHARES:
        return Unit("percent", start, end, _SHARES[name])
    if name.startswith(_COIN):
        return Unit(name.removeprefix(_COIN), start, end, HUNDREDTH)
    return Unit(name, start, end)


def as_permille(unit: Unit) -> Unit:
    """Per mille as a unit of its own, instead of a tenth of a percent; any other unit as it is.

    >>> unit = unit_after("7‰", 1)
    >>> (unit.name, str(unit.share)), as_permille(unit).name
    (('percent', '0.1'), 'permille')
    """
    is_permille = unit.name == "percent" and unit.share == _SHARES[PERMILLE]
    return Unit(PERMILLE, unit.start, unit.end) if is_permille else unit


def unit_before(text: str, start: int) -> Unit | None:
    """The currency before a number that starts at ``start``: $5, USD 5, 人民币5."""
    floor = max(0, start - 7)
    unit = _unit_at_end(text[floor:start])
    return None if unit is None else Unit(unit.name, floor + unit.start, floor + unit.end)


@lru_cache(maxsize=1 << 12)
def _unit_at_end(before: str) -> Unit | None:
    """The currency at the end of the few characters before a number; the same ones come often."""
    match = _BEFORE_PATTERN.search(before)
    if match is None:
        return None
    start = match.start()
    return Unit(str(match.lastgroup), start, start + len(match.group().rstrip()))
