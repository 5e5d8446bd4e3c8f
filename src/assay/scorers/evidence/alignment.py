"""How much of a quotation a sentence contains. Pure and deterministic.

Both texts are split into tokens (``assay.scorers.evidence.token``). Each token of the quotation
gets a credit between 0 and 1: how well the sentence contains it. In addition, the two token
sequences are aligned, so that replaced tokens and the covered part of the sentence are known::

    carried = Σ weight · credit / Σ weight          over the quotation's tokens
    score   = carried, lowered for a run of tokens that the sentence does not contain

Whether numbers, dates, denials and parties agree is checked in
``assay.scorers.evidence.agreement``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import Final

from msgspec import Struct
from rapidfuzz.distance import LCSseq, Levenshtein, Opcode, Prefix

from assay.scorers.evidence.token import Token

WEIGHT: Final = {
    "number": 1.5,
    "date": 1.5,
    "unit": 0.5,
    "party": 1.0,
    "denial": 0.5,
    "bound": 0.5,
    "side": 0.0,
}
"""Weight of a token by its kind. Kinds that are not listed weigh 1."""
SAME_ROOT_CREDIT: Final = 0.85
"""Credit of a word that only shares its beginning with a word of the sentence, for example
расчёт and рассчитаться."""
MIN_GAP: Final = 3
"""A run of at least this many tokens that the sentence does not contain counts as added."""
GAP_COST: Final = 0.12
"""What each token of such a run costs, from the third token on."""

MOVED_WORD_REACH: Final = 3
"""How many tokens before or after its matches a quotation may have taken a word from."""

MIN_ROOT: Final = 3
"""How many letters two forms of a Russian name share at least."""
# What may follow the stem of such a name.
_ENDING: Final = re.compile("(?:[аеёиоуыэюяйь][а-яё]{0,2}|н)?")


class Alignment(Struct, frozen=True, kw_only=True):
    """The alignment of a quotation with a sentence. All shares are in 0..1.

    Attributes:
        carried: weighted mean of the credits of all tokens of the quotation.
        score: ``carried`` minus the cost of the longest run of added tokens.
        wording: mean credit of the words alone; ``carried`` if the quotation has no words.
        order: share of the quotation's tokens that the sentence contains in the same order.
        word_order: the same share for the words alone.
        first: index of the first token of the sentence that the quotation covers.
        last: index after the last token of the sentence that the quotation covers.
        shares: the credit of each token of the quotation.
        exchanged: pairs of indices, in the quotation and in the sentence, where a single token
            of the quotation replaces a token of the sentence.
    """

    carried: float
    score: float
    wording: float
    order: float
    word_order: float
    first: int
    last: int
    shares: tuple[float, ...]
    exchanged: tuple[tuple[int, int], ...] = ()


NOTHING: Final = Alignment(
    carried=0.0, score=0.0, wording=0.0, order=0.0, word_order=0.0, first=0, last=0, shares=()
)
"""The alignment if the quotation or the sentence has no tokens."""


def align(quoted: Sequence[Token], source: Sequence[Token]) -> Alignment:
    """Align the tokens of a quotation with the tokens of a sentence.

    >>> from assay.scorers.evidence.token import tokens
    >>> aligned = align(tokens("The tenant pays rent"), tokens("The tenant pays the rent in May"))
    >>> aligned.score, aligned.order, (aligned.first, aligned.last)
    (1.0, 1.0, (0, 3))
    """
    if not quoted or not source:
        return NOTHING
    shares = tuple(_shares(quoted, source))
    weights = [WEIGHT.get(token.kind, 1.0) for token in quoted]
    carried = sum(map(mul, weights, shares)) / (sum(weights) or 1.0)
    quoted_keys, source_keys = [token.key for token in quoted], [token.key for token in source]
    codes = Levenshtein.opcodes(quoted_keys, source_keys)
    first, last = _covered_range(quoted, source, [code for code in codes if code.tag == "equal"])
    cost = GAP_COST * max(0, _longest_gap(shares) - MIN_GAP + 1)
    return Alignment(
        carried=carried,
        wording=_wording(quoted, shares, carried),
        score=max(0.0, min(1.0, carried - cost)),
        order=_order(quoted, source),
        word_order=_order(_only_words(quoted), _only_words(source)),
        first=first,
        last=last,
        shares=shares,
        exchanged=tuple(
            (code.src_start, code.dest_start)
            for code in codes
            if code.tag == "replace" and code.src_end - code.src_start == 1
        ),
    )


def _wording(quoted: Sequence[Token], shares: Sequence[float], carried: float) -> float:
    word_credits = [
        share for token, share in zip(quoted, shares, strict=True) if token.kind == "word"
    ]
    return sum(word_credits) / len(word_credits) if word_credits else carried


def _only_words(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind == "word"]


def _order(quoted: Sequence[Token], source: Sequence[Token]) -> float:
    quoted_keys, source_keys = ([token.key for token in tokens] for tokens in (quoted, source))
    return LCSseq.similarity(quoted_keys, source_keys) / len(quoted_keys) if quoted_keys else 0.0


def _covered_range(
    quoted: Sequence[Token], source: Sequence[Token], matches: Sequence[Opcode]
) -> tuple[int, int]:
    """First index, and index after the last, of the sentence's tokens that are covered."""
    if not matches:
        return 0, len(source)
    # Tokens of the quotation before its first match and after its last match replace as many
    # tokens of the sentence, so those are covered too.
    first = max(0, matches[0].dest_start - matches[0].src_start)
    last = min(len(source), matches[-1].dest_end + len(quoted) - matches[-1].src_end)
    matched = {index for code in matches for index in range(code.src_start, code.src_end)}
    moved = {
        token.key
        for index, token in enumerate(quoted)
        if index not in matched and token.kind == "word"
    }
    # If the quotation has moved a word, extend the range to the word's position in the sentence,
    # so that a denial before it is covered too.
    near = [
        index
        for index in range(last, min(last + MOVED_WORD_REACH, len(source)))
        if source[index].key in moved
    ]
    last = near[-1] + 1 if near else last
    near = [
        index
        for index in range(max(0, first - MOVED_WORD_REACH), first)
        if source[index].key in moved
    ]
    first = near[0] if near else first
    return _with_denials(source, first, last)


def _with_denials(source: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """Extend the range by denials right before it, or right after it at the end of a part.

    Only words that carry no meaning alone can follow such a denial: основанием не является.
    """
    while first and source[first - 1].kind == "denial":
        if source[first - 1].part != source[first].part:
            break
        first -= 1
    if 0 < last < len(source) and source[last].kind == "denial":
        part = source[last].part
        ends_part = last + 1 == len(source) or source[last + 1].part != part
        last += ends_part and source[last - 1].part == part
    return first, last


def _shares(quoted: Sequence[Token], source: Sequence[Token]) -> list[float]:
    keys = {token.key for token in source}
    forms = [token.form for token in source if token.kind in ("word", "party")]
    words = tuple(dict.fromkeys(forms))
    characters = frozenset("".join(word for word in words if not word.isascii()))
    return [
        1.0 if token.key in keys else _partial_credit(token, words, characters) for token in quoted
    ]


def _partial_credit(token: Token, words: tuple[str, ...], characters: frozenset[str]) -> float:
    """Credit of a token whose key the sentence does not contain.

    A Chinese word gets credit for each of its characters that the sentence contains, another
    word if the sentence has a word with the same root, and other tokens get none.
    """
    if token.kind == "party" and any(is_inflected(token.form, word) for word in words):
        return SAME_ROOT_CREDIT
    if token.kind != "word":
        return 0.0
    if "\u4e00" <= token.form[0] <= "\u9fff":
        share = sum(character in characters for character in token.form) / len(token.form)
        return share * SAME_ROOT_CREDIT
    return SAME_ROOT_CREDIT if any(has_same_root(token.form, word) for word in words) else 0.0


@lru_cache(maxsize=1 << 15)
def is_inflected(first: str, second: str) -> bool:
    """Whether two words or stems may be forms of one Russian name.

    >>> is_inflected("данилом", "данил"), is_inflected("петров", "петренко")
    (True, False)
    """
    shared = Prefix.similarity(first, second)
    return shared >= MIN_ROOT and all(
        _ENDING.fullmatch(tail) for tail in (first[shared:], second[shared:])
    )


@lru_cache(maxsize=1 << 15)
def has_same_root(first: str, second: str) -> bool:
    """Whether two words share such a long beginning that they probably have the same root."""
    shared = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= 4 and shared >= 0.55 * max(len(first), len(second))


def _longest_gap(shares: Sequence[float]) -> int:
    """Length of the longest run of tokens with a credit below 0.5."""
    longest = current = 0
    for credit in shares:
        current = current + 1 if credit < 0.5 else 0
        longest = max(longest, current)
    return longest
