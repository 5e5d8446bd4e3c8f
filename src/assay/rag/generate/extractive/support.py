"""How well a text supports an answer to a question, judged by words. Pure and deterministic.

The weight of a content word of the question depends on its length and on whether it is a name.
Statistics of a corpus are not needed: weights by rarity in the corpus did not give better quotes
(see docs/evidence/retrieval.md). A word counts partly if only some of its n-grams occur, which handles
inflection and compounds. ::

    coverage = WINDOW · coverage of the window + (1 - WINDOW) · coverage of the whole text
    score    = coverage · (1 - FIT + FIT · share of the expected kinds in the window)

A window is one sentence, or several neighbouring sentences that each add to the coverage. An
expected kind is what the question word asks for, for example an amount, a date or a person.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Final, TypeAlias

from msgspec import Struct

from assay.rag.generate.extractive.question_analysis import analyse_question
from assay.rag.generate.extractive.quotation import quotable, units
from assay.text import HAN, AnswerType, Span, normalised, types_present, words

WINDOW: Final = 0.5
"""The weight of the window in the coverage; the rest is the weight of the complete text.

The complete text counts because it often names the subject elsewhere.
"""
FIT: Final = 0.2
"""The part of the score that depends on the expected kinds of answer."""
GAIN: Final = 0.12
"""The coverage that a neighbouring sentence must add to become part of the window."""
PARTIAL: Final = 0.7
"""The value of a word that occurs only partly, multiplied by the share of its n-grams."""
HAN_SINGLE: Final = 0.4
"""The value of a Chinese word of which single characters occur, multiplied by their share."""
LONGEST_WINDOW: Final = 3
"""The largest number of sentences in a window."""

_HAN_FIRST: Final = re.compile(f"[{HAN}]")

WordCoverage: TypeAlias = Sequence[float]
"""For each word of a question, how completely it occurs in a text, from 0 to 1."""


class Support(Struct, frozen=True, kw_only=True):
    """How well a text supports an answer, from 0 to 1, and its best sentences.

    ``fit`` is the share of the expected kinds of answer that occur in these sentences. It is
    None if the question does not say which kind it expects.
    """

    score: float
    coverage: float
    fit: float | None
    spans: tuple[Span, ...]


NO_SUPPORT: Final = Support(score=0.0, coverage=0.0, fit=None, spans=())
"""The support of an empty text, or for a question without content words."""


def support(question: str, text: str) -> Support:
    """The support of ``text`` for an answer to ``question``, with the best window of sentences.

    >>> text = "Visitors sign in. Notice is thirty days. Keys are returned."
    >>> best = support("How many days of notice must I give?", text)
    >>> [span.of(text) for span in best.spans], best.fit
    (['Notice is thirty days.'], 1.0)
    """
    analysis = analyse_question(question)
    sentences = quotable(text)
    if not sentences or not analysis.weights:
        return NO_SUPPORT
    total = sum(analysis.weights.values())
    shares = {word: weight / total for word, weight in analysis.weights.items()}
    question_words = tuple(shares)
    text_coverage = _weighted_sum(
        shares, _union([_word_coverage(question_words, unit.of(text)) for unit in units(text)])
    )
    pieces = [sentence.of(text) for sentence in sentences]
    coverages = [_word_coverage(question_words, piece) for piece in pieces]
    best = NO_SUPPORT
    for first, last, window_coverage in _windows(shares, coverages):
        coverage = min(1.0, WINDOW * window_coverage + (1 - WINDOW) * text_coverage)
        if coverage > best.score:  # otherwise it cannot be the best, whatever its fit is
            fit = kind_fit(analysis.kinds, pieces[first:last])
            score = coverage * (1 - FIT + FIT * (1.0 if fit is None else fit))
            if score > best.score:
                spans = tuple(sentences[first:last])
                best = Support(score=score, coverage=coverage, fit=fit, spans=spans)
    return best


def kind_fit(kinds: Sequence[AnswerType], pieces: Sequence[str]) -> float | None:
    """The share of the expected kinds that occur in the pieces; None if no kind is expected."""
    if not kinds:
        return None
    present = frozenset[AnswerType]().union(*map(types_present, pieces))
    return sum(kind in present for kind in kinds) / len(kinds)


def _windows(
    shares: Mapping[str, float], coverages: Sequence[WordCoverage]
) -> Iterator[tuple[int, int, float]]:
    """The windows as ``(first, end, coverage)``: every sentence, and longer windows.

    A window becomes longer only as long as each added sentence raises the coverage by ``GAIN``.
    """
    single = [_weighted_sum(shares, coverage) for coverage in coverages]
    for first, covered in enumerate(single):
        yield first, first + 1, covered
        previous = covered
        for last in range(first + 2, min(first + LONGEST_WINDOW, len(coverages)) + 1):
            wider = _weighted_sum(shares, _union(coverages[first:last]))
            if wider < max(previous, single[last - 1]) + GAIN:
                break
            yield first, last, wider
            previous = wider


def _weighted_sum(shares: Mapping[str, float], coverage: WordCoverage) -> float:
    total: float = sum(map(mul, shares.values(), coverage))
    return total


def _union(coverages: Sequence[WordCoverage]) -> WordCoverage:
    """For each word, the best coverage in any of several pieces."""
    return coverages[0] if len(coverages) == 1 else list(map(max, *coverages))


# Cached, because the parts of a question and several variants of a run use the same pieces.
@lru_cache(maxsize=8192)
def _word_coverage(question_words: tuple[str, ...], piece: str) -> WordCoverage:
    piece_words, letters = _piece_words(piece)
    return [
        1.0 if word in piece_words else _partial_coverage(word, letters) for word in question_words
    ]


@lru_cache(maxsize=8192)
def _piece_words(piece: str) -> tuple[frozenset[str], str]:
    """The words of a piece, and its normalised text."""
    return frozenset(words(piece)), normalised(piece, fold_case=True)


def _partial_coverage(word: str, letters: str) -> float:
    """The coverage of a word that does not occur in the text, from the n-grams that do."""
    is_chinese, grams = _grams(word)
    if not grams:
        return 0.0
    share = sum(gram in letters for gram in grams) / len(grams)
    if not is_chinese:
        return share * PARTIAL if share >= 0.6 else 0.0
    if len(word) == 1:
        return share * PARTIAL
    single = sum(character in letters for character in word) / len(word)
    return max(share, HAN_SINGLE * single)


@lru_cache(maxsize=4096)
def _grams(word: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a word is Chinese, and its n-grams; none for a number or a short word."""
    if _HAN_FIRST.match(word):
        size = min(2, len(word))
    elif len(word) < 5 or word[0].isdigit():
        return False, ()
    else:
        size = 3
    grams = tuple(word[start : start + size] for start in range(len(word) - size + 1))
    return size < 3, grams
