"""Numbers in text and their values: digits, Chinese numerals, Russian and English words."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache, partial
from itertools import chain, pairwise
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number.approximation import is_approximate
from assay.text.number.candidate import EXACT, ONE, Reading, scaled
from assay.text.number.coin import join_coins
from assay.text.number.doubled import join_doubled, scale_bracketed
from assay.text.number.figure import figures
from assay.text.number.han import UNITS
from assay.text.number.numeral import fractions, numerals, round_numerals
from assay.text.number.ordinal import ordinals
from assay.text.number.phrase import phrases
from assay.text.number.portion import portions
from assay.text.number.prefix import prefixed
from assay.text.number.range import scale_ranges, shared_units
from assay.text.number.roman import roman_numerals
from assay.text.number.sign import inner_sign, is_in_accounts, sign_start
from assay.text.number.slang import slang, with_slang
from assay.text.number.unit import PERMILLE, Unit, as_permille, unit_after, unit_before
from assay.text.number.word import number_words, words_of
from assay.text.span import Span
from assay.text.surface import Surface, surface

UnitClass: TypeAlias = Literal["percent", "permille", "currency"] | None

_start: Final = attrgetter("start")
_UNREADABLE_BEFORE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('number.unreadable_before')})\Z"
)
_REACH, _MARGIN = 24, 16
"""How many characters before a number may change it, and how many more say where a word begins."""
_INVERTED: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.inverted_scale')})\Z")
_WIDE_GROUPS: Final = lazy_pattern("(?<![0-9.,])[0-9]{1,3}，[0-9]{3}(?![0-9])", re.NOFLAG)
_SCALE_WORD: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.joining_scale')})\Z")
_INVERTED_SCALES: Final = {"ten": 10, "hundred": 100, "thousand": 10**3, "million": 10**6}
_LETTERS: Final = lazy_pattern(r"[A-Za-z\u0400-\u04ff]", re.NOFLAG)
# After three digits behind a comma, which are then decimals: 15,343 км.
_MEASURED: Final = lazy_pattern(lambda: alternatives("number.measured_by_decimals", "ru"))
_RUSSIAN_WORD: Final = lazy_pattern(r"\s[а-яё]{3}", re.NOFLAG)
_RUSSIAN: Final = lazy_pattern("[а-яёА-ЯЁ]", re.NOFLAG)


class Number(Struct, frozen=True, kw_only=True):
    """A number and its position in the text.

    For five percent, ``value`` is 5 and ``unit`` is ``"percent"``; five per mille are 0.5 percent, but
    ``read_numbers`` gives them as they are written, 5 and ``"permille"``. For money, ``value`` is the
    amount, ``unit`` is ``"currency"`` and ``currency`` is the ISO code (``¥`` is CNY, ``$`` is
    USD). ``alternative`` is the other value if a separator is ambiguous (``42,000`` may be 42).
    ``start`` and ``end`` include the scale word and the sign. ``unit_span`` is the span of the
    unit beside the number; it is ``None`` if there is no unit, or if the number takes its unit
    from the other number of a range. ``approximate`` is true if the text says that the value is
    not exact: ``около 30``, ``some 300``, ``三十多万``.
    """

    value: Decimal
    start: int
    end: int
    unit: UnitClass = None
    currency: str | None = None
    alternative: Decimal | None = None
    unit_span: Span | None = None
    approximate: bool = False

    @property
    def canonical(self) -> str:
        """The value in plain digits, without exponent and trailing zeros: ``42000``, ``3.5``."""
        return canonical(self.value)


def canonical(value: Decimal) -> str:
    """The unique spelling of a value: no exponent and no trailing zeros.

    >>> canonical(Decimal("235.0")), canonical(Decimal("4.2E+4")), canonical(Decimal("-0"))
    ('235', '42000', '0')
    """
    digits = f"{value:f}"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits in {"-0", ""} else digits


def numbers(text: str) -> list[Number]:
    """All numbers in ``text``, from left to right; numbers do not overlap.

    ``assay.text.number.figure`` describes how separators are read. Digits directly after letters
    (``A4``, ``8d02``) and codes with points (``3.2.1``) are not numbers, but the parts of a date
    are. In a range, the scale word and the unit of the second number also apply to the first
    (``5–10 млн``), and the currency before the first one to the second (``$5–10``). A number that is written twice, in digits and in words, is one number
    (``thirty (30) days``).

    A number is read whole or not at all: of an expression that is not understood (``двадцать
    пятых``, ``十几万``) no part is returned.

    >>> [n.canonical for n in numbers("4.2万元, 42 000 руб., forty-two thousand, 百分之五")]
    ['42000', '42000', '42000', '5']
    """
    return list(_numbers(text))


def read_numbers(text: str) -> list[Number]:
    """As ``numbers``, but what is given per mille has its own unit: 7‰ is 7, not 0.7 percent.

    >>> [(str(n.value), n.unit) for n in read_numbers("7‰ and 7%")]
    [('7', 'permille'), ('7', 'percent')]
    """
    return list(_numbers(text, has_permille=True))


@lru_cache(maxsize=16)
def _numbers(text: str, *, has_permille: bool = False) -> tuple[Number, ...]:
    """The numbers of a text; the scores of one answer ask for them several times."""
    flat = surface(text)
    readings = _join_parts(flat.text, _without_overlaps(_all_readings(flat.text)))
    readings = join_doubled(flat.text, _without_vague_pairs(flat.text, readings))
    readings = with_slang(flat.text, scale_bracketed(flat.text, readings))
    readings = scale_ranges(flat.text, readings)
    readings = join_coins(flat.text, _scale_inverted(flat.text, readings))
    readings = [
        reading
        for reading in readings
        if reading.readable
        and not _is_denominator(flat.text[max(0, reading.start - _REACH - _MARGIN) : reading.start])
    ]
    beside = [_unit(flat.text, reading) for reading in readings]
    if has_permille:
        beside = [unit and as_permille(unit) for unit in beside]
    shared = shared_units(flat.text, readings, beside)
    return tuple(map(partial(_number, flat), readings, beside, shared))


@lru_cache(maxsize=1 << 12)
def _is_denominator(before: str) -> bool:
    """Whether a number is the lower one of a fraction in words: one over three."""
    return _UNREADABLE_BEFORE.search(before, max(0, len(before) - _REACH)) is not None


def same_number(a: Number, b: Number) -> bool:
    """Whether two numbers mean the same.

    Their values must be equal; for ambiguous separators see ``same_value``. Percent matches only
    percent. If both have a currency, it must be the same; a number without a unit matches any
    currency.

    >>> a, b, c = numbers("235,0 and 235.0 and 235%")
    >>> same_number(a, b), same_number(a, c)
    (True, False)
    """
    if a.unit != b.unit and not {a.unit, b.unit} <= {"currency", None}:
        return False
    if a.currency is not None and b.currency is not None and a.currency != b.currency:
        return False
    return same_value(a, b)


def same_value(a: Number, b: Number) -> bool:
    """Whether the values of two numbers are equal, without comparing units.

    An ambiguous number also matches by its alternative value. ``42.500`` matches 42500 in any
    notation. ``42,500`` matches 42.5 only if the other number is ambiguous, too; otherwise 42
    would match ``42,000``.
    """
    return a.value == b.value or _alternative_matches(a, b) or _alternative_matches(b, a)


def _alternative_matches(a: Number, b: Number) -> bool:
    if a.alternative is None or a.alternative != b.value:
        return False
    return b.alternative is not None or a.alternative.copy_abs() > a.value.copy_abs()


def _all_readings(text: str) -> list[Reading]:
    sources: list[Iterator[Reading]] = [
        phrases(text),
        roman_numerals(text),
        fractions(text),
        figures(text),
        round_numerals(text),
        numerals(text),
    ]
    if _RUSSIAN.search(text):
        sources += (portions(text), prefixed(text), slang(text))
    if _LETTERS.search(text):
        words = words_of(text)
        sources += (ordinals(text, words), number_words(text, words))
    # If two readings have the same start, the order of the sources decides: a fraction comes
    # before its parts.
    return sorted(chain.from_iterable(sources), key=_start)


def _without_overlaps(readings: Iterable[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    end = -1
    for reading in readings:
        if reading.start >= end:
            kept.append(reading)
            end = reading.end
    return kept


def _join_parts(text: str, readings: list[Reading]) -> list[Reading]:
    """Join the parts of numbers that are written in two parts: 3 млн 200 тыс., 5 тысяч 300."""
    joined: list[Reading] = []
    last: Reading | None = None
    for reading in readings:
        if last is not None and _continues(text, last, reading):
            before = joined[-1]
            total = EXACT.add(before.value, reading.value)
            joined[-1] = before._replace(end=reading.end, value=total, alternative=None)
        else:
            joined.append(reading)
        last = reading
    return joined


def _continues(text: str, before: Reading, after: Reading) -> bool:
    if before.scale < 1000 or text[before.end : after.start] not in {" ", ". "}:
        return False
    if not before.readable or not after.readable:
        return False
    if _SCALE_WORD.search(text, before.start, before.end) is None:
        return False
    if after.scale == ONE and (
        after.value >= 1000 or after.value != after.value.to_integral_value()
    ):
        return False
    if after.scale == ONE and before.scale > 1000:
        # "5 млн 300" may be two numbers of a table; "5 млн 300 тыс." is one number.
        return False
    return after.scale < before.scale and after.value < before.scale and not after.percent


def _without_vague_pairs(text: str, readings: list[Reading]) -> list[Reading]:
    """The readings; "two or three hundred" in one expression is no number: 2、3百人.

    Neither are digits that a wide comma separates, which may be one number or two: 5，300人.
    """
    result = list(readings)
    for index, (first, second) in enumerate(pairwise(readings)):
        if text[first.end : second.start] == "，" and _WIDE_GROUPS.match(text, first.start):
            result[index] = first._replace(readable=False)
            result[index + 1] = second._replace(readable=False)
            continue
        units = text[second.start + 1 : second.end]
        if text[first.end : second.start] != "、" or not units:
            continue
        is_digit = first.end - first.start == 1 or text[first.end - 2] in UNITS
        if is_digit and all(unit in UNITS for unit in units):
            last = unicodedata.digit(text[first.end - 1], None)
            if last is not None and unicodedata.digit(text[second.start], None) == last + 1:
                result[index] = first._replace(readable=False)
                result[index + 1] = second._replace(readable=False)
    return result


@lru_cache(maxsize=1 << 12)
def _scale_before(before: str) -> tuple[Decimal, int] | None:
    """The scale word at the end of ``before``, and how many characters it is from the end."""
    word = _INVERTED.search(before, max(0, len(before) - 20))
    if word is None:
        return None
    name = next(name for name in _INVERTED_SCALES if word[name])
    return Decimal(_INVERTED_SCALES[name]), len(before) - word.start("word")


def _scale_inverted(text: str, readings: list[Reading]) -> list[Reading]:
    """Apply a scale word that stands before its number, which is then approximate: тысяч сорок."""
    result = list(readings)
    for index, reading in enumerate(readings):
        found = _scale_before(text[max(0, reading.start - 20 - _MARGIN) : reading.start])
        if found is None or not reading.readable:
            continue
        scale, start = found[0], reading.start - found[1]
        if index and readings[index - 1].end > start - 1 > 0:
            continue  # "сорок тысяч": the scale word belongs to the number before it
        result[index] = reading._replace(
            start=start,
            value=scaled(reading.value, scale),
            alternative=None,
            scale=scale,
            approximate=True,
            readable=reading.scale == ONE,
        )
    return result


def _number(
    flat: Surface, reading: Reading, adjacent_unit: Unit | None, shared_unit: Unit | None
) -> Number:
    text, start = flat.text, reading.start
    unit = adjacent_unit or shared_unit
    value, alternative = reading.value, reading.alternative
    if unit is not None and unit.share != ONE:
        value, alternative = scaled(value, unit.share), None
    if _has_grouping_point(text, reading, unit):
        value, alternative = alternative or value, value
    elif alternative is not None and _has_decimal_comma(text, reading):
        value, alternative = alternative, None
    elif alternative is not None and alternative < value and _MEASURED.match(text, reading.end):
        value, alternative = alternative, value
    sign = _sign(text, reading, adjacent_unit)
    if sign is not None:
        value = value.copy_negate()
        alternative = None if alternative is None else alternative.copy_negate()
        start = min(sign, start)
    before = min(start, adjacent_unit.start) if adjacent_unit else start
    after = max(reading.end, adjacent_unit.end) if adjacent_unit else reading.end
    span = flat.span(start, reading.end)
    kind = _unit_class(reading, unit)
    currency = unit.name if unit is not None and kind == "currency" else None
    return Number(
        value=value,
        alternative=alternative,
        start=span.start,
        end=span.end,
        unit=kind,
        currency=currency,
        unit_span=(
            None if adjacent_unit is None else flat.span(adjacent_unit.start, adjacent_unit.end)
        ),
        approximate=reading.approximate or is_approximate(text, before, after),
    )


def _unit_class(reading: Reading, unit: Unit | None) -> UnitClass:
    if reading.percent or (unit is not None and unit.name == "percent"):
        return "percent"
    if unit is None:
        return None
    return "permille" if unit.name == PERMILLE else "currency"


def _sign(text: str, reading: Reading, unit: Unit | None) -> int | None:
    """Where the sign of a negative number begins; ``None`` if the number is positive."""
    start = reading.start
    if inner_sign(text, start, reading.end):
        return start - 1
    begin = unit.start if unit is not None and unit.end <= start else start
    end = max(reading.end, unit.end) if unit is not None else reading.end
    if is_in_accounts(text, begin, end):
        return begin
    return sign_start(text, begin, reading.end)


def _has_grouping_point(text: str, reading: Reading, unit: Unit | None) -> bool:
    """Whether a single point before three digits separates thousands: 2.500 руб., 10.000 книг.

    Money has no three decimals of which the last is zero, and a Russian decimal mark is a comma.
    """
    if reading.alternative is None or reading.alternative < reading.value or reading.scale > ONE:
        return False
    last = text[reading.end - 3 : reading.end]
    if text[reading.end : reading.end + 2] == ",-":
        return True  # 1.000,-
    if unit is not None:
        return unit.name not in {"percent", PERMILLE} and last.endswith("0")
    return last == "000" and _RUSSIAN_WORD.match(text, reading.end) is not None


def _has_decimal_comma(text: str, reading: Reading) -> bool:
    """Whether a comma before three digits is a decimal one, as before a Russian scale: 12,641 млрд."""
    is_comma = reading.alternative is not None and reading.alternative < reading.value
    scaled_words = text[reading.start : reading.end]
    return is_comma and reading.scale > ONE and _RUSSIAN.search(scaled_words) is not None


def _unit(text: str, reading: Reading) -> Unit | None:
    if reading.percent:
        return Unit("percent", reading.start, reading.end)
    if reading.currency is not None:
        return Unit(reading.currency, reading.start, reading.end)
    after, start = unit_after(text, reading.end), reading.start
    before = unit_before(text, start - inner_sign(text, start, reading.end))
    return after if before is None or (after and after.name == "percent") else before
