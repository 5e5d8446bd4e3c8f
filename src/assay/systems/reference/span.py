"""Which stretches of documents a corpus has."""

from collections.abc import Sequence
from functools import cached_property

from assay.data.corpus import Chunk
from assay.records import GoldSpan, Passage
from assay.scorers.span import span_match


class CorpusSpans:
    """The texts of the chunks by document, made ready at the first question."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._texts: dict[str, str] = {}

    def holds(self, span: GoldSpan) -> bool:
        """Whether a chunk of the document covers a part of the span.

        A span without a document may be in any of them. What cannot be decided, because chunks of
        another program have no offsets, counts as held.
        """
        names = [span.source] if span.source else list(self._passages)
        wanted = "".join(span.text.split())
        if wanted and span.end is None and any(wanted in self._text(name) for name in names):
            return True
        passages = [passage for name in names for passage in self._passages.get(name, ())]
        match = span_match(span, passages)
        return match is None or match.share > 0

    @cached_property
    def _passages(self) -> dict[str, list[Passage]]:
        passages: dict[str, list[Passage]] = {}
        for chunk in self._chunks:
            passage = Passage(
                id=chunk.id, text=chunk.text, source=chunk.source, start=chunk.start, end=chunk.end
            )
            passages.setdefault(chunk.source, []).append(passage)
        return passages

    def _text(self, source: str) -> str:
        """The text of a document without white space; stretches that chunks share stand twice."""
        if source not in self._texts:
            texts = (passage.text for passage in self._passages.get(source, ()))
            self._texts[source] = "".join("".join(texts).split())
        return self._texts[source]
