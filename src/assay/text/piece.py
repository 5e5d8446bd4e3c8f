"""The pieces in which phrases and answers are compared: words, characters, numbers, dates."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from assay.text.character import HAN
from assay.text.date import dates
from assay.text.normalise import normalise, normalised
from assay.text.number import Number, numbers

_KANA: Final = "\u3040-\u30ff"
_PIECE: Final = re.compile(rf"[{HAN}{_KANA}]|[^\W{HAN}{_KANA}]+|[^\w\s]")
_SAME: Final = {"。": ".", "､": "、", "〜": "~"}


class Piece(NamedTuple):
    """A unit of comparison and where it stands in the original text.

    ``key`` is what is compared; ``number`` is set for numbers, which are compared by value,
    and ``unit`` for a unit beside a number, whose key is a canonical name and whose ``literal``
    is what was written.
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
    """The pieces of ``text`` in order; white space is none.

    A unit follows its number whatever the order they were written in (``$5`` and ``5 USD``).
    """
    out: list[Piece] = []
    position = 0
    for number in numbers(text):
        unit = number.unit_span
        before = unit is not None and position <= unit.start and unit.end <= number.start
        begin = unit.start if unit is not None and before else number.start
        out.extend(_between(text, position, begin, simplify=simplify))
        out.append(Piece(number.canonical, number.start, number.end, number=number))
        position = number.end
        if unit is not None and unit.end > begin:
            name = number.currency or "%"
            literal = normalised(unit.of(text), fold_case=True)
            out.append(Piece(name, unit.start, unit.end, unit=name, literal=literal))
            position = max(position, unit.end)
    out.extend(_between(text, position, len(text), simplify=simplify))
    return tuple(out)


@lru_cache(maxsize=128)
def literal_pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """The pieces of ``text`` with nothing read as a number."""
    return tuple(_between(text, 0, len(text), simplify=simplify))


def _between(text: str, start: int, end: int, *, simplify: bool) -> Iterator[Piece]:
    if start >= end:
        return
    form = normalise(text[start:end], fold_case=True, simplify=simplify)
    for match in _PIECE.finditer(form.text):
        span = form.original_span(match.start(), match.end())
        key = match.group()
        yield Piece(_SAME.get(key, key), start + span.start, start + span.end)


def dated_pieces(text: str, *, simplify: bool = False) -> tuple[Piece, ...]:
    """As ``pieces``, with every date of at least a year and a month as one piece."""
    found = [date for date in dates(text) if date.year is not None and date.month is not None]
    if not found:
        return pieces(text, simplify=simplify)
    out: list[Piece] = []
    waiting = list(reversed(found))
    for piece in pieces(text, simplify=simplify):
        while waiting and waiting[-1].end <= piece.start:
            waiting.pop()
        date = waiting[-1] if waiting else None
        if date is None or piece.end <= date.start:
            out.append(piece)
        elif not out or out[-1].start != date.start or not out[-1].key.startswith("date:"):
            out.append(Piece(f"date:{date.iso}", date.start, date.end))
    return tuple(out)
