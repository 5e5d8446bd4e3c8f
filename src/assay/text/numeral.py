"""Numbers written with digits, with the separators of three languages, and in Chinese numerals.

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

Chinese numerals are 四万二千, 一百零五, 二〇二〇, 壹佰, 三点五, 4.2万, 3亿5千万, 百分之五 and 三分之二.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from math import gcd
from typing import Final, NamedTuple

from assay.text.lexicon import word_set

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


_DIGITS: Final = {
    **dict(zip("〇零一二三四五六七八九", (0, *range(10)), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖", range(1, 10), strict=True)),
    **dict(zip("貳參陸两兩", (2, 3, 6, 2, 2), strict=True)),
}
_SIZES: Final = (10, 10, 100, 100, 1000, 1000, 10**4, 10**4, 10**8, 10**8)
_UNITS: Final = dict(zip("十拾百佰千仟万萬亿億", _SIZES, strict=True))
_TENS: Final = dict(zip("廿卅卌", (2, 3, 4), strict=True))
NUMERAL: Final = "".join((*_DIGITS, *_UNITS, *_TENS))
"""All characters of Chinese numerals, for a character class."""
_ZEROS: Final = "〇零"
_PLAIN: Final = str.maketrans("拾佰仟萬億點", "十百千万亿点")
_HALF: Final = Decimal("0.5")
_HUNDREDTH: Final = Decimal("0.01")

_D, _U = "".join(_DIGITS), "".join(_UNITS)
_ATOM: Final = re.compile(f"{DIGITS}|.")
_NUMERAL: Final = re.compile(f"[{NUMERAL}]")
_RUN: Final = re.compile(
    rf"(?:(?<![0-9.,]){DIGITS} ?(?=[多余来]?[{_U}]))?"
    rf"(?:[{NUMERAL}]|(?<=[{NUMERAL}])[点點](?=[{_D}])|(?<=[百千万亿]){FIGURE}(?=[{_U}]|(?![0-9.]))"
    rf"|(?<=[0-9{_U}])[多余来](?=[万亿])| (?=[万亿]))+"
)
_FRACTION: Final = re.compile(rf"分之 ?([负-]?)({FIGURE}|[{NUMERAL}点]+)")
_RANGE: Final = re.compile(rf"[至到~—-][{NUMERAL}0-9.]*[{_U}]")
_DIGIT: Final = rf"零?([{_D}1-9])"
_COINS: Final = re.compile(rf"[元圆块](?:{_DIGIT}[角毛](?:{_DIGIT}分?)?|{_DIGIT}分)")
_TENTH: Final = re.compile(rf"[块米度]{_DIGIT}([{_D}])?(?![{NUMERAL}0-9.点])")
_KILO: Final = "克卡瓦米赫帕伏安"
"""Units that begin with the character for a thousand."""
_MEGA: Final = "瓦赫帕字比欧焦"
_NOT_MORE: Final = tuple("额款下数地量")


def numeral_value(numeral: str) -> Decimal | None:
    """The value of a Chinese numeral, or ``None`` if it is not well formed.

    A last digit without a unit is read as in spoken language: ``四万二`` is 42000.

    >>> [str(numeral_value(n)) for n in ("四万二千", "一百零五", "二〇二〇", "三点五", "万一")]
    ['42000', '105', '2020', '3.5', 'None']
    """
    whole, point, rest = numeral.translate(_PLAIN).partition("点")
    if point:
        digits = rest.rstrip("万亿")
        value = numeral_value(whole)
        if value is None or not set(digits) <= set(_DIGITS) or not digits:
            return None
        value = Decimal(f"{value:f}.{_in_digits(digits)}")
        for unit in rest[len(digits) :]:
            value = EXACT.multiply(value, Decimal(_UNITS[unit]))
        return value
    if set(whole) <= set(_ZEROS) or (len(whole) > 1 and set(whole) <= set(_DIGITS) - set("两兩")):
        return Decimal(_in_digits(whole)) if whole else None
    atoms: list[Decimal | str | None] = []
    for atom in _ATOM.findall(whole):
        if atom in _TENS:
            atoms += (Decimal(_TENS[atom]), "十")
        elif atom in _UNITS or atom in _ZEROS:
            atoms.append(atom)
        else:
            atoms.append(Decimal(_DIGITS[atom]) if atom in _DIGITS else _figure(atom))
    return None if None in atoms else _composed([atom for atom in atoms if atom is not None])


def _in_digits(numeral: str) -> str:
    return "".join(str(_DIGITS[digit]) for digit in numeral)


def _figure(digits: str) -> Decimal | None:
    return figure_value(digits) if digits[0].isascii() and digits[0].isdecimal() else None


def _composed(atoms: Sequence[Decimal | str], unit: int = 1) -> Decimal | None:
    """The value of numbers and units in sequence, after a larger ``unit``; ``None`` if malformed."""
    for name in "亿万":
        if name in atoms:
            at = len(atoms) - 1 - list(reversed(atoms)).index(name)
            head, size = atoms[:at], _UNITS[name]
            high = None if name in head[:-1] else _composed(head)
            low = _composed(atoms[at + 1 :], size) if high else None
            if not high or low is None or low >= size:
                return None
            return EXACT.fma(high, Decimal(size), low)
    return _below_myriad(atoms, unit)


def _below_myriad(atoms: Sequence[Decimal | str], unit: int) -> Decimal | None:
    total, number, limit, has_zero = Decimal(0), None, 10**4, False
    for index, atom in enumerate(atoms):
        if isinstance(atom, Decimal) or atom in _ZEROS:
            if number is not None:
                return None
            number, has_zero = (None, True) if isinstance(atom, str) else (atom, has_zero)
            continue
        unit = _UNITS[atom]
        # Inside of a numeral only ten may be without a digit: 一千零十, but not 一千百.
        if unit >= limit or (number is None and unit != 10 and index):
            return None
        total = EXACT.fma(ONE if number is None else number, Decimal(unit), total)
        number, limit, has_zero = None, unit, False
    if number is None:
        return total
    if unit >= 100 and not has_zero and number in range(1, 10):
        number = EXACT.multiply(number, Decimal(unit // 10))
    return EXACT.add(total, number) if unit == 1 or number < unit else None


def numerals(text: str) -> Iterator[Reading]:
    """Yield the Chinese numerals in a surface text, without words that only look like numbers.

    These are left out: a single character without a measure word (``三亚``, ``一般``), two digits
    in sequence (``三四个`` is "three or four"), units without a digit (``千万``) unless a
    currency follows, and indefinite numbers (``几十``, ``数百``, ``十几``).
    """
    position = 0
    for match in _RUN.finditer(text) if _NUMERAL.search(text) else ():
        start, end = match.span()
        run = match.group()
        is_kilo = run[-1] == "千" and text[end : end + 1] in tuple(_KILO)  # 五千克
        if len(run) > 1 and (is_kilo or run[-1] in "两兩"):  # 五百两 is a weight
            run, end = run[:-1], end - 1
        if start < position or run.isascii():
            continue
        if text.startswith("分之", end):
            reading = _fraction(text, run, start, end)
        else:
            more = next((mark for mark in "多余来" if mark in run), "")
            value = numeral_value(re.sub(f" (?=[万亿])|{more or ' $'}", "", run))
            reading = Reading(start, end, value or Decimal(0), None, _scale(run), None, bool(more))
            is_time = "点" in run and text[end : end + 1] in {"分", "刻"}
            if value is None or is_time or text[start - 1 : start] in {"几", "数"}:
                reading = reading.unread()
        whole = with_tail(text, reading)
        if (whole is not reading and run[0] not in _U[2:]) or _is_number(text, run, reading):
            position = whole.end
            yield whole


def _scale(run: str) -> Decimal:
    """What a range shares with its end: 百万 of 三百万, 万 of 三十五万."""
    units = run[len(run.rstrip("百千万亿")) :]
    scale = 1
    for unit in units if len(run) - len(units) == 1 or run[0].isascii() else units[-1:]:
        scale *= _UNITS[unit]
    return Decimal(scale)


def _fraction(text: str, run: str, start: int, end: int) -> Reading:
    """百分之N as percent, N分之M as a quotient; 三又四分之一 is not read."""
    match = _FRACTION.match(text, end)
    lower = Decimal(_UNITS[run]) if run in _UNITS else numeral_value(run)
    upper = match[2] if match else ""
    value = Decimal(_UNITS[upper]) if upper in _UNITS else numeral_value(upper)
    if match is None or not lower or value is None or text[start - 1 : start] == "又":
        return Reading(start, end, ONE).unread(match.end() if match else end + 2)
    is_percent = len(run) == 1 and run in "百千万"
    value = QUOTIENT.divide(EXACT.multiply(value, Decimal(100 if is_percent else 1)), lower)
    value = value.copy_negate() if match[1] else value
    return Reading(start, match.end(), value, unit="percent" if is_percent else None)


def _is_number(text: str, run: str, reading: Reading) -> bool:
    """Whether a numeral is a number in this context, and not a part of another word."""
    before, end = text[max(0, reading.start - 2) : reading.start], reading.end
    if run[0].isascii() or before[-1:] == "负" or reading.end > reading.start + len(run):
        return True
    if not reading.readable:
        return True
    if len(run) == 1:
        if before.endswith(tuple(word_set("no_amount", "zh"))) or _UNITS.get(run, 10) != 10:
            return False
        if run in _ZEROS and text[end : end + 1] == "件":
            return False  # 零件 is a part of a machine
        kind = "_ordinal" if before[-1:] == "第" else "_one" if run in "一壹" else ""
        return _is_counted(text, end, f"measure{kind}") or _RANGE.match(text, end) is not None
    if run[0] in _U[2:]:
        return set(run) <= set(_UNITS) and text[end : end + 1] in {"元", "美"}
    if set(run) <= set(_DIGITS):
        has_zero = not set(run).isdisjoint(_ZEROS)
        is_row = run in "一二三四五六七八九"
        is_counted = len(run) == 3 and _is_counted(text, end, "measure")
        return has_zero or is_counted or (len(run) > 3 and not is_row)
    return True


def _is_counted(text: str, end: int, words: str) -> bool:
    """Whether one of the words of a list follows."""
    return any(text[end : end + size] in word_set(words, "zh") for size in (1, 2, 3))


def with_tail(text: str, reading: Reading) -> Reading:
    """The number with what spoken Chinese adds to it: 三十多, 两个半, 九块九, 三元五角, 一米八.

    >>> [str(with_tail(text, Reading(0, 1, Decimal(3))).value) for text in ("3年半", "3块5", "3个亿")]
    ['3.5', '3.50', '300000000']
    """
    end = reading.end
    following, after = text[end : end + 1], text[end + 1 : end + 2]
    if following < "\u4e00" or not reading.readable:
        return reading
    is_share = following == "成" and end - reading.start == 1  # 七成
    if following in "几数折" or is_share or (following == "兆" and after not in _MEGA):
        return reading.unread(end + 1)
    if following == "个" and after and after in "万亿":
        return reading.times(Decimal(_UNITS[after]), end + 2)
    is_round = text[end - 1] in "0" + _U or reading.unit is not None
    is_more = following == "多" or (following == "余" and after not in _NOT_MORE)
    is_more = is_more or (following == "来" and after in word_set("measure", "zh"))
    if is_more and is_round:
        return reading._replace(end=end + 1, approximate=True)
    half = text.find("半", end, end + 3)
    if half >= 0 and text[end:half] in word_set("measure_half", "zh"):
        return reading.plus(_HALF, half + 1)
    if (coins := _COINS.match(text, end)) is not None:
        tenths, hundredths = coins[1], coins[2] or coins[3]
    elif (coins := _TENTH.match(text, end)) and not _is_counted(text, coins.end(), "measure"):
        tenths, hundredths = coins[1], coins[2]
    else:
        return reading  # also 三块九个
    digits = [_DIGITS.get(digit or "零", 0) or int(digit or 0) for digit in (tenths, hundredths)]
    extra = EXACT.multiply(Decimal(10 * digits[0] + digits[1]), _HUNDREDTH)
    is_money = following in "元圆块"
    return reading.plus(extra, coins.end())._replace(unit="CNY" if is_money else reading.unit)
