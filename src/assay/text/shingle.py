"""Texts that say almost the same: MinHash and locality-sensitive hashing.

A text is the set of its shingles: pairs of characters in Chinese; words, stemmed, and pairs of
them in other languages. ``ROWS · BANDS`` hash functions give the smallest hash of a set each. Two
sets agree in one of these with the probability of their Jaccard similarity (Broder, 1997), so
texts that agree in all rows of a band are compared. A pair with a similarity of 0.75 is
compared with a probability of 0.998. In a band, a text is compared with its ``WINDOW``
neighbours only: so many alike texts, as templates give them, do not make the time quadratic.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.text.language import language

BANDS: Final = 24
ROWS: Final = 5
WINDOW: Final = 8
SIMILAR: Final = 0.75
_ROUGHLY: Final = 0.6
"""The least share of equal hashes at which the sets themselves are compared."""
_BLOCK: Final = 4096

Shingles = NDArray[np.uint32]


def shingles(text: str, words: Sequence[str]) -> Shingles:
    """The hashes of the shingles of a text with these words, sorted.

    >>> a, b = shingles("合同何时终止？", []), shingles("合同何时终止", [])
    >>> bool((a == b).all()), len(a)
    (True, 5)
    """
    if language(text) == "zh":
        signs = [sign for sign in text.casefold() if sign.isalnum()]
        parts: Iterable[str] = map("".join, pairwise(signs))
    else:
        parts = (*words, *map(" ".join, pairwise(words)))
    hashes = {zlib.crc32(part.encode("utf-8", "surrogatepass")) for part in parts}
    return np.array(sorted(hashes), dtype=np.uint32)


def jaccard(left: Shingles, right: Shingles) -> float:
    """The share of the shingles of both that are in both; 0.0 if there are none."""
    shared = len(np.intersect1d(left, right, assume_unique=True))
    total = len(left) + len(right) - shared
    return shared / total if total else 0.0


def similar_pairs(sets: Sequence[Shingles]) -> Iterator[tuple[int, int, float]]:
    """The pairs of sets with a similarity of at least ``SIMILAR``, each once, in order."""
    signatures = _signatures(sets)
    pairs = _candidates(signatures)
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        agreement = (signatures[block[:, 0]] == signatures[block[:, 1]]).mean(axis=1)
        for first, second in block[agreement >= _ROUGHLY].tolist():
            similarity = jaccard(sets[first], sets[second])
            if similarity >= SIMILAR:
                yield first, second, similarity


def _signatures(sets: Sequence[Shingles]) -> NDArray[np.uint32]:
    rng = np.random.default_rng(20_240_901)  # the same functions in every run
    factors = rng.integers(1, 2**63, BANDS * ROWS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    shifts = rng.integers(0, 2**63, BANDS * ROWS, dtype=np.uint64)
    out = np.full((len(sets), BANDS * ROWS), 2**32 - 1, dtype=np.uint32)
    for start in range(0, len(sets), _BLOCK):
        block = [
            (number, each) for number, each in enumerate(sets[start : start + _BLOCK]) if len(each)
        ]
        if not block:
            continue
        flat = np.concatenate([each for _, each in block]).astype(np.uint64)
        ends = np.cumsum([len(each) for _, each in block])
        firsts = np.concatenate(([0], ends[:-1]))
        rows = start + np.array([number for number, _ in block])
        for column in range(BANDS * ROWS):
            hashed = (flat * factors[column] + shifts[column]) >> np.uint64(32)
            out[rows, column] = np.minimum.reduceat(hashed, firsts)
    return out


def _candidates(signatures: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The pairs to compare, each once, sorted."""
    count = len(signatures)
    filled = np.flatnonzero(signatures.min(axis=1) < 2**32 - 1) if count else np.arange(0)
    found = [np.empty(0, dtype=np.int64)]
    for band in range(BANDS):
        part = signatures[filled, band * ROWS : (band + 1) * ROWS].astype(np.uint64)
        keys = np.zeros(len(filled), dtype=np.uint64)
        for column in range(ROWS):
            keys = keys * np.uint64(0x9E3779B97F4A7C15) + part[:, column]
        order = np.argsort(keys, kind="stable")
        for step in range(1, min(WINDOW, len(filled) - 1) + 1):
            same = keys[order[:-step]] == keys[order[step:]]
            first, second = filled[order[:-step][same]], filled[order[step:][same]]
            found.append(first * np.int64(count) + second)
        found = [np.unique(np.concatenate(found))]
    return np.stack((found[0] // max(count, 1), found[0] % max(count, 1)), axis=1)
