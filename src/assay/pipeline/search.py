"""Search: exact dense scores at any prefix, BM25, and the two together.

Hybrid scores are ``dense_weight · cosine + lexical_weight · bm25 / best bm25``. Both parts
lie between 0 and 1 as they are: a cosine below 0 counts 0, and the best lexical hit of a
query counts 1. No part is stretched to fill the range, so a dense score that tells nothing
apart cannot drown a lexical one that does.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.pipeline.embedder import Space, UsesFrequencies, Vectors
from assay.pipeline.lexical import LexicalIndex


class Hit(Struct, frozen=True):
    """A chunk's number and its score."""

    number: int
    score: float


class SearchIndex:
    """One corpus, searched by meaning and by words. Shared by all variants.

    ``folder`` keeps the lexical index for the next time; ``None`` builds it in memory.
    """

    def __init__(self, texts: Sequence[str], space: Space, folder: Path | None = None) -> None:
        self.space = space
        self._lexical = LexicalIndex(texts, folder)
        if isinstance(space, UsesFrequencies):
            space.use_frequencies(self._lexical.frequency)
        self._prefixes: dict[int, tuple[Vectors, NDArray[np.float32]]] = {}

    def dense(self, query: Vectors, dim: int | None = None) -> NDArray[np.float32]:
        """The cosine of every chunk with the query at the first ``dim`` dimensions."""
        matrix, lengths = self._prefix(dim or self.space.matrix.shape[1])
        part = query[: matrix.shape[1]]
        length = float(np.linalg.norm(part))
        if not length or not len(matrix):
            return np.zeros(len(matrix), dtype=np.float32)
        return (matrix @ (part / length)) * lengths

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
        """The best chunks by the weighted sum, ties in the order of the corpus."""
        scores = np.zeros(len(self.space.matrix), dtype=np.float32)
        if dense_weight:
            scores = np.float32(dense_weight) * np.maximum(self.dense(query, dim), np.float32(0))
        if lexical_weight:
            hits = self.lexical(text, max(limit, 50))
            if hits and hits[0].score > 0:
                numbers = np.fromiter((hit.number for hit in hits), dtype=np.intp)
                parts = np.fromiter((hit.score for hit in hits), dtype=np.float32)
                scores[numbers] += np.float32(lexical_weight) * parts / parts[0]
        return best(scores, limit)

    def _prefix(self, dim: int) -> tuple[Vectors, NDArray[np.float32]]:
        """The first ``dim`` columns, laid out for fast products, and 1 ÷ each row's length."""
        whole = self.space.matrix
        if dim not in self._prefixes:
            part = whole if dim >= whole.shape[1] else np.ascontiguousarray(whole[:, :dim])
            lengths = np.linalg.norm(part, axis=1)
            with np.errstate(divide="ignore"):
                inverse = np.where(lengths > 0, 1 / lengths, 0).astype(np.float32)
            self._prefixes[dim] = (part, inverse)
        return self._prefixes[dim]


def best(scores: NDArray[np.float32], limit: int) -> list[Hit]:
    """The highest scores above 0, best first; equal ones in the order of the corpus.

    >>> best(np.array([0.1, 0.5, 0.0, 0.5], dtype=np.float32), 3)
    [Hit(number=1, score=0.5), Hit(number=3, score=0.5), Hit(number=0, score=0.10000000149011612)]
    """
    if limit < len(scores):
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= cut)
    else:
        candidates = np.arange(len(scores))
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
    return [Hit(int(number), float(scores[number])) for number in ranked if scores[number] > 0]


def fused(rankings: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """Reciprocal rank fusion: each list gives a chunk ``1 / (k + rank)``, ranks from 1.

    >>> [hit.number for hit in fused([[Hit(7, 1.0), Hit(3, 0.5)], [Hit(3, 9.0)]], k=60)]
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
