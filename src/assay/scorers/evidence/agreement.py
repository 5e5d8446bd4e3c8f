"""What must agree between a quotation and the sentence it is taken from.

A quotation may be reworded, but a number, a date, a unit, a denial, a bound or a party that
differs makes it another statement. Each difference is a line that a reader can check, such as
``number changed: 30 days -> 20 days``.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from assay.scorers.evidence.alignment import Alignment
from assay.scorers.evidence.contract_word import DENIED_BOUND, OPPOSITE
from assay.scorers.evidence.synonym import concept
from assay.scorers.evidence.token import Token
from assay.text import stem

CLOSE: Final = 0.66
"""Order from which a quotation is taken for one word by word, so that places must agree too."""
CLOSE_WORDS: Final = 0.85
"""The same of words alone: in a short sentence two parties exchanged leave little order."""
USED: Final = 0.3
"""Share of a part's words that the quotation must have for the part's denials to count."""

_NEGATING: Final = re.compile("^(?:не|без|un|in|im|non|dis|非|不|无|未)-?")
# Counts as small as these come with rewording: in three steps, двумя способами.
_SMALL: Final = frozenset(map(str, range(11)))


class Clause(Struct, frozen=True, kw_only=True):
    """What the whole clause names: keys of its parties and of its other words."""

    parties: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def disagreements(
    quoted: Sequence[Token], there: Sequence[Token], side: Alignment, clause: Clause
) -> tuple[str, ...]:
    """What the quotation says otherwise than the sentence, a line each; empty where nothing.

    ``side`` is the two laid side by side. A quotation word by word (``CLOSE``) must have its
    values, parties and denials where the sentence has them; a reworded one must have no others.

    >>> from assay.scorers.evidence.alignment import align
    >>> from assay.scorers.evidence.token import tokens
    >>> said, there = tokens("paid within 20 days"), tokens("The fee is paid within 30 days.")
    >>> disagreements(said, there, align(said, there), Clause())
    ('number changed: 30 days -> 20 days',)
    """
    found = [*_unknown_parties(quoted, clause.parties), *_prefixes(quoted, there)]
    if side.order >= CLOSE or side.word_order >= CLOSE_WORDS:
        covered = there[side.first : side.last]
        found += [
            *_values(quoted, covered),
            *_places(quoted, covered),
            *_units(quoted, covered),
            *_bounds(quoted, covered),
            *_dropped_bounds(quoted, covered),
            *_opposites(quoted, covered),
            *_parties(quoted, there, covered, clause.parties),
            *_exchanged(quoted, there, side, clause.words),
            *_denials(_of(quoted, "denial"), _of(covered, "denial")),
        ]
    else:
        exact = [token for token in quoted if token.key not in _SMALL]
        found += [
            *_values(exact, there),
            *_bounds(quoted, there),
            *_parity(_of(quoted, "denial"), _used_denials(quoted, there)),
        ]
    return tuple(dict.fromkeys(found))


def _of(tokens: Sequence[Token], *kinds: str) -> list[Token]:
    return [token for token in tokens if token.kind in kinds]


def _values(quoted: Sequence[Token], there: Sequence[Token]) -> Iterator[str]:
    """Numbers and dates that the sentence does not have."""
    mine, theirs = _of(quoted, "number", "date"), _of(there, "number", "date")
    for token in mine:
        if not any(same_value(token, other) for other in theirs):
            left = [other for other in theirs if not any(same_value(t, other) for t in mine)]
            what = "date" if token.kind == "date" else "number"
            said = f"{left[0].form} -> {token.form}" if left else token.form
            yield f"{what} {'changed' if left else 'added'}: {said}"


def _places(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """Values that are all there but in another order."""
    mine, theirs = _of(quoted, "number", "date"), _of(covered, "number", "date")
    if not all(any(same_value(token, other) for other in theirs) for token in mine):
        return
    # A period said twice, two weeks (14 days), counts once.
    once = mine[:1] + [token for before, token in pairwise(mine) if before.key != token.key]
    rest = iter(theirs)
    if not all(any(same_value(token, other) for other in rest) for token in once):
        yield f"numbers out of place: {', '.join(token.form for token in mine)}"


def same_value(one: Token, other: Token) -> bool:
    """Whether two values say the same; a unit, a currency or a year may be left out.

    >>> same_value(Token("number", "5 percent", "5%"), Token("number", "5", "5"))
    True
    """
    if other.key in {one.key, one.other} or other.other == one.key:
        return True
    if "date" in (one.kind, other.kind):
        short, long = sorted((one.key.lstrip("-"), other.key.lstrip("-")), key=len)
        return one.kind == other.kind and long.endswith(short)
    value, _, unit = one.key.partition(" ")
    value_there, _, unit_there = other.key.partition(" ")
    return value == value_there and not (unit and unit_there)


def _units(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """A unit without a number (за час) in the place of another."""
    theirs = {token.key for token in covered}
    lost = [t for t in _of(covered, "unit") if t.key not in {token.key for token in quoted}]
    for token in _of(quoted, "unit"):
        if token.key not in theirs and lost:
            yield f"unit changed: {lost[0].form} -> {token.form}"


def _bounds(quoted: Sequence[Token], there: Sequence[Token]) -> Iterator[str]:
    """A most that became a least, or the reverse."""
    theirs = _of(there, "number", "date")
    for token in _of(quoted, "number", "date"):
        bounds = {other.bound for other in theirs if same_value(token, other)}
        if token.bound and bounds and None not in bounds and token.bound not in bounds:
            yield f"bound turned round: {token.form}"
    mine, other = ({token.key for token in _of(side, "bound")} for side in (quoted, there))
    if mine and other and not mine & other:
        yield f"bound turned round: {_of(quoted, 'bound')[0].form}"


def _dropped_bounds(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """A bound said by a denial that only one of the two has: ниже for не ниже."""
    for one, other, what in ((covered, quoted, "dropped"), (quoted, covered, "added")):
        same = {token.key for token in _of(other, "bound")} | {token.bound for token in other}
        for token in _of(one, "bound"):
            if token.key not in same and DENIED_BOUND.match(token.form):
                yield f"bound {what}: {token.form}"


def _opposites(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """A word in the place of its opposite."""
    mine, theirs = ({token.key for token in side} for side in (quoted, covered))
    for one, other in _opposite_keys():
        for said, meant in ((one, other), (other, one)):
            if said in mine and meant not in mine and meant in theirs and said not in theirs:
                yield f"turned round: {meant} -> {said}"


@cache
def _opposite_keys() -> tuple[tuple[str, str], ...]:
    pairs = ((concept(stem(one)), concept(stem(other))) for one, other in OPPOSITE)
    return (("before", "after"), *pairs)


def _denials(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[str]:
    if len(mine) > len(theirs):
        yield f"denial added: {mine[-1].form}"
    elif len(mine) < len(theirs):
        yield f"denial dropped: {theirs[0].form}"


def _parity(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[str]:
    """Two denials may be reworded into none; one cannot."""
    if (len(mine) - len(theirs)) % 2:
        yield from _denials(mine, theirs)


def _used_denials(quoted: Sequence[Token], there: Sequence[Token]) -> list[Token]:
    """The denials in those parts of the sentence that the quotation is about."""
    keys = {token.key for token in quoted if token.kind != "denial"}
    out: list[Token] = []
    for part in dict.fromkeys(token.part for token in there):
        inside = [token for token in there if token.part == part]
        rest = [token for token in inside if token.kind != "denial"]
        if rest and sum(token.key in keys for token in rest) >= USED * len(rest):
            out += _of(inside, "denial")
    return out


def _prefixes(quoted: Sequence[Token], there: Sequence[Token]) -> Iterator[str]:
    """A word that became its own denial: исключительный, неисключительный."""
    mine, theirs = ({t.form for t in tokens if t.kind == "word"} for tokens in (quoted, there))
    for one, other in ((mine, theirs), (theirs, mine)):
        for word in sorted(one - other):
            bare = _NEGATING.sub("", word)
            if bare != word and len(bare) > 3 and any(w[:-2] == bare[:-2] for w in other - one):
                yield f"denial in a word: {word}"


def _exchanged(
    quoted: Sequence[Token], there: Sequence[Token], side: Alignment, known: frozenset[str]
) -> Iterator[str]:
    """Another word of the clause in the place of one: a party that no list knows, a thing."""
    mine, theirs = {token.key for token in quoted}, {token.key for token in there}
    for place, place_there in side.exchanged:
        said, meant = quoted[place], there[place_there]
        if (
            said.kind == meant.kind == "word"
            and said.key in known - theirs
            and meant.key not in mine
            and side.shares[place] < 0.5
        ):
            yield f"word exchanged: {meant.form} -> {said.form}"


def _unknown_parties(quoted: Sequence[Token], known: Collection[str]) -> Iterator[str]:
    for token in _of(quoted, "party"):
        if token.key not in known and token.key != "both":
            yield f"party not in the clause: {token.form}"


def _parties(
    quoted: Sequence[Token],
    there: Sequence[Token],
    covered: Sequence[Token],
    known: Collection[str],
) -> Iterator[str]:
    """Parties in other places than the sentence has them."""
    mine = [t for t in _of(quoted, "party") if t.key in known or t.key == "both"]
    # A sentence may name its party before the part that is quoted.
    theirs = [token.key for token in _of(covered, "party") or _of(there, "party")]
    rest = iter(theirs)
    if not all(any(token.key == other for other in rest) for token in mine):
        yield f"party changed: {', '.join(theirs) or '-'} -> {', '.join(t.key for t in mine)}"
