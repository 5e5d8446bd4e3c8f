"""Retrieval on XQuAD with the extra ``e5``: rotated vectors, with and without centring.

It takes five minutes on one core, mostly for embedding, so it is not in the list of ``run.py``. The
figures are in docs/evidence/retrieval.md::

    OMP_NUM_THREADS=1 XQUAD=folder .venv/bin/python bench/xquad_e5.py
"""

import asyncio
import os
import random
from pathlib import Path

import numpy as np
from xquad import load

from assay.rag.embed.hashed import RotatedSpace
from assay.rag.embed.local import E5Embedder
from assay.rag.embed.protocol import Vectors
from assay.rag.search import SearchIndex

LANGUAGES = ("en", "ru")
QUESTIONS = 300
DIMS = (128, None)
WEIGHTS = {"dense alone": (1.0, 0.0), "hybrid": (0.8, 0.2)}


class ShiftedSpace:
    """A rotated space; if ``centred``, its centre is subtracted from all vectors."""

    def __init__(self, space: RotatedSpace, *, centred: bool) -> None:
        self._space = space
        mean = space.centre
        assert mean is not None
        self._shift = mean if centred else np.zeros_like(mean)
        self.matrix: Vectors = space.matrix - self._shift

    async def query(self, text: str) -> Vectors:
        """The vector of a query, shifted in the same way."""
        return await self._space.query(text) - self._shift


async def main() -> None:
    """Print hit@1 and hit@5 for each language, dimension and kind of search, centred or not."""
    embedder = E5Embedder(threads=1)
    for language in LANGUAGES:
        passages, questions = load(Path(os.environ["XQUAD"]) / f"xquad.{language}.json")
        numbers = sorted(random.Random(4).sample(range(len(questions)), QUESTIONS))
        sample = [questions[number] for number in numbers]
        space = embedder.space(passages, await embedder.embed(passages))
        assert isinstance(space, RotatedSpace)
        for centred in (True, False):
            index = SearchIndex(passages, ShiftedSpace(space, centred=centred))
            vectors = [await index.space.query(text) for text, _ in sample]
            shift = "centred" if centred else "as it is"
            for dim in DIMS:
                for name, weights in WEIGHTS.items():
                    first, five = _shares(index, sample, vectors, dim, weights)
                    print(
                        f"{language} {dim or embedder.size} {name:11} {shift:8} "
                        f"hit@1 {first:.3f} hit@5 {five:.3f}",
                        flush=True,
                    )


def _shares(
    index: SearchIndex,
    questions: list[tuple[str, int]],
    vectors: list[Vectors],
    dim: int | None,
    weights: tuple[float, float],
) -> tuple[float, float]:
    """The shares of questions whose passage is first and in the first five."""
    first = five = 0
    for (text, gold), vector in zip(questions, vectors, strict=True):
        hits = index.hybrid(
            text, vector, dim=dim, dense_weight=weights[0], lexical_weight=weights[1], limit=5
        )
        ranked = [hit.number for hit in hits]
        first += ranked[:1] == [gold]
        five += gold in ranked
    return first / len(questions), five / len(questions)


if __name__ == "__main__":
    asyncio.run(main())
