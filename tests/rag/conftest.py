"""A small corpus, and a pipeline that records the input of every stage."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from assay.data.corpus.chunk import Chunk
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.pipeline import Pipeline, read_settings
from assay.rag.search import Hit, SearchIndex
from assay.records import Answer, Passage

TOPICS = ("ferries", "parking", "pensions", "uniforms", "visitors", "dogs", "drills", "meals")
QUESTION = "How many crowns does parking cost a day?"


def corpus() -> list[Chunk]:
    """Forty short articles on eight topics, with similar wording."""
    return [
        Chunk(
            id=f"{topic}-{number}",
            text=f"Article on {topic}, part {number}. The rule for {topic} costs {number + 3} "
            f"crowns a day, and the office for {topic} grants leave after {number + 10} days.",
            source="handbook",
            page=1 + index // 5,
        )
        for index, (topic, number) in enumerate(
            (topic, number) for topic in TOPICS for number in range(5)
        )
    ]


class RecordingGenerator:
    """A generator with fixed replies that records its input for each role."""

    identity = "recording"
    makes_calls = True

    def __init__(self) -> None:
        self.inputs: dict[str, Any] = {}

    async def expand(self, question: str, count: int) -> list[str]:
        """Return other wordings; the last one is not related to the question."""
        self.inputs["expand"] = (question, count)
        wordings = [
            "parking price in crowns a day",
            "cost of a day of parking",
            "what is paid for parking",
            "zebra quartz xylophone",
        ]
        return wordings[: count - 1] + wordings[-1:]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Return a passage in the style of the corpus, cut off at ``max_words``."""
        self.inputs["hyde"] = (question, max_words)
        return " ".join(
            ["The", "rule", "for", "parking", "costs", "some", "crowns", "a", "day", "here"][
                :max_words
            ]
        )

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Return grades that give an order unlike that of the search."""
        self.inputs["rerank"] = [passage.id for passage in passages]
        return [index * 7 % len(passages) / len(passages) for index in range(len(passages))]

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """Return an answer that cites the first passage."""
        self.inputs["generate"] = ([passage.id for passage in passages], citation_style)
        first = passages[0] if passages else None
        if first is None:
            return "The document does not mention this"
        return "Three crowns " + ("[1]." if citation_style == "index" else f"(p. {first.page}).")

    async def close(self) -> None:
        """Do nothing."""


class RecordingIndex(SearchIndex):
    """An index that records the arguments of every search."""

    searches: list[Mapping[str, Any]]

    def hybrid(self, text: str, query: Any, **options: Any) -> list[Hit]:
        """Search, and record the arguments."""
        self.searches.append({"text": text, **options})
        return super().hybrid(text, query, **options)


@pytest.fixture(scope="session")
def index() -> RecordingIndex:
    """The index of the corpus, built once."""
    texts = [chunk.text for chunk in corpus()]
    embedder = HashedEmbedder()
    vectors = asyncio.run(embedder.embed(texts))
    return RecordingIndex(texts, embedder.space(texts, vectors))


class Trace:
    """The answer to ``QUESTION``, and the input of each stage."""

    def __init__(self, index: RecordingIndex, settings: Mapping[str, Any], top_k: int = 6) -> None:
        generator = RecordingGenerator()
        index.searches = []
        pipeline = Pipeline(corpus(), index, generator)
        self.answer: Answer = asyncio.run(pipeline.chat(QUESTION, read_settings(settings), top_k))
        self.searches = index.searches
        self.stages = {stage.name: stage for stage in self.answer.stages}
        self.inputs = {
            **generator.inputs,
            "search": index.searches,
            "drift_filter": [search["text"] for search in index.searches],
            "fusion": dict(self.stages["fusion"].detail) if "fusion" in self.stages else None,
            "passages": [passage.id for passage in self.answer.passages],
        }
