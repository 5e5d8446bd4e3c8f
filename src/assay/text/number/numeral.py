"""Chinese numerals: 四万二千, 一百零五, 二〇二〇, 壹佰, 廿三, 三点五, 百分之五."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import prod
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern, word_list
from assay.text.number.candidate import EXACT, ONE, QUOTIENT, Reading, scaled
from assay.text.number.colloquial import with_colloquial_tail
from assay.text.number.han import DIGITS as _DIGITS
from assay.text.number.han import NUMERAL, UNITS, ZEROS
from assay.text.number.han import SCORES as _SCORES

_NO_UNIT: Final = 10**9
_ONE_TO_NINE: Final = frozenset(map(Decimal, range(1, 10)))
_D: Final = "".join(_DIGITS)
_ANY: Final = lazy_pattern(f"[{NUMERAL}]", re.NOFLAG)
_DECIMAL: Final = f"[点點](?=[{_D}])[〇零一二三四五六七八九]+(?![十百千刻分])"
_RUN: Final = lazy_pattern(
    f"(?<![0-9几幾数數{NUMERAL}])(?<![0-9] )[{NUMERAL}]+(?:{_DECIMAL}[万萬亿億]*)?(?![{NUMERAL}几幾])",
    re.NOFLAG,
)
_SPACED: Final = lazy_pattern(rf"[ \n]([{NUMERAL}]+)(?![{NUMERAL}几幾])", re.NOFLAG)
_NOT_UNDERSTOOD: Final = lazy_pattern(rf" [{NUMERAL}]*(?:[几幾]|[点點][{_D}])", re.NOFLAG)
_PART: Final = rf"(?:[0-9]+(?:\.[0-9]+)?|[{NUMERAL}]+(?:{_DECIMAL})?)"
_FRACTION: Final = lazy_pattern(
    rf"(?<![{NUMERAL}])(?:(?P<whole>{_PART})又)?(?P<lower>[百千万]|[{NUMERAL}]+)分之\s?"
    rf"(?P<minus>[负負-](?={_PART}))?(?P<upper>{_PART})(?![{NUMERAL}0-9])(?P<more>又(?:[{NUMERAL}]+分之[{NUMERAL}]+)?)?",
    re.NOFLAG,
)
_LAST_PART: Final = lazy_pattern(
    lambda: (
        rf"(?:[-—~]|{alternatives('number.range', 'zh')})(?P<upper>{_PART})"
        rf"(?![{NUMERAL}0-9.]|[分个個%元])"
    )
)
_TAELS: Final = "两兩"
"""The digit two, which is never the last digit of a longer numeral, and a unit of weight."""
_SINGLE: Final = "百千万亿俩仨"
_COUNTING: Final = "一二三四五六七八九"
"""Digits in this order are counted, and are no number."""
_NOT_READ_AFTER: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('number.unreadable_before', 'zh')})\Z"
)
_MEASURE: Final = lazy_pattern(lambda: alternatives("number.measure"))
_ONE_MEASURE: Final = lazy_pattern(lambda: alternatives("number.measure_after_one"))
_ORDINAL: Final = lazy_pattern(lambda: alternatives("number.ordinal_measure"))
_MONEY: Final = lazy_pattern(lambda: alternatives("number.money"))
# In 三到五万 the first number takes its scale from the second.
_ROUND: Final = lazy_pattern(lambda: alternatives("number.round"))
"""A unit without a digit that is a round number: 近千名, 上万元."""
_ZERO_NOUN: Final = lazy_pattern(lambda: alternatives("number.zero", "zh"))
_ZERO_WORD: Final = lazy_pattern(lambda: alternatives("number.zero_word", "zh"))
_THOUSAND_UNIT: Final = lazy_pattern(lambda: alternatives("number.thousand_unit", "zh"))
_KILO: Final = lazy_pattern(lambda: alternatives("number.thousand_unit_after_digits", "zh"))
# In 一百单八 the character in the middle is a zero.
_SPOKEN_ZERO: Final = lazy_pattern("(?<=[百千万])[单單](?=[一二三四五六七八九])", re.NOFLAG)
_PAIR: Final = lazy_pattern(lambda: alternatives("number.pair"))
"""Two or three with what they count in one character."""
_RANGE_OF_SCALE: Final = lazy_pattern(
    lambda: (
        rf"(?:[-—~]|{alternatives('number.range', 'zh')})"
        rf"(?:[{NUMERAL}0-9]*[百千万萬亿億]|[{NUMERAL}]{{1,3}}(?:{alternatives('number.measure', 'zh')}))"
    )
)


def numeral_value(numeral: str) -> Decimal | None:
    """The value of a Chinese numeral, or ``None`` if it is not well formed.

    A last digit without a unit is read as in spoken language: ``四万二`` is 42000.

    >>> [str(numeral_value(n)) for n in ("四万二千", "一百零五", "二〇二〇", "三点五", "万一")]
    ['42000', '105', '2020', '3.5', 'None']
    """
    integer, point, rest = numeral.replace("點", "点").partition("点")
    if point:
        fraction = rest.rstrip("万萬亿億")
        base = numeral_value(integer)
        if base is None or not fraction or any(c not in _DIGITS for c in fraction):
            return None
        value = Decimal(f"{base:f}." + "".join(str(_DIGITS[c]) for c in fraction))
        for unit in rest[len(fraction) :]:
            value = scaled(value, Decimal(UNITS[unit]))
        return value
    if len(integer) > 1 and all(c in _DIGITS and c not in "两兩" for c in integer):
        return Decimal("".join(str(_DIGITS[c]) for c in integer))
    atoms: list[Decimal | str] = []
    for character in integer:
        if character in UNITS or character in ZEROS:
            atoms.append(character)
        elif character in _SCORES:
            atoms.extend((Decimal(_SCORES[character] // 10), "十"))
        elif character in _DIGITS:
            atoms.append(Decimal(_DIGITS[character]))
        else:
            return None
    if integer and all(c in ZEROS for c in integer):
        return Decimal(0)
    return composed_value(atoms)


def composed_value(atoms: Sequence[Decimal | str]) -> Decimal | None:
    """The value of a sequence of numbers and units (``3 亿 5 千 万``).

    Returns ``None`` if the sequence is not a well-formed number.
    """
    sum_ = _Sum()
    for atom in atoms:
        if isinstance(atom, Decimal):
            fits = sum_.add_number(atom)
        elif atom in ZEROS:
            fits = sum_.add_zero()
        else:
            fits = sum_.add_unit(UNITS[atom])
        if not fits:
            return None
    return sum_.value()


class _Sum:
    """Adds up a numeral step by step. Each method returns whether the step is valid."""

    def __init__(self) -> None:
        self.total = self.section = self.upper = Decimal(0)
        self.current: Decimal | None = None
        self.limit = self.last = _NO_UNIT
        self.zero = self.begun = False

    def add_number(self, number: Decimal) -> bool:
        fits = self.current is None
        self.current, self.begun = number, True
        return fits

    def add_zero(self) -> bool:
        self.zero = True
        return self.current is None and self.begun

    def add_unit(self, unit: int) -> bool:
        fits = self._add_small(unit) if unit < 10**4 else self._add_large(unit)
        self.last, self.current, self.zero, self.begun = unit, None, False, True
        return fits

    def _add_small(self, unit: int) -> bool:
        # Inside a numeral, only ten may be without a digit: 一千十 is unusual but clear, 一千百
        # is not a number.
        if unit >= self.limit or (self.current is None and unit != 10 and self.begun):
            return False
        times = ONE if self.current is None else self.current
        self.section = EXACT.add(self.section, scaled(times, Decimal(unit)))
        self.limit = unit
        return True

    def _add_large(self, unit: int) -> bool:
        section = EXACT.add(self.section, self.current or Decimal(0))
        fits = section != 0 and self.last != unit
        if unit == 10**8:
            section, self.total = EXACT.add(self.total, section), Decimal(0)
            fits = section != 0 and self._follows(section)
            self.upper = EXACT.add(self.upper, scaled(section, Decimal(unit)))
        else:
            self.total = EXACT.add(self.total, scaled(section, Decimal(unit)))
        self.section, self.limit = Decimal(0), _NO_UNIT
        return fits

    def _follows(self, section: Decimal) -> bool:
        """Whether 亿 may come again: only after 万亿, for less than a 万亿 (三万亿五千亿)."""
        is_round = self.upper % 10**12 == 0
        return not self.upper or (is_round and section < 10**4)

    def value(self) -> Decimal | None:
        rest = self.current or Decimal(0)
        after_unit = self.last != _NO_UNIT
        if after_unit and self.last >= 100 and not self.zero and rest in _ONE_TO_NINE:
            rest = scaled(rest, Decimal(self.last // 10))
        elif after_unit and rest >= self.last:
            return None
        lower = EXACT.add(self.total, EXACT.add(self.section, rest))
        return EXACT.add(self.upper, lower)


def round_numerals(text: str) -> Iterator[Reading]:
    """Yield round numbers of one character, and the words for "both" and "all three" of spoken Chinese."""
    if not any(character in text for character in _SINGLE):
        return
    for match in _ROUND.finditer(text):
        value = Decimal(prod(UNITS[unit] for unit in match["unit"]))
        yield Reading(match.start("unit"), match.end("unit"), value, scale=value, approximate=True)
    for match in _PAIR.finditer(text):
        yield Reading(match.start(), match.end(), Decimal(2 if match["two"] else 3))


def numerals(text: str) -> Iterator[Reading]:
    """Yield the Chinese numerals in a surface text, without words that only look like numbers.

    These are left out: a single character without a measure word (``三亚``, ``一般``), two digits
    in sequence (``三四个`` is "three or four"), units without a digit (``千万``) unless a
    currency follows, and indefinite numbers (``几十``, ``数百``, ``十几``).
    """
    if _ANY.search(text) is None:
        return
    position = 0
    text = _SPOKEN_ZERO.sub(ZEROS[1], text)
    while (match := _RUN.search(text, position)) is not None:
        run, end = _with_spaces(text, match.group(), match.end())
        if run[-1] == "千" and len(run) > 1 and _is_unit_of_thousand(text, run, end):
            run, end = run[:-1], end - 1  # 五千克 is five kilograms
        if run[-1] in _TAELS and len(run) > 1 and run[-2] not in _TAELS:
            run, end = run[:-1], end - 1  # 五百两 is a weight
        position = end
        value = numeral_value(run)
        if value is None:
            continue
        rest = _NOT_UNDERSTOOD.match(text, end)
        if rest is not None and (run[-1] in UNITS or rest.group()[1] in "点點"):
            yield Reading(match.start(), rest.end(), ONE, readable=False)
            position = rest.end()
            continue
        plain = Reading(match.start(), end, value, scale=_scale(run))
        reading = with_colloquial_tail(text, plain)
        if _is_vague(run, text, match.start()):
            yield reading._replace(readable=False)
        elif reading != plain or _is_number(run, text, match.start(), end):
            yield reading


def _is_unit_of_thousand(text: str, run: str, end: int) -> bool:
    """Whether the last character of a numeral belongs to its unit: 五千克, 五万千瓦."""
    is_large = run[-2] in "万萬亿億"
    return (_KILO if is_large else _THOUSAND_UNIT).match(text, end) is not None


def _is_vague(run: str, text: str, start: int) -> bool:
    """Whether a numeral is not meant as one value: 百十来个, 三、五万, 差五分三点."""
    if run[:2] in word_list("number.round_pairs", "zh"):
        return True
    return _NOT_READ_AFTER.search(text, max(0, start - 6), start) is not None


def _with_spaces(text: str, run: str, end: int) -> tuple[str, int]:
    """A numeral with the parts after spaces that continue it: 二十 亿, 三千 九百 六十五."""
    while (after := _SPACED.match(text, end)) is not None:
        longer = run + after[1]
        has_unit = any(character in UNITS for character in run)
        is_continued = run[-1] in UNITS or after[1][0] in "万萬亿億"
        is_continued = is_continued or (has_unit and after[1][0] in UNITS)
        if not is_continued or numeral_value(longer) is None:
            break
        run, end = longer, after.end()
    return run, end


def fractions(text: str) -> Iterator[Reading]:
    """Yield Chinese fractions: 百分之N, 千分之N and 万分之N as percent, N分之M as a quotient."""
    if "分之" not in text:
        return
    for match in _FRACTION.finditer(text):
        lower, upper, whole = match["lower"], match["upper"], match["whole"]
        denominator = Decimal(UNITS[lower]) if lower in UNITS else numeral_value(lower)
        numerator = Decimal(upper) if upper[0].isascii() else _numerator(upper)
        if not denominator or numerator is None:
            continue
        percent = lower in "百千万"
        numerator = scaled(numerator, Decimal(100)) if percent else numerator
        quotient = QUOTIENT.divide(numerator, denominator)
        quotient = quotient.copy_negate() if match["minus"] else quotient
        if match["more"] or (whole and (percent or match["minus"])):
            yield Reading(match.start(), match.end(), ONE, readable=False)
            continue
        if whole:
            value = Decimal(whole) if whole[0].isascii() else numeral_value(whole)
            quotient = EXACT.add(value or ONE, quotient)
        reading = Reading(match.start(), match.end(), quotient, percent=percent)
        yield with_colloquial_tail(text, reading)
        if percent and (last := _LAST_PART.match(text, match.end())) is not None:
            share = QUOTIENT.divide(Decimal(100), denominator)
            yield from _last_share(last, share)


def _last_share(last: re.Match[str], share: Decimal) -> Iterator[Reading]:
    """Yield the end of a range whose unit stands only before its first number: 百分之三到五."""
    upper = last["upper"]
    value = Decimal(upper) if upper[0].isascii() else _numerator(upper)
    if value is not None:
        start, end = last.span("upper")
        yield Reading(start, end, scaled(value, share), percent=True)


def _numerator(numeral: str) -> Decimal | None:
    return Decimal(UNITS[numeral]) if numeral in UNITS else numeral_value(numeral)


def _scale(run: str) -> Decimal:
    if len(run) == 2 and run[1] == "百":
        return Decimal(100)  # a range shares it: 两到三百
    return Decimal(max((UNITS[c] for c in run if c in UNITS and UNITS[c] >= 1000), default=1))


def _is_number(run: str, text: str, start: int, end: int) -> bool:
    """Whether a numeral is a number in this context, and not a part of another word."""
    if run[0] in UNITS and UNITS[run[0]] > 10 and len(run) > 1:
        return all(c in UNITS for c in run) and _MONEY.match(text, end) is not None
    if len(run) == 1:
        if UNITS.get(run, 10) != 10:
            return False
        if text[start - 1 : start] == "第":
            return _ORDINAL.match(text, end) is not None
        if text[start - 1 : start] == "负":
            return True
        if run in ZEROS and (_ZERO_WORD.match(text, end) or _ZERO_NOUN.match(text, end)):
            return _ZERO_WORD.match(text, end) is None  # 零件 is a part of a machine
        if _RANGE_OF_SCALE.match(text, end):
            return True
        return (_ONE_MEASURE if run in "一壹" else _MEASURE).match(text, end) is not None
    if all(c in _DIGITS for c in run):
        if len(run) == 3 and not any(c in ZEROS for c in run):
            return _MEASURE.match(text, end) is not None
        return (len(run) > 2 or any(c in ZEROS for c in run)) and run not in _COUNTING
    return True
