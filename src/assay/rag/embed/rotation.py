"""Spaces of model vectors in which every prefix is a usable embedding.

A Matryoshka model was trained so that the first dimensions contain most of the information; its
vectors are used unchanged (``NestedSpace``). Other models spread the information over all
dimensions, so that shortening their vectors loses a random part of it. ``RotatedSpace`` rotates
such vectors so that the first dimensions are the directions in which the documents of the corpus
differ most (the principal axes of the centred vectors).

The vectors themselves are not centred. A rotation does not change the angles between complete
vectors; it only decides what a prefix keeps. Centring was measured and made hit@1 worse
(docs/evidence/retrieval.md). Only when two queries are compared with each other is the mean
subtracted, because for many models it is the largest part of every vector.

Neither space scales its rows: the search divides by the length of the prefix that it uses, so
that its scores are cosines.
"""

from collections.abc import Awaitable, Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.rag.embed.protocol import Vectors

FEWEST = 16
"""With fewer documents no rotation is fitted, because their mean would not be meaningful."""

MOST_FITTED = 32_768
"""The axes are fitted to at most this many evenly spaced documents; more hardly change them."""

_BLOCK = 8192
_NO_SPREAD = 1e-12


class Rotation(Struct, frozen=True, kw_only=True):
    """A mean and an orthonormal basis, whose columns are in the order of the explained variance.

    If both are ``None``, nothing was fitted, and vectors are not changed.
    """

    mean: Vectors | None = None
    basis: Vectors | None = None

    def apply(self, vectors: Vectors) -> Vectors:
        """The vectors (a matrix of rows, or a single vector) in the new axes."""
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
    """The mean and the principal axes of a corpus.

    The axes are the eigenvectors of the covariance in float64, by decreasing eigenvalue. The
    sign of each is chosen so that its largest component is positive, so the same corpus always
    gives the same axes. If there are fewer documents than dimensions, the remaining axes complete
    the basis, so no part of a query is lost. With fewer than ``FEWEST`` documents, or if all
    documents are the same, nothing is fitted, and the rotation does not change vectors.

    >>> rng = np.random.default_rng(0)
    >>> flat = (rng.normal(size=(50, 1)) * [0.6, 0.8]).astype(np.float32)
    >>> bool(np.allclose(principal_rotation(flat).basis[:, 0], [0.6, 0.8]))
    True
    """
    count = len(vectors)
    if count < FEWEST:
        return Rotation()
    sample = np.linspace(0, count - 1, min(count, MOST_FITTED)).round().astype(np.intp)
    mean, covariance = _moments(vectors, sample)
    if np.trace(covariance) < _NO_SPREAD:
        return Rotation()
    _, axes = np.linalg.eigh(covariance)
    axes = axes[:, ::-1]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.where(axes[largest, np.arange(axes.shape[1])] < 0, -1.0, 1.0)
    return Rotation(mean=mean.astype(np.float32), basis=np.ascontiguousarray(axes, np.float32))


def unit_rows(vectors: NDArray[np.floating]) -> Vectors:
    """The rows scaled to length 1; a row of zeros stays zero.

    >>> unit_rows(np.array([[0.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    scaled = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return np.asarray(scaled, dtype=np.float32)


class NestedSpace:
    """Vectors of a model that was trained so that every prefix is an embedding."""

    def __init__(self, matrix: Vectors, embed_query: Callable[[str], Awaitable[Vectors]]) -> None:
        self._matrix = matrix
        self._embed_query = embed_query

    @property
    def matrix(self) -> Vectors:
        """The vectors of the documents as the model returned them, one per row."""
        return self._matrix

    async def query(self, text: str) -> Vectors:
        """Return the query's vector as the model returns it."""
        return await self._embed_query(text)


class RotatedSpace:
    """Vectors of any other model, rotated to the principal axes of their corpus."""

    def __init__(self, vectors: Vectors, embed_query: Callable[[str], Awaitable[Vectors]]) -> None:
        self._rotation = principal_rotation(vectors)
        self._matrix = self._rotation.apply(vectors)
        self._embed_query = embed_query

    @property
    def matrix(self) -> Vectors:
        """The rotated vectors of the documents, one per row; the first columns vary most."""
        return self._matrix

    @property
    def centre(self) -> Vectors | None:
        """The mean of the documents, in the new axes."""
        mean = self._rotation.mean
        return None if mean is None else self._rotation.apply(mean)

    async def query(self, text: str) -> Vectors:
        """Return the query's vector after the same rotation."""
        return self._rotation.apply(await self._embed_query(text))


def _moments(
    vectors: Vectors, sample: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean and covariance of some rows, computed in blocks to limit the use of memory."""
    size = vectors.shape[1]
    blocks = [sample[start : start + _BLOCK] for start in range(0, len(sample), _BLOCK)]
    mean = np.zeros(size)
    for block in blocks:
        mean += vectors[block].sum(axis=0, dtype=np.float64)
    mean /= len(sample)
    covariance = np.zeros((size, size))
    for block in blocks:
        centred = vectors[block].astype(np.float64) - mean
        covariance += centred.T @ centred
    return mean, covariance / len(sample)
