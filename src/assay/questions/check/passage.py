"""The passages that questions are about, and the evidence of a question among them."""

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from assay.checks.retrieval import span_match
from assay.data.corpus.chunk import Chunk
from assay.questions.check.item import Item
from assay.questions.check.question_words import content_words, word_set
from assay.questions.check.stated_answer import is_stated, without_yes_no
from assay.rag.search import LexicalIndex
from assay.records import GoldSpan, Passage, digest
from assay.text.answer_type import expected_types, types_present
from assay.text.number import numbers
from assay.text.sentence import sentences
from assay.text.width import shortened
from assay.words.message import Message, message

COVERED: Final = 0.5
"""The least share of a gold span that the passages must have."""
_FINE: Final = 0.1
"""A passage that is at most this share of its document is itself a place in it."""


class GoldText(Struct, frozen=True, kw_only=True):
    """What a question's gold says. ``text`` is empty if that is not known.

    ``passages`` are the numbers of the passages that gold touches; ``missing`` says what gold
    does not exist.
    """

    text: str
    passages: frozenset[int]
    missing: tuple[Message | str, ...] = ()


class Passages:
    """The chunks of a corpus or, if ``is_corpus`` is false, the texts that the set itself quotes."""

    def __init__(self, chunks: Sequence[Chunk], *, is_corpus: bool = True) -> None:
        self.chunks = chunks
        self.is_corpus = is_corpus
        self._by_id = {chunk.id: number for number, chunk in enumerate(chunks)}
        self._by_source: dict[str, list[int]] = {}
        for number, chunk in enumerate(chunks):
            self._by_source.setdefault(chunk.source, []).append(number)
        self._by_text = {(chunk.source, chunk.text): n for n, chunk in enumerate(chunks)}
        self._squeezed: dict[str, tuple[str, list[int]]] = {}
        self._documents: dict[str | None, str] = {}

    @cached_property
    def lengths(self) -> dict[str, int]:
        """The length of each document in characters."""
        return {
            source: self.end(numbers[-1]) if self.chunks[numbers[-1]].end is not None
            else sum(len(self.chunks[number].text) for number in numbers)
            for source, numbers in self._by_source.items()
        }  # fmt: skip

    def end(self, number: int) -> int:
        """Where a passage ends in its document."""
        return self.chunks[number].end or 0

    def start(self, number: int) -> int:
        """Where a passage begins in its document."""
        return self.chunks[number].start or 0

    def document(self, source: str | None) -> str:
        """The text of a document of the corpus; empty if it is not known."""
        numbers = self._by_source.get(source or "", ()) if self.is_corpus else ()
        if source not in self._documents:
            self._documents[source] = "\n".join(self.chunks[number].text for number in numbers)
        return self._documents[source]

    def extent(self, item: Item, evidence: GoldText) -> tuple[float, float]:
        """Where the first gold of a question begins and ends in its document, from 0 to 1.

        A passage that is a large part of its document says little about that: the place of the gold
        span in it is used, if there is one.
        """
        first = min(evidence.passages)
        source = self.chunks[first].source
        whole = self._chunk_extent(first)
        if whole[1] - whole[0] <= _FINE:
            return whole
        spans = (
            self._span_extent(span, source) for span in item.spans if span.source in {"", source}
        )
        return min((extent for extent in spans if extent is not None), default=whole)

    def _chunk_extent(self, number: int) -> tuple[float, float]:
        chunk = self.chunks[number]
        if chunk.start is not None and chunk.end is not None:
            length = max(1, self.lengths[chunk.source])
            return chunk.start / length, chunk.end / length
        numbers = self._by_source[chunk.source]
        index = bisect(numbers, number) - 1
        return index / len(numbers), (index + 1) / len(numbers)

    def _span_extent(self, span: GoldSpan, source: str) -> tuple[float, float] | None:
        """The place of a span in its document; ``None`` if it is not found."""
        has_offsets = self.chunks[self._by_source[source][0]].end is not None
        if span.start is not None and span.end is not None and has_offsets:
            length = max(1, self.lengths[source])
            return span.start / length, span.end / length
        text, wanted = self._text(source)[0], _squeezed(span.text)
        place = text.find(wanted) if wanted else -1
        if place < 0:
            return None
        return place / len(text), (place + len(wanted)) / len(text)

    def evidence(self, item: Item) -> GoldText:
        """The texts of a question's gold, and the gold that does not exist."""
        texts: list[str] = []
        touched: set[int] = set()
        missing: list[Message | str] = []
        for name in item.gold:
            number = self._by_id.get(name)
            if number is not None:
                touched.add(number)
                texts.append(self.chunks[number].text)
            elif self.is_corpus:
                missing.append(message("the corpus has no chunk {name}", name=repr(name)))
        for span in item.spans:
            fault = self._add_span(span, touched, texts)
            if fault and self.is_corpus:
                missing.append(fault)
        return GoldText(text="\n".join(texts), passages=frozenset(touched), missing=tuple(missing))

    def _add_span(self, span: GoldSpan, touched: set[int], texts: list[str]) -> Message | str:
        """Add what a span says; returns what is wrong with it, or an empty text."""
        if not span.source and len(self._by_source) == 1:
            span = replace(span, source=next(iter(self._by_source)))
        numbers = self._by_source.get(span.source, []) if span.source else range(len(self.chunks))
        if span.source and not numbers and self.is_corpus:
            return message("the corpus has no document {source}", source=repr(span.source))
        near = self._near(span, numbers)
        touched.update(near)
        if span.text:
            texts.append(span.text)
            is_there = bool(near) if span.end is None else self._covers(span, near)
            if is_there:
                return ""
            text = repr(shortened(span.text))
            if not span.source:
                return message("the corpus does not have {text}", text=text)
            return message("{source} does not have {text}", source=span.source, text=text)
        texts.extend(self._cut(span, number) for number in near)
        return (
            ""
            if near
            else message(
                "{source} has nothing at {place}",
                source=span.source,
                place=f"{span.start}-{span.end}",
            )
        )

    def _near(self, span: GoldSpan, numbers: Sequence[int]) -> list[int]:
        """The passages that a span touches."""
        if span.end is not None and numbers and self.chunks[numbers[0]].end is not None:
            return self._at(span.start or 0, span.end, numbers)
        if not span.text:
            return []
        known = self._by_text.get((span.source, span.text))
        if known is not None:
            return [known]
        wanted = _squeezed(span.text)
        for source in [span.source] if span.source else self._by_source:
            text, ends = self._text(source)
            place = text.find(wanted)
            if place >= 0:
                first, last = bisect(ends, place), bisect(ends, place + len(wanted) - 1)
                return self._by_source[source][first : last + 1]
        return self._covering(span, numbers)

    def _at(self, start: int, end: int, numbers: Sequence[int]) -> list[int]:
        """The passages of a document that touch a part of it; they are in its order."""
        first = bisect(numbers, start, key=self.end)
        return [
            number
            for number in takewhile(lambda each: self.start(each) < end, numbers[first:])
            if self.end(number) > start
        ]

    def _covering(self, span: GoldSpan, numbers: Iterable[int]) -> list[int]:
        """The passages that have some of the text, if together they have half of it."""
        by_text = GoldSpan(source=span.source, text=span.text)
        found = span_match(by_text, [self._passage(number) for number in numbers])
        if found is None or found.share < COVERED:
            return []
        return [int(name) for name in found.passages]

    def _covers(self, span: GoldSpan, near: Sequence[int]) -> bool:
        """Whether the passages at the offsets of a span have its text."""
        wanted = _squeezed(span.text)
        if any(wanted in _squeezed(self.chunks[number].text) for number in near):
            return True
        return bool(self._covering(span, near))

    def _cut(self, span: GoldSpan, number: int) -> str:
        """The part of a passage that a span without a text means."""
        chunk = self.chunks[number]
        if chunk.start is None or chunk.end is None or span.end is None:
            return chunk.text
        if chunk.end - chunk.start != len(chunk.text):
            return chunk.text
        return chunk.text[max(0, (span.start or 0) - chunk.start) : span.end - chunk.start]

    def _passage(self, number: int) -> Passage:
        chunk = self.chunks[number]
        return Passage(id=str(number), text=chunk.text, source=chunk.source)

    def _text(self, source: str) -> tuple[str, list[int]]:
        """A document without white space, and where its chunks end; overlaps are in it twice."""
        if source not in self._squeezed:
            texts = [_squeezed(self.chunks[n].text) for n in self._by_source.get(source, ())]
            self._squeezed[source] = ("".join(texts), list(accumulate(map(len, texts))))
        return self._squeezed[source]


def quoted_passages(items: Iterable[Item]) -> Passages:
    """The different texts that the gold of a set quotes, for a set without a corpus."""
    texts = dict.fromkeys(
        (span.source, span.text) for item in items for span in item.spans if span.text
    )
    chunks = [Chunk(id=digest([source, text]), text=text, source=source) for source, text in texts]
    return Passages(chunks, is_corpus=False)


def _squeezed(text: str) -> str:
    return "".join(text.split())


# Passages that answer a question besides its gold: gold that is incomplete.
#
# A passage is proposed if it states an accepted answer and has the question's words, weighted by how
# rare they are: at least ``LEAST`` of their weight, and nearly as much as the gold has.

Tell: TypeAlias = Callable[[int, int, Literal["passages", "questions"]], None]
"""Is called with how many of how many are done, and of what: passages are indexed, questions checked."""

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

    def __init__(self, passages: Passages, tell: Tell) -> None:
        self._passages = passages
        self._count = len(passages.chunks)
        self._tell = tell

    @cached_property
    def _index(self) -> LexicalIndex:
        """Built for the first question that needs it: in a large corpus it takes the most time."""
        return LexicalIndex(self._texts(), words_only=True)

    def _texts(self) -> Iterator[str]:
        for number, chunk in enumerate(self._passages.chunks):
            self._tell(number, self._count, "passages")
            yield chunk.text

    def find(self, item: Item, found: Sequence[str], evidence: GoldText) -> Chunk | None:
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
