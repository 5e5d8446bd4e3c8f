"""Whether and where a text contains a phrase, from the view of a reader."""

import re
from collections.abc import Sequence
from typing import Final

from assay.text.number import is_part_of_value, same_value
from assay.text.piece import Piece, dated_pieces, literal_pieces, pieces
from assay.text.span import Span

_HYPHENATED: Final = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_ARTICLES: Final = frozenset({"a", "an", "the"})


def find_phrase(phrase: str, text: str, *, simplify: bool = False) -> Span | None:
    """The span of the first occurrence of ``phrase`` in ``text``, or ``None`` if there is none.

    * Differences in case, ё/е, character width, quotes, dashes and white space are ignored. In
      Chinese, spaces are ignored completely.
    * Words match only as a whole (``art`` is not in ``start``) and in the same inflection.
      Chinese has no word boundaries.
    * Numbers match by value, in any notation, and never as a part of another number: ``235`` is
      in ``235,0`` but not in ``1235``. If the phrase has a unit, the text must have it, too
      (``5%`` is not in ``5``); a number without a unit matches a number with any unit. Percentage
      points are not percent.
    * A number word, an ordinal or a version never matches as a part of a longer one: ``пятого мая``
      is not in ``двадцать пятого мая``, and ``v1.2`` is not in ``v1.2.3``.
    * Dates match in any notation.
    * A word that is hyphenated at the end of a line matches the whole word.
    * Sentence punctuation at both ends of the phrase is ignored, unless the phrase consists only
      of punctuation (``??``).

    An empty phrase has no occurrence.

    >>> find_phrase("42000元", "共计四万二千元。")
    Span(start=2, end=7)
    >>> find_phrase("235", "1235") is None
    True
    """
    # If the phrase contains no number, the text is not searched for numbers: "млн руб" is in
    # "235 млн руб.", although it is a part of a number there.
    numeric = any(piece.number for piece in pieces(phrase, simplify=simplify))
    cuts = (pieces, dated_pieces) if numeric else (literal_pieces,)
    for hyphens in ([], list(_HYPHENATED.finditer(text))):
        joined_text = _HYPHENATED.sub("", text) if hyphens else text
        for cut in cuts:
            phrase_pieces = _without_outer_marks(cut(phrase, simplify=simplify))
            span = _first_occurrence(
                phrase_pieces, cut(joined_text, simplify=simplify), joined_text
            )
            if span is not None:
                return _original_span(span, hyphens)
    return None


def exact_match(a: str, b: str, *, simplify: bool = False) -> bool:
    """Whether two answers have the same words in the same order.

    These differences are ignored: case, character width, ё or е, white space, punctuation,
    English articles, and how numbers and dates are written. Inflection is not ignored.

    >>> exact_match("四万二千元。", "42,000 元"), exact_match("в Москве", "Москва")
    (True, False)
    """
    return _keys(a, simplify=simplify) == _keys(b, simplify=simplify)


def _keys(text: str, *, simplify: bool) -> list[str]:
    keys = [piece.key for piece in dated_pieces(text, simplify=simplify) if not piece.is_mark]
    # If the whole answer is "A", it is the letter and not an article.
    return [key for key in keys if key not in _ARTICLES] or keys


def _without_outer_marks(parts: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces without punctuation at both ends; unchanged if there is only punctuation."""
    marks = {".", ",", ";", ":", "!", "?", '"', "'", "、"}
    first, last = 0, len(parts)
    while first < last and parts[first].key in marks:
        first += 1
    while last > first and parts[last - 1].key in marks:
        last -= 1
    return parts[first:last] if first < last else parts


def _first_occurrence(phrase: Sequence[Piece], parts: Sequence[Piece], text: str) -> Span | None:
    """The first occurrence that is not a part of a longer number, ordinal or version."""
    size = len(phrase)
    if not size:
        return None
    for index in range(len(parts) - size + 1):
        window = parts[index : index + size]
        if all(map(_matches, phrase, window)):
            start, end = min(piece.start for piece in window), max(piece.end for piece in window)
            if not is_part_of_value(text, start, end):
                return Span(start=start, end=end)
    return None


def _matches(expected: Piece, actual: Piece) -> bool:
    """Whether a piece of the text matches a piece of the phrase."""
    if expected.number is not None:
        return actual.number is not None and same_value(expected.number, actual.number)
    if expected.unit is not None:
        return expected.unit == actual.unit
    if actual.unit is not None:
        return expected.key == actual.literal
    return actual.number is None and expected.key == actual.key


def _original_span(span: Span, hyphens: Sequence[re.Match[str]]) -> Span:
    """The span in the original text, from the span in the text without hyphens at line ends."""
    start, end = span.start, span.end
    for hyphen in hyphens:
        size = hyphen.end() - hyphen.start()
        if hyphen.start() <= start:
            start += size
        if hyphen.start() < end:
            end += size
    return Span(start=start, end=end)
