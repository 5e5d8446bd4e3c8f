"""Numbers in text, as values: digits, Chinese numerals, Russian and English words."""

import re
from collections.abc import Iterator
from decimal import Decimal
from heapq import merge
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.text.number.candidate import EXACT, ONE, Reading, scaled
from assay.text.number.figure import figures
from assay.text.number.numeral import fractions, numerals
from assay.text.number.unit import Unit, unit_after, unit_before
from assay.text.number.word import number_words
from assay.text.span import Span
from assay.text.surface import Surface, surface

UnitClass: TypeAlias = Literal["percent", "currency"] | None

_DASH: Final = re.compile(r"\s?(?:-|—|~|至|到|\.\.\.?|…)\s?(?=[0-9])")
_PARTS_OF_HUNDRED: Final = frozenset({"percent", "permille"})
_SCALE_WORD: Final = re.compile(
    r"(?:тыс\.?|тысяч[а-я]*|млн\.?|млрд\.?|милли[а-я]+|thousand|million|billion)\Z", re.IGNORECASE
)
_LETTERS: Final = re.compile(r"[A-Za-z\u0400-\u04ff]")
_NEGATIVE_WORD: Final = re.compile(r"(?:\b(?:минус|minus|negative)\s|负|零下)\s?\Z", re.IGNORECASE)
# A hyphen is a minus only where nothing before it makes it a range, a bullet in a code or a
# compound word.
_MINUS: Final = re.compile(
    r"(?:\A|(?<![0-9%])\s|[(\[{<>=≤≥≈:：，,;；\"'«“「/为是到至达约于了率差])-\Z"
)


class Number(Struct, frozen=True, kw_only=True):
    """A number and where it stands.

    ``value`` of five percent is 5, with ``unit`` ``"percent"``; of money it is the amount, with
    ``unit`` ``"currency"`` and the ISO code in ``currency`` (``¥`` is read as CNY, ``$`` as USD).
    ``alternative`` is the other reading where a separator is ambiguous (``42,000`` may be 42).
    ``start`` and ``end`` cover the number with its scale word and sign, ``unit_span`` the unit
    beside it (``None`` where the unit is that of a range's second number).
    """

    value: Decimal
    start: int
    end: int
    unit: UnitClass = None
    currency: str | None = None
    alternative: Decimal | None = None
    unit_span: Span | None = None

    @property
    def canonical(self) -> str:
        """The value without exponent, grouping or idle zeros: ``42000``, ``3.5``."""
        return canonical(self.value)


def canonical(value: Decimal) -> str:
    """One spelling for every value: no exponent, no idle zeros.

    >>> canonical(Decimal("235.0")), canonical(Decimal("4.2E+4")), canonical(Decimal("-0"))
    ('235', '42000', '0')
    """
    written = f"{value:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return "0" if written in {"-0", ""} else written


def numbers(text: str) -> list[Number]:
    """All numbers in ``text``, from left to right, none inside another.

    What separators mean is said in ``assay.text.number.figure``. Digits right after letters (``A4``,
    ``8d02``) and dotted codes (``3.2.1``) are no numbers; the parts of a date are. In a range
    the second number's scale and unit hold for the first too (``5–10 млн``).

    >>> [n.canonical for n in numbers("4.2万元, 42 000 руб., forty-two thousand, 百分之五")]
    ['42000', '42000', '42000', '5']
    """
    flat = surface(text)
    readings = _joined(flat.text, _apart(_all_readings(flat.text)))
    readings = _ranges(flat.text, readings)
    return [_number(flat, reading) for reading in readings]


def same_number(a: Number, b: Number) -> bool:
    """Whether two numbers say the same.

    Values must be equal, an ambiguous separator counting as ``same_value`` says; percent
    agrees only with percent; two named currencies must be the same, a bare number fits any.

    >>> a, b, c = numbers("235,0 and 235.0 and 235%")
    >>> same_number(a, b), same_number(a, c)
    (True, False)
    """
    if (a.unit == "percent") != (b.unit == "percent"):
        return False
    if a.currency is not None and b.currency is not None and a.currency != b.currency:
        return False
    return same_value(a, b)


def same_value(a: Number, b: Number) -> bool:
    """Whether the values agree, units aside.

    ``42.500`` may say 42500 to anyone, but ``42,500`` says 42.5 only to a number that is as
    ambiguous: otherwise 42 would be found in ``42,000``.
    """
    return a.value == b.value or _also_says(a, b) or _also_says(b, a)


def _also_says(a: Number, b: Number) -> bool:
    if a.alternative is None or a.alternative != b.value:
        return False
    return b.alternative is not None or a.alternative.copy_abs() > a.value.copy_abs()


def _all_readings(text: str) -> Iterator[Reading]:
    sources: list[Iterator[Reading]] = [fractions(text), figures(text), numerals(text)]
    if _LETTERS.search(text):
        sources.append(number_words(text))
    # Equal starts keep the order of the sources, so that a fraction goes before its parts.
    return merge(*sources, key=lambda reading: reading.start)


def _apart(readings: Iterator[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    end = -1
    for reading in readings:
        if reading.start >= end:
            kept.append(reading)
            end = reading.end
    return kept


def _joined(text: str, readings: list[Reading]) -> list[Reading]:
    """Put together what one number says in two parts: 3 млн 200 тыс., 5 тысяч 300."""
    out: list[Reading] = []
    for reading in readings:
        if out and _continues(text, out[-1], reading):
            before = out[-1]
            total = EXACT.add(before.value, reading.value)
            out[-1] = before._replace(end=reading.end, value=total, alternative=None)
        else:
            out.append(reading)
    return out


def _continues(text: str, before: Reading, after: Reading) -> bool:
    if before.scale < 1000 or text[before.end : after.start] not in {" ", ". "}:
        return False
    if _SCALE_WORD.search(text, before.start, before.end) is None:
        return False
    if after.scale == ONE and (
        after.value >= 1000 or after.value != after.value.to_integral_value()
    ):
        return False
    if after.scale == ONE and before.scale > 1000:
        # "5 млн 300" may be two numbers in a table; with a scale word it is one.
        return False
    return after.scale < before.scale and after.value < before.scale and not after.percent


def _ranges(text: str, readings: list[Reading]) -> list[Reading]:
    out = list(readings)
    for place, (first, second) in enumerate(pairwise(readings)):
        if (
            first.scale == ONE < second.scale
            and (dash := _DASH.match(text, first.end))
            and dash.end() == second.start
            and first.value < second.value
            and scaled(first.value, second.scale) < second.value
            and unit_after(text, first.end) is None
        ):
            out[place] = first._replace(
                value=scaled(first.value, second.scale), alternative=None, scale=second.scale
            )
    return out


def _number(flat: Surface, reading: Reading) -> Number:
    text = flat.text
    own, start = _unit(text, reading), reading.start
    unit = own or _unit_of_range(text, reading.end)
    value, alternative = reading.value, reading.alternative
    if unit is not None and unit.name == "permille":
        value, alternative = scaled(value, Decimal("0.1")), None
    sign = _sign(text, own.start if own is not None and own.end <= start else start)
    if sign is not None:
        value = value.copy_negate()
        alternative = None if alternative is None else alternative.copy_negate()
        start = min(sign, start)
    span = flat.span(start, reading.end)
    percent = reading.percent or (unit is not None and unit.name in _PARTS_OF_HUNDRED)
    money = None if unit is None or percent else unit.name
    return Number(
        value=value,
        alternative=alternative,
        start=span.start,
        end=span.end,
        unit="percent" if percent else "currency" if money else None,
        currency=money,
        unit_span=None if own is None else flat.span(own.start, own.end),
    )


def _unit(text: str, reading: Reading) -> Unit | None:
    if reading.percent:
        return Unit("percent", reading.start, reading.end)
    after, before = unit_after(text, reading.end), unit_before(text, reading.start)
    return after if before is None or (after and after.name in _PARTS_OF_HUNDRED) else before


def _unit_of_range(text: str, end: int) -> Unit | None:
    """The unit after the second number of a range, for the first: 5–10%."""
    dash = _DASH.match(text, end)
    if dash is None:
        return None
    rest = text[dash.end() : dash.end() + 40]
    other = next(figures(rest), None)
    if other is None or other.start != 0:
        return None
    return unit_after(rest, other.end)


def _sign(text: str, start: int) -> int | None:
    """Where the sign of a negative number begins, or ``None`` for a positive one."""
    before = text[max(0, start - 10) : start]
    word = _NEGATIVE_WORD.search(before)
    if word is not None:
        return start - len(word.group())
    if before.endswith("-") and (_MINUS.search(before) or start == 1):
        return start - 1
    return None
