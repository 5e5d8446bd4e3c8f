"""Numbers written with digits, with the separators that are used in three languages.

Rules for separators:

* A single comma followed by exactly three digits separates thousands (``42,000``), unless the
  number starts with 0 (``0,125``) or a Russian scale word follows (``12,641 млрд``). Any other
  single comma is a decimal comma (``235,0``).
* A single point is a decimal point (``42.000`` is 42). If exactly three digits follow a single
  comma or point, the other reading is the alternative.
* The same separator several times separates groups, if all groups have three digits
  (``1.234.567``). Otherwise commas separate several numbers (``1,2,3``), and points make a code
  (``3.2.1``, ``10.0.0.1``). A code is not a number, but the parts of a date are numbers.
* With two kinds of separators, the last one is the decimal mark (``42.000,50``, ``42,000.50``).
* A space (also a no-break or thin one) or an apostrophe separates groups if three digits follow.
* Groups of two digits before one of three are Indian notation (``12,34,567``), and underscores
  separate groups of three as in programs (``1_048_576``).

A slash makes a fraction if the lower number is a usual denominator (``3/4``, ``2 1/2``). ``10^6``,
``10⁶`` and ``2×10^6`` are powers of ten. Other slashes between small numbers (``24/7``) and other
powers (``2^10``, ``5²``) are not numbers.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from math import gcd
from typing import Final

from assay.text.character import HAN
from assay.text.lexicon import alternatives, lazy_pattern, word_list
from assay.text.number.candidate import EXACT, ONE, QUOTIENT, Reading, scaled
from assay.text.number.colloquial import with_colloquial_tail
from assay.text.number.han import DIGITS, UNITS
from assay.text.number.label import is_labelled, label_end, telephone_end
from assay.text.number.numeral import composed_value
from assay.text.number.power import TIMES_TEN, power_of_ten, scientific
from assay.text.number.tail import LETTER as _LETTER
from assay.text.number.tail import addition, crore_end, odd_end, scale_words, unreadable_end
from assay.text.number.unit import unit_after
from assay.text.number.vulgar import MAY_FOLLOW, REPEATING, VULGAR, VULGAR_NEXT

_FIRST: Final = lazy_pattern("[0-9½¼¾⅕⅖⅗⅘⅛⅜⅝⅞]", re.NOFLAG)
_LETTERS: Final = lazy_pattern(rf"[{_LETTER}]+\Z", re.NOFLAG)
_CHUNK: Final = lazy_pattern(
    r"(?<![.,'])[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9'])(?:[.,][0-9]+)?(?![.,]?[0-9])"
    r"|[1-9][0-9]{0,2}(?:_[0-9]{3})+(?![0-9_])|[0-9]+(?:[.,'][0-9]+)*",
    re.NOFLAG,
)
_CODE_TAIL: Final = lazy_pattern(
    rf"(?:(?:[.,'\-]|(?<=[0-9]{{3}})/(?=[0-9]{{4}}))?[{_LETTER}0-9]+)*", re.NOFLAG
)
_LETTERS_THEN_DIGIT: Final = lazy_pattern(
    rf"(?!(?:[ckdm]?m[23]|[скд]?м[23]|[QH][1-4])(?![0-9]))[{_LETTER}]+[0-9]|[eE][-+][0-9]|(?:(?<=[a-z] 3)|(?<=^3))M(?![A-Za-z0-9]|\s[A-Z])",
    re.NOFLAG,
)
_OF_A: Final = lazy_pattern(lambda: alternatives("number.of_a", "en"))
_GROUPED: Final = lazy_pattern(r"[1-9][0-9]{0,2}(?:([.,'])[0-9]{3})(?:\1[0-9]{3})*\Z", re.NOFLAG)
_DAY: Final = lazy_pattern(
    r"(?:[0-9]{1,2}\.[0-9]{1,2}\.[12][0-9]{3}|[12][0-9]{3}\.[0-9]{1,2}\.[0-9]{1,2})\Z", re.NOFLAG
)
_INDIAN: Final = lazy_pattern(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?\Z", re.NOFLAG)
# Groups of three and a shorter one are neither a number nor a list.
_TORN: Final = lazy_pattern(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+,[0-9]{1,2}\Z", re.NOFLAG)
_SLASH: Final = lazy_pattern(
    rf"(?<![0-9/.,])([0-9]{{1,3}})/([0-9]{{1,3}}|1000)(?:rds?|ths?)?(?!/|[.,]?[0-9]|[{_LETTER}])",
    re.NOFLAG,
)
_DENOMINATORS: Final = frozenset(
    (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 32, 50, 64, 100, 130, 150, 200, 300, 360, 1000)
)
_MIXED: Final = lazy_pattern(
    rf"(?: {{1,2}}|-| and |又)(?=[0-9]{{1,2}}/[0-9]{{1,2}}(?![0-9/]|[{_LETTER}]))", re.NOFLAG
)
_ATTACHED: Final = lazy_pattern(
    rf"(?:[kKкК]|\s{{1,2}}k|(?P<million>kk|KK|кк|КК))(?![{_LETTER}0-9])|(?P<wan>[wW])(?![{_LETTER}0-9])",
    re.NOFLAG,
)
_THOUSAND_UNIT: Final = lazy_pattern(
    lambda: alternatives("number.thousand_unit_after_digits", "zh")
)
_WATT: Final = lazy_pattern(lambda: alternatives("number.watt", "zh"))
_HAN_NEAR: Final = lazy_pattern(f"[{HAN}]", re.NOFLAG)
_NEAR: Final = 8
"""So many characters around a number tell whether its w means watt."""
_AFTER_MONEY: Final = lazy_pattern(
    rf"(?: (?=[MBT]))?(?:(m|(?-i:MM))|(b(?:il)?)|(t(?:r|ril)?))(?![{_LETTER}0-9])",
    re.IGNORECASE,
)
_AFTER_DIGITS: Final = lazy_pattern(
    rf"(?:(?<![^.,0-9]3)(?<!^3)(MM?)|(B))(?![{_LETTER}0-9])", re.NOFLAG
)
_MONEY_BEFORE: Final = lazy_pattern(
    r"(?:[$€£¥₽]|\b(?:usd|eur|rub|cny|rmb|gbp|hkd|jpy|aud|cad|nzd|sgd|chf|sek|nok|dkk|pln|czk|huf|inr|krw|brl|mxn"
    r"|zar|aed|ils|kzt|uah|byn)) ?(?:[0-9.,]{1,5} ?- ?)?\Z",
    re.IGNORECASE,
)
# The letter of the smaller coin after this is no scale: 3 р. 50 к.
_COINS_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('number.coins_before', 'ru')})\Z")
_MANY: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('number.counted_by_millions', 'en')})\b")
_PLAIN_UNITS: Final = str.maketrans("拾佰仟", "十百千")
_HAN_UNITS: Final = (
    r"([十拾百佰千仟万萬亿億]+)"
    r"(?:([零〇])?([0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+(?:\.[0-9]+)?|[一二两三四五六七八九壹贰叁肆伍陆柒捌玖])(?![0-9.,][0-9]))?"
)
# A space is allowed only before 万 and 亿: "2020 百度" is a year and a name. Later in a number, a
# space is allowed before any unit: 7 万 5 千.
_HAN_PART: Final = lazy_pattern(rf"(?: (?=[十拾百佰千仟]?[万萬亿億]))?{_HAN_UNITS}", re.NOFLAG)
_HAN_NEXT: Final = lazy_pattern(rf" ?{_HAN_UNITS}", re.NOFLAG)
_LEADING_POINT: Final = lazy_pattern(r"(?:\A|(?<=[\s(\[=<>~≈-]))\.(?=[0-9])", re.NOFLAG)


def figures(text: str) -> Iterator[Reading]:
    """Yield the numbers with digits in a surface text, from left to right, with scale words."""
    position = 0
    while first := _FIRST.search(text, position):
        start = first.start()
        if first.group() in VULGAR:
            share = Reading(start, first.end(), Decimal(VULGAR[first.group()]))
            reading = _with_tail(text, share._replace(end=_end_of_a(text, share.end)))
            reading = reading if reading.scale > ONE or not reading.readable else share
            position = reading.end
            yield reading
            continue
        if (end := telephone_end(text, start)) is not None:
            position = end
            continue
        chunk = _CHUNK.match(text, start)
        assert chunk is not None
        if (scientific_reading := scientific(text, start, chunk.end())) is not None:
            position = scientific_reading.end
            yield scientific_reading
            continue
        if _is_code(text, start, chunk.end()) and not TIMES_TEN.match(text, chunk.end()):
            position = max(_past(_CODE_TAIL, text, start), chunk.end())
            continue
        position = chunk.end()
        if text[position : position + 1] == "/" and (slash := _SLASH.match(text, start)):
            reading = _with_tail(text, _quotient(slash, is_label=is_labelled(text, start)))
            position = reading.end
            yield reading
            continue
        is_after_point = start and text[start - 1] == "." and chunk.group().isdigit()
        if is_after_point and _LEADING_POINT.match(text, start - 1):
            share = Reading(start - 1, position, Decimal(f"0.{chunk.group()}"))
            reading = _with_tail(text, share)
            position = reading.end
            yield reading
            continue
        parts = list(_parts(chunk.group(), start))
        position = position if parts else max(_past(_CODE_TAIL, text, start), position)
        for part in parts:
            if part.end == chunk.end():
                part = _with_tail(text, _with_fraction(text, part))  # noqa: PLW2901
                part = with_colloquial_tail(text, part)  # noqa: PLW2901
                position = part.end
            yield part


def _end_of_a(text: str, end: int) -> int:
    """The end of the words between a share and the scale of which it is one: ½ of a million."""
    link = _OF_A.match(text, end)
    return link.end() if link and scale_words(text, link.end())[0] > ONE else end


def _quotient(slash: re.Match[str], *, is_label: bool = False) -> Reading:
    """The value of 3/4; it is not readable if it need not be a fraction, as 24/7 and дом 5/7."""
    upper, lower = int(slash[1]), int(slash[2])
    if (
        is_label
        or upper >= lower
        or lower not in _DENOMINATORS
        or gcd(upper, lower) > 1
        or not upper
    ):
        return Reading(slash.start(), slash.end(), ONE, readable=False)
    value = QUOTIENT.divide(Decimal(upper), Decimal(lower))
    return Reading(slash.start(), slash.end(), value)


def _with_tail(text: str, reading: Reading) -> Reading:
    """The number with powers of ten, halves and scale words after it."""
    end = reading.end
    following = text[end : end + 2]
    if not following or not reading.readable:
        return reading
    if (power := power_of_ten(text, reading)) is not None:
        return power
    # Most numbers are followed by punctuation or by a Chinese word.
    if following[0] != "°" and (
        not following.strip(" -\u00a0").isalpha() or following[0].isalpha()
    ):
        return _with_attached_scale(text, reading)
    if (unreadable := unreadable_end(text, end)) is not None:
        return reading._replace(end=unreadable, readable=False)
    if (odd := odd_end(text, end)) is not None:
        return _with_scale(text, reading._replace(end=odd, approximate=True))
    if (extra := addition(text, end)) is not None:
        value = EXACT.add(reading.value, extra[0])
        return _with_scale(text, reading._replace(end=extra[1], value=value, alternative=None))
    reading = _with_scale(text, reading)
    if reading.scale > ONE and (extra := addition(text, reading.end)) is not None:
        value = EXACT.add(reading.value, scaled(extra[0], reading.scale))
        reading = reading._replace(end=extra[1], value=value, alternative=None)
    return reading


def _with_attached_scale(text: str, reading: Reading) -> Reading:
    """The number with the scale word directly after it; not readable if that is not understood."""
    with_scale = _with_scale(text, reading)
    if with_scale.end == reading.end and text[reading.end].isalpha():
        end = unreadable_end(text, reading.end)
        return reading if end is None else reading._replace(end=end, readable=False)
    return with_scale


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether the digits are part of a code: letters are before them (A4) or inside (8d02)."""
    if start and (text[start - 1].isalpha() or text[start - 1] == "_"):
        letters = _LETTERS.search(text, max(0, start - 40), start)
        if letters is not None and letters.group().casefold() not in _prefixes():
            return True
    after = text[end : end + 1]
    if not after.isalpha() and after != "_":
        return False
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
    bare = chunk.replace(" ", "").replace("_", "")
    if bare.isdigit():
        yield Reading(start, end, Decimal(bare))
    elif " " in chunk:
        yield Reading(start, end, Decimal(bare.replace(",", ".")))
    elif (value := _separated_value(chunk)) is not None:
        yield Reading(start, end, value, _alternative(chunk))
    elif _INDIAN.match(chunk):
        yield Reading(start, end, Decimal(chunk.replace(",", "")))
    elif _DAY.match(chunk):
        yield from _split(chunk, start, ".")
    elif "," in chunk and not _TORN.match(chunk):
        yield from _split(chunk, start, ",")


def _split(chunk: str, start: int, separator: str) -> Iterator[Reading]:
    """Yield the numbers of a list; nothing if one of them cannot be read, as in 1,234.8.9."""
    readings: list[Reading] = []
    for piece in chunk.split(separator):
        found = list(_parts(piece, start))
        if not found:
            return
        readings += found
        start += len(piece) + 1
    yield from readings


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
    """The number with a fraction after it: 2½, 2 ½, 2 1/2."""
    share: Decimal | None = None
    end = reading.end
    if repeating := REPEATING.match(text, end):
        return reading._replace(end=repeating.end(), readable=False)
    if text[end : end + 1].isalnum() and text[end] not in MAY_FOLLOW:
        return reading
    if vulgar := VULGAR_NEXT.match(text, end):
        share, end = Decimal(VULGAR[vulgar[1]]), vulgar.end()
    elif (gap := _MIXED.match(text, reading.end)) and text[reading.end - 1].isdigit():
        slash = _SLASH.match(text, gap.end())
        quotient = _quotient(slash) if slash else None
        if quotient is not None and quotient.readable:
            share, end = quotient.value, quotient.end
    if share is None:
        return reading
    value = EXACT.add(reading.value, share)
    return reading._replace(end=end, value=value, alternative=None)


def _with_scale(text: str, reading: Reading) -> Reading:
    # Most numbers are followed by a mark or by another number.
    if not text[reading.end : reading.end + 3].lstrip("- \t\n\r")[:1].isalpha():
        return reading
    if _HAN_PART.match(text, reading.end):
        return _with_han(text, reading)
    if (label := label_end(text, reading.start, reading.end)) is not None:
        return reading._replace(end=label, readable=False)
    scale, end = scale_words(text, reading.end)
    if (crore := crore_end(text, reading.start, end)) is not None:
        return _scaled_reading(reading, Decimal(10**7), crore)
    if scale == ONE:
        match = _ATTACHED.match(text, end)
        if match is None:
            is_money = _MONEY_BEFORE.search(text, max(0, reading.start - 12), reading.start)
            match = (_AFTER_MONEY if is_money else _AFTER_DIGITS).match(text, end)
            if match is None and (match := _AFTER_MONEY.match(text, end)) is not None:
                is_scaled = unit_after(text, match.end()) or _MANY.match(text, match.end())
                match = match if is_scaled else None
            scale = Decimal(10 ** (3 * ((match.lastindex or 0) + 1))) if match else ONE
        elif (
            not _is_myriad(text, reading.start, match.end())
            if match["wan"]
            else _COINS_BEFORE.search(text, max(0, reading.start - 8), reading.start)
        ):
            match = None
        elif match is not None:
            scale = Decimal(10**4 if match["wan"] else 10**6 if match["million"] else 1000)
        end = match.end() if match else end
    return _scaled_reading(reading, scale, end)


def _is_myriad(text: str, start: int, end: int) -> bool:
    """Whether a w after a number is short for 万 in a Chinese text, and not for watt."""
    near = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    return any(map(_HAN_NEAR.search, near)) and not any(map(_WATT.search, near))


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
    end = best_end = reading.end
    best: Decimal | None = None
    largest = 1
    pattern = _HAN_PART
    while (match := pattern.match(text, end)) is not None:
        units, zero, digits = match.groups()
        unit_end = match.end(1)
        if units[-1] == "千" and _THOUSAND_UNIT.match(text, unit_end):
            units, digits, unit_end = units[:-1], None, unit_end - 1  # 30万千瓦 is in kilowatts
            if not units:
                break
        units = units.replace("萬", "万").translate(_PLAIN_UNITS).replace("万万", "亿")
        pattern = _HAN_NEXT
        atoms.extend(units)
        best, best_end = composed_value(atoms), unit_end
        if best is None:
            # A part of the number would be another number.
            return reading._replace(end=best_end, readable=False)
        largest = max(largest, *(UNITS[unit] for unit in units))
        if digits is None:
            break
        if zero:
            atoms.append(zero)
        is_ascii = digits.isascii()
        atoms.append(Decimal(digits.replace(",", "") if is_ascii else DIGITS[digits]))
        end = match.end()
        value = composed_value(atoms)
        if value is not None:
            best, best_end = value, end
    if best is None:
        return reading
    if len(atoms) == 2 and reading.alternative is not None:
        return _scaled_reading(reading, Decimal(largest), best_end)
    return reading._replace(end=best_end, value=best, alternative=None, scale=Decimal(largest))
