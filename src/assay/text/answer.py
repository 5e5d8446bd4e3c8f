"""Comparison of short answers: an exact match for three languages."""

from typing import Final

from assay.text.piece import dated_pieces

_ARTICLES: Final = frozenset({"a", "an", "the"})


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
