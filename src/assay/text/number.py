"""Numbers in text with what is around them: sign, unit, range, and marks of a rough value."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from msgspec import Struct

from assay.text.lexicon import word_set, word_values
from assay.text.normalise import Span, Surface, surface
from assay.text.number_word import scale_after, with_words
from assay.text.numeral import EXACT, ONE, Reading, figures, numerals, with_tail

UnitClass: TypeAlias = Literal["percent", "permille", "currency"] | None

_TENTH: Final = Decimal("0.1")
_HUNDREDTH: Final = Decimal("0.01")
_MONEY: Final = "$€£¥₽"
_LETTERS: Final = "[^\\W\\d_\u3040-\u9fff]{1,24}"
_UNIT_AFTER: Final = re.compile(
    rf" ?(?:([%‰{_MONEY}])|-?({_LETTERS})\.?( {_LETTERS})?|([\u4e00-\u9fff]{{1,5}}))"
)
_UNIT_BEFORE: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?<![0-9] )((?:us|hk)?\$|[{_MONEY}]|[a-z]{{3}}|人民币) ?-?\Z"
)
_SCALE_LETTER: Final = re.compile(r" ?([kKкКmMbBtTw])(?![^\W_\u3040-\u9fff])")
_SCALE_LETTERS: Final = {"k": 3, "к": 3, "w": 4, "m": 6, "b": 9, "t": 12}
_CODE_BEFORE: Final = re.compile(rf"(?:\b[A-Z]{{3}} ?|[{_MONEY}] ?[\d.,]+ ?-)\Z")
# A hyphen is a minus sign only if it is not part of a range, a code or a compound word.
_MINUS: Final = re.compile(
    r"(?:\A|(?<![0-9%])\s|[(\[{<>=≤≥≈~:：，,;；…\"'«“「/为是到至达约于了率差在近低高从拔]|\.\.)-\Z"
)
_LINK: Final = re.compile(rf"\s?(\.\.\.?|…|[^\s\d{_MONEY}]{{1,7}}?)\s?[{_MONEY}]?")
_OPEN: Final = re.compile(r"\s?[(（]\s?")
_CLOSE: Final = re.compile(r"\s?[)）]")
_ROMAN_NUMERAL: Final = "(?=[IVXLХ])(?:XC|X[LХ]|L?[XХ]{0,3})(?:I[XХ]|IV|V?I{0,3})"
_ROMAN: Final = re.compile(
    rf"(?<![A-Za-z0-9_\u0400-\u052f.'’]){_ROMAN_NUMERAL}(?:(?:-|, | и | and ){_ROMAN_NUMERAL})*"
    r"(?![^\W\u3040-\u9fff]|[.'’-]\w)"
)
_ROMAN_PART: Final = re.compile("[IVXLХ]+")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "Х": 10}
_TIGHT: Final = frozenset("-—~至到")
_LONGEST_LINK: Final = 12
_REACH: Final = 40


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
        digits = f"{self.value:f}"
        digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
        return "0" if digits in {"-0", ""} else digits


def numbers(text: str) -> list[Number]:
    """All numbers in ``text``, from left to right; numbers do not overlap.

    ``assay.text.numeral`` describes how separators are read. In a range, the scale word and
    the unit of the second number also apply to the first (``5–10 млн``), and the currency before
    the first one to the second (``$5–10``). A number that is written twice, in digits and in
    words, is one number (``thirty (30) days``). Roman numerals are numbers beside what they number
    (``глава XIV``, ``XIX век``); ordinals in words are not.

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


@lru_cache(maxsize=16)
def _numbers(text: str, *, has_permille: bool = False) -> tuple[Number, ...]:
    """The numbers of a text; the scores of one answer ask for them several times."""
    flat = surface(text)
    readings = _join_doubled(flat.text, _readings(flat.text))
    readings, units = _join_coins(flat.text, readings)
    readings, shared = _share_in_ranges(flat.text, readings, units)
    return tuple(
        _number(flat, reading, unit, other, has_permille=has_permille)
        for reading, unit, other in zip(readings, units, shared, strict=True)
        if reading.readable
    )


def _readings(text: str) -> list[Reading]:
    """All numbers and expressions that are not understood; they do not overlap."""
    digits: Sequence[Reading] = [_with_letter(text, reading) for reading in figures(text)]
    if not text.isascii():
        digits = _merged([*numerals(text), *(with_tail(text, reading) for reading in digits)])
    found = list(with_words(text, digits))
    roman = _romans(text)
    return _merged([*found, *roman]) if roman else found


def _merged(readings: Sequence[Reading]) -> list[Reading]:
    """The readings in order, without those that overlap one before."""
    kept: list[Reading] = []
    for reading in sorted(readings, key=attrgetter("start")):
        if not kept or reading.start >= kept[-1].end:
            kept.append(reading)
    return kept


def _romans(text: str) -> list[Reading]:
    """Roman numerals beside what they number: глава XIV, XVIII и XIX века, 第IV章; not in names."""
    found = []
    for match in _ROMAN.finditer(text):
        start, end = match.span()
        following = _UNIT_AFTER.match(text, end)
        word = (following[2] or "").lower() if following else ""
        is_short = word in word_set("short_century") and text.startswith(
            (f" {word}.", f"{word}."), end
        )
        is_century = is_short or word in word_values("ordinal_noun")
        before = text[max(0, start - 16) : start]
        labels = before.lower().split()[-1:] if before[-1:] == " " else [before[-1:]]
        is_labelled = bool(labels) and labels[0].lstrip("(") in word_set("numbered")
        if not (is_century or is_labelled):
            continue
        for numeral in _ROMAN_PART.finditer(text, start, end):
            sizes = [_ROMAN_VALUES[letter] for letter in numeral.group()]
            pairs = zip(sizes, [*sizes[1:], 0], strict=True)
            value = sum(-size if size < after else size for size, after in pairs)
            if numeral.group() != "I" or is_century:
                found.append(Reading(*numeral.span(), Decimal(value)))
    return found


def _join_doubled(text: str, readings: Sequence[Reading]) -> list[Reading]:
    """Make one reading of a number and the same value in brackets: thirty (30) days."""
    joined: list[Reading] = []
    for reading in readings:
        first, close = joined[-1] if joined else None, _CLOSE.match(text, reading.end)
        if first is None or close is None or not _is_doubled(text, first, reading):
            joined.append(reading)
            continue
        # Words are not ambiguous, digits may be: 42.500 (forty-two thousand five hundred).
        exact = first if first.alternative is None else reading
        whole = exact._replace(start=first.start, end=close.end(), alternative=None)
        scale, end = scale_after(text, close.end()) if first.scale == ONE else (ONE, close.end())
        joined[-1] = whole.times(scale, end)
    return joined


def _is_doubled(text: str, first: Reading, second: Reading) -> bool:
    if not (first.readable and second.readable) or first.unit != second.unit:
        return False
    values = {first.value, first.alternative} & {second.value, second.alternative} - {None}
    is_other = text[first.start].isdecimal() != text[second.start].isdecimal()
    return bool(values) and is_other and _OPEN.fullmatch(text, first.end, second.start) is not None


def _with_letter(text: str, reading: Reading) -> Reading:
    """The number times the letter behind it: 10k, $5m; not readable if that may be a label: 12B."""
    match = _SCALE_LETTER.match(text, reading.end)
    if match is None or not reading.readable or not text[reading.end - 1].isdecimal():
        return reading
    letter, is_tight = match[1], text[reading.end] != " "
    before = text[max(0, reading.start - 12) : reading.start]
    is_money = _unit_before(before) is not None or _CODE_BEFORE.search(before) is not None
    scaled = reading.times(Decimal(10 ** _SCALE_LETTERS[letter.lower()]), match.end())
    if is_money or (letter in "kк" and is_tight):
        return scaled
    if letter == "m" and is_tight and _unit_after(text, match.end()) is not None:
        return scaled
    return reading.unread(match.end()) if is_tight and letter in "KMBTw" else reading


class _Unit(NamedTuple):
    """Percent, per mille or a currency beside a number; ``share`` is 0.01 for its hundredth part."""

    name: str
    start: int
    end: int
    share: Decimal = ONE


def _unit(text: str, reading: Reading) -> _Unit | None:
    if reading.unit is not None:
        return _Unit(reading.unit, reading.start, reading.end)
    after, floor = _unit_after(text, reading.end), max(0, reading.start - 8)
    before = _unit_before(text[floor : reading.start])
    if before is None or (after is not None and after.name == "percent"):
        return after
    return before._replace(start=floor + before.start, end=floor + before.end)


def _unit_after(text: str, end: int) -> _Unit | None:
    """The unit after a number that ends at ``end`` in a surface text; ``None`` if none."""
    match = _UNIT_AFTER.match(text, end)
    if match is None:
        return None
    sign, word, second, han = match.groups()
    start = match.start(match.lastindex or 0) if second is None else match.start(2)
    is_pointed = word is not None and text[match.end(2) : match.end(2) + 1] == "."
    is_pence = start == end and not text[end - 3 : end].isdecimal()  # 99p, but not 150p
    if (word == "р" and not is_pointed) or (word == "p" and not is_pence):
        return None
    names = [sign or (word or "").lower()]
    if second is not None:
        names.insert(0, f"{word}{second}".lower())
    if han is not None:  # "块" with a noun counts pieces: 三块石头
        names = [han[:5], han[:3], han[:2], han[:1] if han[0] != "块" else han]
    for name in names:
        for table, share in (("share", ONE), ("currency", ONE), ("coin", _HUNDREDTH)):
            if (unit := word_values(table).get(name)) is not None:
                point = is_pointed and name in word_set("pointed_unit")
                return _Unit(unit, start, start + len(name) + point, share)
    return None


@lru_cache(maxsize=1 << 12)
def _unit_before(before: str) -> _Unit | None:
    """The currency at the end of the few characters before a number: $5, USD 5, 人民币5."""
    match = _UNIT_BEFORE.search(before.lower())
    code = word_values("currency").get(match[1]) if match else None
    return _Unit(code, match.start(1), match.end(1)) if match and code else None


def _join_coins(text: str, readings: Sequence[Reading]) -> tuple[list[Reading], list[_Unit | None]]:
    """The readings and their units; coins are added to the amount before them: 350 рублей 20 копеек."""
    kept: list[Reading] = []
    units: list[_Unit | None] = []
    for reading in readings:
        unit, last = _unit(text, reading), units[-1] if units else None
        if unit and last and unit.share < last.share and unit.name == last.name:
            link = text[max(last.end, kept[-1].end) : reading.start].strip(" ,").lower()
            if link in {"", "and", "и"} and reading.value < 100:
                kept[-1] = kept[-1].plus(EXACT.multiply(reading.value, unit.share), unit.end)
                units[-1] = last._replace(start=kept[-1].start, end=unit.end)
                continue
        kept.append(reading)
        units.append(unit)
    return kept, units


def _share_in_ranges(
    text: str, readings: Sequence[Reading], units: Sequence[_Unit | None]
) -> tuple[list[Reading], list[_Unit | None]]:
    """The readings and units of ranges, with what is written only once at both ends: $5–10 млн."""
    result = list(readings)
    shared: list[_Unit | None] = [None] * len(readings)
    for index, (first, second) in enumerate(pairwise(readings)):
        link = _link(text, first, second)
        if link is None:
            continue
        is_tight, before, after = link in _TIGHT, units[index], units[index + 1]
        is_ascending = first.value < second.value
        has_unit_after = before is not None and before.start >= first.end
        if first.scale == ONE < second.scale and is_ascending and not has_unit_after:
            product = EXACT.multiply(first.value, second.scale)
            scaled = first.times(second.scale, first.end)._replace(alternative=None)
            result[index] = scaled if second.readable and product < second.value else first.unread()
        elif not second.readable and is_tight:
            result[index] = first.unread()
        if before is None and after is not None and after.end > second.start:
            shared[index] = after if is_tight or is_ascending else None
        elif after is None and before is not None and is_ascending and not has_unit_after:
            counts = text[second.end : second.end + 2].strip().isalnum()  # $5 to 10 people
            shared[index + 1] = before if is_tight or second.scale > ONE or not counts else None
    return result, shared


def _link(text: str, first: Reading, second: Reading) -> str | None:
    """What joins two numbers that are the ends of a range: 5–10, from 5 to 10, between 5 and 10."""
    is_close = second.start - first.end < _LONGEST_LINK
    match = _LINK.fullmatch(text, first.end, second.start) if is_close else None
    link = match[1].lower() if match else ""
    kind = word_values("link").get("…" if link.startswith("..") else link)
    before = text[max(0, first.start - 10) : first.start].lower().rstrip(f" {_MONEY}")
    is_between = kind == "list" and word_values("link").get(before.split(" ")[-1]) == "between"
    return link if kind in {"range", "or"} or is_between else None


def _number(
    flat: Surface, reading: Reading, own: _Unit | None, shared: _Unit | None, *, has_permille: bool
) -> Number:
    text, unit = flat.text, own or shared
    value, alternative, start = reading.value, reading.alternative, reading.start
    name, share = (unit.name, unit.share) if unit else (None, ONE)
    if name == "permille" and not has_permille:
        name, share = "percent", _TENTH
    if share != ONE:
        value, alternative = EXACT.multiply(value, share), None
    is_money = name not in {None, "percent", "permille"}
    is_grouped = alternative is not None and alternative > value and text[reading.end - 1] == "0"
    if is_money and is_grouped and alternative is not None:
        value, alternative = alternative, value  # money has no three decimals: 2.500 руб.
    begin, end = (min(start, own.start), max(reading.end, own.end)) if own else (start, reading.end)
    sign = _sign_start(text, begin)
    sign = begin if sign is None and begin < start and text[start - 1] == "-" else sign
    if sign is not None:
        value, start = value.copy_negate(), min(start, sign)
        alternative = None if alternative is None else alternative.copy_negate()
    place = flat.span(start, reading.end)
    return Number(
        value=value,
        alternative=alternative,
        start=place.start,
        end=place.end,
        unit=cast("UnitClass", "currency" if is_money else name),
        currency=name if is_money else None,
        unit_span=None if own is None else flat.span(own.start, own.end),
        approximate=reading.approximate
        or _is_about(text[max(0, min(start, begin) - _REACH) : min(start, begin)])
        or _is_about_after(text[end : end + 24]),
    )


def _sign_start(text: str, start: int) -> int | None:
    """Where the sign of a negative number begins, or ``None`` if the number is positive.

    >>> _sign_start("minus 5", 6), _sign_start("3-5", 2), _sign_start("plus or minus 5", 14)
    (0, None, None)
    """
    before = text[max(0, start - 16) : start].lower()
    if before.endswith("-"):
        return start - 1 if start == 1 or _MINUS.search(before) else None
    for mark in word_set("minus"):
        sign = mark if mark >= "\u4e00" else f"{mark} "
        rest = before.removesuffix(sign)
        is_word = sign is mark or rest[-1:] >= "\u3040" or not rest[-1:].isalpha()
        if rest != before and is_word and not rest.rstrip().endswith(tuple(word_set("plus"))):
            return start - len(sign)
    return None


@lru_cache(maxsize=1 << 12)
def _is_about(before: str) -> bool:
    """Whether the words before a number say that it is not exact; "no more than" is a limit.

    >>> _is_about("about "), _is_about("примерно в "), _is_about("handsome "), _is_about("共约")
    (True, True, False, True)
    >>> _is_about("more than "), _is_about("no more than ")
    (True, False)
    """
    before = before.lower().rstrip(f" {_MONEY}")
    for mark in word_set("about", "zh"):
        if before.endswith(mark):
            return not before.removesuffix(mark).endswith(tuple(word_set("about_limit", "zh")))
    words = ["", *before.replace("(", " ").split()]
    words = words[:-1] if words[-1] in word_set("about_link") else words
    for size in range(1, min(4, len(words))):
        if " ".join(words[-size:]).removesuffix(".") in word_set("about"):
            return words[-size - 1] not in word_set("negation")
    return False


@lru_cache(maxsize=1 << 12)
def _is_about_after(after: str) -> bool:
    """Whether the words after a number say that it is not exact: 300 or so, 500件左右, 300+.

    >>> _is_about_after(" boxes or so"), _is_about_after("+"), _is_about_after(" boxes")
    (True, True, False)
    """
    if after[:1] == "+":
        return after[1:2] not in tuple("+0123456789")
    marks = tuple(word_set("about_after", "zh"))
    if any(after.lstrip().startswith(marks, skipped) for skipped in range(3)):
        return True
    words = re.sub(r"[-,.;:)]", " ", after.lower()).split()
    phrases = (" ".join(words[at : at + size]) for at in (0, 1) for size in (1, 2, 3))
    return any(phrase in word_set("about_after") for phrase in phrases)
