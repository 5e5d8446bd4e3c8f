"""Spaces of model vectors whose prefixes are usable embeddings.

A model trained for it (Matryoshka) packs what matters into the leading dimensions, and its
vectors are a space as they are: ``Nested``. Any other model spreads it evenly, and cutting
its vectors throws away a random share of everything. ``Rotated`` turns such vectors so that
the leading dimensions are the directions in which this corpus differs most (centring, then
the principal axes). The vectors themselves are not shifted: at the whole dimension a rotation
changes no angle between them, it only decides what a prefix keeps. Shifting was measured and
cost hit@1 (docs/reference-pipeline.md). Where two queries are compared with each other, the
mean is taken off after all: for many models it is most of every vector.

Neither space scales its rows: whoever searches a prefix normalises by that prefix's length,
which at the whole dimension is the cosine.
"""

from collections.abc import Awaitable, Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.rag.embed.protocol import Vectors

FEWEST = 16
"""Below this many documents their mean is mostly the documents themselves: nothing is fitted."""

MOST_FITTED = 32_768
"""Documents that the axes are fitted on at most, evenly spaced: more would not move them."""

_BLOCK = 8192
_NO_SPREAD = 1e-12


class Rotation(Struct, frozen=True, kw_only=True):
    """A mean and an orthonormal basis, its columns in order of the variance they explain.

    ``None`` in both: nothing was fitted and vectors stay as they are.
    """

    mean: Vectors | None = None
    basis: Vectors | None = None

    def rotated(self, vectors: Vectors) -> Vectors:
        """Vectors (rows, or one alone) in the new axes."""
        if self.basis is None:
            return vectors
        if vectors.ndim == 1:
            return np.asarray(vectors @ self.basis, dtype=np.float32)
        out = np.empty((len(vectors), self.basis.shape[1]), dtype=np.float32)
        for start in range(0, len(vectors), _BLOCK):
            rows = slice(start, start + _BLOCK)
            np.matmul(vectors[rows], self.basis, out=out[rows])
        return out


def principal_rotation(vectors: Vectors) -> Rotation:
    """The mean and principal axes of a corpus.

    The axes are the eigenvectors of the covariance in float64, by falling eigenvalue, each
    turned so that its largest component is positive: the same corpus gives the same axes.
    With fewer documents than dimensions the axes past the documents' span complete the
    basis, so nothing of a query is lost. With fewer than ``FEWEST`` documents, or documents
    that are all the same, there is nothing to fit and the rotation leaves vectors alone.

    >>> rng = np.random.default_rng(0)
    >>> flat = (rng.normal(size=(50, 1)) * [0.6, 0.8]).astype(np.float32)
    >>> bool(np.allclose(principal_rotation(flat).basis[:, 0], [0.6, 0.8]))
    True
    """
    count = len(vectors)
    if count < FEWEST:
        return Rotation()
    chosen = np.linspace(0, count - 1, min(count, MOST_FITTED)).round().astype(np.intp)
    mean, covariance = _moments(vectors, chosen)
    if np.trace(covariance) < _NO_SPREAD:
        return Rotation()
    _, axes = np.linalg.eigh(covariance)
    axes = axes[:, ::-1]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.where(axes[largest, np.arange(axes.shape[1])] < 0, -1.0, 1.0)
    return Rotation(mean=mean.astype(np.float32), basis=np.ascontiguousarray(axes, np.float32))


def unit_rows(vectors: NDArray[np.floating]) -> Vectors:
    """Rows scaled to length 1; a row of zeros has no direction and stays.

    >>> unit_rows(np.array([[0.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    scaled = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return np.asarray(scaled, dtype=np.float32)


class Nested:
    """Vectors of a model trained so that every prefix is an embedding of its own."""

    def __init__(self, matrix: Vectors, embed_query: Callable[[str], Awaitable[Vectors]]) -> None:
        self._matrix = matrix
        self._embed_query = embed_query

    @property
    def matrix(self) -> Vectors:
        """A row for each document, as the model made it."""
        return self._matrix

    async def query(self, text: str) -> Vectors:
        """The query's vector, as the model made it."""
        return await self._embed_query(text)


class Rotated:
    """Vectors of any other model, turned into the principal axes of their corpus."""

    def __init__(self, vectors: Vectors, embed_query: Callable[[str], Awaitable[Vectors]]) -> None:
        self._rotation = principal_rotation(vectors)
        self._matrix = self._rotation.rotated(vectors)
        self._embed_query = embed_query

    @property
    def matrix(self) -> Vectors:
        """A row for each document, the directions in which they differ most first."""
        return self._matrix

    @property
    def centre(self) -> Vectors | None:
        """The mean of the documents, in the new axes."""
        mean = self._rotation.mean
        return None if mean is None else self._rotation.rotated(mean)

    async def query(self, text: str) -> Vectors:
        """The query's vector after the same rotation."""
        return self._rotation.rotated(await self._embed_query(text))


def _moments(
    vectors: Vectors, chosen: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and covariance of the chosen rows, a block at a time so that memory stays flat."""
    size = vectors.shape[1]
    blocks = [chosen[start : start + _BLOCK] for start in range(0, len(chosen), _BLOCK)]
    mean = np.zeros(size)
    for block in blocks:
        mean += vectors[block].sum(axis=0, dtype=np.float64)
    mean /= len(chosen)
    covariance = np.zeros((size, size))
    for block in blocks:
        centred = vectors[block].astype(np.float64) - mean
        covariance += centred.T @ centred
    return mean, covariance / len(chosen)
