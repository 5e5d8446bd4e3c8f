"""How far a text supports an answer to a question, from words alone. Pure and deterministic.

The question's content words are weighed by their length and by whether they are names; no
statistics of a corpus are needed (weights by rarity in it quoted no better, see
docs/extractive.md). A word counts in part where only some of its n-grams are found, which
bridges inflection and compounds. ::

    coverage = WINDOW · coverage of the window + (1 - WINDOW) · coverage of the whole text
    score    = coverage · (1 - FIT + FIT · share of the expected kinds that the window holds)

A window is a sentence, or neighbouring ones that each add to the coverage. An expected kind
is what the question word asks for: an amount, a date, a person.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Final, TypeAlias

from msgspec import Struct

from assay.rag.generate.extractive.answer_type import Kind, types_present
from assay.rag.generate.extractive.question_analysis import analyse_question
from assay.rag.generate.extractive.quotation import quotable, units
from assay.text import HAN, Span, normalised, words

WINDOW: Final = 0.5
"""Share of the window in the coverage; the rest is the whole text, which names the subject."""
FIT: Final = 0.2
"""Share of the score that rests on the expected kind of answer."""
GAIN: Final = 0.12
"""Coverage that a neighbouring sentence must add to join the window."""
PARTIAL: Final = 0.7
"""Worth of a word of which only the n-grams are found, by their share."""
HAN_SINGLE: Final = 0.4
"""Worth of a Chinese word of which only the characters are found, by their share."""
LONGEST_WINDOW: Final = 3
"""Sentences in a window at most."""

_HAN_FIRST: Final = re.compile(f"[{HAN}]")

Found: TypeAlias = Sequence[float]
"""How far each word of a question is found in something, 0..1 each."""


class Support(Struct, frozen=True, kw_only=True):
    """How far a text supports an answer, 0..1, and the sentences that do so best.

    ``fit`` is the share of the expected kinds of answer that these sentences hold, ``None``
    where the question does not say what kind it expects.
    """

    score: float
    coverage: float
    fit: float | None
    spans: tuple[Span, ...]


NONE: Final = Support(score=0.0, coverage=0.0, fit=None, spans=())
"""The support of an empty text, or for a question without content words."""


def support(question: str, text: str) -> Support:
    """The support that ``text`` gives, and its best window of sentences.

    >>> text = "Visitors sign in. Notice is thirty days. Keys are returned."
    >>> found = support("How many days of notice must I give?", text)
    >>> [span.of(text) for span in found.spans], found.fit
    (['Notice is thirty days.'], 1.0)
    """
    wanted = analyse_question(question)
    sentences = quotable(text)
    if not sentences or not wanted.weights:
        return NONE
    total = sum(wanted.weights.values())
    shares = {word: weight / total for word, weight in wanted.weights.items()}
    whole = _sum(shares, _joined([_found(tuple(shares), unit.of(text)) for unit in units(text)]))
    pieces = [sentence.of(text) for sentence in sentences]
    found = [_found(tuple(shares), piece) for piece in pieces]
    best = NONE
    for first, last, covered in _windows(shares, found):
        coverage = min(1.0, WINDOW * covered + (1 - WINDOW) * whole)
        if coverage > best.score:  # else no fit could make it the best
            fit = kind_fit(wanted.kinds, pieces[first:last])
            score = coverage * (1 - FIT + FIT * (1.0 if fit is None else fit))
            if score > best.score:
                spans = tuple(sentences[first:last])
                best = Support(score=score, coverage=coverage, fit=fit, spans=spans)
    return best


def kind_fit(kinds: Sequence[Kind], pieces: Sequence[str]) -> float | None:
    """The share of the expected kinds that the pieces hold; ``None`` where none is expected."""
    if not kinds:
        return None
    present = frozenset[Kind]().union(*map(types_present, pieces))
    return sum(kind in present for kind in kinds) / len(kinds)


def _windows(
    shares: Mapping[str, float], found: Sequence[Found]
) -> Iterator[tuple[int, int, float]]:
    """Every sentence, and the longer windows whose every step earns its place."""
    alone = [_sum(shares, one) for one in found]
    for first, covered in enumerate(alone):
        yield first, first + 1, covered
        before = covered
        for last in range(first + 2, min(first + LONGEST_WINDOW, len(found)) + 1):
            wider = _sum(shares, _joined(found[first:last]))
            if wider < max(before, alone[last - 1]) + GAIN:
                break
            yield first, last, wider
            before = wider


def _sum(shares: Mapping[str, float], found: Found) -> float:
    total: float = sum(map(mul, shares.values(), found))
    return total


def _joined(found: Sequence[Found]) -> Found:
    """How far each word is found in any of several pieces."""
    return found[0] if len(found) == 1 else list(map(max, *found))


# Parts of a question and several variants of a run ask the same of the same pieces.
@lru_cache(maxsize=8192)
def _found(wanted: tuple[str, ...], piece: str) -> Found:
    held, letters = _held(piece)
    return [1.0 if word in held else _partly(word, letters) for word in wanted]


@lru_cache(maxsize=8192)
def _held(piece: str) -> tuple[frozenset[str], str]:
    """The words of a piece, and its letters as they are compared."""
    return frozenset(words(piece)), normalised(piece, fold_case=True)


def _partly(word: str, letters: str) -> float:
    """The worth of what ``letters`` hold of a word that they do not hold as such."""
    chinese, grams = _grams(word)
    if not grams:
        return 0.0
    share = sum(gram in letters for gram in grams) / len(grams)
    if not chinese:
        return share * PARTIAL if share >= 0.6 else 0.0
    if len(word) == 1:
        return share * PARTIAL
    single = sum(character in letters for character in word) / len(word)
    return max(share, HAN_SINGLE * single)


@lru_cache(maxsize=4096)
def _grams(word: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a word is Chinese, and what may be found of it; nothing of a number."""
    if _HAN_FIRST.match(word):
        size = min(2, len(word))
    elif len(word) < 5 or word[0].isdigit():
        return False, ()
    else:
        size = 3
    grams = tuple(word[place : place + size] for place in range(len(word) - size + 1))
    return size < 3, grams
