"""The signs at a number: its currency, per cent, a minus, a comparison.

They are no words, so a text can contain all words of a quotation and still say something else: $500 for
€500, 5 °C for -5 °C, > 5 for < 5, 5 for 5 %. A currency may be left out, as in a reworded sentence, but
not exchanged; the other signs must be the same.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from assay.text import Number, read_numbers
from assay.text.lexicon import alternatives, lazy_pattern

POINT: Final = lazy_pattern(lambda: alternatives("unit.percentage_point"))
"""The unit of a difference between two percentages."""
_NEGATIVE: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.negative')})\s?")
_COMPARISON: Final = re.compile(r"(?<![-=<>~])(<=|>=|[<>≤≥⩽⩾≦≧≈±]|(?<![0-9%])~)\s?\Z")
_SAME: Final = {"⩽": "≤", "≦": "≤", "<=": "≤", "⩾": "≥", "≧": "≥", ">=": "≥"}
_SHARE_SIGNS: Final = {"%": "percent", "‰": "permille", "‱": "permyriad"}
_MONEY_WORDS: Final = tuple(f"unit.currency.{code}" for code in ("RUB", "USD", "EUR", "GBP", "CNY"))
_DIGITS: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
# Without digits and signs, only words for money, per cent or minus are signs of a number.
_ANY: Final = lazy_pattern(
    lambda: (
        r"[0-9%‰‱<>≤≥⩽⩾≦≧≈±~$€£¥₽¢₤₩₪₫₱₴₸₹₺₿-]|"
        + "|".join(
            alternatives(key)
            for key in ("unit.percent", "unit.permille", "number.negative", *_MONEY_WORDS)
        )
        + "|分之"
    )
)


class Sign(NamedTuple):
    """The signs at a number, and the number as it is written with them."""

    form: str
    is_negative: bool = False
    currency: str = ""
    share: str = ""
    comparison: str = ""


def signs(text: str) -> dict[int, Sign]:
    """The signs of ``text``, a text in normal form, by the offset of the digits or words of their number.

    >>> {at: (sign.form, sign.is_negative) for at, sign in signs("was -5 °C, not 5 °C").items()}
    {5: ('-5', True)}
    """
    if not _ANY.search(text):
        return {}
    found: dict[int, Sign] = {}
    end = 0
    for number in read_numbers(text):
        found.update(_outside(text, end, number.start))
        at, sign = _of_number(text, number)
        if any(sign[1:]):
            found[at] = sign
        end = number.end
    found.update(_outside(text, end, len(text)))
    return found


def _of_number(text: str, number: Number) -> tuple[int, Sign]:
    word = _NEGATIVE.match(text, number.start)
    at = word.end() if word and word.end() < number.end else number.start
    while at < number.end - 1 and not text[at].isalnum():
        at += 1
    unit = number.unit_span
    begin = min(number.start, unit.start) if unit else number.start
    end = max(number.end, unit.end) if unit else number.end
    share: str = number.unit if number.unit in {"percent", "permille"} else ""
    if share and unit and (points := POINT.match(text, unit.start)):
        share, end = "point", points.end()
    is_negative = number.value < 0 and (text[number.start] == "-" or word is not None)
    currency = number.currency or _money(text, begin, end)
    return at, Sign(text[begin:end], is_negative, currency, share or "", _comparison(text, begin))


def _outside(text: str, start: int, end: int) -> Iterator[tuple[int, Sign]]:
    """Yield the signs at digits that are not read as a number."""
    for match in _DIGITS.finditer(text, start, end):
        begin, stop = match.span()
        after = text[stop : stop + 2].lstrip()[:1]
        sign = Sign(
            match.group() + (after if after in _SHARE_SIGNS else ""),
            currency=_money(text, begin, stop),
            share=_SHARE_SIGNS.get(after, ""),
            comparison=_comparison(text, begin),
        )
        if any(sign[1:]):
            yield begin, sign


def _money(text: str, begin: int, end: int) -> str:
    """A sign of money right before or after a number, if it is of no currency that is known by name."""
    beside = text[begin - 1 : begin], text[end : end + 1]
    return next((sign for sign in beside if sign and unicodedata.category(sign) == "Sc"), "")


def _comparison(text: str, begin: int) -> str:
    while begin and unicodedata.category(text[begin - 1]) == "Sc":
        begin -= 1
    found = _COMPARISON.search(text, max(0, begin - 4), begin)
    return _SAME.get(found[1], found[1]) if found else ""


def changed_sign(quoted: Sign, source: Sign) -> str | None:
    """Why the signs at one number say something else in the quotation; or ``None``.

    >>> changed_sign(Sign("€500", currency="EUR"), Sign("$500", currency="USD"))
    'number changed: $500 -> €500'
    """
    is_other_money = quoted.currency and source.currency and quoted.currency != source.currency
    if is_other_money or (quoted.is_negative, quoted.share) != (source.is_negative, source.share):
        return f"number changed: {source.form} -> {quoted.form}"
    if quoted.comparison != source.comparison:
        kind = "changed" if quoted.comparison and source.comparison else "added"
        kind = "dropped" if not quoted.comparison else kind
        return f"limit {kind}: {source.comparison or quoted.comparison} ({quoted.form})"
    return None
