"""The score of a quotation against candidate sentences: alignment and agreement together.

::

    score = alignment                       where everything that must agree agrees
          = alignment · DISAGREES           where something does not

The quotation is judged by the candidate it is most evidently taken from: the one with most of
its words, a longer stretch having to earn its length. No other candidate scores higher, or a
changed number would pass because a neighbouring sentence happens to have it. A quotation that
stands in a candidate word for word scores 1.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.evidence.agreement import Clause, disagreements
from assay.scorers.evidence.alignment import Alignment, align
from assay.scorers.evidence.contract_word import DENIAL
from assay.scorers.evidence.token import (
    Token,
    names,
    sentence_spans,
    simplified_han,
    tokens,
    uncapitalised,
)
from assay.text import HAN, Span, normalised

DISAGREES: Final = 0.4
"""What a disagreement leaves of the score."""
LENGTH: Final = 0.15
"""Share of the quotation's words that each further sentence of a candidate must add."""
WORTH: Final = 0.25
"""Alignment below which what disagrees is not looked for: nothing was quoted."""
LONGEST: Final = 8
"""Sentences in a candidate at most."""
THRESHOLD: Final = 0.5
"""Score from which evidence is valid, chosen on the part of the benchmark meant for it."""

_WORD: Final = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{HAN}]|[^\W{HAN}_]+")

# Chinese words come apart into characters here, of which the last two can make a denial.
_DENIED: Final = re.compile(rf"\n(?:{DENIAL}|[不未无没]\n[得能予应经须需有权])\Z")
_REACH: Final = 24


class AlignmentScore(Struct, frozen=True, kw_only=True):
    """The score of one candidate, 0..1, and what disagrees."""

    score: float
    reasons: tuple[str, ...] = ()


def alignment_scores(evidence: str, candidates: Sequence[str], clause: str) -> list[AlignmentScore]:
    """A score for each candidate, each a stretch of ``clause``; 0 where nothing is shared.

    >>> clause = "The fee is 300. It is paid within 30 days."
    >>> [found] = alignment_scores("paid within 20 days", ["It is paid within 30 days."], clause)
    >>> found
    AlignmentScore(score=0.16000000000000003, reasons=('number changed: 30 days -> 20 days',))
    """
    evidence, clause = simplified_han(evidence), simplified_han(clause)
    # A word that only the evidence has with a capital is a name unless the clause has it without.
    terms = names(clause) | (names(evidence) - uncapitalised(clause))
    whole = _clause(clause, terms)
    quoted = tokens(evidence, terms)
    ranked: list[tuple[float, float]] = []
    scores: list[AlignmentScore] = []
    for candidate in map(simplified_han, candidates):
        if is_verbatim(evidence, candidate):
            ranked.append((2.0, 1.0))
            scores.append(AlignmentScore(score=1.0))
            continue
        there = tokens(candidate, terms)
        side = align(quoted, there)
        ranked.append((side.wording - LENGTH * (len(sentence_spans(candidate)) - 1), side.order))
        scores.append(_score(quoted, there, side, whole))
    if not scores:
        return []
    leader = scores[max(range(len(scores)), key=lambda place: ranked[place])]
    return [
        AlignmentScore(score=min(one.score, leader.score), reasons=one.reasons) for one in scores
    ]


def is_verbatim(evidence: str, text: str) -> bool:
    """Whether the words of ``evidence`` stand in ``text`` in a row; punctuation is no matter.

    A row that begins right after a denial does not count: it says the opposite of its sentence.

    >>> is_verbatim("ＰＡＹ, on delivery", "They pay on delivery."), is_verbatim("art", "start")
    (True, False)
    >>> is_verbatim("part is refundable", "No part is refundable")
    False
    """
    wanted, there = _plain_words(evidence), _plain_words(text)
    place = there.find(wanted) if wanted.strip() else -1
    while place >= 0:
        if not _DENIED.search(there, max(0, place - _REACH), place):
            return True
        place = there.find(wanted, place + 1)
    return False


@lru_cache(maxsize=4096)
def _plain_words(text: str) -> str:
    return "\n".join(("", *_WORD.findall(normalised(simplified_han(text), fold_case=True)), ""))


def windows(text: str, length: int) -> list[Span]:
    """Every sentence, every two in a row, and longer stretches until they are ``length`` long.

    >>> [span.of("A b. C d. E f.") for span in windows("A b. C d. E f.", 4)]
    ['A b.', 'A b. C d.', 'C d.', 'C d. E f.', 'E f.']
    """
    found = sentence_spans(text)
    out = []
    for first, start in enumerate(found):
        for last in found[first : first + LONGEST]:
            out.append(Span(start=start.start, end=last.end))
            # A quotation may leave words out, so that its source is a little longer.
            if last is not start and last.end - start.start > 1.2 * length:
                break
    return out


def _score(
    quoted: Sequence[Token], there: Sequence[Token], side: Alignment, clause: Clause
) -> AlignmentScore:
    if side.score < WORTH:
        return AlignmentScore(score=side.score)
    reasons = disagreements(quoted, there, side, clause)
    return AlignmentScore(score=side.score * (DISAGREES if reasons else 1.0), reasons=reasons)


@lru_cache(maxsize=512)
def _clause(text: str, terms: frozenset[str]) -> Clause:
    found = tokens(text, terms)
    return Clause(
        parties=frozenset(token.key for token in found if token.kind == "party"),
        words=frozenset(token.key for token in found if token.kind == "word"),
    )
