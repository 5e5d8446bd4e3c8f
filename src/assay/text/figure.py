"""Numbers written with digits, with the separators that are used in three languages.

* A single comma followed by exactly three digits separates thousands (``42,000``), unless the
  number starts with 0 (``0,125``). Any other single comma is a decimal comma (``235,0``).
* A single point is a decimal point (``42.000`` is 42). If exactly three digits follow a single
  comma or point, the other reading is the alternative.
* The same separator several times separates groups, if all groups have three digits
  (``1.234.567``). Otherwise commas separate several numbers (``1,2,3``), and points make a code
  (``3.2.1``, ``10.0.0.1``). A code is not a number, but the parts of a date are numbers.
* With two kinds of separators, the last one is the decimal mark (``42.000,50``, ``42,000.50``).
* A space (also a no-break or thin one) or an apostrophe separates groups if three digits follow.

A slash makes a fraction if the lower number is a usual denominator (``3/4``, ``2 1/2``). Powers
(``10^6``, ``5²``) and codes with letters (``A4``, ``8d02``) are not read.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Context, Decimal
from math import gcd
from typing import Final, NamedTuple

ONE: Final = Decimal(1)
# The precision is enough for sums of scaled parts. A quotient may have infinitely many digits;
# thirty digits are the same on every machine.
EXACT: Final = Context(prec=400)
QUOTIENT: Final = Context(prec=30)

FIGURE: Final = "[0-9]+(?:[.,'][0-9]+)*"
"""The expression for digits and the separators between them."""
_SPACED: Final = r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9'])(?:[.,][0-9]+)?(?![.,]?[0-9])"
DIGITS: Final = rf"(?:{_SPACED}|{FIGURE})"
"""The same, also with spaces between groups of three."""
_VULGAR: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_START: Final = re.compile(rf"{DIGITS}|(?<![^\s(\[=<>~≈$£€-])\.(?=[0-9]){FIGURE}|[{_VULGAR}]")
_LETTER: Final = r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]"
_CODE: Final = re.compile(rf"(?:[.,'/-]?(?:{_LETTER}|[0-9_])+)*")
_LETTERS_BEFORE: Final = re.compile(rf"{_LETTER}+\Z")
_CODE_AFTER: Final = re.compile(
    rf"(?!(?:[QH]|[cdkm]?m|[скд]?м)[1-4]\b)(?:_|{_LETTER})+[0-9]|[eE][-+]?[0-9]"
)
_GROUPED: Final = re.compile(r"[1-9][0-9]{0,2}(?:([.,'])[0-9]{3})(?:\1[0-9]{3})*\Z")
_INDIAN: Final = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?\Z")
_DAY: Final = re.compile(r"(?:[0-9]{1,2}\.){2}[12][0-9]{3}\Z|[12][0-9]{3}(?:\.[0-9]{1,2}){2}\Z")
_SLASH: Final = re.compile(rf"(?<![0-9/.,])([0-9]{{1,3}})/([0-9]{{1,3}})(?![/.,]?[0-9]|{_LETTER})")
_MIXED: Final = re.compile(r"(?: |-| and |又)(?=[0-9]{1,2}/[0-9])")
_POWER: Final = re.compile(r"(?:\s?[×xх·*⋅]\s?10)?(?:(?:\^|\*\*)[-+]?[0-9]+|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀-₉]+)")
_DENOMINATORS: Final = frozenset((*range(2, 11), 12, 16, 20, 25, 32, 50, 64, 100, 300))
_PREFIXES: Final = frozenset(
    ("fy", "us", "usd", "eur", "rub", "cny", "rmb", "gbp", "hkd", "jpy", "no", "p", "pp", "стр")
)
"""Letters directly before digits that do not make them a code."""


class Reading(NamedTuple):
    """A value and its position in the surface text, before its sign and unit are added.

    ``scale`` is the product of the scale words at its end (``млн``, ``万``), or 1. ``alternative``
    is the other value if a separator is ambiguous. ``unit`` is the name of a unit that the number
    itself contains (``百分之五``). A reading that is not ``readable`` covers an expression that is
    not understood, so that no part of it is taken for a number.
    """

    start: int
    end: int
    value: Decimal
    alternative: Decimal | None = None
    scale: Decimal = ONE
    unit: str | None = None
    approximate: bool = False
    readable: bool = True

    def times(self, scale: Decimal, end: int) -> "Reading":
        """The number multiplied by a scale word that ends at ``end``."""
        other = self.alternative
        return self._replace(
            end=end,
            value=EXACT.multiply(self.value, scale),
            alternative=None if other is None else EXACT.multiply(other, scale),
            scale=EXACT.multiply(self.scale, scale),
        )

    def plus(self, value: Decimal, end: int) -> "Reading":
        """The number with what is added to it up to ``end``."""
        return self._replace(end=end, value=EXACT.add(self.value, value), alternative=None)

    def unread(self, end: int | None = None) -> "Reading":
        """The same expression as one that is not understood, up to ``end``."""
        return self._replace(end=max(end or 0, self.end), readable=False)


def figures(text: str) -> Iterator[Reading]:
    """Yield the numbers with digits in a surface text, from left to right, without scale words."""
    position = 0
    while (match := _START.search(text, position)) is not None:
        start, position = match.span()
        slash = _SLASH.match(text, start) if text[position : position + 1] == "/" else None
        parts = [_quotient(slash)] if slash else list(_parts(match.group(), start))
        if not parts or _is_code(text, start, position):
            code = _CODE.match(text, start)
            parts = [Reading(start, max(position, code.end() if code else 0), ONE, readable=False)]
        elif slash is None:
            parts[-1] = _with_rest(text, parts[-1])
        position = max(position, parts[-1].end)
        yield from parts


def figure_value(chunk: str) -> Decimal | None:
    """The value of digits with separators, or ``None`` if they are not a single number.

    >>> [str(figure_value(chunk)) for chunk in ("42,000.5", "4,2", "1.234.567", "3.2.1")]
    ['42000.5', '4.2', '1234567', 'None']
    """
    if " " in chunk:
        chunk = chunk.replace(" ", "").replace(",", ".")
    if chunk.isdigit():
        return Decimal(chunk)
    if _INDIAN.match(chunk):
        return Decimal(chunk.replace(",", ""))
    if _GROUPED.match(chunk) and (chunk.count(".") != 1 or "," in chunk):
        return Decimal(re.sub("[,.']", "", chunk))
    index = max(chunk.rfind(","), chunk.rfind("."))
    whole, mark, fraction = chunk[:index], chunk[index], chunk[index + 1 :]
    if index < 0 or not fraction.isdigit():
        return None
    if whole.isdigit():
        is_list = mark == "," and len(whole) > 3 and len(fraction) > 3
        return None if is_list else Decimal(f"{whole}.{fraction}")
    if mark not in whole and _GROUPED.match(whole):
        return Decimal(re.sub("[,.']", "", whole) + "." + fraction)
    return None


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether the digits are part of a code: letters are before them (A4) or inside (8d02)."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before == "_":
        return True
    if before.isalpha() and before < "\u3040":
        letters = _LETTERS_BEFORE.search(text, max(0, start - 40), start)
        if letters is not None and letters.group().casefold() not in _PREFIXES:
            return True
    return (after.isalpha() or after == "_") and _CODE_AFTER.match(text, end) is not None


def _parts(chunk: str, start: int) -> Iterator[Reading]:
    """Yield the numbers in a run of digits and separators; usually there is one."""
    end = start + len(chunk)
    if chunk in _VULGAR:
        upper, _, lower = unicodedata.normalize("NFKC", chunk).partition("\u2044")
        yield Reading(start, end, QUOTIENT.divide(Decimal(upper), Decimal(lower)))
    elif (value := figure_value(f"0{chunk}" if chunk[0] == "." else chunk)) is not None:
        yield Reading(start, end, value, _alternative(chunk))
    elif _DAY.match(chunk) or "," in chunk:
        pieces = chunk.split("." if _DAY.match(chunk) else ",")
        values = [figure_value(piece) for piece in pieces]
        for piece, part in zip(pieces, values, strict=True) if None not in values else ():
            yield Reading(start, start + len(piece), part or Decimal(0))
            start += len(piece) + 1


def _alternative(chunk: str) -> Decimal | None:
    """The other reading of a single separator that is followed by three digits."""
    if len(chunk) > 7 or not _GROUPED.match(chunk) or "'" in chunk:
        return None
    return Decimal(chunk.replace(",", ".") if "," in chunk else chunk.replace(".", ""))


def _quotient(slash: re.Match[str]) -> Reading:
    """The value of 3/4; it is not readable if it need not be a fraction, as 24/7."""
    upper, lower = int(slash[1]), int(slash[2])
    reading = Reading(slash.start(), slash.end(), ONE)
    if not 0 < upper < lower or lower not in _DENOMINATORS or gcd(upper, lower) > 1:
        return reading.unread()
    return reading._replace(value=QUOTIENT.divide(Decimal(upper), Decimal(lower)))


def _with_rest(text: str, reading: Reading) -> Reading:
    """The number with a fraction after it: 2½, 2 1/2; not readable with a power, as 2×10^6."""
    end = reading.end
    following = text[end : end + 2]
    if not following or following[0] in ",.;:)。，":
        return reading
    if (gap := _MIXED.match(text, end)) is not None and reading.value < 1000:
        slash = _SLASH.match(text, gap.end())
        share = _quotient(slash) if slash else None
        return reading.plus(share.value, share.end) if share and share.readable else reading
    vulgar = following.lstrip(" ")[:1]
    if vulgar and vulgar in _VULGAR:
        end = text.index(vulgar, end)
        return reading.plus(next(_parts(vulgar, end)).value, end + 1)
    power = _POWER.match(text, end)
    # After a year or groups of digits a raised digit is the mark of a footnote: 2023¹, 1,234¹.
    is_footnote = power is not None and power.group().isnumeric() and end - reading.start >= 4
    return reading if power is None or is_footnote else reading.unread(power.end())
