"""The score of a quotation against candidate sentences, from alignment and agreement.

::

    score = alignment                           if everything that must agree agrees
          = alignment · DISAGREEMENT_FACTOR     otherwise

The candidate that shares most words with the quotation is taken to be its source; a candidate
of more sentences than the quotation must share correspondingly more. No other candidate can score higher than
this one. Otherwise a changed number would be accepted because a neighbouring sentence happens
to contain it. A quotation that a candidate contains word for word scores 1.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.evidence.agreement import Clause, disagreements
from assay.scorers.evidence.alignment import Alignment, align
from assay.scorers.evidence.citation_mark import with_ordinals_of, without_marks
from assay.scorers.evidence.exchange import changed_initials, exchanged_names
from assay.scorers.evidence.join import joined_places
from assay.scorers.evidence.literal import changed_words
from assay.scorers.evidence.name import changed_names
from assay.scorers.evidence.qualifier import changed_qualifiers
from assay.scorers.evidence.scale import turned_words
from assay.scorers.evidence.spelling import one_spelling
from assay.scorers.evidence.token import (
    names,
    sentence_spans,
    tokens,
    uncapitalised,
)
from assay.scorers.evidence.verbatim import cut_reasons, is_verbatim

DISAGREEMENT_FACTOR: Final = 0.4
"""The score is multiplied by this factor if something disagrees."""
SENTENCE_COST: Final = 0.15
"""Share of the quotation's words that each further sentence of a candidate must add."""
MIN_ALIGNMENT: Final = 0.25
"""Below this alignment, disagreements are not reported: the candidate was not quoted."""
MIN_NAME_ORDER: Final = 0.4
"""Below this share of tokens in the same order, names are not compared by their places."""
THRESHOLD: Final = 0.5
"""Evidence is valid from this score on. Chosen on the tuning part of the benchmark."""

VERBATIM: Final = 2.0
"""The rank of a candidate that contains the quotation; no other one has a higher rank."""
LITERAL: Final = 1.5
"""The rank of a sentence that the quotation has but for one word in its place."""
MIN_LITERAL: Final = 5
"""Such a quotation has at least so many tokens."""


class AlignmentScore(Struct, frozen=True, kw_only=True):
    """The score of one candidate, in 0..1, and the reasons why it disagrees."""

    score: float
    reasons: tuple[str, ...] = ()


def alignment_scores(evidence: str, candidates: Sequence[str], clause: str) -> list[AlignmentScore]:
    """Return a score for each candidate. Candidates are passages of ``clause``.

    A candidate that shares nothing with the evidence scores 0.

    >>> clause = "The fee is 300. It is paid within 30 days."
    >>> [score] = alignment_scores("paid within 20 days", ["It is paid within 30 days."], clause)
    >>> score
    AlignmentScore(score=0.16000000000000003, reasons=('number changed: 30 days -> 20 days',))
    """
    quotation = with_ordinals_of(without_marks(evidence, clause), clause)
    clause = with_ordinals_of(clause, quotation)
    evidence, clause = one_spelling(quotation), one_spelling(clause)
    # A word that is capitalised in the evidence only is a name, unless the clause also has it
    # without a capital letter.
    terms = names(clause) | (names(evidence) - uncapitalised(clause))
    clause_keys = _clause(clause, terms)
    quoted = tokens(evidence, terms)
    quoted_sentences = len(sentence_spans(evidence))
    joined = [one_spelling(with_ordinals_of(text, quotation)) for text in candidates]
    ranks: list[tuple[float, float]] = []
    scores: list[AlignmentScore] = []
    orders: list[float] = []
    for candidate in joined:
        if is_verbatim(evidence, candidate):
            ranks.append((VERBATIM, 1.0))
            scores.append(AlignmentScore(score=1.0))
            orders.append(0.0)
            continue
        source = tokens(candidate, terms)
        aligned = align(quoted, source)
        extra_sentences = max(0, len(sentence_spans(candidate)) - quoted_sentences)
        rank = aligned.wording - SENTENCE_COST * extra_sentences
        is_source = not extra_sentences and _differs_in_one_word(aligned)
        ranks.append((LITERAL if is_source else rank, aligned.order))
        orders.append(aligned.order if aligned.score >= MIN_ALIGNMENT else 0.0)
        reasons: tuple[str, ...] = ()
        if aligned.score >= MIN_ALIGNMENT:
            reasons = disagreements(quoted, source, aligned, clause_keys)
        factor = DISAGREEMENT_FACTOR if reasons else 1.0
        scores.append(AlignmentScore(score=aligned.score * factor, reasons=reasons))
    if not scores:
        return []
    leader = max(range(len(scores)), key=lambda index: ranks[index])
    # Comparing names is slow, so it is done for the leader and for those that score as much.
    cut = () if ranks[leader][0] >= VERBATIM else _cut(evidence, clause)
    for index in sorted(range(len(scores)), key=lambda index: index != leader):
        if ranks[index][0] < VERBATIM and scores[index].score >= scores[leader].score:
            is_ordered = orders[index] >= MIN_NAME_ORDER
            changes = changed_names(evidence, joined[index], clause) if is_ordered else ()
            if not changes and not scores[index].reasons:
                changes = _changes(evidence, joined[index], is_ordered=is_ordered)
            more = changes or (() if scores[index].reasons else cut)
            scores[index] = _with_reasons(scores[index], more)
    highest = scores[leader].score
    return [
        AlignmentScore(score=min(score.score, highest), reasons=score.reasons) for score in scores
    ]


def _differs_in_one_word(aligned: Alignment) -> bool:
    """Whether the tokens of a quotation are those of a sentence, but for one in place of another."""
    if len(aligned.shares) < MIN_LITERAL or len(aligned.exchanged) != 1:
        return False
    changed = [index for index, share in enumerate(aligned.shares) if share < 1]
    in_order = aligned.order * len(aligned.shares)
    return changed == [aligned.exchanged[0][0]] and in_order > len(aligned.shares) - 1.5


def _changes(evidence: str, source: str, *, is_ordered: bool) -> tuple[str, ...]:
    """Names that are exchanged, and words that are changed, in a quotation without other reasons."""
    found = exchanged_names(evidence, source) or changed_initials(evidence, source)
    if found or not is_ordered:
        return found
    qualified = turned_words(evidence, source) or changed_qualifiers(evidence, source)
    return qualified or changed_words(evidence, source)


def _cut(evidence: str, clause: str) -> tuple[str, ...]:
    """Why the words of the clause say something else as the quotation cuts or joins them."""
    return cut_reasons(evidence, clause) or joined_places(evidence, clause)


def _with_reasons(score: AlignmentScore, more: tuple[str, ...]) -> AlignmentScore:
    """The score with further reasons; the first reason lowers it."""
    factor = DISAGREEMENT_FACTOR if more and not score.reasons else 1.0
    return AlignmentScore(score=score.score * factor, reasons=(*score.reasons, *more))


@lru_cache(maxsize=512)
def _clause(text: str, terms: frozenset[str]) -> Clause:
    clause_tokens = tokens(text, terms)
    return Clause(
        parties=frozenset(token.key for token in clause_tokens if token.kind == "party"),
        words=frozenset(token.key for token in clause_tokens if token.kind == "word"),
    )
