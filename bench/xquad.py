"""Retrieval on XQuAD in three languages, with the embedded default and no model.

The data set is not part of the project: put ``xquad.LANG.json`` files into a folder and name
it in ``XQUAD``; without it this benchmark says so and measures nothing. The figures stand in
docs/reference-pipeline.md.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

from measure import Measure, compared

from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.search.index import SearchIndex
from assay.rag.settings import SEARCH_DIMS

WANTED_HIT_1 = {"en": 0.93, "zh": 0.93, "ru": 0.92}
WANTED_HIT_5 = 0.985


def measures() -> Iterator[Measure]:
    """Misses at 1 and at 5 for every language and dimension: fewer is better."""
    folder = os.environ.get("XQUAD")
    if not folder:
        print("  no XQUAD folder named; nothing measured")
        return
    for language, wanted in WANTED_HIT_1.items():
        passages, questions = load(Path(folder) / f"xquad.{language}.json")
        shares = asyncio.run(hits(passages, questions))
        for dim, (first, five) in shares.items():
            whole = dim == SEARCH_DIMS[-1]
            yield _share(f"{language} {dim} miss@1", 1 - first, 1 - wanted if whole else None)
            yield _share(f"{language} {dim} miss@5", 1 - five, 1 - WANTED_HIT_5 if whole else None)


def _share(name: str, miss: float, target: float | None) -> Measure:
    return compared(name, [miss], "all", [1.0], unit="", target=target, bounded="value")


def load(path: Path) -> tuple[list[str], list[tuple[str, int]]]:
    """Passages, and questions with the number of the passage that holds their answer."""
    passages: list[str] = []
    questions: list[tuple[str, int]] = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            passages.append(paragraph["context"])
            questions += [(one["question"], len(passages) - 1) for one in paragraph["qas"]]
    return passages, questions


async def hits(
    passages: list[str], questions: list[tuple[str, int]]
) -> dict[int, tuple[float, float]]:
    """Share of questions whose passage is first, and among the first five, by dimension."""
    embedder = HashedEmbedder()
    index = SearchIndex(passages, embedder.space(passages, await embedder.embed(passages)))
    found: dict[int, tuple[float, float]] = {}
    for dim in SEARCH_DIMS:
        first = five = 0
        for question, gold in questions:
            vector = await index.space.query(question)
            ranked = [
                hit.number
                for hit in index.hybrid(
                    question, vector, dim=dim, dense_weight=0.8, lexical_weight=0.2, limit=5
                )
            ]
            first += ranked[:1] == [gold]
            five += gold in ranked
        found[dim] = (first / len(questions), five / len(questions))
    return found
