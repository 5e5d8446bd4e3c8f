"""The score of a quotation against candidate sentences, from alignment and agreement.

::

    score = alignment                           if everything that must agree agrees
          = alignment · DISAGREEMENT_FACTOR     otherwise

The candidate that shares most words with the quotation is taken to be its source; a candidate
of several sentences must share correspondingly more. No other candidate can score higher than
this one. Otherwise a changed number would be accepted because a neighbouring sentence happens
to contain it. A quotation that a candidate contains word for word scores 1.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.evidence.agreement import Clause, disagreements
from assay.scorers.evidence.alignment import align
from assay.scorers.evidence.contract_word import denial
from assay.scorers.evidence.exchange import changed_initials, exchanged_names
from assay.scorers.evidence.han import simplified_han, usual_numerals
from assay.scorers.evidence.literal import changed_words
from assay.scorers.evidence.name import changed_names
from assay.scorers.evidence.scale import turned_words
from assay.scorers.evidence.token import (
    names,
    sentence_spans,
    tokens,
    uncapitalised,
)
from assay.text import HAN, Span, join_hyphenated, normalised
from assay.text.lexicon import entry, lazy_pattern, word_list

DISAGREEMENT_FACTOR: Final = 0.4
"""The score is multiplied by this factor if something disagrees."""
SENTENCE_COST: Final = 0.15
"""Share of the quotation's words that each further sentence of a candidate must add."""
MIN_ALIGNMENT: Final = 0.25
"""Below this alignment, disagreements are not reported: the candidate was not quoted."""
MIN_NAME_ORDER: Final = 0.4
"""Below this share of tokens in the same order, names are not compared by their places."""
MAX_SENTENCES: Final = 8
"""The largest number of sentences in a candidate."""
THRESHOLD: Final = 0.5
"""Evidence is valid from this score on. Chosen on the tuning part of the benchmark."""

VERBATIM: Final = 2.0
"""The rank of a candidate that contains the quotation; no other one has a higher rank."""
MIN_SPACED: Final = 12
"""A quotation with other spaces than its source must have so many letters."""

_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_WORD: Final = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{HAN}]|[^\W{HAN}_]+")

# Chinese text is split into characters here, so a denial may consist of the last two of them.
_DENIED: Final = lazy_pattern(
    lambda: rf"\n(?:{denial()}|[不未无没]\n[得能予应经须需有权])\Z", re.NOFLAG
)
_RANKED: Final = lazy_pattern(
    lambda: (
        rf"(?<![{entry('zh', 'name.before_measure')}])\n(?:{'|'.join(word_list('name.open_ranks'))})\Z"
    ),
    re.NOFLAG,
)
_DENIAL_REACH: Final = 24
_DENIAL_NEXT: Final = lazy_pattern(lambda: rf"\n(?:{denial()})\n", re.NOFLAG)
_FOOTNOTE: Final = re.compile(r"\s?[\[【［(^]{1,2}[0-9]{1,2}[\])】］](?=\W*\Z)")
_OMISSION: Final = re.compile(r"[\[(<]?(?:…+|\.{3,})[\])>]?")


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
    evidence, clause = _joined(_without_marks(evidence, clause)), _joined(clause)
    # A word that is capitalised in the evidence only is a name, unless the clause also has it
    # without a capital letter.
    terms = names(clause) | (names(evidence) - uncapitalised(clause))
    clause_keys = _clause(clause, terms)
    quoted = tokens(evidence, terms)
    joined = [_joined(candidate) for candidate in candidates]
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
        extra_sentences = len(sentence_spans(candidate)) - 1
        ranks.append((aligned.wording - SENTENCE_COST * extra_sentences, aligned.order))
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
    for index in sorted(range(len(scores)), key=lambda index: index != leader):
        if ranks[index][0] < VERBATIM and scores[index].score >= scores[leader].score:
            is_ordered = orders[index] >= MIN_NAME_ORDER
            changes = changed_names(evidence, joined[index], clause) if is_ordered else ()
            if not changes and not scores[index].reasons:
                changes = _changes(evidence, joined[index], is_ordered=is_ordered)
            scores[index] = _with_reasons(scores[index], changes)
    highest = scores[leader].score
    return [
        AlignmentScore(score=min(score.score, highest), reasons=score.reasons) for score in scores
    ]


def _changes(evidence: str, source: str, *, is_ordered: bool) -> tuple[str, ...]:
    """Names that are exchanged, and words that are changed, in a quotation without other reasons."""
    found = exchanged_names(evidence, source) or changed_initials(evidence, source)
    if found or not is_ordered:
        return found
    return turned_words(evidence, source) or changed_words(evidence, source)


def _with_reasons(score: AlignmentScore, more: tuple[str, ...]) -> AlignmentScore:
    """The score with further reasons; the first reason lowers it."""
    factor = DISAGREEMENT_FACTOR if more and not score.reasons else 1.0
    return AlignmentScore(score=score.score * factor, reasons=(*score.reasons, *more))


def is_verbatim(evidence: str, text: str) -> bool:
    """Whether ``text`` contains the words of ``evidence`` one after another.

    Punctuation and case are ignored. Dots may stand for words that are left out. An occurrence
    right after a denial does not count, because the sentence then says the opposite; a denial
    right after dots must not be left out either.

    >>> is_verbatim("ＰＡＹ, on delivery", "They pay on delivery."), is_verbatim("art", "start")
    (True, False)
    >>> is_verbatim("part is refundable", "No part is refundable")
    False
    >>> is_verbatim("They pay … in cash", "They pay the full price on delivery and in cash.")
    True
    """
    text_words = _plain_words(text)
    parts = _OMISSION.split(evidence) if _OMISSION.search(evidence) else [evidence]
    part_words = [words for words in map(_plain_words, parts) if words.strip()]
    end = 0
    for words in part_words:
        if end and _DENIAL_NEXT.match(text_words, end - 1):
            return False
        start = _undenied_place(words, text_words, max(0, end - 1))
        if start < 0:
            return len(part_words) == 1 and _is_spaced_otherwise(words, text_words)
        end = start + len(words)
    return bool(part_words)


def _undenied_place(words: str, text_words: str, start: int) -> int:
    """Where ``text_words`` contains ``words`` from ``start`` on, not after a denial, or -1.

    A rank counts as a denial: a deputy director is no director.
    """
    position = text_words.find(words, start)
    while position >= 0 and _is_turned(text_words, position):
        position = text_words.find(words, position + 1)
    return position


def _is_turned(text_words: str, position: int) -> bool:
    reach = max(0, position - _DENIAL_REACH)
    return any(before.search(text_words, reach, position) for before in (_DENIED, _RANKED))


def _is_spaced_otherwise(words: str, text_words: str) -> bool:
    """Whether only the spaces inside of words differ, as after reading a printed page.

    Numbers and denials must stand as they are, unless all characters are spaced.
    """
    bare, source = words.replace("\n", ""), text_words.replace("\n", "")
    place = source.find(bare) if len(bare) >= MIN_SPACED else -1
    if place < 0:
        return False
    offsets = [index for index, letter in enumerate(text_words) if letter != "\n"]
    start, end = offsets[place], offsets[place + len(bare) - 1] + 1
    if text_words[start - 1] != "\n" or text_words[end] != "\n":
        return False
    if _is_turned(text_words, start - 1):
        return False
    if words.count("\n") > len(bare):
        return True
    original = text_words[start - 1 : end + 1]
    return all(kept.findall(words) == kept.findall(original) for kept in (_NUMBER, _DENIAL_NEXT))


def _joined(text: str) -> str:
    """The text in one spelling: simplified characters, usual numerals, no accents, lines joined."""
    plain = usual_numerals(simplified_han(join_hyphenated(text)))
    return plain if plain.isascii() else plain.translate(_without_accents())


@cache
def _without_accents() -> dict[int, str]:
    """A table for ``str.translate`` that takes the accents from Latin letters: Zürich, Zurich."""
    letters = (chr(code) for code in range(0xC0, 0x250))
    bases = ((letter, unicodedata.normalize("NFD", letter)[0]) for letter in letters)
    return {ord(letter): base for letter, base in bases if base.isascii()}


def _without_marks(quotation: str, source: str) -> str:
    """The quotation without the number of a footnote at its end, if the source has none there."""
    mark = _FOOTNOTE.search(quotation)
    if mark is None or mark.group().strip() in source:
        return quotation
    return quotation[: mark.start()] + quotation[mark.end() :]


@lru_cache(maxsize=4096)
def _plain_words(text: str) -> str:
    """The words of a text, each between line breaks, without case and punctuation."""
    return "\n".join(("", *_WORD.findall(normalised(_joined(text), fold_case=True)), ""))


def windows(text: str, length: int) -> list[Span]:
    """Passages of ``text`` that a quotation of ``length`` characters may come from.

    These are all single sentences, all pairs of neighbouring sentences, and longer passages
    until they are about ``length`` characters long.

    >>> [span.of("A b. C d. E f.") for span in windows("A b. C d. E f.", 4)]
    ['A b.', 'A b. C d.', 'C d.', 'C d. E f.', 'E f.']
    """
    sentence_list = sentence_spans(text)
    spans = []
    for index, first in enumerate(sentence_list):
        for last in sentence_list[index : index + MAX_SENTENCES]:
            spans.append(Span(start=first.start, end=last.end))
            # A quotation may leave words out, so its source can be a little longer.
            if last is not first and last.end - first.start > 1.2 * length:
                break
    return spans


@lru_cache(maxsize=512)
def _clause(text: str, terms: frozenset[str]) -> Clause:
    clause_tokens = tokens(text, terms)
    return Clause(
        parties=frozenset(token.key for token in clause_tokens if token.kind == "party"),
        words=frozenset(token.key for token in clause_tokens if token.kind == "word"),
    )
