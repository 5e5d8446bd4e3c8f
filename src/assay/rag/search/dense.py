"""Dense search: the chunks nearest to a query in the first dimensions of a space.

``DenseIndex`` is the interface. ``ExactIndex`` compares the query with every chunk, which is
fastest up to a few hundred thousand chunks; ``assay.rag.search.approximate`` compares it with
only a few.
"""

import threading
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assay.rag.embed import Vectors

Numbers = NDArray[np.intp]

BLOCK = 1 << 18
"""The number of matrix elements that are multiplied at once if the matrix is small.

OpenBLAS multiplies up to this many elements on one thread. From 460,800 elements it uses several
threads, and on a busy machine waiting for them takes much longer than the product itself
(measured: 15 ms instead of 0.2 ms).
"""
SMALL = 1 << 22
"""Up to this many elements a matrix is small: one thread is as fast as several."""


class DenseIndex(Protocol):
    """Finds chunks by the cosine between the first ``dim`` dimensions of chunk and query.

    ``dim`` ``None`` means all dimensions. Every method may be called from any thread.
    """

    def is_ready(self, dim: int | None) -> bool:
        """Whether a search at this dimension can start without preparation."""

    def prepare(self, dim: int | None) -> None:
        """Prepare searches at this dimension, which may take long. Safe to call twice."""

    def nearest(
        self, query: Vectors, dim: int | None, limit: int, also: Numbers
    ) -> tuple[Numbers, NDArray[np.float32]]:
        """The numbers of some chunks, ascending, and the cosine of each with the query.

        The chunks include those in ``also`` and at least the ``limit`` nearest with a cosine
        above 0, of which an approximate index may miss some. A vector of zeros has a cosine of 0
        with every vector.
        """


class ExactIndex:
    """Computes the cosine of every chunk with a matrix product."""

    def __init__(self, matrix: Vectors) -> None:
        self._matrix = matrix
        self._prefixes: dict[int, tuple[Vectors, NDArray[np.float32]]] = {}
        self._lock = threading.Lock()

    def is_ready(self, dim: int | None) -> bool:
        """Whether the prefix is already prepared."""
        return _width(self._matrix, dim) in self._prefixes

    def prepare(self, dim: int | None) -> None:
        """Copy the prefix to contiguous memory, for fast products."""
        self._prefix(dim)

    def nearest(
        self, query: Vectors, dim: int | None, limit: int, also: Numbers
    ) -> tuple[Numbers, NDArray[np.float32]]:
        """All chunks, because leaving some out would take more time than it saves."""
        return np.arange(len(self._matrix)), self.cosines(query, dim)

    def cosines(self, query: Vectors, dim: int | None = None) -> NDArray[np.float32]:
        """The cosine of every chunk with the query."""
        matrix, inverse = self._prefix(dim)
        part = unit_prefix(query, matrix.shape[1])
        if part is None or not len(matrix):
            return np.zeros(len(matrix), dtype=np.float32)
        return products(matrix, part) * inverse

    def _prefix(self, dim: int | None) -> tuple[Vectors, NDArray[np.float32]]:
        """The first ``dim`` columns in contiguous memory, and 1 / the length of each row."""
        matrix = self._matrix
        width = _width(matrix, dim)
        with self._lock:
            if width not in self._prefixes:
                is_complete = width == matrix.shape[1]
                part = matrix if is_complete else np.ascontiguousarray(matrix[:, :width])
                self._prefixes[width] = (part, inverse_lengths(part))
            return self._prefixes[width]


def products(matrix: Vectors, query: Vectors) -> NDArray[np.float32]:
    """``matrix @ query``; a small matrix is multiplied in blocks that need only one thread.

    >>> products(np.array([[1, 2], [3, 4]], dtype=np.float32), np.ones(2, dtype=np.float32))
    array([3., 7.], dtype=float32)
    """
    if not BLOCK < matrix.size <= SMALL:
        return matrix @ query
    rows = max(1, BLOCK // matrix.shape[1])
    result = np.empty(len(matrix), dtype=np.float32)
    for start in range(0, len(matrix), rows):
        np.matmul(matrix[start : start + rows], query, out=result[start : start + rows])
    return result


def unit_prefix(query: Vectors, width: int) -> Vectors | None:
    """The first ``width`` dimensions of the query, scaled to length 1; None if they are all 0.

    >>> unit_prefix(np.array([3, 4, 9], dtype=np.float32), 2).round(1).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    part = query[:width]
    length = float(np.linalg.norm(part))
    return part / length if length else None


def inverse_lengths(rows: Vectors) -> NDArray[np.float32]:
    """1 / the length of each row; 0 for a row of zeros, so that its cosine is 0.

    >>> inverse_lengths(np.array([[0, 4], [0, 0]], dtype=np.float32)).tolist()
    [0.25, 0.0]
    """
    lengths = np.linalg.norm(rows, axis=1)
    with np.errstate(divide="ignore"):
        return np.where(lengths > 0, 1 / lengths, 0).astype(np.float32)


def _width(matrix: Vectors, dim: int | None) -> int:
    return int(matrix.shape[1]) if dim is None else min(dim, int(matrix.shape[1]))
