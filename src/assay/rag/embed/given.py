"""Vectors that another program made: ``STEM.npy`` beside the chunk file ``STEM.jsonl``.

Such a file has one vector for each chunk, in the order of the chunk file. It is used as it is if it
fits; otherwise a line says why not, and the chunks are embedded.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from assay.rag.embed.protocol import Vectors


class GivenVectors(Struct, frozen=True, kw_only=True):
    """Vectors of a part of a corpus; ``starts`` are the numbers of their first chunks.

    ``problems`` says which files do not fit, ``sha256`` identifies those that do.
    """

    starts: tuple[int, ...] = ()
    parts: tuple[Vectors, ...] = ()
    problems: tuple[str, ...] = ()
    sha256: str = ""

    @property
    def size(self) -> int | None:
        """The dimension of the vectors; None if there are none."""
        return self.parts[0].shape[1] if self.parts else None

    def missing(self, count: int) -> list[int]:
        """The numbers of the chunks, of ``count``, that have no vector here."""
        covered = np.zeros(count, dtype=bool)
        for start, part in zip(self.starts, self.parts, strict=True):
            covered[start : start + len(part)] = True
        return [int(number) for number in np.flatnonzero(~covered)]

    def complete(self, count: int, missing: Sequence[int], vectors: Vectors) -> Vectors:
        """All ``count`` vectors in order, where ``vectors`` are those that are missing here."""
        whole = np.empty((count, self.size or vectors.shape[1]), dtype=np.float32)
        for start, part in zip(self.starts, self.parts, strict=True):
            whole[start : start + len(part)] = part
        if len(missing):
            whole[list(missing)] = vectors
        return whole


def vector_files(folder: Path, files: Sequence[tuple[str, int]]) -> list[Path]:
    """The files of vectors in ``folder`` that have the names of chunk files."""
    paths = (folder / f"{stem}.npy" for stem, _ in files)
    return [path for path in paths if path.is_file()]


def read_given_vectors(
    folder: Path, files: Sequence[tuple[str, int]], size: int | None
) -> GivenVectors:
    """Read the vectors for these chunk files, given by name and number of chunks.

    ``size`` is the dimension that the embedder makes; None if that is not known.
    """
    starts, parts, problems = list[int](), list[Vectors](), list[str]()
    content = hashlib.sha256()
    first = 0
    for stem, count in files:
        path, start = folder / f"{stem}.npy", first
        first += count
        if not path.is_file():
            continue
        read = _read(path, count, size)
        if isinstance(read, str):
            problems.append(f"{path} is not used: {read}")
            continue
        size = read.shape[1]
        starts.append(start)
        parts.append(read)
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return GivenVectors(
        starts=tuple(starts),
        parts=tuple(parts),
        problems=tuple(problems),
        sha256=content.hexdigest() if parts else "",
    )


def _read(path: Path, count: int, size: int | None) -> Vectors | str:
    """The vectors of a file, or why they cannot be used."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        return f"it cannot be read ({error})"
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating):
        return f"it is an array of {array.dtype} and shape {array.shape}, not one vector a chunk"
    if len(array) != count:
        return f"it has {len(array)} vectors for {count} chunks"
    if size is not None and array.shape[1] != size:
        return f"its vectors have {array.shape[1]} dimensions, the others or the embedder {size}"
    if not np.isfinite(array).all():
        return "it has values that are not finite numbers"
    return np.asarray(array)
