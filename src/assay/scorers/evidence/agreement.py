"""Differences between a quotation and its source sentence that change the meaning.

A quotation may be reworded. But if a number, a date, a unit, a denial (negation), a bound or a
party differs, the quotation states something else. Each difference is described in one line
that a reader can check, for example ``number changed: 30 days -> 20 days``.

In this module ``quoted`` are the tokens of the quotation, ``source`` the tokens of the sentence
that it is compared with, and ``covered`` the part of ``source`` that the quotation covers.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from assay.scorers.evidence.alignment import Alignment, is_inflected
from assay.scorers.evidence.contract_word import DENIED_BOUND, opposites
from assay.scorers.evidence.limit import Value, changed_limits
from assay.scorers.evidence.synonym import concept
from assay.scorers.evidence.token import Token
from assay.scorers.evidence.value import Values, same_value
from assay.text import stem
from assay.text.lexicon import alternatives, lazy_pattern

CLOSE_ORDER: Final = 0.66
"""From this ``Alignment.order`` on, the quotation is treated as literal: the positions of its
values and parties must agree with the sentence too."""
CLOSE_WORD_ORDER: Final = 0.85
"""The same limit for ``Alignment.word_order``. In a short sentence, two exchanged parties lower
the order of all tokens so much that only the order of the words shows a literal quotation."""
MIN_PART_SHARE: Final = 0.3
"""The quotation must contain this share of a part's tokens for the part's denials to count."""

_NEGATING_PREFIX: Final = lazy_pattern(
    lambda: f"^(?:{alternatives('negation.prefix')})-?", re.NOFLAG
)
_RESTRICTION: Final = lazy_pattern(lambda: alternatives("negation.restriction"))
_UNLIMITED: Final = lazy_pattern(lambda: alternatives("negation.unlimited"))
# Small counts often appear when a sentence is reworded: in three steps, двумя способами.
_SMALL_NUMBERS: Final = frozenset(map(str, range(11)))


class Clause(Struct, frozen=True, kw_only=True):
    """Token keys of the parties and of the other words in the complete clause."""

    parties: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def disagreements(
    quoted: Sequence[Token], source: Sequence[Token], alignment: Alignment, clause: Clause
) -> tuple[str, ...]:
    """Return one line for each difference that changes the meaning; empty if there is none.

    ``alignment`` is the result of aligning ``quoted`` with ``source``. A literal quotation (see
    ``CLOSE_ORDER``) must have the same values, parties and denials as the sentence, in the same
    order. A reworded quotation must not contain values or parties that the sentence lacks.

    >>> from assay.scorers.evidence.alignment import align
    >>> from assay.scorers.evidence.token import tokens
    >>> quoted, source = tokens("paid within 20 days"), tokens("The fee is paid within 30 days.")
    >>> disagreements(quoted, source, align(quoted, source), Clause())
    ('number changed: 30 days -> 20 days',)
    """
    reasons = [
        *_unknown_parties(quoted, clause.parties),
        *_prefix_denials(quoted, source),
        *_denied_limits(quoted, source),
    ]
    if alignment.order >= CLOSE_ORDER or alignment.word_order >= CLOSE_WORD_ORDER:
        covered = source[alignment.first : alignment.last]
        reasons += [
            *_missing_values(quoted, covered),
            *_reordered_values(quoted, covered),
            *_changed_units(quoted, covered),
            *_reversed_bounds(quoted, covered),
            *_dropped_bounds(quoted, covered),
            *_changed_limits(quoted, source),
            *_dropped_restrictions(quoted, covered),
            *_added_restrictions(quoted, covered),
            *_opposite_words(quoted, covered),
            *_changed_parties(quoted, source, covered, clause.parties),
            *_exchanged_words(quoted, source, alignment, clause.words),
            *_denial_difference(_of_kind(quoted, "denial"), _of_kind(covered, "denial")),
        ]
    else:
        larger = [token for token in quoted if token.key not in _SMALL_NUMBERS]
        reasons += [
            *_missing_values(larger, source),
            *_reversed_bounds(quoted, source),
            *_added_restrictions(quoted, source),
            *_denial_parity(_of_kind(quoted, "denial"), _relevant_denials(quoted, source)),
        ]
    return tuple(dict.fromkeys(reasons))


def _of_kind(tokens: Sequence[Token], *kinds: str) -> list[Token]:
    return [token for token in tokens if token.kind in kinds]


def _missing_values(quoted: Sequence[Token], source: Sequence[Token]) -> Iterator[str]:
    """Numbers and dates of the quotation that the sentence does not contain."""
    quoted_values, source_values = Values(quoted), Values(source)
    missing = [token for token in quoted_values.tokens if not source_values.has(token)]
    unused = missing and [token for token in source_values.tokens if not quoted_values.has(token)]
    for token in missing:
        kind = "date" if token.kind == "date" else "number"
        detail = f"{unused[0].form} -> {token.form}" if unused else token.form
        yield f"{kind} {'changed' if unused else 'added'}: {detail}"


def _reordered_values(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """Values that the sentence contains, but in another order."""
    quoted_values = _of_kind(quoted, "number", "date")
    source_values = Values(covered)
    if not all(source_values.has(token) for token in quoted_values):
        return
    # A period that is written twice, as in "two weeks (14 days)", counts once.
    distinct = quoted_values[:1] + [
        token for before, token in pairwise(quoted_values) if before.key != token.key
    ]
    remaining = iter(source_values.tokens)
    if not all(any(same_value(token, other) for other in remaining) for token in distinct):
        yield f"numbers out of place: {', '.join(token.form for token in quoted_values)}"


def _changed_units(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """Units without a number (за час) that replace another unit of the sentence."""
    covered_keys = {token.key for token in covered}
    missing = [
        unit
        for unit in _of_kind(covered, "unit")
        if unit.key not in {token.key for token in quoted}
    ]
    for token in _of_kind(quoted, "unit"):
        if token.key not in covered_keys and missing:
            yield f"unit changed: {missing[0].form} -> {token.form}"


def _reversed_bounds(quoted: Sequence[Token], source: Sequence[Token]) -> Iterator[str]:
    """Upper bounds that became lower bounds, or the reverse."""
    source_values = Values(source)
    for token in _of_kind(quoted, "number", "date") if source_values.tokens else ():
        if not token.bound:
            continue
        bounds = {other.bound for other in source_values.same(token)}
        if bounds and None not in bounds and token.bound not in bounds:
            yield f"bound turned round: {token.form}"
    quoted_keys, source_keys = (
        {token.key for token in _of_kind(tokens, "bound")} for tokens in (quoted, source)
    )
    if quoted_keys and source_keys and not quoted_keys & source_keys:
        yield f"bound turned round: {_of_kind(quoted, 'bound')[0].form}"


def _dropped_bounds(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """Bounds expressed by a denial that only one side has: "ниже" for "не ниже"."""
    for tokens, others, change in ((covered, quoted, "dropped"), (quoted, covered, "added")):
        other_bounds = {token.key for token in _of_kind(others, "bound")} | {
            token.bound for token in others
        }
        for token in _of_kind(tokens, "bound"):
            if token.key not in other_bounds and DENIED_BOUND.match(token.form):
                yield f"bound {change}: {token.form}"


def _changed_limits(quoted: Sequence[Token], source: Sequence[Token]) -> Iterator[str]:
    """Limits beside a value, and relations of a period, that only one side has."""
    quoted_values, source_values = Values(quoted), Values(source)
    for token in {value.key: value for value in quoted_values.tokens}.values():
        yield from changed_limits(*(
            [Value(other.form, other.bound, other.beside) for other in values.same(token)]
            for values in (quoted_values, source_values)
        ))  # fmt: skip


def _dropped_restrictions(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """Restrictions that only the sentence has: "with consent" for "only with consent"."""
    if (found := _unmatched_restriction(covered, quoted)) is not None:
        yield f"restriction dropped: {found.form}"


def _added_restrictions(quoted: Sequence[Token], source: Sequence[Token]) -> Iterator[str]:
    """Restrictions that only the quotation has: "by fax only" for "by e-mail"."""
    if (found := _unmatched_restriction(quoted, source)) is not None:
        yield f"restriction added: {found.form}"


def _unmatched_restriction(tokens: Sequence[Token], others: Sequence[Token]) -> Token | None:
    """The first restriction of some tokens, if the others have none."""
    if any(_RESTRICTION.search(token.form) for token in others):
        return None
    return next((token for token in tokens if _RESTRICTION.fullmatch(token.form)), None)


def _denied_limits(quoted: Sequence[Token], source: Sequence[Token]) -> Iterator[str]:
    """What the sentence limits, and the quotation calls unlimited."""
    if any(_UNLIMITED.fullmatch(token.form) for token in source):
        return
    if any(token.bound == "most" or token.kind == "bound" for token in source):
        for token in quoted:
            if _UNLIMITED.fullmatch(token.form):
                yield f"limit denied: {token.form}"


def _opposite_words(quoted: Sequence[Token], covered: Sequence[Token]) -> Iterator[str]:
    """Words of the sentence that the quotation replaces by their opposites."""
    quoted_keys, covered_keys = ({token.key for token in tokens} for tokens in (quoted, covered))
    for first, second in _opposite_keys():
        for word, original in ((first, second), (second, first)):
            if (
                word in quoted_keys
                and original not in quoted_keys
                and original in covered_keys
                and word not in covered_keys
            ):
                yield f"turned round: {original} -> {word}"


@cache
def _opposite_keys() -> tuple[tuple[str, str], ...]:
    pairs = ((concept(stem(first)), concept(stem(second))) for first, second in opposites())
    return (("before", "after"), *pairs)


def _denial_difference(
    quoted_denials: Sequence[Token], source_denials: Sequence[Token]
) -> Iterator[str]:
    if len(quoted_denials) > len(source_denials):
        yield f"denial added: {quoted_denials[-1].form}"
    elif len(quoted_denials) < len(source_denials):
        yield f"denial dropped: {source_denials[0].form}"


def _denial_parity(
    quoted_denials: Sequence[Token], source_denials: Sequence[Token]
) -> Iterator[str]:
    """Differences in the number of denials, ignoring pairs: two denials cancel each other."""
    if (len(quoted_denials) - len(source_denials)) % 2:
        yield from _denial_difference(quoted_denials, source_denials)


def _relevant_denials(quoted: Sequence[Token], source: Sequence[Token]) -> list[Token]:
    """Denials in those parts of the sentence that share enough tokens with the quotation."""
    quoted_keys = {token.key for token in quoted if token.kind != "denial"}
    parts: dict[int, list[Token]] = {}
    for token in source:
        parts.setdefault(token.part, []).append(token)
    denials: list[Token] = []
    for part_tokens in parts.values():
        others = [token for token in part_tokens if token.kind != "denial"]
        if others and sum(token.key in quoted_keys for token in others) >= MIN_PART_SHARE * len(
            others
        ):
            denials += _of_kind(part_tokens, "denial")
    return denials


def _prefix_denials(quoted: Sequence[Token], source: Sequence[Token]) -> Iterator[str]:
    """Words that one side has only with a negating prefix: исключительный, неисключительный."""
    quoted_forms, source_forms = (
        {token.form for token in tokens if token.kind in {"word", "party"}}
        for tokens in (quoted, source)
    )
    for forms, others in ((quoted_forms, source_forms), (source_forms, quoted_forms)):
        for word in sorted(forms - others):
            bare = _NEGATING_PREFIX.sub("", word)
            if bare != word and any(_is_form(bare, other) for other in others - forms):
                yield f"denial in a word: {word}"


def _is_form(word: str, other: str) -> bool:
    """Whether two words differ at most in their endings; short ones (non-EU) must be equal."""
    return word == other if len(word) <= 3 else word[:-2] == other[:-2]


def _exchanged_words(
    quoted: Sequence[Token],
    source: Sequence[Token],
    alignment: Alignment,
    clause_words: frozenset[str],
) -> Iterator[str]:
    """Words that the quotation replaces by another word of the clause.

    This finds exchanged parties that are in no word list, and exchanged things.
    """
    quoted_keys, source_keys = {token.key for token in quoted}, {token.key for token in source}
    for quoted_index, source_index in alignment.exchanged:
        word, original = quoted[quoted_index], source[source_index]
        if (
            word.kind == original.kind == "word"
            and word.key in clause_words - source_keys
            and original.key not in quoted_keys
            and alignment.shares[quoted_index] < 0.5
        ):
            yield f"word exchanged: {original.form} -> {word.form}"


def _unknown_parties(quoted: Sequence[Token], clause_parties: Collection[str]) -> Iterator[str]:
    for token in _of_kind(quoted, "party"):
        is_known = token.key in clause_parties or token.key == "both"
        if not is_known and not any(is_inflected(token.key, party) for party in clause_parties):
            yield f"party not in the clause: {token.form}"


def _changed_parties(
    quoted: Sequence[Token],
    source: Sequence[Token],
    covered: Sequence[Token],
    clause_parties: Collection[str],
) -> Iterator[str]:
    """Parties of the quotation that the sentence does not name in this order."""
    quoted_parties = [
        token
        for token in _of_kind(quoted, "party")
        if token.key in clause_parties or token.key == "both"
    ]
    # A sentence may name its party before the part that is quoted.
    source_keys = [token.key for token in _of_kind(covered, "party") or _of_kind(source, "party")]
    remaining = iter(source_keys)
    if not all(any(token.key == key for key in remaining) for token in quoted_parties):
        quoted_text = ", ".join(token.key for token in quoted_parties)
        yield f"party changed: {', '.join(source_keys) or '-'} -> {quoted_text}"
