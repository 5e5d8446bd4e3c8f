"""Short answers compared: an exact match that holds in three languages."""

from typing import Final

from assay.text.piece import dated_pieces

_ARTICLES: Final = frozenset({"a", "an", "the"})


def exact_match(a: str, b: str, *, simplify: bool = False) -> bool:
    """Whether two answers are the same words in the same order.

    Case, width, ё, white space, punctuation, English articles and the writing of numbers and
    dates make no difference; inflection does.

    >>> exact_match("四万二千元。", "42,000 元"), exact_match("в Москве", "Москва")
    (True, False)
    """
    return _keys(a, simplify=simplify) == _keys(b, simplify=simplify)


def _keys(text: str, *, simplify: bool) -> list[str]:
    keys = [piece.key for piece in dated_pieces(text, simplify=simplify) if not piece.is_mark]
    # An answer that is nothing but "A" is the letter, not an article.
    return [key for key in keys if key not in _ARTICLES] or keys
