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
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.rag.embed.protocol import Vectors
from assay.text.search_term import ngrams, search_terms, words_and_letters

SIZE = 2048
EDGES = (0, 128, 256, 512, 1024, 2048)
_WIDTHS = np.diff(EDGES)
_STARTS = np.array(EDGES[:-1])[:, None]
_LAST_COLUMNS = (_WIDTHS - 1).astype(np.uint64)[:, None]
_SCALES = np.repeat(np.sqrt(_WIDTHS / SIZE), _WIDTHS)
NGRAM_WEIGHT = 0.4
RARITY_POWER = 0.75
SATURATION = 1.2

_UNSEEN_PER_MILLE = 3.0
_GOLDEN = 0x9E3779B97F4A7C15
_SEEDS = np.arange(1, len(EDGES), dtype=np.uint64)[:, None] * np.uint64(_GOLDEN)
_MOST_TERMS = 1 << 20
_LARGEST_CODE = 0xFFFF
_TERM = np.dtype([("hash", "<u8"), ("rarity", "<f8")])


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
        hashes = np.frombuffer(b"".join(map(_digest, terms)), dtype="<u8")
        return _projection(hashes, _kind_weights(terms) * rarity)


def document_vector(text: str) -> Vectors:
    """The unit vector of a document, which depends on its text only."""
    words, letters = words_and_letters(text)
    by_word = Counter(words)
    grams, times_of_grams = _counted_grams(letters)
    known = b"".join(chain(map(_WORDS.__getitem__, by_word), map(_GRAMS.__getitem__, grams)))
    if not known:
        return np.zeros(SIZE, dtype=np.float32)
    terms = np.frombuffer(known, dtype=_TERM)
    times_of_words = np.fromiter(by_word.values(), np.float64, len(by_word))
    times = np.concatenate([times_of_words, times_of_grams])
    kinds = np.full(len(terms), NGRAM_WEIGHT)
    kinds[: len(by_word)] = 1.0
    saturated = times * (SATURATION + 1) / (times + SATURATION)
    return _projection(terms["hash"], kinds * saturated * terms["rarity"] ** RARITY_POWER)


def _counted_grams(
    letters: Sequence[tuple[int, str]],
) -> tuple[Sequence[int | str], NDArray[np.float64]]:
    """The different n-grams of runs of letters, and how often each occurs.

    An n-gram is the number that its UTF-16 is, which is counted and looked up faster than a
    string. Only if a character needs more than 16 bits are they strings.
    """
    keys = []
    for size in {size for size, _ in letters}:
        runs = "\0".join(run for other, run in letters if other == size)
        codes = np.frombuffer(runs.encode("utf-32-le"), dtype="<u4").astype(np.uint64)
        if codes.max() > _LARGEST_CODE:
            counts = Counter(ngrams(letters))
            return list(counts), np.fromiter(counts.values(), np.float64, len(counts))
        count = max(0, len(codes) - size + 1)
        packed, is_whole = np.zeros(count, dtype=np.uint64), np.ones(count, dtype=np.bool_)
        for start in range(size):
            part = codes[start : start + count]
            packed = packed << np.uint64(16) | part
            is_whole &= part != 0  # not across two runs
        keys.append(packed[is_whole])
    if not keys:
        return [], np.empty(0)
    found, times = np.unique(np.concatenate(keys), return_counts=True)
    return found.tolist(), times.astype(np.float64)


class _Terms(dict[int | str, bytes]):
    """The hash and the rarity of each term that was seen, as the bytes of a ``_TERM``.

    Bytes are joined into an array faster than numbers are put into one.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def __missing__(self, key: int | str) -> bytes:
        if len(self) >= _MOST_TERMS:
            self.clear()
        text = key if isinstance(key, str) else key.to_bytes(8, "big").decode("utf-16-be")
        term = self._prefix + text.lstrip("\0")
        known = self[key] = _digest(term) + _packed_rarity().get(term, _packed_rarity()[""])
        return known


_WORDS = _Terms("w:")
_GRAMS = _Terms("g:")


def _projection(hashes: NDArray[np.uint64], weights: NDArray[np.float64]) -> Vectors:
    """The signed projection of weighted terms onto the nested dimensions, scaled to length 1."""
    # Terms are always added in the same order, so that rounding does not depend on the text's.
    order = np.argsort(hashes)
    weights = weights[order]
    mixed = _mixed(hashes[order] ^ _SEEDS)  # a row of independent hashes for each block
    columns = (mixed >> np.uint64(1) & _LAST_COLUMNS).astype(np.intp) + _STARTS
    signed = np.where(mixed & np.uint64(1), weights, -weights)
    vector = np.bincount(columns.ravel(), weights=signed.ravel(), minlength=SIZE) * _SCALES
    length = float(np.linalg.norm(vector))
    unit: Vectors = (vector / length if length else vector).astype(np.float32)
    return unit


def _mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Other hashes (the finaliser of splitmix64)."""
    mixed = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _digest(term: str) -> bytes:
    return hashlib.blake2b(term.encode(), digest_size=8).digest()


def _kind_weights(terms: Sequence[str]) -> NDArray[np.float64]:
    return np.array([1.0 if term[0] == "w" else NGRAM_WEIGHT for term in terms])


@cache
def _packed_rarity() -> dict[str, bytes]:
    """The rarity of each common term as bytes; that of all others under the empty string."""
    shares = {"": _UNSEEN_PER_MILLE, **_common_terms()}
    return {
        term: struct.pack("<d", math.log1p((1000 - share) / share))
        for term, share in shares.items()
    }


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
