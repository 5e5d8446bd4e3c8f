"""Search: dense scores at any prefix, BM25, and the two together.

Hybrid scores are ``dense_weight · cosine + lexical_weight · bm25 / best bm25``. Both parts
lie between 0 and 1 as they are: a cosine below 0 counts 0, and the best lexical hit of a
query counts 1. No part is stretched to fill the range, so a dense score that tells nothing
apart cannot drown a lexical one that does.
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
"""Chunks from which a search is worth a thread of its own.

Measured at 128 to 2,048 dimensions: with 1,000 chunks a hybrid query takes about 0.5 ms, with
3,000 1 to 2 ms and with 10,000 3 to 4 ms, most of it lexical; going to a thread and back takes
0.1 ms. From here on the detour is under a tenth of the search, and below, nobody waits long.
"""


class Hit(Struct, frozen=True):
    """A chunk's number and its score."""

    number: int
    score: float


class SearchIndex:
    """One corpus, searched by meaning and by words. Shared by all variants.

    Args:
        texts: what is searched of each chunk.
        space: the vectors of the chunks.
        folder: keeps the indexes for the next time; ``None`` builds them in memory.
        kind: how vectors are searched: every one (``exact``), or by ``usearch``, an extra.

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
        """Whether a search takes long enough to keep it off the event loop."""
        return len(self.space.matrix) >= LONG

    def is_ready(self, dim: int | None) -> bool:
        """Whether a search at this dimension can begin at once."""
        return self._dense.is_ready(dim)

    def prepare(self, dim: int | None) -> None:
        """Make ready for searches at this dimension; may take long, safe to call twice."""
        self._dense.prepare(dim)

    def dense(self, query: Vectors, dim: int | None, limit: int) -> list[Hit]:
        """The best chunks by cosine, ties in the order of the corpus."""
        numbers, cosines = self._dense.nearest(query, dim, limit, np.empty(0, dtype=np.intp))
        return [Hit(int(numbers[hit.number]), hit.score) for hit in best_hits(cosines, limit)]

    def lexical(self, text: str, limit: int) -> list[Hit]:
        """The best chunks by BM25, scores as they come."""
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
        """The best chunks by the weighted sum, ties in the order of the corpus.

        A chunk without a lexical score can be among the best only if it is among the nearest,
        so those and the lexical hits are all that need be looked at.
        """
        hits = self.lexical(text, max(limit, 50)) if lexical_weight else []
        places = np.array([hit.number for hit in hits], dtype=np.intp)
        if dense_weight:
            numbers, cosines = self._dense.nearest(query, dim, limit, places)
            scores = np.float32(dense_weight) * np.maximum(cosines, np.float32(0))
        else:
            numbers = np.sort(places)
            scores = np.zeros(len(numbers), dtype=np.float32)
        if hits and hits[0].score > 0:
            parts = np.array([hit.score for hit in hits], dtype=np.float32)
            scores[np.searchsorted(numbers, places)] += (
                np.float32(lexical_weight) * parts / parts[0]
            )
        return [Hit(int(numbers[hit.number]), hit.score) for hit in best_hits(scores, limit)]


def best_hits(scores: NDArray[np.float32], limit: int) -> list[Hit]:
    """The highest scores above 0, best first; equal ones in the order of the corpus.

    >>> best_hits(np.array([0.1, 0.5, 0.0, 0.5], dtype=np.float32), 3)
    [Hit(number=1, score=0.5), Hit(number=3, score=0.5), Hit(number=0, score=0.10000000149011612)]
    """
    if limit < len(scores):
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= cut)
    else:
        candidates = np.arange(len(scores))
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
    return [Hit(int(number), float(scores[number])) for number in ranked if scores[number] > 0]


def fuse_hits(rankings: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """Reciprocal rank fusion: each list gives a chunk ``1 / (k + rank)``, ranks from 1.

    >>> [hit.number for hit in fuse_hits([[Hit(7, 1.0), Hit(3, 0.5)], [Hit(3, 9.0)]], k=60)]
    [3, 7]
    """
    totals: dict[int, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            totals[hit.number] = totals.get(hit.number, 0.0) + 1 / (k + rank)
    return _ranked(totals)


def best_of(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Fusion without ranks: a chunk has the best of its scores.

    >>> [hit.number for hit in best_of([[Hit(7, 0.9), Hit(3, 0.5)], [Hit(3, 0.95)]])]
    [3, 7]
    """
    totals: dict[int, float] = {}
    for ranking in rankings:
        for hit in ranking:
            totals[hit.number] = max(totals.get(hit.number, 0.0), hit.score)
    return _ranked(totals)


def _ranked(totals: dict[int, float]) -> list[Hit]:
    pairs = sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Hit(number, score) for number, score in pairs]
