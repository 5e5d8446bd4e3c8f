"""Dense search: the chunks nearest to a query in the first dimensions of a space.

``DenseIndex`` is the interface. ``ExactIndex`` compares the query with every chunk, which is
fastest up to a few hundred thousand chunks; ``assay.rag.search.approximate`` compares it with
only a few.
"""

import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.config.workspace import make_folder
from assay.errors import UseError
from assay.rag.embed.protocol import Vectors
from assay.registry import optional_library

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


# Approximate dense search, which compares a query with only a few chunks: the extra ``usearch``.
#
# For each dimension that is searched, a graph of neighbours (HNSW) proposes chunks, and their
# cosines are then computed from the vectors themselves. Scores therefore equal those of the exact
# search, and chunks with equal scores are in the order of the corpus. The only approximation is
# that a near chunk may be missed, for example one of more than a hundred chunks with equal scores.
#
# A graph is built once and saved in a folder as ``dense-INPUT-DIM-FILE.usearch``. ``INPUT`` is a
# hash of the vectors and the parameters of the graph. ``FILE`` is a hash of the file's content,
# which is checked before the file is mapped into memory; a file that does not match its name is
# removed and built again. A crash leaves either a complete file or a temporary one that is never
# read.
#
# The graph is built by one thread. Two threads would be faster, but the result would differ from
# run to run. On the same kind of processor the same vectors give the same file, byte for byte.

CONNECTIVITY = 16
EXPANSION_ADD = 64
"""The number of neighbours that are considered when a chunk is added.

With 128 building a graph of hashed sentences took 1.5 times as long, and the search found only
0.2 % more of the nearest chunks.
"""

EXPANSION_SEARCH = 256
"""The least number of chunks that are considered for a query; eight per requested hit if more.

Among 3,645 hashed sentences at 512 dimensions, a value of 256 found 99.5 % of the ten nearest
and 98 % of the fifty nearest, and a value of 512 found 99.9 % of both.
"""

_FEWEST_PROPOSED = 100
_BLOCK = 8192


class ApproximateIndex:
    """Finds the nearest chunks with graphs of neighbours, one for each dimension searched.

    Args:
        matrix: one row per chunk, in a space whose prefixes are embeddings; it may be
            memory-mapped.
        folder: where the graphs are saved; with ``None`` they are only in memory.

    Raises:
        UseError: usearch is not installed.
    """

    def __init__(self, matrix: Vectors, folder: Path | None = None) -> None:
        self._library = usearch_library()
        self._matrix = matrix
        self._folder = folder
        self._graphs: dict[int, Any] = {}
        self._build_lock = threading.Lock()
        # All searches in a graph share its working memory and its ``expansion_search``. A search
        # is so short that waiting for another one does not matter.
        self._search_lock = threading.Lock()

    def is_ready(self, dim: int | None) -> bool:
        """Whether the graph of this dimension is already loaded."""
        return self._width(dim) in self._graphs

    def prepare(self, dim: int | None) -> None:
        """Load the graph of this dimension, and build it first if necessary.

        Raises:
            UseError: the folder cannot be written.
        """
        self._graph(self._width(dim))

    def nearest(
        self, query: Vectors, dim: int | None, limit: int, also: Numbers
    ) -> tuple[Numbers, NDArray[np.float32]]:
        """The chunks that the graph proposes and those in ``also``, with their exact cosines."""
        width = self._width(dim)
        part = unit_prefix(query, width)
        if part is None:
            numbers = np.unique(also)
            return numbers, np.zeros(len(numbers), dtype=np.float32)
        # More than requested: of chunks that are equal at the limit, the first of the corpus wins.
        count = max(2 * limit, _FEWEST_PROPOSED)
        graph = self._graph(width)
        with self._search_lock:
            graph.expansion_search = max(EXPANSION_SEARCH, 8 * limit)
            proposed = graph.search(part, count, threads=1).keys
        numbers = np.union1d(proposed.astype(np.intp), also)
        rows = self._matrix[numbers, :width]
        return numbers, (rows @ part) * inverse_lengths(rows)

    def _width(self, dim: int | None) -> int:
        size = int(self._matrix.shape[1])
        return size if dim is None else min(dim, size)

    def _graph(self, width: int) -> Any:
        if width not in self._graphs:  # checked without the lock, so that searches need not wait
            with self._build_lock:
                if width not in self._graphs:
                    self._graphs[width] = (
                        self._build(width)
                        if self._folder is None
                        else self._load(width, self._folder)
                    )
        return self._graphs[width]

    def _build(self, width: int) -> Any:
        graph = self._library.Index(
            ndim=width,
            metric="ip",
            # Half precision halves the file and the time; cosines are computed in full precision.
            dtype="f16",
            connectivity=CONNECTIVITY,
            expansion_add=EXPANSION_ADD,
        )
        for start, rows in self._blocks(width):
            inverse = inverse_lengths(rows)
            nonzero = np.flatnonzero(inverse)  # a row of zeros is near to nothing
            graph.add(start + nonzero, rows[nonzero] * inverse[nonzero, None], threads=1)
        return graph

    def _load(self, width: int, folder: Path) -> Any:
        """Map the graph from its file, which is written first if there is no valid one."""
        name = f"dense-{self._input_digest(width)}-{width}"
        try:
            path = _find_valid_file(folder, name) or self._write(width, folder, name)
        except OSError as error:
            raise UseError(
                f"{folder}: the index cannot be saved here: {error.strerror or error}; "
                "make the folder writable or choose another one"
            ) from error
        return self._library.Index.restore(str(path), view=True)

    def _write(self, width: int, folder: Path, name: str) -> Path:
        """Build a graph and save it to a temporary file, which is then renamed."""
        make_folder(folder)
        with tempfile.TemporaryDirectory(prefix=".dense-", dir=folder) as temporary:
            unfinished = Path(temporary) / "graph"
            self._build(width).save(str(unfinished))
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            path = folder / f"{name}-{_file_digest(unfinished)}.usearch"
            unfinished.replace(path)
        return path

    def _blocks(self, width: int) -> Iterator[tuple[int, Vectors]]:
        for start in range(0, len(self._matrix), _BLOCK):
            yield start, np.ascontiguousarray(self._matrix[start : start + _BLOCK, :width])

    def _input_digest(self, width: int) -> str:
        version = optional_library("usearch", "usearch", "this index").__version__
        recipe = f"1 {version} {CONNECTIVITY} {EXPANSION_ADD} {self._matrix.shape[0]} {width}"
        digest = hashlib.blake2b(recipe.encode(), digest_size=8)
        for _, rows in self._blocks(width):
            digest.update(rows.data)
        return digest.hexdigest()


def usearch_library() -> Any:
    """Import the library that builds and searches graphs.

    Raises:
        UseError: it is not installed.
    """
    return optional_library("usearch.index", "usearch", "index: usearch")


def _find_valid_file(folder: Path, name: str) -> Path | None:
    """The saved file with this name, or None; files whose content has changed are removed."""
    for path in sorted(folder.glob(f"{name}-*.usearch")):
        with suppress(FileNotFoundError):
            if path.stem.rpartition("-")[2] == _file_digest(path):
                return path
            path.unlink()
    return None


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8)).hexdigest()
