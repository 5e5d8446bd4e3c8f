"""Dense search: the chunks nearest to a query at the first dimensions of a space.

``DenseIndex`` is the interface; ``ExactIndex`` multiplies every chunk, which is quickest up to
a few hundred thousand of them, and ``assay.rag.search.approximate`` looks at few.
"""

import threading
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assay.rag.embed import Vectors

Numbers = NDArray[np.intp]

BLOCK = 1 << 18
"""Numbers multiplied at once in a small matrix: OpenBLAS takes these on one thread.

From 460,800 on it wakes the others, and on a machine that is busy waiting for them takes
fifty times as long as a small product itself (measured: 15 ms for 0.2 ms).
"""
SMALL = 1 << 22
"""Up to so many numbers one thread is as good; beyond, all of them are worth waking."""


class DenseIndex(Protocol):
    """Finds chunks by the cosine of their first ``dim`` dimensions with a query's.

    ``dim`` ``None`` is the whole dimension. Every method may be called from any thread.
    """

    def is_ready(self, dim: int | None) -> bool:
        """Whether a search at this dimension can begin at once."""

    def prepare(self, dim: int | None) -> None:
        """Make ready for searches at this dimension, which may take long. Safe to call twice."""

    def nearest(
        self, query: Vectors, dim: int | None, limit: int, also: Numbers
    ) -> tuple[Numbers, NDArray[np.float32]]:
        """Numbers of chunks, ascending, and the cosine of each with the query.

        They hold at least the ``limit`` nearest that are above 0 (an approximate index may miss
        some) and those in ``also``. A vector of zeros has a cosine of 0 with everything.
        """


class ExactIndex:
    """Every chunk's cosine, by one matrix product."""

    def __init__(self, matrix: Vectors) -> None:
        self._matrix = matrix
        self._prefixes: dict[int, tuple[Vectors, NDArray[np.float32]]] = {}
        self._making = threading.Lock()

    def is_ready(self, dim: int | None) -> bool:
        """Whether the prefix is laid out."""
        return _width(self._matrix, dim) in self._prefixes

    def prepare(self, dim: int | None) -> None:
        """Lay the prefix out for fast products."""
        self._prefix(dim)

    def nearest(
        self, query: Vectors, dim: int | None, limit: int, also: Numbers
    ) -> tuple[Numbers, NDArray[np.float32]]:
        """All chunks: leaving some out would cost more than it saves."""
        return np.arange(len(self._matrix)), self.cosines(query, dim)

    def cosines(self, query: Vectors, dim: int | None = None) -> NDArray[np.float32]:
        """The cosine of every chunk with the query."""
        matrix, inverse = self._prefix(dim)
        part = unit_prefix(query, matrix.shape[1])
        if part is None or not len(matrix):
            return np.zeros(len(matrix), dtype=np.float32)
        return products(matrix, part) * inverse

    def _prefix(self, dim: int | None) -> tuple[Vectors, NDArray[np.float32]]:
        """The first ``dim`` columns, side by side in memory, and 1 ÷ each row's length."""
        whole = self._matrix
        width = _width(whole, dim)
        with self._making:
            if width not in self._prefixes:
                part = whole if width == whole.shape[1] else np.ascontiguousarray(whole[:, :width])
                self._prefixes[width] = (part, inverse_lengths(part))
            return self._prefixes[width]


def products(matrix: Vectors, query: Vectors) -> NDArray[np.float32]:
    """``matrix @ query``, a small matrix in blocks that need no second thread.

    >>> products(np.array([[1, 2], [3, 4]], dtype=np.float32), np.ones(2, dtype=np.float32))
    array([3., 7.], dtype=float32)
    """
    if not BLOCK < matrix.size <= SMALL:
        return matrix @ query
    rows = max(1, BLOCK // matrix.shape[1])
    made = np.empty(len(matrix), dtype=np.float32)
    for start in range(0, len(matrix), rows):
        np.matmul(matrix[start : start + rows], query, out=made[start : start + rows])
    return made


def unit_prefix(query: Vectors, width: int) -> Vectors | None:
    """The query's first dimensions scaled to length 1; ``None`` if they are all 0.

    >>> unit_prefix(np.array([3, 4, 9], dtype=np.float32), 2).round(1).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    part = query[:width]
    length = float(np.linalg.norm(part))
    return part / length if length else None


def inverse_lengths(rows: Vectors) -> NDArray[np.float32]:
    """1 ÷ the length of each row; 0 for a row of zeros, so that its cosine is 0.

    >>> inverse_lengths(np.array([[0, 4], [0, 0]], dtype=np.float32)).tolist()
    [0.25, 0.0]
    """
    lengths = np.linalg.norm(rows, axis=1)
    with np.errstate(divide="ignore"):
        return np.where(lengths > 0, 1 / lengths, 0).astype(np.float32)


def _width(matrix: Vectors, dim: int | None) -> int:
    return int(matrix.shape[1]) if dim is None else min(dim, int(matrix.shape[1]))
