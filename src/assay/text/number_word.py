"""Numbers in English and Russian words, and digits with such words behind them: 2.5 million, 5 с половиной.

The words of a text that may be in a number, and its digits, are read from left to right as one
sequence. If a part of an expression is not understood, nothing of it is a number, because the
beginning of a number is another number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from assay.text.lexicon import word_values
from assay.text.normalise import folded
from assay.text.numeral import EXACT, NUMERAL, ONE, QUOTIENT, Reading

_WORD: Final = re.compile(r"[A-Za-z\u0400-\u045f]+")
_GAPS: Final = frozenset((" ", "-", "\n", "  ", " -", "- ", "-\n"))
_AFTER_FIGURE: Final = re.compile("|-(?:[тм]?и|х) ?")  # 5млн, 3-х миллионов
_NOUN: Final = re.compile(r" [^\W\d_]+ ")
_HALF: Final = Decimal("0.5")
_QUARTER: Final = Decimal("0.25")
_NO_LIMIT: Final = Decimal("Infinity")
_AMOUNTS: Final = frozenset(("cardinal", "whole", "scale", "group", "figure"))
_NUMERIC: Final = _AMOUNTS | {"ordinal", "fraction", "unknown"}
"""Kinds of words that change the value of a number beside them."""


@cache
def _vocabulary() -> Mapping[str, tuple[str, Decimal]]:
    """The kind and the value of each word."""
    words: dict[str, tuple[str, Decimal]] = {}
    for stem, number in word_values("ordinal").items():
        value = Decimal(number)
        if stem.isascii():
            words[stem] = "ordinal", value
            words[f"{stem}s"] = "fraction" if value > 2 else "", value
            continue
        for ending, count in word_values("ordinal_ending").items():
            words[stem + ending] = "ordinal" if count == "one" else "fraction", value
    for kind in ("fraction", "cardinal", "whole", "scale", "group"):
        words.update({word: (kind, Decimal(v)) for word, v in word_values(kind).items()})
    words.update({word: (role, ONE) for word, role in word_values("role").items()})
    return words


@cache
def _words_of(*kinds: str) -> frozenset[str]:
    return frozenset(word for word, (kind, _) in _vocabulary().items() if kind in kinds)


def with_words(text: str, figures: Sequence[Reading]) -> Iterable[Reading]:
    """The numbers in words, and ``figures`` with the words that belong to them."""
    lower = folded(text)
    words = frozenset(_WORD.findall(lower))
    # without one of these words, a text has no number in words
    is_needed = not words.isdisjoint(_words_of(*_AMOUNTS, "unknown", "half"))
    is_needed |= not words.isdisjoint(word_values("ordinal_noun"))
    if figures and " с " in lower:
        is_needed |= not words.isdisjoint(_words_of("with_half", "with_quarter", "more"))
    return _Words(text, _atoms(lower, figures)).numbers() if is_needed else figures


class _Atom(NamedTuple):
    """A word that may be in a number, or a number in digits, with its kind and its value."""

    start: int
    end: int
    kind: str
    value: Decimal
    word: str = ""
    figure: Reading | None = None


def _atoms(lower: str, figures: Sequence[Reading]) -> list[_Atom]:
    atoms = [
        _Atom(each.start, each.end, "figure" if each.readable else "unread", each.value, "", each)
        for each in figures
    ]
    known = _vocabulary()
    words = (match for match in _WORD.finditer(lower) if match.group() in known)
    atoms.extend(_Atom(*match.span(), *known[match.group()], match.group()) for match in words)
    return sorted(atoms, key=attrgetter("start")) if figures else atoms


class _Sum:
    """Adds up the words of a whole number; each method returns whether the word may follow."""

    def __init__(self) -> None:
        self.total = self.section = Decimal(0)
        self.limit = self.ceiling = _NO_LIMIT
        self.scale = ONE

    def add(self, kind: str, value: Decimal, *, is_first: bool) -> bool:
        """Add a word or digits; a scale word multiplies what was added after the last one."""
        if kind in {"scale", "group"}:
            return self._multiply(kind, value, is_first=is_first)
        fits = (value < self.limit and value > 0) or is_first
        if fits:
            self.section = EXACT.add(self.section, value)
            below = 100 if value >= 100 else 10 if value >= 20 else 0
            self.limit, self.scale = Decimal(below if kind == "cardinal" else 0), ONE
        return fits

    def _multiply(self, kind: str, value: Decimal, *, is_first: bool) -> bool:
        is_small = value < 1000
        fits = self.section < 100 if is_small else kind == "scale" and value < self.ceiling
        if not fits or not (self.section or is_first):
            return False
        product = EXACT.multiply(self.section or ONE, value)
        if is_small:
            self.section, self.limit = product, Decimal(100 if kind == "scale" else 0)
        else:
            self.total, self.section = EXACT.add(self.total, product), Decimal(0)
            self.limit, self.ceiling = _NO_LIMIT, value
        self.scale = EXACT.multiply(self.scale, value)
        return True


class _Words(NamedTuple):
    """The words of a text that may be in a number. Methods take and return indexes of atoms."""

    text: str
    atoms: Sequence[_Atom]

    def numbers(self) -> Iterator[Reading]:
        """Yield the numbers and the expressions that are not understood."""
        index = 0
        while index < len(self.atoms):
            index, reading = self.number(index)
            if reading is not None:
                yield reading

    def is_near(self, index: int, *kinds: str) -> bool:
        """Whether the atom is of one of the kinds and directly after the one before it."""
        if not 0 < index < len(self.atoms) or self.atoms[index].kind not in kinds:
            return False
        before, atom = self.atoms[index - 1], self.atoms[index]
        gap = self.text[before.end : atom.start]
        if gap in _GAPS:
            return gap != "\n" or "figure" not in {before.kind, atom.kind}
        if before.kind == "figure":
            return _AFTER_FIGURE.fullmatch(gap) is not None
        if gap == ". ":
            return before.kind == "scale" and not before.word.isascii()
        # A hundred and twenty thousand, four hundred and eighteen.
        is_long = gap == ", " and before.kind == "scale" and before.value >= 1000
        return is_long and index + 1 < len(self.atoms) and self.atoms[index + 1].word == "hundred"

    def number(self, index: int) -> tuple[int, Reading | None]:
        """The number at ``index``, if there is one, and the index after it."""
        first, begin, alone = self.atoms[index], index, word_values("alone")
        if first.kind == "unread":
            return index + 1, first.figure
        if first.kind == "ordinal" and self.is_before(index, "ordinal_noun"):
            return index + 1, Reading(first.start, first.end, first.value)
        if (share := self.share_of_scale(index)) is not None:
            return share
        if first.kind == "article" and self.is_near(index + 1, "scale", "group"):
            begin = index + 1
        elif first.kind not in _AMOUNTS:
            return self.after_other(index + 1, Reading(first.start, first.end, ONE))
        reading, following = self.whole(begin)
        if begin == index and first.kind in {"scale", "group"} and first.word not in alone:
            return self.after_other(following, reading)
        reading, following = self.with_rest(following, reading._replace(start=first.start))
        if not self.may_end(following):
            after = self.atoms[following]
            if after.kind == "ordinal" and self.is_before(following, "ordinal_noun"):
                return following + 1, reading.plus(after.value, after.end)
            return self.unread(following, reading)
        is_article = following == index + 1 and first.word in _ones()
        is_article = is_article and not self.is_before(index, "counted")
        return following, None if is_article else reading

    def after_other(self, index: int, reading: Reading) -> tuple[int, Reading | None]:
        """Nothing after "thousands of", but «тысячи две» and "point five" are not understood."""
        before = self.atoms[index - 1]
        changes = before.kind in {"scale", "group", "unknown", "point"}
        if changes and not _is_short(before):
            following, unread = self.unread(index, reading)
            return following, unread if following > index else None
        return index, None

    def unread(self, index: int, reading: Reading) -> tuple[int, Reading]:
        """An expression that is not understood, to the end of its number words."""
        while self.is_near(index, *_NUMERIC) or (
            self.is_near(index, "and") and self.is_near(index + 1, "cardinal", "ordinal")
        ):
            index += 1
        return index, reading.unread(self.atoms[index - 1].end)

    def is_before(self, index: int, table: str) -> bool:
        """Whether a word of a table follows: "the nineteenth century", "one year"."""
        end = self.atoms[index].end
        word = _WORD.match(self.text, end + 1) if self.text[end : end + 1] in {" ", "-"} else None
        name = folded(word.group()) if word else ""
        return not word_values(table).keys().isdisjoint((name, name.removesuffix("s")))

    def whole(self, index: int) -> tuple[Reading, int]:
        """The whole number that begins with an atom, or digits with their scale words."""
        first, at, parts = self.atoms[index], index, _Sum()
        while at < len(self.atoms) and (at == index or self.is_near(at, *_AMOUNTS, "and")):
            atom = self.atoms[at]
            if atom.kind == "and":
                is_inside = atom.word == "and" and self.atoms[at - 1].kind == "scale"
                if not (is_inside and self.is_near(at + 1, "cardinal")):
                    break
            else:
                continues = atom.kind == "figure" and self.continues(at, parts.ceiling)
                if at > index and atom.kind in {"figure", "whole"} and not continues:
                    break
                if not parts.add(atom.kind, atom.value, is_first=at == index):
                    break
            at += 1
        last = self.atoms[at - 1]
        end = last.end + (_is_short(last) and self.text[last.end : last.end + 1] == ".")  # 5 млн.
        value = EXACT.add(parts.total, parts.section)
        if first.figure is None or at == index + 1:
            reading = first.figure or Reading(first.start, end, value)
            return reading._replace(end=end, value=value, scale=parts.scale), at
        other = first.figure.alternative
        if other is not None:
            other = EXACT.multiply(other, QUOTIENT.divide(value, first.value))
        if other is not None and other < value and not last.word.isascii():
            value, other = other, None  # a Russian decimal mark is a comma: 12,641 млрд
        return first.figure._replace(end=end, value=value, alternative=other, scale=parts.scale), at

    def continues(self, at: int, ceiling: Decimal) -> bool:
        """Whether digits continue a number after its scale word: 3 млн 200 тыс., 5 тысяч 300."""
        value = self.atoms[at].value
        is_whole = value == value.to_integral_value()
        if value >= ceiling or not is_whole or self.atoms[at - 1].kind != "scale":
            return False
        has_scale = self.is_near(at + 1, "scale")
        return self.atoms[at + 1].value < ceiling if has_scale else ceiling == 1000

    def with_rest(self, at: int, reading: Reading) -> tuple[Reading, int]:
        """The number with its decimals, halves, scale words or the lower part of a fraction."""
        before, with_ = self.atoms[at - 1], self.is_near(at, "with")
        is_point = self.is_near(at, "point") and self.is_near(at + 1, "cardinal", "unknown")
        if is_point or self.is_near(at, "units"):
            reading, at = self.with_decimals(at, reading)
        elif (quotient := self.quotient(at, reading)) is not None:
            reading, at = quotient, at + 1
        elif (addition := self.addition(at)) is not None:
            extra, at = addition
            is_scaled = reading.scale >= 1000 or before.kind == "group"
            extra = EXACT.multiply(extra, reading.scale) if is_scaled else extra
            reading = reading.plus(extra, self.atoms[at - 1].end)
        elif self.is_near(at + with_, "more"):
            at += with_ + 1
            reading = reading._replace(end=self.atoms[at - 1].end, approximate=True)
        elif 10 < reading.value <= 20 and before.word.isascii() and self.is_near(at, "cardinal"):
            rest, following = self.whole(at)  # nineteen eighty-four
            if not 10 <= rest.value < 100:
                return reading, at
            return reading._replace(end=rest.end, value=100 * reading.value + rest.value), following
        else:
            return reading, at
        return self.times_scales(at, reading) if reading.readable else (reading, at)

    def times_scales(self, at: int, reading: Reading) -> tuple[Reading, int]:
        """The number times the scale words after it, also after "of a": three quarters of a million."""
        of = at + self.is_near(at, "of")
        following = of + self.is_near(of, "article")
        following = at if following == at + 1 and of > at else following
        while self.is_near(following, "scale", "group"):
            reading = reading.times(self.atoms[following].value, self.atoms[following].end)
            at = following = following + 1
        return reading, at

    def with_decimals(self, at: int, reading: Reading) -> tuple[Reading, int]:
        """Two point five, «две целых пять десятых»; not readable if the decimals are not understood."""
        share: Decimal | None = None
        if self.atoms[at].kind == "point":
            digits = ""
            while self.is_near(at + 1, "cardinal", "unknown") and self.atoms[at + 1].value < 10:
                at += 1
                digits += "0" if self.atoms[at].word == "oh" else str(self.atoms[at].value)
            share = Decimal(f"0.{digits}") if digits else None
        else:
            at += self.is_near(at + 1, "and")
            if self.is_near(at + 1, "cardinal"):
                part, following = self.whole(at + 1)
                is_share = self.is_near(following, "ordinal", "fraction")
                at = following if is_share else following - 1
                lower = self.atoms[at].value
                share = EXACT.divide(part.value, lower) if is_share and not lower % 10 else None
        end = self.atoms[at].end
        return (reading.unread(end) if share is None else reading.plus(share, end)), at + 1

    def quotient(self, at: int, reading: Reading) -> Reading | None:
        """Two thirds, one fifth, «две трети»; but «двадцать пятых» may be an ordinal."""
        upper, before = reading.value, self.atoms[at - 1]
        if not self.is_near(at, "ordinal", "fraction") or before.kind != "cardinal":
            return None
        lower, is_plural = self.atoms[at].value, self.atoms[at].kind == "fraction"
        is_ordinal = upper >= 20 and upper % 10 == 0 and lower < 10
        is_ordinal = is_ordinal and not (is_plural and before.word.isascii())
        is_fraction = is_plural or (before.word in _ones() and lower <= 20)
        if lower < 3 or not 0 < upper < 100 or is_ordinal or not is_fraction:
            return None
        value = QUOTIENT.divide(upper, lower)
        return reading._replace(end=self.atoms[at].end, value=value, alternative=None)

    def addition(self, at: int) -> tuple[Decimal, int] | None:
        """What is added to a number: "and a half", "and three quarters", «с половиной»."""
        if self.is_near(at, "with"):
            is_half = self.is_near(at + 1, "with_half")
            is_quarter = self.is_near(at + 1, "with_quarter")
            return (_HALF if is_half else _QUARTER, at + 2) if is_half or is_quarter else None
        if at >= len(self.atoms) or self.atoms[at].kind != "and":
            return None
        gap = self.text[self.atoms[at - 1].end : self.atoms[at].start]
        # A noun may be before it: two hours and a half.
        if not (self.is_near(at, "and") or _NOUN.fullmatch(gap)) or not self.is_near(
            at + 1, "article", "cardinal"
        ):
            return None
        count = self.atoms[at + 1].value
        if self.is_near(at + 2, "half") and count == 1:
            return _HALF, at + 3
        if not self.is_near(at + 2, "ordinal", "fraction") or count >= self.atoms[at + 2].value:
            return None
        is_share = self.atoms[at + 2].kind == "fraction" or self.atoms[at + 2].word == "quarter"
        if not (is_share or count == 1):
            return None
        return QUOTIENT.divide(count, self.atoms[at + 2].value), at + 3

    def share_of_scale(self, index: int) -> tuple[int, Reading] | None:
        """Half a million, a quarter of a million; a share without a scale word is no number."""
        first = self.atoms[index]
        at = index + (first.kind == "article" and self.is_near(index + 1, "half", "ordinal"))
        atom = self.atoms[at]
        is_share = atom.kind in {"half", "fraction"} or atom.word == "quarter" or at > index
        if atom.kind not in {"half", "ordinal", "fraction"} or not is_share:
            return None
        share = _HALF if atom.kind == "half" else QUOTIENT.divide(ONE, atom.value)
        reading, following = self.times_scales(at + 1, Reading(first.start, atom.end, share))
        return None if following == at + 1 else (following, reading)

    def may_end(self, at: int) -> bool:
        """Whether a number may end before an atom, which is no part of it."""
        before = self.atoms[at - 1]
        if self.is_near(at, "and") and self.is_near(at + 1, "ordinal"):
            return before.kind != "scale"  # one hundred and first
        if not self.is_near(at, *_NUMERIC):
            return True
        after = self.atoms[at]
        if "figure" in {before.kind, after.kind}:
            return after.kind not in {"scale", "group", "unknown", "fraction"}
        if after.kind == "ordinal":
            is_joined = self.text[before.end : after.start] == "-"
            return before.kind == "cardinal" and before.value < 20 and not is_joined
        # Two digits are two numbers; more of them are spelled.
        near = [atom for atom in self.atoms[max(0, at - 2) : at + 2] if atom.kind == "cardinal"]
        digits = [atom for atom in near if 0 < atom.value < 10]
        return before in digits and after in digits and len(digits) == 2


def _is_short(atom: _Atom) -> bool:
    """Whether a Russian scale word is an abbreviation: млн."""
    return atom.kind == "scale" and len(atom.word) <= 4 and not atom.word.isascii()


@cache
def _ones() -> frozenset[str]:
    return frozenset(word for word, value in word_values("cardinal").items() if value == "1")


def scale_after(text: str, end: int) -> tuple[Decimal, int]:
    """The scale word behind a bracket that ends at ``end``, and its end: 15 (пятнадцать) миллионов."""
    word = _WORD.match(text, end + 1)
    kind, value = _vocabulary().get(folded(word.group()), ("", ONE)) if word else ("", ONE)
    return (value, word.end()) if word and kind == "scale" else (ONE, end)


@lru_cache(maxsize=1 << 12)
def words_value(words: str) -> Decimal | None:
    """The value of a number that is written in English or Russian words and nothing else.

    >>> str(words_value("двадцать пять")), words_value("twenty-first"), words_value("house")
    ('25', None, None)
    """
    atoms = _atoms(folded(words), ())
    if not atoms or (atoms[0].start, atoms[-1].end) != (0, len(words)):
        return None
    if len(atoms) == 1 and atoms[0].kind in {"cardinal", "scale", "group"}:
        return atoms[0].value
    following, reading = _Words(words, atoms).number(0)
    is_whole = following == len(atoms) and reading is not None and reading.readable
    return reading.value if is_whole and reading is not None else None


def ordinal_value(words: str) -> int | None:
    """The value of an ordinal in words: "twenty-first", «тридцатого»; ``None`` for other words.

    >>> ordinal_value("twenty-first"), ordinal_value("двадцать пятого"), ordinal_value("five")
    (21, 25, None)
    """
    *before, last = folded(words).replace("-", " ").split() or [""]
    kind, value = _vocabulary().get(last, ("", ONE))
    base = words_value(" ".join(before)) if before else Decimal(0)
    # The ordinal must fit behind the number before it: twenty-first, not twenty-fortieth.
    if kind != "ordinal" or base is None or base % 10 ** len(str(value)) or (before and not base):
        return None
    return int(base + value)


_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)(?:\s|\s?[-\u2010\u2011]\s?)\Z")
_WORD_AFTER: Final = re.compile(r"(?:\s|\s?[-\u2010\u2011]\s?)([^\W\d_]+)(?![\w-])")
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")
_LAST_WORD: Final = re.compile(r"[^\W\d_]+\Z")
_VERSION: Final = re.compile(r"\d\.\d")
_REACH: Final = 24
"""How many letters a number word has at most."""


def is_part_of_value(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` begins or ends inside of a value that is written in words or dots.

    A scale word does not begin inside: "million" in "five million".

    >>> text = "двадцать пятого мая"
    >>> is_part_of_value(text, 9, 19), is_part_of_value(text, 0, 19)
    (True, False)
    >>> is_part_of_value("thirty-one", 0, 6), is_part_of_value("v1.2.3", 0, 4)
    (True, True)
    """
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if start == end:
        return False
    if set(text[end - 1] + after[:1]) <= set(NUMERAL) and after:
        return True
    if set(before[-1:] + text[start]) <= set(NUMERAL) and before and text[start] not in "万萬亿億":
        return True
    if _VERSION.search(text, start, end) and (
        _VERSION.match(text[end - 1] + after) or _VERSION.match(before + text[start])
    ):
        return True
    first = _FIRST_WORD.match(text, start, end)
    left = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
    if first and left and text[first.end() : first.end() + 1] != "-":
        is_added = _is_added(left[1], first[0])
        if is_added is not None:
            return is_added
    last = _LAST_WORD.search(text, max(start, end - _REACH), end)
    right = _WORD_AFTER.match(text, end)
    return bool(last and right and _is_added(last[0], right[1]) is not None)


@lru_cache(maxsize=1 << 12)
def _is_added(left: str, right: str) -> bool | None:
    """Whether the second of two words that are one number is added to the first; else ``None``.

    It is not added, but multiplies, in "five hundred".
    """
    value, both = words_value(left), words_value(f"{left} {right}")
    if value is not None and value >= 20 and ordinal_value(f"{left} {right}") is not None:
        return True
    return None if value is None or both is None else value < both < 2 * value
