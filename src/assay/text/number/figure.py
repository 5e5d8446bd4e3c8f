"""Numbers written with digits, with the separators that are used in three languages.

Rules for separators:

* A single comma followed by exactly three digits separates thousands (``42,000``), unless the
  number starts with 0 (``0,125``). Any other single comma is a decimal comma (``235,0``).
* A single point is a decimal point (``42.000`` is 42). If exactly three digits follow a single
  comma or point, the other reading is the alternative.
* The same separator several times separates groups, if all groups have three digits
  (``1.234.567``). Otherwise commas separate several numbers (``1,2,3``), and points make a code
  (``3.2.1``, ``10.0.0.1``). A code is not a number, but the parts of a date are numbers.
* With two kinds of separators, the last one is the decimal mark (``42.000,50``, ``42,000.50``).
* A space (also a no-break or thin one) or an apostrophe separates groups if three digits follow.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern, word_list
from assay.text.number.candidate import EXACT, ONE, Reading, scaled
from assay.text.number.numeral import UNITS, composed_value

_LETTER: Final = "A-Za-z\u00c0-\u024f\u0400-\u052f_"
_FIRST: Final = re.compile("[0-9½¼¾⅕⅖⅗⅘⅛⅜⅝⅞]")
_LETTERS: Final = re.compile(rf"[{_LETTER}]+\Z")
_CHUNK: Final = re.compile(
    r"(?<![.,'])[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9'])(?:[.,][0-9]+)?(?![.,]?[0-9])"
    r"|[0-9]+(?:[.,'][0-9]+)*"
)
_CODE_TAIL: Final = re.compile(rf"(?:[.,'\-]?[{_LETTER}0-9]+)*")
_LETTERS_THEN_DIGIT: Final = re.compile(
    rf"(?!(?:[ckdm]?m[23]|[скд]?м[23]|[QH][1-4])(?![0-9]))[{_LETTER}]+[0-9]"
)
_VULGAR: Final = {
    "½": "0.5", "¼": "0.25", "¾": "0.75", "⅕": "0.2", "⅖": "0.4", "⅗": "0.6", "⅘": "0.8",
    "⅛": "0.125", "⅜": "0.375", "⅝": "0.625", "⅞": "0.875",
}  # fmt: skip
_GROUPED: Final = re.compile(r"[1-9][0-9]{0,2}(?:([.,'])[0-9]{3})(?:\1[0-9]{3})*\Z")
_DAY: Final = re.compile(r"(?:[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}|[0-9]{4}\.[0-9]{1,2}\.[0-9]{1,2})\Z")
_SCALES: Final = ("thousand", "million", "billion", "trillion", "hundred")
_POWERS: Final = (10**3, 10**6, 10**9, 10**12, 100)


def _scale_expression() -> str:
    groups = "|".join(f"({alternatives(f'number.scale.{name}')})" for name in _SCALES)
    return rf"\s{{0,2}}(?:{groups})(?![{_LETTER}])"


_SCALE: Final = lazy_pattern(_scale_expression)
_ATTACHED: Final = re.compile(rf"(k)(?![{_LETTER}0-9])", re.IGNORECASE)
_AFTER_MONEY: Final = re.compile(rf"(?:(m)|(b)|(t))(?![{_LETTER}0-9])", re.IGNORECASE)
_MONEY_BEFORE: Final = re.compile(r"(?:[$€£¥₽]|\b(?:usd|eur|rub|cny|rmb|gbp)) ?\Z", re.IGNORECASE)
_HAN_PART: Final = re.compile(
    # A space is allowed only before 万 and 亿: "2020 百度" is a year and a name.
    r"(?: (?=[十百千]?[万萬亿億]))?([十百千万萬亿億]+)(?:([零〇])?([0-9]+(?:\.[0-9]+)?|[一二两三四五六七八九])(?![0-9.,][0-9]))?"
)


def figures(text: str) -> Iterator[Reading]:
    """Yield the numbers with digits in a surface text, from left to right, with scale words."""
    position = 0
    while first := _FIRST.search(text, position):
        start = first.start()
        if first.group() in _VULGAR:
            position = first.end()
            yield Reading(start, position, Decimal(_VULGAR[first.group()]))
            continue
        chunk = _CHUNK.match(text, start)
        assert chunk is not None
        if _is_code(text, start, chunk.end()):
            position = max(_past(_CODE_TAIL, text, start), chunk.end())
            continue
        position = chunk.end()
        for part in _parts(chunk.group(), start):
            if part.end == chunk.end():
                part = _with_fraction(text, _with_scale(text, part))  # noqa: PLW2901
                position = part.end
            yield part


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether the digits are part of a code: letters are before them (A4) or inside (8d02)."""
    if start and (text[start - 1].isalpha() or text[start - 1] == "_"):
        letters = _LETTERS.search(text, max(0, start - 40), start)
        if letters is not None and letters.group().casefold() not in _prefixes():
            return True
    return _LETTERS_THEN_DIGIT.match(text, end) is not None


@cache
def _prefixes() -> frozenset[str]:
    return frozenset(word_list("number.prefix"))


def _past(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _parts(chunk: str, start: int) -> Iterator[Reading]:
    """Yield the numbers in a run of digits and separators; usually there is one."""
    end = start + len(chunk)
    bare = chunk.replace(" ", "")
    if bare.isdigit():
        yield Reading(start, end, Decimal(bare))
    elif " " in chunk:
        yield Reading(start, end, Decimal(bare.replace(",", ".")))
    elif (value := _separated_value(chunk)) is not None:
        yield Reading(start, end, value, _alternative(chunk))
    elif _DAY.match(chunk):
        yield from _split(chunk, start, ".")
    elif "," in chunk or "'" in chunk:
        yield from _split(chunk, start, "," if "," in chunk else "'")


def _split(chunk: str, start: int, separator: str) -> Iterator[Reading]:
    for piece in chunk.split(separator):
        yield from _parts(piece, start)
        start += len(piece) + 1


def _separated_value(chunk: str) -> Decimal | None:
    """The value of digits with separators, or ``None`` if they are not a single number."""
    if _GROUPED.match(chunk) and (chunk.count(".") != 1 or "," in chunk):
        return Decimal(re.sub("[,.']", "", chunk))
    index = max(chunk.rfind(","), chunk.rfind("."))
    integer, mark, fraction = chunk[:index], chunk[index], chunk[index + 1 :]
    if index < 0 or not fraction.isdigit():
        return None
    if integer.isdigit():
        is_list = mark == "," and len(integer) > 3 and len(fraction) > 3
        return None if is_list else Decimal(f"{integer}.{fraction}")
    if mark not in integer and _GROUPED.match(integer):
        return Decimal(re.sub("[,.']", "", integer) + "." + fraction)
    return None


def _alternative(chunk: str) -> Decimal | None:
    """The other reading of a single separator that is followed by three digits."""
    if len(chunk) > 7 or not _GROUPED.match(chunk) or "'" in chunk:
        return None
    return Decimal(chunk.replace(",", ".") if "," in chunk else chunk.replace(".", ""))


def _with_fraction(text: str, reading: Reading) -> Reading:
    mark = text[reading.end : reading.end + 1]
    if mark in _VULGAR and mark and reading.scale == ONE:
        return reading._replace(
            end=reading.end + 1,
            value=EXACT.add(reading.value, Decimal(_VULGAR[mark])),
            alternative=None,
        )
    return reading


def _with_scale(text: str, reading: Reading) -> Reading:
    if _HAN_PART.match(text, reading.end):
        return _with_han(text, reading)
    scale = ONE
    end = reading.end
    while (match := _SCALE.match(text, end)) is not None and scale < 10**9:
        scale *= _POWERS[(match.lastindex or 1) - 1]
        end = match.end()
    if scale == ONE:
        match = _ATTACHED.match(text, end)
        if match is None and _MONEY_BEFORE.search(text, max(0, reading.start - 5), reading.start):
            match = _AFTER_MONEY.match(text, end)
            scale = Decimal(10 ** (3 * ((match.lastindex or 0) + 1))) if match else ONE
        elif match is not None:
            scale = Decimal(1000)
        end = match.end() if match else end
    return _scaled_reading(reading, scale, end)


def _scaled_reading(reading: Reading, scale: Decimal, end: int) -> Reading:
    other = reading.alternative
    return reading._replace(
        end=end,
        value=scaled(reading.value, scale),
        alternative=None if other is None else scaled(other, scale),
        scale=scale,
    )


def _with_han(text: str, reading: Reading) -> Reading:
    """A number of digits followed by Chinese units: 4.2万, 3亿5千万, 1万2."""
    atoms: list[Decimal | str] = [reading.value]
    end = reading.end
    best, best_end, largest = reading.value, end, 1
    while (match := _HAN_PART.match(text, end)) is not None:
        units, zero, digits = match.groups()
        atoms.extend(units)
        value = composed_value(atoms)
        if value is None:
            break
        largest = max(largest, *(UNITS[unit] for unit in units))
        best, best_end = value, match.end(1)
        if digits is None:
            break
        if zero:
            atoms.append(zero)
        atoms.append(
            Decimal(digits) if digits.isascii() else Decimal("一二三四五六七八九".find(digits) + 1)
        )
        if digits == "两":
            atoms[-1] = Decimal(2)
        end = match.end()
        value = composed_value(atoms)
        if value is not None:
            best, best_end = value, end
    if atoms[1:2] and len(atoms) == 2 and reading.alternative is not None:
        return _scaled_reading(reading, Decimal(largest), best_end)
    return reading._replace(end=best_end, value=best, alternative=None, scale=Decimal(largest))
