"""Short answers compared: exact match and token F1 that hold in three languages."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from assay.text.piece import dated_pieces
from assay.text.token import stem

_ARTICLES: Final = frozenset({"a", "an", "the"})


def exact_match(a: str, b: str, *, simplify: bool = False) -> bool:
    """Whether two answers are the same words in the same order.

    Case, width, ё, white space, punctuation, English articles and the writing of numbers and
    dates make no difference; inflection does.

    >>> exact_match("四万二千元。", "42,000 元"), exact_match("в Москве", "Москва")
    (True, False)
    """
    return _keys(a, simplify=simplify) == _keys(b, simplify=simplify)


def token_f1(a: str, b: str, *, simplify: bool = False) -> float:
    """F1 of the tokens two answers share: 2·P·R / (P + R), tokens counted with repetition.

    Chinese counts by characters, Russian by stems (an ending costs nothing), English by words;
    a number or a date is one token; punctuation and English articles are none. Two answers
    without any token are the same (1.0); one without is wholly different (0.0).

    >>> token_f1("在北京。", "在北京"), round(token_f1("красной машины", "красная машина"), 2)
    (1.0, 1.0)
    """
    left = Counter(_stemmed(_keys(a, simplify=simplify)))
    right = Counter(_stemmed(_keys(b, simplify=simplify)))
    sizes = left.total() + right.total()
    if sizes == 0:
        return 1.0
    return 2 * (left & right).total() / sizes


def _keys(text: str, *, simplify: bool) -> list[str]:
    keys = [piece.key for piece in dated_pieces(text, simplify=simplify) if not piece.is_mark]
    # An answer that is nothing but "A" is the letter, not an article.
    return [key for key in keys if key not in _ARTICLES] or keys


def _stemmed(keys: Sequence[str]) -> list[str]:
    return [stem(key) if "\u0400" <= key[0] <= "\u04ff" else key for key in keys]
