"""The unit of a number: percent, per mille, or a known currency."""

from functools import lru_cache
from typing import Final, NamedTuple

from assay.text.lexicon import expressions, lazy_pattern

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
    return "|".join(
        (f"(?P<percent>{percent})", r"(?P<permille>\s?‰)", r"(?P<permyriad>\s?‱)", *currencies)
    )


def _before() -> str:
    words = {"CNY": expressions("unit.currency_before.CNY")}
    currencies = (
        f"(?P<{code}>{'|'.join((pattern, *words.get(code, ())))})"
        for code, pattern in _CODES_BEFORE.items()
    )
    # A currency sign after a number belongs to that number: 100 € 200.
    return rf"(?<![A-Za-z0-9])(?<![0-9] )(?:{'|'.join(currencies)})\s?\Z"


_AFTER_PATTERN: Final = lazy_pattern(_after)
_BEFORE_PATTERN: Final = lazy_pattern(_before)


class Unit(NamedTuple):
    """A unit beside a number: ``percent``, ``permille``, ``permyriad`` or a currency code."""

    name: str
    start: int
    end: int


def unit_after(text: str, end: int) -> Unit | None:
    """The unit after a number that ends at ``end`` in a surface text; ``None`` if none."""
    match = _AFTER_PATTERN.match(text, end)
    if match is None:
        return None
    lead = len(match.group()) - len(match.group().lstrip())
    return Unit(str(match.lastgroup), match.start() + lead, match.end())


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
