"""Chinese numerals: 四万二千, 一百零五, 二〇二〇, 壹佰, 三点五, 4.2万, 3亿5千万, 百分之五, 三分之二."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from assay.text.figure import DIGITS, EXACT, FIGURE, ONE, QUOTIENT, Reading, figure_value
from assay.text.word_list import word_set

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
