"""Retrieval on XQuAD with the extra ``e5``: rotated vectors left where they are, or centred.

Takes five minutes on one core, most of it embedding, so it is not among those that
``run.py`` knows. The figures stand in docs/reference-pipeline.md::

    OMP_NUM_THREADS=1 XQUAD=folder .venv/bin/python bench/xquad_e5.py
"""

import asyncio
import os
import random
from pathlib import Path

import numpy as np
from xquad import load

from assay.rag.embed.e5 import E5Embedder
from assay.rag.embed.protocol import Vectors
from assay.rag.embed.rotation import RotatedSpace
from assay.rag.search.index import SearchIndex

LANGUAGES = ("en", "ru")
QUESTIONS = 300
DIMS = (128, None)
WEIGHTS = {"dense alone": (1.0, 0.0), "hybrid": (0.8, 0.2)}


class Placed:
    """A rotated space, shifted by its centre or not."""

    def __init__(self, space: RotatedSpace, *, centred: bool) -> None:
        self._space = space
        mean = space.centre
        assert mean is not None
        self._shift = mean if centred else np.zeros_like(mean)
        self.matrix: Vectors = space.matrix - self._shift

    async def query(self, text: str) -> Vectors:
        """The query's vector, shifted alike."""
        return await self._space.query(text) - self._shift


async def main() -> None:
    """Print hit@1 and hit@5 for each language, dimension, search and place."""
    embedder = E5Embedder(threads=1)
    for language in LANGUAGES:
        passages, questions = load(Path(os.environ["XQUAD"]) / f"xquad.{language}.json")
        chosen = sorted(random.Random(4).sample(range(len(questions)), QUESTIONS))
        asked = [questions[number] for number in chosen]
        space = embedder.space(passages, await embedder.embed(passages))
        assert isinstance(space, RotatedSpace)
        for centred in (True, False):
            index = SearchIndex(passages, Placed(space, centred=centred))
            vectors = [await index.space.query(text) for text, _ in asked]
            place = "centred" if centred else "as it is"
            for dim in DIMS:
                for name, weights in WEIGHTS.items():
                    first, five = _shares(index, asked, vectors, dim, weights)
                    print(
                        f"{language} {dim or embedder.size} {name:11} {place:8} "
                        f"hit@1 {first:.3f} hit@5 {five:.3f}",
                        flush=True,
                    )


def _shares(
    index: SearchIndex,
    asked: list[tuple[str, int]],
    vectors: list[Vectors],
    dim: int | None,
    weights: tuple[float, float],
) -> tuple[float, float]:
    """Share of questions whose passage is first, and among the first five."""
    first = five = 0
    for (text, gold), vector in zip(asked, vectors, strict=True):
        hits = index.hybrid(
            text, vector, dim=dim, dense_weight=weights[0], lexical_weight=weights[1], limit=5
        )
        ranked = [hit.number for hit in hits]
        first += ranked[:1] == [gold]
        five += gold in ranked
    return first / len(asked), five / len(asked)


if __name__ == "__main__":
    asyncio.run(main())
