"""Passages that answer a question besides its gold: gold that is incomplete.

A passage is proposed if it states an accepted answer and has the question's words, weighted by how
rare they are: at least ``LEAST`` of their weight, and nearly as much as the gold has.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from assay.data.corpus import Chunk
from assay.jobs.questions.check.answer import is_stated, without_yes_no
from assay.jobs.questions.check.item import Item
from assay.jobs.questions.check.passage import Evidence, Passages
from assay.jobs.questions.check.wording import content_words, word_set
from assay.rag.search import LexicalIndex
from assay.text import expected_types, numbers, sentences, types_present

LEAST: Final = 0.8
"""The least share of the weight of the question's words that a proposed passage has."""
_AS_GOLD: Final = 0.9
_SEARCHED: Final = 8
"""How many passages are looked at."""
_RAREST: Final = 8
"""How many words of a question are searched for."""
_SAID: Final = 0.85
"""The least share of the weight of the question's words in a sentence that seems to answer it."""
_FEWEST_WORDS: Final = 3
"""A question of fewer words shares them with many sentences."""
_FIGURES: Final = frozenset({"amount", "date", "duration", "number"})
_SCORE: Final = 0.6
"""The least share of the best score of the search that a passage has."""


class OtherPassages:
    """Finds passages that answer a question although they are not its gold."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._index = LexicalIndex([chunk.text for chunk in passages.chunks], words_only=True)
        self._count = len(passages.chunks)

    def find(self, item: Item, found: Sequence[str], evidence: Evidence) -> Chunk | None:
        """The best passage that is not gold and answers the question; ``None`` if there is none.

        ``found`` are the words of the question. A question with yes or no as its answer, or
        without a known answer, is not looked at.
        """
        answers = [answer for answer in item.answers if without_yes_no(answer) == answer]
        if not answers or not evidence.text:
            return None
        wanted = content_words(found)
        if len(wanted) < 2:
            return None
        weights = {word: self._weight(word) for word in wanted}
        total = sum(weights.values())
        hits = self._index.search_words(wanted, _SEARCHED, _RAREST)
        needed = max(LEAST, _AS_GOLD * self._share(weights, evidence.text) / total) * total
        for number, score in hits:
            if score < _SCORE * hits[0][1]:
                break
            chunk = self._passages.chunks[number]
            if number in evidence.passages or self._share(weights, chunk.text) < needed:
                continue
            if not _overlaps(chunk.text, evidence.text) and any(
                is_stated(answer, chunk.text) for answer in answers
            ):
                return chunk
        return None

    def answering(self, item: Item, found: Sequence[str]) -> Chunk | None:
        """A passage that seems to answer a question which is marked as unanswerable.

        One sentence of it has nearly all words of the question, and something of the kind that the
        question asks for and does not name itself.
        """
        kinds = frozenset(expected_types(item.text))
        wanted = content_words(found)
        if not kinds or len(wanted) < _FEWEST_WORDS:
            return None
        weights = {word: self._weight(word) for word in wanted}
        needed = _SAID * sum(weights.values())
        given = {number.canonical for number in numbers(item.text)}
        for number, _ in self._index.search_words(wanted, _SEARCHED, _RAREST):
            chunk = self._passages.chunks[number]
            if self._share(weights, chunk.text) < needed:
                continue
            pieces = (span.of(chunk.text) for span in sentences(chunk.text))
            if any(
                self._share(weights, piece) >= needed and _answers(piece, kinds, given)
                for piece in pieces
            ):
                return chunk
        return None

    def _weight(self, word: str) -> float:
        count = self._index.frequency(f"w:{word}")
        return math.log(1 + (self._count - count + 0.5) / (count + 0.5))

    def _share(self, weights: dict[str, float], text: str) -> float:
        known = word_set(text)
        return sum(weight for word, weight in weights.items() if word in known)


def _answers(sentence: str, kinds: frozenset[str], given: set[str]) -> bool:
    """Whether a sentence has an answer of one of the kinds; a figure of the question is none."""
    present = kinds & types_present(sentence)
    if not present:
        return False
    if present - _FIGURES:
        return True
    return any(number.canonical not in given for number in numbers(sentence))


def proposal(chunk: Chunk) -> dict[str, Any]:
    """A passage as a gold span, to be added to a question."""
    place = {} if chunk.end is None else {"start": chunk.start, "end": chunk.end}
    return {"chunk_id": chunk.id, "source": chunk.source, "text": chunk.text, **place}


def _overlaps(text: str, evidence: str) -> bool:
    """Whether a passage is part of the evidence, or the evidence part of it."""
    return text in evidence or evidence in text
