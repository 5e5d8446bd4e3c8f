"""A small corpus, and a pipeline whose every stage can be looked into."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from assay.data.corpus.chunk import Chunk
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.pipeline import Pipeline
from assay.rag.search.index import Hit, SearchIndex
from assay.rag.settings import read_settings
from assay.records import Answer, Passage

TOPICS = ("ferries", "parking", "pensions", "uniforms", "visitors", "dogs", "drills", "meals")
QUESTION = "How many crowns does parking cost a day?"


def corpus() -> list[Chunk]:
    """Forty short articles on eight topics, alike enough to be confused."""
    return [
        Chunk(
            id=f"{topic}-{number}",
            text=f"Article on {topic}, part {number}. The rule for {topic} costs {number + 3} "
            f"crowns a day, and the office for {topic} grants leave after {number + 10} days.",
            source="handbook",
            page=1 + place // 5,
        )
        for place, (topic, number) in enumerate(
            (topic, number) for topic in TOPICS for number in range(5)
        )
    ]


class RecordingGenerator:
    """Says what it is told to and keeps what it was given, by role."""

    identity = "recording"
    makes_calls = True

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}

    async def expand(self, question: str, count: int) -> list[str]:
        """Wordings near and far; the last has nothing to do with the question."""
        self.given["expand"] = (question, count)
        wordings = [
            "parking price in crowns a day",
            "cost of a day of parking",
            "what is paid for parking",
            "zebra quartz xylophone",
        ]
        return wordings[: count - 1] + wordings[-1:]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """A passage in the style of the corpus, cut to length."""
        self.given["hyde"] = (question, max_words)
        return " ".join(
            ["The", "rule", "for", "parking", "costs", "some", "crowns", "a", "day", "here"][
                :max_words
            ]
        )

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """An order nobody else would give."""
        self.given["rerank"] = [passage.id for passage in passages]
        return [place * 7 % len(passages) / len(passages) for place in range(len(passages))]

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """Cites the first passage."""
        self.given["generate"] = ([passage.id for passage in passages], citation_style)
        first = passages[0] if passages else None
        if first is None:
            return "The document does not mention this"
        return "Three crowns " + ("[1]." if citation_style == "index" else f"(p. {first.page}).")

    async def close(self) -> None:
        """Nothing to release."""


class RecordingIndex(SearchIndex):
    """Keeps what every search was asked."""

    searches: list[Mapping[str, Any]]

    def hybrid(self, text: str, query: Any, **options: Any) -> list[Hit]:
        """Search, and remember."""
        self.searches.append({"text": text, **options})
        return super().hybrid(text, query, **options)


@pytest.fixture(scope="session")
def index() -> RecordingIndex:
    """An index of the corpus, built once."""
    texts = [chunk.text for chunk in corpus()]
    embedder = HashedEmbedder()
    vectors = asyncio.run(embedder.embed(texts))
    return RecordingIndex(texts, embedder.space(texts, vectors))


class Trace:
    """What each stage was given, and the answer."""

    def __init__(self, index: RecordingIndex, settings: Mapping[str, Any], top_k: int = 6) -> None:
        generator = RecordingGenerator()
        index.searches = []
        pipeline = Pipeline(corpus(), index, generator)
        self.answer: Answer = asyncio.run(pipeline.chat(QUESTION, read_settings(settings), top_k))
        self.searches = index.searches
        self.stages = {stage.name: stage for stage in self.answer.stages}
        self.given = {
            **generator.given,
            "search": index.searches,
            "drift_filter": [search["text"] for search in index.searches],
            "fusion": dict(self.stages["fusion"].detail) if "fusion" in self.stages else None,
            "passages": [passage.id for passage in self.answer.passages],
        }
