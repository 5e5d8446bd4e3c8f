"""Dense search that looks at few chunks of many: the extra ``usearch``.

A graph of neighbours (HNSW) for each dimension searched proposes chunks; their cosines are
then computed from the vectors themselves. So scores are those of the exact search and equal
ones come in the order of the corpus; all that is approximate is that a near chunk may be
missed, one of more than a hundred equal ones for example.

A graph is made once and kept in a folder as ``dense-INPUT-DIM-FILE.usearch``: ``INPUT`` is a
hash of the vectors and of how the graph is made, ``FILE`` one of the file, so a file proves
its own wholeness before it is mapped into memory. One that does not is removed and made anew.
A crash leaves a whole file or one that nobody reads.

One thread makes a graph, chunk after chunk: two would be quicker, but never make the same one
twice. On one kind of processor the same vectors give the same file to the byte.
"""

import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.rag.embed import Vectors
from assay.rag.optional_library import optional_library
from assay.rag.search.dense import Numbers, inverse_lengths, unit_prefix

CONNECTIVITY = 16
EXPANSION_ADD = 64
"""Neighbours weighed for a new chunk.

With 128 a graph of hashed sentences took half as long again to make, and found 2 in 1,000 more.
"""

EXPANSION_SEARCH = 256
"""Chunks looked at for a query at least, and eight for each hit wanted.

Among 3,645 hashed sentences at 512 dimensions 256 found 99.5 in 100 of the ten nearest and
98 of the fifty nearest, 512 all but 1 in 1,000 of either.
"""

_FEWEST_PROPOSED = 100
_BLOCK = 8192


class ApproximateIndex:
    """The nearest chunks by graphs of neighbours, one for each dimension searched.

    Args:
        matrix: a row for each chunk, nested; it may be memory-mapped.
        folder: where graphs are kept; ``None`` keeps them in memory.

    Raises:
        UseError: usearch is not installed.
    """

    def __init__(self, matrix: Vectors, folder: Path | None = None) -> None:
        self._library = usearch_library()
        self._matrix = matrix
        self._folder = folder
        self._graphs: dict[int, Any] = {}
        self._making = threading.Lock()
        # A graph's room for one search is shared by all that enter it, and so is its setting
        # of how far to look; a search is too short for waiting to matter.
        self._turn = threading.Lock()

    def is_ready(self, dim: int | None) -> bool:
        """Whether the graph of this dimension is in memory or mapped."""
        return self._width(dim) in self._graphs

    def prepare(self, dim: int | None) -> None:
        """Open the graph of this dimension, made first if it is not there.

        Raises:
            UseError: the folder cannot be written.
        """
        self._graph(self._width(dim))

    def nearest(
        self, query: Vectors, dim: int | None, limit: int, also: Numbers
    ) -> tuple[Numbers, NDArray[np.float32]]:
        """What the graph proposes and what is asked for, with their exact cosines."""
        width = self._width(dim)
        part = unit_prefix(query, width)
        if part is None:
            numbers = np.unique(also)
            return numbers, np.zeros(len(numbers), dtype=np.float32)
        # More than asked for: among chunks equal at the cut the first of the corpus should win.
        proposed = max(2 * limit, _FEWEST_PROPOSED)
        graph = self._graph(width)
        with self._turn:
            graph.expansion_search = max(EXPANSION_SEARCH, 8 * limit)
            found = graph.search(part, proposed, threads=1).keys
        numbers = np.union1d(found.astype(np.intp), also)
        rows = self._matrix[numbers, :width]
        return numbers, (rows @ part) * inverse_lengths(rows)

    def _width(self, dim: int | None) -> int:
        whole = int(self._matrix.shape[1])
        return whole if dim is None else min(dim, whole)

    def _graph(self, width: int) -> Any:
        if width not in self._graphs:  # searches at other dimensions go on meanwhile
            with self._making:
                if width not in self._graphs:
                    self._graphs[width] = (
                        self._made(width)
                        if self._folder is None
                        else self._kept(width, self._folder)
                    )
        return self._graphs[width]

    def _made(self, width: int) -> Any:
        graph = self._library.Index(
            ndim=width,
            metric="ip",
            # Half precision halves the file and the time; the cosines do not come from it.
            dtype="f16",
            connectivity=CONNECTIVITY,
            expansion_add=EXPANSION_ADD,
        )
        for start, rows in self._blocks(width):
            inverse = inverse_lengths(rows)
            filled = np.flatnonzero(inverse)  # zeros are near to nothing
            graph.add(start + filled, rows[filled] * inverse[filled, None], threads=1)
        return graph

    def _kept(self, width: int, folder: Path) -> Any:
        """The graph mapped from its file, which is written first if there is no whole one."""
        name = f"dense-{self._input_digest(width)}-{width}"
        try:
            path = _whole_file(folder, name) or self._written(width, folder, name)
        except OSError as error:
            raise UseError(
                f"{folder}: the index cannot be kept here: {error.strerror or error}; "
                "make it writable or choose another folder"
            ) from error
        return self._library.Index.restore(str(path), view=True)

    def _written(self, width: int, folder: Path, name: str) -> Path:
        """A new file, made beside and renamed."""
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".dense-", dir=folder) as beside:
            unfinished = Path(beside) / "graph"
            self._made(width).save(str(unfinished))
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
        whole = hashlib.blake2b(recipe.encode(), digest_size=8)
        for _, rows in self._blocks(width):
            whole.update(rows.data)
        return whole.hexdigest()


def usearch_library() -> Any:
    """The library that makes and searches graphs.

    Raises:
        UseError: it is not installed.
    """
    return optional_library("usearch.index", "usearch", "index: usearch")


def _whole_file(folder: Path, name: str) -> Path | None:
    """The file that was kept under this name; those whose bytes have changed are removed."""
    for path in sorted(folder.glob(f"{name}-*.usearch")):
        with suppress(FileNotFoundError):
            if path.stem.rpartition("-")[2] == _file_digest(path):
                return path
            path.unlink()
    return None


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8)).hexdigest()
