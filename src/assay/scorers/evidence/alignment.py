"""How much of a quotation a sentence carries. Pure and deterministic.

Both are cut into tokens (``assay.scorers.evidence.token``). Each token of the quotation is
credited with what the sentence holds of it, and where the tokens stand in the same order the
two are laid side by side, so that every change shows::

    carried = Σ weight · credit / Σ weight          over the quotation's tokens
    score   = carried, lowered by a stretch of the quotation that the sentence has nothing of

What must agree (numbers, dates, denials, parties) is the matter of ``assay.scorers.evidence.agreement``.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import Final

from msgspec import Struct
from rapidfuzz.distance import LCSseq, Levenshtein, Opcode

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
"""Of tokens by kind; of other words, 1."""
KIN: Final = 0.85
"""Credit of a word that begins as another: расчёт and рассчитаться are told apart, but kin."""
GAP: Final = 3
"""Tokens in a row that the sentence has nothing of, from which they count as added."""
GAP_COST: Final = 0.12
"""What each token of such a stretch costs, from the third on."""

REACH: Final = 3
"""How far beyond its matches a quotation may have taken a word from."""


class Alignment(Struct, frozen=True, kw_only=True):
    """A quotation laid beside a sentence.

    ``carried`` and ``score`` are in 0..1, and so is ``wording``, the share of the words alone. ``order`` is the share of the quotation's tokens that
    stand in the sentence in the same order, ``word_order`` that of its words alone. ``first`` and ``last`` bound the sentence's tokens
    that the quotation covers. ``shares`` has the credit of each token of the quotation, and
    ``exchanged`` the places of words of which one stands where the sentence has the other.
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
"""Where the quotation or the sentence has no tokens."""


def align(quoted: Sequence[Token], there: Sequence[Token]) -> Alignment:
    """The quotation's tokens beside the sentence's.

    >>> from assay.scorers.evidence.token import tokens
    >>> side = align(tokens("The tenant pays rent"), tokens("The tenant pays the rent in May"))
    >>> side.score, side.order, (side.first, side.last)
    (1.0, 1.0, (0, 3))
    """
    if not quoted or not there:
        return NOTHING
    shares = tuple(_shares(quoted, there))
    weights = [WEIGHT.get(token.kind, 1.0) for token in quoted]
    carried = sum(map(mul, weights, shares)) / (sum(weights) or 1.0)
    mine, theirs = [token.key for token in quoted], [token.key for token in there]
    codes = Levenshtein.opcodes(mine, theirs)
    first, last = _covered(quoted, there, [code for code in codes if code.tag == "equal"])
    cost = GAP_COST * max(0, _longest_gap(shares) - GAP + 1)
    return Alignment(
        carried=carried,
        wording=_wording(quoted, shares, carried),
        score=max(0.0, min(1.0, carried - cost)),
        order=_order(quoted, there),
        word_order=_order(_only_words(quoted), _only_words(there)),
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
    words = [c for token, c in zip(quoted, shares, strict=True) if token.kind == "word"]
    return sum(words) / len(words) if words else carried


def _only_words(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind == "word"]


def _order(quoted: Sequence[Token], there: Sequence[Token]) -> float:
    mine, theirs = ([token.key for token in side] for side in (quoted, there))
    return LCSseq.similarity(mine, theirs) / len(mine) if mine else 0.0


def _covered(
    quoted: Sequence[Token], there: Sequence[Token], blocks: Sequence[Opcode]
) -> tuple[int, int]:
    """The bounds of the sentence's tokens that the quotation stands for."""
    if not blocks:
        return 0, len(there)
    # What the quotation has before its first and after its last match stands for something.
    first = max(0, blocks[0].dest_start - blocks[0].src_start)
    last = min(len(there), blocks[-1].dest_end + len(quoted) - blocks[-1].src_end)
    matched = {place for code in blocks for place in range(code.src_start, code.src_end)}
    moved = {
        token.key
        for place, token in enumerate(quoted)
        if place not in matched and token.kind == "word"
    }
    # A word that the quotation has elsewhere brings the denial before it along.
    near = [
        place for place in range(last, min(last + REACH, len(there))) if there[place].key in moved
    ]
    last = near[-1] + 1 if near else last
    near = [place for place in range(max(0, first - REACH), first) if there[place].key in moved]
    first = near[0] if near else first
    return _with_denials(there, first, last)


def _with_denials(there: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """The bounds with a denial right before them, or after them at the end of a part.

    After such a denial stand only words that say nothing alone: основанием не является.
    """
    while first and there[first - 1].kind == "denial":
        if there[first - 1].part != there[first].part:
            break
        first -= 1
    if 0 < last < len(there) and there[last].kind == "denial":
        part = there[last].part
        ends = last + 1 == len(there) or there[last + 1].part != part
        last += ends and there[last - 1].part == part
    return first, last


def _shares(quoted: Sequence[Token], there: Sequence[Token]) -> list[float]:
    keys = {token.key for token in there}
    words = [token.form for token in there if token.kind in ("word", "party")]
    held = tuple(dict.fromkeys(words))
    characters = frozenset("".join(word for word in held if not word.isascii()))
    return [1.0 if t.key in keys else _partly(t, held, characters) for t in quoted]


def _partly(token: Token, held: tuple[str, ...], characters: frozenset[str]) -> float:
    if token.kind != "word":
        return 0.0
    if "\u4e00" <= token.form[0] <= "\u9fff":
        share = sum(character in characters for character in token.form) / len(token.form)
        return share * KIN
    return KIN if any(_kin(token.form, word) for word in held) else 0.0


@lru_cache(maxsize=1 << 15)
def _kin(one: str, other: str) -> bool:
    """Whether two words share so long a beginning that they are of one root."""
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= 4 and shared >= 0.55 * max(len(one), len(other))


def _longest_gap(shares: Sequence[float]) -> int:
    longest = now = 0
    for credit in shares:
        now = now + 1 if credit < 0.5 else 0
        longest = max(longest, now)
    return longest
