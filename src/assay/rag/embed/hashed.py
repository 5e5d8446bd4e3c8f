"""The built-in default embedder: no model, no download, the same results on every machine.

The terms of a text (words and character n-grams, depending on the language) are weighted and
projected by signed hashing onto 2,048 dimensions. The projection is nested: the first 128
dimensions are a projection of all terms, the next 128 an independent one, then 256, 512 and
1,024, each scaled by the square root of its size. Every prefix is therefore itself an unbiased,
coarser embedding, and the estimate at a prefix of ``d`` dimensions has the variance ``1/d``.

The weight of a term in a document is ``tf·2.2/(tf+1.2)`` times its general rarity
(``common_terms.txt``) to the power of 0.75. It depends on the text only, so vectors of documents
can be cached by content. The weight of a term in a query is its inverse document frequency in
the corpus, and 0 if no document contains it. Weights of n-grams are multiplied by 0.4.
"""

import asyncio
import hashlib
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.rag.embed.protocol import Vectors
from assay.text.search_term import search_terms

SIZE = 2048
EDGES = (0, 128, 256, 512, 1024, 2048)
NGRAM_WEIGHT = 0.4
RARITY_POWER = 0.75
SATURATION = 1.2

_UNSEEN_PER_MILLE = 3.0
_GOLDEN = 0x9E3779B97F4A7C15


class HashedEmbedder:
    """Embeds texts by signed hashing of weighted terms onto nested dimensions."""

    @property
    def identity(self) -> str:
        """The version of the method, the dimension, and a hash of the table of common terms."""
        return f"hashed-2:{SIZE}:{_table_digest()}"

    @property
    def size(self) -> int:
        """The dimension, always 2,048."""
        return SIZE

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the unit vectors of documents; a text without terms has a vector of zeros."""
        return await asyncio.to_thread(_documents, texts)

    def space(self, texts: Sequence[str], vectors: Vectors) -> "HashedSpace":
        """The space of a corpus. Call its ``use_frequencies`` to weight queries by rarity."""
        return HashedSpace(vectors)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


class HashedSpace:
    """The vectors of a corpus, and queries weighted by how rare their terms are in it.

    Until ``use_frequencies`` is called, all words of a query have the same weight.
    """

    def __init__(self, vectors: Vectors) -> None:
        self._matrix = vectors
        self._count = 1
        self._frequency: Callable[[str], int] = lambda _: 1

    def use_frequencies(self, frequency: Callable[[str], int]) -> None:
        """Weight queries by ``frequency``, the number of documents that contain a term."""
        self._count = len(self._matrix)
        self._frequency = frequency

    @property
    def matrix(self) -> Vectors:
        """The vectors of the documents, one per row."""
        return self._matrix

    async def query(self, text: str) -> Vectors:
        """Return the unit vector of a query; zeros if no document contains any of its terms."""
        terms = tuple(Counter(search_terms(text)))
        if not terms:
            return np.zeros(SIZE, dtype=np.float32)
        frequency = np.fromiter(map(self._frequency, terms), dtype=np.float64, count=len(terms))
        rarity = np.log1p((self._count - frequency + 0.5) / (frequency + 0.5))
        rarity[frequency == 0] = 0.0  # a term that no document contains would only add noise
        return _projection(_hashes(terms), _kind_weights(terms) * rarity)


def document_vector(text: str) -> Vectors:
    """The unit vector of a document, which depends on its text only."""
    counts = Counter(search_terms(text))
    if not counts:
        return np.zeros(SIZE, dtype=np.float32)
    terms = tuple(counts)
    times = np.fromiter(counts.values(), dtype=np.float64, count=len(terms))
    saturated = times * (SATURATION + 1) / (times + SATURATION)
    rarity = np.fromiter(map(_rarity, terms), dtype=np.float64, count=len(terms))
    return _projection(_hashes(terms), _kind_weights(terms) * saturated * rarity**RARITY_POWER)


def _projection(hashes: NDArray[np.uint64], weights: NDArray[np.float64]) -> Vectors:
    """The signed projection of weighted terms onto the nested dimensions, scaled to length 1."""
    # Terms are always added in the same order, so that rounding does not depend on the text's.
    order = np.argsort(hashes, kind="stable")
    hashes, weights = hashes[order], weights[order]
    vector = np.empty(SIZE, dtype=np.float64)
    for number, (start, end) in enumerate(pairwise(EDGES)):
        mixed = _block_hashes(hashes, number)
        columns = ((mixed >> np.uint64(1)) % np.uint64(end - start)).astype(np.intp)
        signed = np.where(mixed & np.uint64(1), weights, -weights)
        block = np.bincount(columns, weights=signed, minlength=end - start)
        vector[start:end] = block * math.sqrt((end - start) / SIZE)
    length = float(np.linalg.norm(vector))
    return (vector / length if length else vector).astype(np.float32)


def _block_hashes(hashes: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """Independent hashes for each block (the finaliser of splitmix64)."""
    mixed = hashes ^ np.uint64(_GOLDEN * (number + 1) & 0xFFFFFFFFFFFFFFFF)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _hashes(terms: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(_hash, terms), dtype=np.uint64, count=len(terms))


@lru_cache(maxsize=1 << 20)
def _hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little")


def _kind_weights(terms: Sequence[str]) -> NDArray[np.float64]:
    return np.array([1.0 if term[0] == "w" else NGRAM_WEIGHT for term in terms])


def _rarity(term: str) -> float:
    share = _common_terms().get(term, _UNSEEN_PER_MILLE)
    return math.log1p((1000 - share) / share)


def _documents(texts: Sequence[str]) -> Vectors:
    if not texts:
        return np.zeros((0, SIZE), dtype=np.float32)
    return np.stack([document_vector(text) for text in texts])


@cache
def _common_terms() -> dict[str, float]:
    """For each common term, the share of sample sections that contain it, per mille."""
    table = {}
    for line in _table().splitlines():
        if not line.startswith("#"):
            share, term = line.split("\t", 1)
            table[term] = float(share)
    return table


@cache
def _table_digest() -> str:
    return hashlib.blake2b(_table().encode(), digest_size=4).hexdigest()


@cache
def _table() -> str:
    return (files("assay.rag.embed") / "common_terms.txt").read_text(encoding="utf-8")


# Spaces of model vectors in which every prefix is a usable embedding.
#
# A Matryoshka model was trained so that the first dimensions contain most of the information; its
# vectors are used unchanged (``NestedSpace``). Other models spread the information over all
# dimensions, so that shortening their vectors loses a random part of it. ``RotatedSpace`` rotates
# such vectors so that the first dimensions are the directions in which the documents of the corpus
# differ most (the principal axes of the centred vectors).
#
# The vectors themselves are not centred. A rotation does not change the angles between complete
# vectors; it only decides what a prefix keeps. Centring was measured and made hit@1 worse
# (docs/evidence/retrieval.md). Only when two queries are compared with each other is the mean
# subtracted, because for many models it is the largest part of every vector.
#
# Neither space scales its rows: the search divides by the length of the prefix that it uses, so
# that its scores are cosines.

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
