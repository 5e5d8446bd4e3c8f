"""Search by dense scores at any prefix, by BM25, and by a weighted sum of both.

The hybrid score is ``dense_weight · cosine + lexical_weight · bm25 / best bm25``. Both parts are
between 0 and 1: a cosine below 0 counts as 0, and the best lexical hit of a query counts as 1.
The cosines are not stretched to fill this range. If they are almost equal for all chunks, they
therefore cannot outweigh lexical scores that do differ.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.rag.embed import Space, UsesFrequencies, Vectors
from assay.rag.search.approximate import ApproximateIndex
from assay.rag.search.dense import DenseIndex, ExactIndex
from assay.rag.search.lexical import LexicalIndex

IndexKind: TypeAlias = Literal["exact", "usearch"]

LONG = 4_000
"""With at least this many chunks, a search runs in a thread instead of on the event loop.

Measured at 128 to 2,048 dimensions, a hybrid query takes about 0.5 ms with 1,000 chunks, 1 to
2 ms with 3,000 and 3 to 4 ms with 10,000, most of it for the lexical part. Switching to a thread
and back takes 0.1 ms: less than a tenth of the search from this number of chunks on. Below it,
the search blocks the event loop only briefly.
"""


class Hit(Struct, frozen=True):
    """The number of a chunk in the corpus, and its score."""

    number: int
    score: float


class SearchIndex:
    """The search index of one corpus, by meaning and by words. All variants share it.

    Args:
        texts: the text of each chunk.
        space: the vectors of the chunks.
        folder: where the indexes are saved for the next run; with ``None`` they are only in
            memory.
        kind: how vectors are searched: ``exact`` compares all of them, ``usearch`` needs the
            extra of that name and is approximate.

    Raises:
        UseError: the extra is not installed.
    """

    def __init__(
        self,
        texts: Sequence[str],
        space: Space,
        folder: Path | None = None,
        *,
        kind: IndexKind = "exact",
    ) -> None:
        self.space = space
        self._dense: DenseIndex = (
            ApproximateIndex(space.matrix, folder)
            if kind == "usearch"
            else ExactIndex(space.matrix)
        )
        self._lexical = LexicalIndex(texts, folder)
        if isinstance(space, UsesFrequencies):
            space.use_frequencies(self._lexical.frequency)

    @property
    def is_long(self) -> bool:
        """Whether a search takes so long that it should not run on the event loop."""
        return len(self.space.matrix) >= LONG

    def is_ready(self, dim: int | None) -> bool:
        """Whether a search at this dimension can start without preparation."""
        return self._dense.is_ready(dim)

    def prepare(self, dim: int | None) -> None:
        """Prepare searches at this dimension, which may take long. Safe to call twice."""
        self._dense.prepare(dim)

    def dense(self, query: Vectors, dim: int | None, limit: int) -> list[Hit]:
        """The best chunks by cosine; chunks with equal scores are in the order of the corpus."""
        numbers, cosines = self._dense.nearest(query, dim, limit, np.empty(0, dtype=np.intp))
        return [Hit(int(numbers[hit.number]), hit.score) for hit in best_hits(cosines, limit)]

    def lexical(self, text: str, limit: int) -> list[Hit]:
        """The best chunks by BM25, with their unscaled scores."""
        return [Hit(number, score) for number, score in self._lexical.search(text, limit)]

    def hybrid(
        self,
        text: str,
        query: Vectors,
        *,
        dim: int | None,
        dense_weight: float,
        lexical_weight: float,
        limit: int,
    ) -> list[Hit]:
        """The best chunks by the weighted sum; equal scores are in the order of the corpus.

        A chunk without a lexical score can be among the best only if it is among the nearest.
        It is therefore enough to score the nearest chunks and the lexical hits.
        """
        hits = self.lexical(text, max(limit, 50)) if lexical_weight else []
        lexical_numbers = np.array([hit.number for hit in hits], dtype=np.intp)
        if dense_weight:
            numbers, cosines = self._dense.nearest(query, dim, limit, lexical_numbers)
            scores = np.float32(dense_weight) * np.maximum(cosines, np.float32(0))
        else:
            numbers = np.sort(lexical_numbers)
            scores = np.zeros(len(numbers), dtype=np.float32)
        if hits and hits[0].score > 0:
            lexical_scores = np.array([hit.score for hit in hits], dtype=np.float32)
            scores[np.searchsorted(numbers, lexical_numbers)] += (
                np.float32(lexical_weight) * lexical_scores / lexical_scores[0]
            )
        return [Hit(int(numbers[hit.number]), hit.score) for hit in best_hits(scores, limit)]


def best_hits(scores: NDArray[np.float32], limit: int) -> list[Hit]:
    """The ``limit`` highest scores above 0, best first; equal ones in the order of the corpus.

    >>> best_hits(np.array([0.1, 0.5, 0.0, 0.5], dtype=np.float32), 3)
    [Hit(number=1, score=0.5), Hit(number=3, score=0.5), Hit(number=0, score=0.10000000149011612)]
    """
    if limit < len(scores):
        lowest = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= lowest)
    else:
        candidates = np.arange(len(scores))
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
    return [Hit(int(number), float(scores[number])) for number in ranked if scores[number] > 0]


def fuse_hits(rankings: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """Reciprocal rank fusion: the score of a chunk is the sum of ``1 / (k + rank)``.

    The sum is over all rankings that contain the chunk; ranks start at 1.

    >>> [hit.number for hit in fuse_hits([[Hit(7, 1.0), Hit(3, 0.5)], [Hit(3, 9.0)]], k=60)]
    [3, 7]
    """
    totals: dict[int, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            totals[hit.number] = totals.get(hit.number, 0.0) + 1 / (k + rank)
    return _sorted_hits(totals)


def best_of(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Fusion without ranks: the score of a chunk is the best of its scores.

    >>> [hit.number for hit in best_of([[Hit(7, 0.9), Hit(3, 0.5)], [Hit(3, 0.95)]])]
    [3, 7]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for hit in ranking:
            scores[hit.number] = max(scores.get(hit.number, 0.0), hit.score)
    return _sorted_hits(scores)


def _sorted_hits(scores: dict[int, float]) -> list[Hit]:
    pairs = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Hit(number, score) for number, score in pairs]
