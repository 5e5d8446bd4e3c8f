"""The embedded default embedder: no model, no download, the same on every machine.

A text's terms (words and character n-grams, each language in its own manner) are weighted
and projected by signed hashing onto 2,048 dimensions. The projection is nested: the first
128 dimensions hold a projection of all terms, the next 128 an independent one, then 256, 512
and 1,024, each scaled by the root of its size. Every prefix is therefore itself an unbiased,
coarser embedding, and the estimate at a prefix of ``d`` dimensions has the variance ``1/d``.

Weights. A document's term counts ``tf·2.2/(tf+1.2)``, times how unusual the term is in
general (``common_terms.txt``), so that a document's vector depends on its text alone and can
be cached by content. A query's term counts its inverse document frequency in the corpus
searched, nothing if no document has it. N-grams count 0.4 beside whole words.
"""

import asyncio
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.rag.embed.protocol import Vectors
from assay.text import search_terms

SIZE = 2048
EDGES = (0, 128, 256, 512, 1024, 2048)
NGRAM_WEIGHT = 0.4
RARITY_POWER = 0.75
SATURATION = 1.2

_UNSEEN_PER_MILLE = 3.0
_GOLDEN = 0x9E3779B97F4A7C15


class HashedEmbedder:
    """Signed hashing of weighted terms onto nested dimensions."""

    @property
    def identity(self) -> str:
        """Version of the recipe, and a hash of the table of common terms."""
        return f"hashed-1:{SIZE}:{_table_digest()}"

    @property
    def size(self) -> int:
        """2,048."""
        return SIZE

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of documents; a text without terms gives zeros."""
        return await asyncio.to_thread(_documents, texts)

    def space(self, texts: Sequence[str], vectors: Vectors) -> "HashedSpace":
        """The space of a corpus; whoever has its term frequencies gives them to it."""
        return HashedSpace(vectors)

    async def close(self) -> None:
        """Nothing to release."""


class HashedSpace:
    """A corpus's vectors, and queries weighted by how rare their terms are in it.

    Until ``use_frequencies`` is called, all terms of a query count alike.
    """

    def __init__(self, vectors: Vectors) -> None:
        self._matrix = vectors
        self._count = 1
        self._frequency: Callable[[str], int] = lambda _: 1

    def use_frequencies(self, frequency: Callable[[str], int]) -> None:
        """Weight queries by ``frequency``: how many documents hold a term."""
        self._count = len(self._matrix)
        self._frequency = frequency

    @property
    def matrix(self) -> Vectors:
        """The documents."""
        return self._matrix

    async def query(self, text: str) -> Vectors:
        """A unit vector; zeros where no document has any of the text's terms."""
        terms = tuple(Counter(search_terms(text)))
        if not terms:
            return np.zeros(SIZE, dtype=np.float32)
        found = np.fromiter(map(self._frequency, terms), dtype=np.float64, count=len(terms))
        rarity = np.log1p((self._count - found + 0.5) / (found + 0.5))
        rarity[found == 0] = 0.0  # what no document has can find none: it would only add noise
        return _projected(_hashes(terms), _kind_weights(terms) * rarity)


def document_vector(text: str) -> Vectors:
    """The unit vector of a document, from its text alone."""
    counts = Counter(search_terms(text))
    if not counts:
        return np.zeros(SIZE, dtype=np.float32)
    terms = tuple(counts)
    times = np.fromiter(counts.values(), dtype=np.float64, count=len(terms))
    saturated = times * (SATURATION + 1) / (times + SATURATION)
    rarity = np.fromiter(map(_rarity, terms), dtype=np.float64, count=len(terms))
    return _projected(_hashes(terms), _kind_weights(terms) * saturated * rarity**RARITY_POWER)


def _projected(hashes: NDArray[np.uint64], weights: NDArray[np.float64]) -> Vectors:
    """A signed projection of weighted terms onto the nested dimensions, of length one."""
    order = np.argsort(hashes, kind="stable")  # one order of adding up, whatever the text's
    hashes, weights = hashes[order], weights[order]
    vector = np.empty(SIZE, dtype=np.float64)
    for number, (start, end) in enumerate(pairwise(EDGES)):
        mixed = _mixed(hashes, number)
        place = ((mixed >> np.uint64(1)) % np.uint64(end - start)).astype(np.intp)
        signed = np.where(mixed & np.uint64(1), weights, -weights)
        block = np.bincount(place, weights=signed, minlength=end - start)
        vector[start:end] = block * math.sqrt((end - start) / SIZE)
    length = float(np.linalg.norm(vector))
    return (vector / length if length else vector).astype(np.float32)


def _mixed(hashes: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
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
    """Per mille of sample sections that hold a common term."""
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
