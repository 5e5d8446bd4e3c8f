"""The units in which phrases and answers are compared: words, characters, numbers and dates."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from operator import eq
from typing import Final, NamedTuple

from assay.text.character import HAN
from assay.text.date import dates
from assay.text.lists import word_set, word_values
from assay.text.normalise import normalise, normalised
from assay.text.number import Number, numbers
from assay.text.span import Span

_KANA: Final = "\u3040-\u30ff"
_PIECE: Final = re.compile(rf"[{HAN}{_KANA}]|[^\W{HAN}{_KANA}]+|[^\w\s]")
_LONGEST_UNIT: Final = 24
_SYMBOL: Final = re.compile(
    r"[ \u00a0\u2009\u202f-]?([^\W\d_\u3040-\u30ff\u4e00-\u9fff]{1,5})(?![^\W\u3040-\u9fff])"
)
"""A word directly after a number."""
_SAME: Final = {"。": ".", "､": "、", "〜": "~"}


class Piece(NamedTuple):
    """A unit of comparison and its position in the original text.

    Pieces are compared by ``key``. ``number`` is set for a number; numbers are compared by value.
    ``unit`` is set for the unit beside a number: then ``key`` is its canonical name, and
    ``literal`` is its normalised text.
    """

    key: str
    start: int
    end: int
    number: Number | None = None
    unit: str | None = None
    literal: str = ""

    @property
    def is_mark(self) -> bool:
        """Whether the piece is punctuation or a symbol."""
        return self.number is None and self.unit is None and not self.key[0].isalnum()


@lru_cache(maxsize=128)
def pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """The pieces of ``text`` in order, without white space.

    A unit always follows its number, even if it is written before it (``$5`` and ``5 USD``).
    """
    result: list[Piece] = []
    position = 0
    for number in numbers(text):
        unit = number.unit_span
        points = _percentage_points(text, number.end if unit is None else unit.start)
        unit = points or unit
        before = unit is not None and position <= unit.start and unit.end <= number.start
        begin = unit.start if unit is not None and before else number.start
        result.extend(_pieces_between(text, position, begin, simplify=simplify))
        result.append(Piece(number.canonical, number.start, number.end, number=number))
        position = number.end
        if unit is not None and unit.end > begin:
            name = number.currency or ("%" if points is None else "% point")
            literal = normalised(unit.of(text), fold_case=True)
            result.append(Piece(name, unit.start, unit.end, unit=name, literal=literal))
            position = max(position, unit.end)
        elif (symbol := symbol_after(text, number.end)) is not None:
            # the case of its letters carries meaning, so its name is compared as it is
            name, start, position = symbol
            result.append(Piece(name, start, position))
    result.extend(_pieces_between(text, position, len(text), simplify=simplify))
    return tuple(result)


def _percentage_points(text: str, start: int) -> Span | None:
    """The words for percentage points that begin at ``start``; they are not percent."""
    following = text[start : start + _LONGEST_UNIT].lower()
    lead = len(following) - len(following.lstrip())
    for words in sorted(word_set("percentage_point"), key=len, reverse=True):
        end = lead + len(words)
        is_whole = words[-1] >= "\u4e00" or not following[end : end + 1].isalpha()
        if following.startswith(words, lead) and is_whole:
            return Span(start=start + lead, end=start + end)
    return None


@lru_cache(maxsize=128)
def literal_pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """The pieces of ``text`` without recognising numbers."""
    return tuple(_pieces_between(text, 0, len(text), simplify=simplify))


def _pieces_between(text: str, start: int, end: int, *, simplify: bool) -> Iterator[Piece]:
    if start >= end:
        return
    form = normalise(text[start:end], fold_case=True, simplify=simplify)
    for match in _PIECE.finditer(form.text):
        span = form.original_span(match.start(), match.end())
        key = match.group()
        yield Piece(_SAME.get(key, key), start + span.start, start + span.end)


def dated_pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """Like ``pieces``, but each date with at least a year and a month is one piece."""
    in_text = [date for date in dates(text) if date.year is not None and date.month is not None]
    if not in_text:
        return pieces(text, simplify=simplify)
    result: list[Piece] = []
    remaining = list(reversed(in_text))
    for piece in pieces(text, simplify=simplify):
        while remaining and remaining[-1].end <= piece.start:
            remaining.pop()
        date = remaining[-1] if remaining else None
        if date is None or piece.end <= date.start:
            result.append(piece)
        elif not result or result[-1].start != date.start or not result[-1].key.startswith("date:"):
            result.append(Piece(f"date:{date.iso}", date.start, date.end))
    return tuple(result)


def unit_symbol(word: str) -> str | None:
    """The name of the unit that ``word`` is, if the case of its letters carries meaning: mW, MW.

    ``values.toml`` lists them; in all other symbols case makes no difference: kg and KG are one unit.
    A spelling that is not listed is read as the unit whose letters it has most of.

    >>> unit_symbol("mW"), unit_symbol("МВТ"), unit_symbol("KG")
    ('mW', 'MW', None)
    """
    written = normalised(word)
    spellings = _spellings().get(written.casefold())
    if spellings is None:
        return None
    if written in spellings:
        return spellings[written]
    return spellings[max(spellings, key=lambda each: sum(map(eq, each, written)))]


def symbol_after(text: str, position: int) -> tuple[str, int, int] | None:
    """The unit directly after the number that ends at ``position``, with its start and end.

    >>> symbol_after("5 mW", 1), symbol_after("5 kg", 1)
    (('mW', 2, 4), None)
    """
    found = _SYMBOL.match(text, position)
    name = unit_symbol(found[1]) if found else None
    return None if found is None or name is None else (name, found.start(1), found.end(1))


@cache
def _spellings() -> Mapping[str, Mapping[str, str]]:
    """The spellings of all symbols and what they name, by their letters without case."""
    found: dict[str, dict[str, str]] = {}
    for spelling, name in word_values("symbol").items():
        found.setdefault(normalised(spelling, fold_case=True), {})[spelling] = name
    return found
