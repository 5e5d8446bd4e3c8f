"""Whether a phrase stands in a text, as a reader would say, and where."""

import re
from collections.abc import Sequence
from typing import Final

from assay.text.number import same_value
from assay.text.piece import Piece, dated_pieces, literal_pieces, pieces
from assay.text.span import Span

_HYPHENATED: Final = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]*\r?\n[ \t]*(?=[^\W\d_])")


def find_phrase(phrase: str, text: str, *, simplify: bool = False) -> Span | None:
    """The first place in ``text`` that says ``phrase``, in offsets of ``text``; else ``None``.

    Case, ё/е, width, quotes, dashes and white space make no difference (in Chinese a space
    makes none at all). Words must be whole (``art`` is not in ``start``) but are not inflected;
    Chinese has no word boundaries. Numbers match by value however they are written, and never
    part of another number: ``235`` is in ``235,0`` but not in ``1235``. A phrase's unit must be
    there too (``5%`` is not in ``5``); a bare number is found with any unit. Dates match in any
    writing. A word broken by a hyphen at the end of a line matches whole. Sentence punctuation
    at the phrase's ends is ignored, unless the phrase is nothing else (``??``).

    An empty phrase is found nowhere.

    >>> find_phrase("42000元", "共计四万二千元。")
    Span(start=2, end=7)
    >>> find_phrase("235", "1235") is None
    True
    """
    # Without a number in the phrase nothing in the text need be read as one: "млн руб" is in
    # "235 млн руб.", although there it is part of a number.
    numeric = any(piece.number for piece in pieces(phrase, simplify=simplify))
    cuts = (pieces, dated_pieces) if numeric else (literal_pieces,)
    for gaps in ([], list(_HYPHENATED.finditer(text))):
        body = _HYPHENATED.sub("", text) if gaps else text
        for cut in cuts:
            wanted = _trimmed(cut(phrase, simplify=simplify))
            span = _found(wanted, cut(body, simplify=simplify))
            if span is not None:
                return _spread(span, gaps)
    return None


def _trimmed(parts: Sequence[Piece]) -> Sequence[Piece]:
    marks = {".", ",", ";", ":", "!", "?", '"', "'", "、"}
    first, last = 0, len(parts)
    while first < last and parts[first].key in marks:
        first += 1
    while last > first and parts[last - 1].key in marks:
        last -= 1
    return parts[first:last] if first < last else parts


def _found(wanted: Sequence[Piece], there: Sequence[Piece]) -> Span | None:
    size = len(wanted)
    if not size:
        return None
    for place in range(len(there) - size + 1):
        covered = there[place : place + size]
        if all(map(_agrees, wanted, covered)):
            return Span(start=min(p.start for p in covered), end=max(p.end for p in covered))
    return None


def _agrees(want: Piece, have: Piece) -> bool:
    if want.number is not None:
        return have.number is not None and same_value(want.number, have.number)
    if want.unit is not None:
        return want.unit == have.unit
    if have.unit is not None:
        return want.key == have.literal
    return have.number is None and want.key == have.key


def _spread(span: Span, gaps: Sequence[re.Match[str]]) -> Span:
    """Offsets of the text with its line-end hyphens, from offsets of the text without."""
    start, end = span.start, span.end
    for gap in gaps:
        size = gap.end() - gap.start()
        if gap.start() <= start:
            start += size
        if gap.start() < end:
            end += size
    return Span(start=start, end=end)
