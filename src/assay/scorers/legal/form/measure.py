"""Numbers with a unit of measure, compared in any unit: 1.5 tonnes and 1,500 kg, 六里 and 3公里."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from assay.scorers.value import quantities
from assay.text import Number, Span, numbers, words
from assay.text.lexicon import alternatives, lazy_pattern

_UNITS: Final = {
    "millimetre": ("length", Fraction(1, 1000)),
    "centimetre": ("length", Fraction(1, 100)),
    "kilometre": ("length", Fraction(1000)),
    "metre": ("length", Fraction(1)),
    "li": ("length", Fraction(500)),
    "mile": ("length", Fraction(1609344, 1000)),
    "foot": ("length", Fraction(3048, 10000)),
    "inch": ("length", Fraction(254, 10000)),
    "kilogram": ("mass", Fraction(1)),
    "jin": ("mass", Fraction(1, 2)),
    "pound": ("mass", Fraction(45359237, 10**8)),
    "tonne": ("mass", Fraction(1000)),
    "gram": ("mass", Fraction(1, 1000)),
    "gallon": ("gallons", Fraction(1)),
    "acre": ("acres", Fraction(1)),
    "millilitre": ("volume", Fraction(1, 1000)),
    "litre": ("volume", Fraction(1)),
    "square_metre": ("area", Fraction(1)),
    "hectare": ("area", Fraction(10000)),
    "minute": ("time", Fraction(1)),
    "hour": ("time", Fraction(60)),
    "day": ("time", Fraction(1440)),
    "week": ("time", Fraction(10080)),
    "month": ("months", Fraction(1)),
    "quarter": ("months", Fraction(3)),
    "year": ("months", Fraction(12)),
}
"""What each unit measures, and how large it is."""
_FEW: Final = 4
"""In an answer of so few words a number without a unit is meant in the unit of the question."""


@cache
def _unit() -> re.Pattern[str]:
    names = sorted(_UNITS, key=lambda name: name not in {"square_metre", "kilometre", "kilogram"})
    groups = (f"(?P<{name}>{alternatives(f'form.unit.{name}')})" for name in names)
    between = alternatives("form.unit_link")
    return re.compile(rf"(?:{between})?[\s-]?(?:{'|'.join(groups)})(?![a-zа-яё0-9])", re.IGNORECASE)


_ANY_UNIT: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('form.any_unit')})")


class Measure(NamedTuple):
    """A number, what it measures and how much in the base unit; ``kind`` is empty without a unit."""

    kind: str
    amount: Fraction
    number: Number
    span: Span


def _measures(text: str) -> Iterator[Measure]:
    for number in numbers(text):
        unit = _unit().match(text, number.end)
        name = unit.lastgroup if unit else None
        if unit is None or name is None:
            span = Span(start=number.start, end=number.end)
            yield Measure("", Fraction(number.value), number, span)
        else:
            kind, size = _UNITS[name]
            amount = Fraction(number.value) * size
            yield Measure(kind, amount, number, Span(start=number.start, end=unit.end()))


def is_measure(wording: str) -> Measure | None:
    """The only number of ``wording``, with its unit; ``None`` if it has several or money."""
    found = list(_measures(wording))
    if len(found) != 1 or found[0].number.unit is not None:
        return None
    only = found[0]
    if not only.kind and (unit := _ANY_UNIT.match(wording, only.span.end)) is not None:
        return only._replace(span=Span(start=only.span.start, end=unit.end()))
    return only


def same_measures(value: Measure, text: str) -> Iterator[Span]:
    """The numbers of ``text`` that measure the same amount of the same kind."""
    if value.kind:
        for measure in _measures(text):
            if (measure.kind, measure.amount) == (value.kind, value.amount):
                yield measure.span


def bare_numbers(value: Measure, text: str) -> Iterator[Span]:
    """The only number of a short ``text``, if it has the value and no unit of measure."""
    found = [measure for measure in _measures(text) if measure.number.unit is None]
    if len(found) != 1 or len(quantities(text)) != 1 or len(words(text)) > _FEW + len(text) // 40:
        return
    if not found[0].kind and Fraction(value.number.value) == found[0].amount:
        yield found[0].span
