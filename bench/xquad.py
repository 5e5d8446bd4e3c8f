"""Retrieval on XQuAD in three languages, with the built-in default and no model.

The data set is not part of the project: put the ``xquad.LANG.json`` files into a folder and set
``XQUAD`` to its path. Without it this benchmark prints a note and measures nothing. The figures are
in docs/evidence/retrieval.md.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

from measure import Measure, compared

from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.pipeline import SEARCH_DIMS
from assay.rag.search import SearchIndex

TARGET_HIT_1 = {"en": 0.93, "zh": 0.93, "ru": 0.92}
TARGET_HIT_5 = 0.985


def measures() -> Iterator[Measure]:
    """Measure misses at 1 and at 5 for every language and dimension; lower is better."""
    folder = os.environ.get("XQUAD")
    if not folder:
        print("  XQUAD does not name a folder; nothing is measured")
        return
    for language, target in TARGET_HIT_1.items():
        passages, questions = load(Path(folder) / f"xquad.{language}.json")
        shares = asyncio.run(hits(passages, questions))
        for dim, (first, five) in shares.items():
            is_full = dim == SEARCH_DIMS[-1]
            yield _share(f"{language} {dim} miss@1", 1 - first, 1 - target if is_full else None)
            yield _share(
                f"{language} {dim} miss@5", 1 - five, 1 - TARGET_HIT_5 if is_full else None
            )


def _share(name: str, miss: float, target: float | None) -> Measure:
    return compared(name, [miss], "all", [1.0], unit="", target=target, bounded="value")


def load(path: Path) -> tuple[list[str], list[tuple[str, int]]]:
    """The passages, and the questions with the number of the passage that answers them."""
    passages: list[str] = []
    questions: list[tuple[str, int]] = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            passages.append(paragraph["context"])
            questions += [(item["question"], len(passages) - 1) for item in paragraph["qas"]]
    return passages, questions


async def hits(
    passages: list[str], questions: list[tuple[str, int]]
) -> dict[int, tuple[float, float]]:
    """For each dimension, the shares of questions whose passage is first and in the first five."""
    embedder = HashedEmbedder()
    index = SearchIndex(passages, embedder.space(passages, await embedder.embed(passages)))
    shares: dict[int, tuple[float, float]] = {}
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
        shares[dim] = (first / len(questions), five / len(questions))
    return shares
