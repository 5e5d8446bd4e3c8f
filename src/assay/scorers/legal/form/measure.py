"""Numbers with a unit of measure, compared in any unit: 1.5 tonnes and 1,500 kg, 六里 and 3公里."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from assay.scorers.value import quantities
from assay.text import Number, Span, numbers, symbol_after, words
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_UNITS: Final = {
    # Of two names that begin alike the longer is first.
    "square_kilometre": ("area", Fraction(10**6)),
    "square_metre": ("area", Fraction(1)),
    "kilometre_an_hour": ("speed", Fraction(1)),
    "mile_an_hour": ("miles an hour", Fraction(1)),
    "kilowatt_hour": ("energy", Fraction(1)),
    "megawatt_hour": ("energy", Fraction(1000)),
    "milliamp_hour": ("charge", Fraction(1)),
    "amp_hour": ("charge", Fraction(1000)),
    "kilometre": ("length", Fraction(1000)),
    "kilogram": ("mass", Fraction(1)),
    "kilowatt": ("power", Fraction(1000)),
    "megawatt": ("power", Fraction(10**6)),
    "milliwatt": ("power", Fraction(1, 1000)),
    "kilohertz": ("frequency", Fraction(1)),
    "megahertz": ("frequency", Fraction(1000)),
    "gigahertz": ("frequency", Fraction(10**6)),
    "millimetre": ("length", Fraction(1, 1000)),
    "centimetre": ("length", Fraction(1, 100)),
    "metre": ("length", Fraction(1)),
    "li": ("length", Fraction(500)),
    "mile": ("length", Fraction(1609344, 1000)),
    "foot": ("length", Fraction(3048, 10000)),
    "inch": ("length", Fraction(254, 10000)),
    "jin": ("mass", Fraction(1, 2)),
    "pound": ("mass", Fraction(45359237, 10**8)),
    "tonne": ("mass", Fraction(1000)),
    "gram": ("mass", Fraction(1, 1000)),
    "gallon": ("gallons", Fraction(1)),
    "acre": ("acres", Fraction(1)),
    "millilitre": ("volume", Fraction(1, 1000)),
    "litre": ("volume", Fraction(1)),
    "are": ("area", Fraction(100)),
    "hectare": ("area", Fraction(10000)),
    "mu": ("mu", Fraction(1)),
    "celsius": ("celsius", Fraction(1)),
    "fahrenheit": ("fahrenheit", Fraction(1)),
    "watt": ("power", Fraction(1)),
    "volt": ("voltage", Fraction(1)),
    "amp": ("current", Fraction(1)),
    "kilobyte": ("memory", Fraction(1, 1000)),
    "megabyte": ("memory", Fraction(1)),
    "gigabyte": ("memory", Fraction(1000)),
    "terabyte": ("memory", Fraction(10**6)),
    "decibel": ("sound", Fraction(1)),
    "minute": ("time", Fraction(1)),
    "hour": ("time", Fraction(60)),
    "day": ("time", Fraction(1440)),
    "week": ("time", Fraction(10080)),
    "fortnight": ("time", Fraction(20160)),
    "month": ("months", Fraction(1)),
    "quarter": ("months", Fraction(3)),
    "year": ("months", Fraction(12)),
}
"""What each unit measures, and how large it is."""
_FEW: Final = 4
"""In an answer of so few words a number without a unit is meant in the unit of the question."""


@cache
def _unit() -> re.Pattern[str]:
    between = alternatives("form.unit_link")
    return re.compile(rf"(?:{between})?[\s-]?{_names()}(?![a-zа-яё0-9])", re.IGNORECASE)


@cache
def _names() -> str:
    """The names of all units, each in a group."""
    groups = (f"(?P<{name}>{alternatives(f'form.unit.{name}')})" for name in _UNITS)
    return f"(?:{'|'.join(groups)})"


@cache
def _single() -> re.Pattern[str]:
    """A unit without a number: a week, half an hour, a mile and a half, полгода."""
    return re.compile(
        rf"(?:{alternatives('form.single_before')}|(?P<half>{alternatives('form.half_before')}))"
        rf"(?:{_names()})(?P<more>{alternatives('form.half_after')})?(?![a-zа-яё0-9])",
        re.IGNORECASE,
    )


_RATES: Final = frozenset({"kilometre", "mile"})
_RATE: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.rate_before')})\Z")
"""Before a number: 时速30公里 is 30 km/h."""
_NOTHING: Final = re.compile(r"\s*(?:[.,;:!?)。，；！？]|\Z)")
_WORKDAY: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('unit.time.workday')})")
"""After a number: it counts other days than those of the calendar."""
_SUM_LINK: Final = lazy_pattern(lambda: rf",?\s*(?:(?:{alternatives('form.sum_link')})\s*)?")
"""Between the two parts of one amount: 1 hour and 20 minutes, 1 ч 20 мин, 1小时零20分钟."""
_ANY_UNIT: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('form.any_unit')})")


class Measure(NamedTuple):
    """A number, what it measures and how much in the base unit; ``kind`` is empty without a unit.

    ``counter`` is the word between a Chinese number and what it counts.
    """

    kind: str
    amount: Fraction
    number: Number
    span: Span
    counter: str = ""


def measures(text: str) -> Iterator[Measure]:
    """The numbers of ``text``, each with its unit of measure if it has one."""
    for number in numbers(text):
        unit = _unit().match(text, number.end)
        name = unit.lastgroup if unit else None
        if name in _RATES and _RATE.search(text[: number.start]):
            name = f"{name}_an_hour"
        if unit is None or name is None:
            span = Span(start=number.start, end=number.end)
            yield Measure("", Fraction(number.value), number, span)
        else:
            kind, size = _UNITS[name]
            amount = Fraction(number.value) * size
            yield Measure(kind, amount, number, Span(start=number.start, end=unit.end()))


def _with_sums(text: str) -> list[Measure]:
    """The measures of ``text``; two that follow each other in a larger and a smaller unit are one.

    >>> [str(measure.amount) for measure in _with_sums("2 h 30 min")]
    ['150']
    """
    result: list[Measure] = []
    for measure in measures(text):
        last = result[-1] if result else None
        is_more = (
            last is not None
            and last.kind == measure.kind != ""
            and last.amount > measure.amount
            and _SUM_LINK.fullmatch(text, last.span.end, measure.span.start) is not None
        )
        if last is not None and is_more:
            span = Span(start=last.span.start, end=measure.span.end)
            result[-1] = last._replace(amount=last.amount + measure.amount, span=span)
        else:
            result.append(measure)
    return result


def is_measure(wording: str) -> Measure | None:
    """The only number of ``wording``, with its unit; ``None`` if it has several or money."""
    found = _with_sums(wording)
    if len(found) != 1 or found[0].number.unit is not None:
        return None
    only = found[0]
    if not only.kind and (unit := _ANY_UNIT.match(wording, only.span.end)) is not None:
        end = Span(start=only.span.start, end=unit.end())
        return only._replace(span=end, counter=unit.group())
    return only


def same_measures(value: Measure, text: str) -> Iterator[Span]:
    """The numbers of ``text`` that measure the same amount of the same kind."""
    if not value.kind:
        return
    for measure in _with_sums(text):
        if (measure.kind, measure.amount) == (value.kind, value.amount):
            yield measure.span
    for match in _single().finditer(text):
        groups = match.groupdict()
        name = next(name for name in _UNITS if groups[name])
        kind, size = _UNITS[name]
        times = Fraction(1, 2) if groups["half"] else Fraction(3, 2) if groups["more"] else 1
        if (kind, size * times) == (value.kind, value.amount):
            start = match.start("half" if groups["half"] else name)
            yield Span(start=start, end=match.end())


def has_other_unit(value: Measure, text: str) -> bool:
    """Whether ``text`` has the number of ``value`` with another unit: 2 watts for 2 kW."""
    return bool(value.kind) and any(
        measure.kind and measure.number.value == value.number.value for measure in measures(text)
    )


def bare_numbers(value: Measure, text: str) -> Iterator[Span]:
    """The only number of a ``text``, if it has the value and no unit of measure.

    The text must be short; in a longer one, the number must be written in words and be followed
    by nothing it could count ("at least eighteen."), or by another word for the same thing (八位).
    """
    found = [measure for measure in measures(text) if measure.number.unit is None]
    if len(found) != 1 or len(quantities(text)) != 1:
        return
    only = found[0]
    if value.kind and _WORKDAY.match(text, only.span.end):
        return  # "28 working days" are not 28 days
    if value.kind and symbol_after(text, only.span.end):
        return  # "100 Mb" are not 100 megabytes
    if value.counter[:1].isspace() and not _NOTHING.match(text, only.span.end):
        return  # "50 seats" are not 50 rooms
    is_short = len(words(text)) <= _FEW + len(text) // 40
    if not is_short and not _is_left_bare(text, only.span) and not _counts_alike(value, text, only):
        return
    if not only.kind and Fraction(value.number.value) == only.amount:
        yield only.span


def _is_left_bare(text: str, span: Span) -> bool:
    """Whether a number is in words, and punctuation or the end of the text follows it."""
    return span.of(text)[:1].isalpha() and _NOTHING.match(text, span.end) is not None


def _counts_alike(value: Measure, text: str, only: Measure) -> bool:
    """Whether both numbers count the same: 18岁 and 十八周岁, 8名 and 八位."""
    known, told = value.counter, _ANY_UNIT.match(text, only.span.end)
    if not known or told is None:
        return False
    return known[-1] == told.group()[-1] or {known[-1], told.group()[-1]} <= _people()


@cache
def _people() -> frozenset[str]:
    return frozenset(word_list("form.people_units", "zh"))
