"""The interfaces of embedders and of the vector spaces they make.

An embedder makes vectors of documents that depend on the text only, so that they can be cached by
content. Everything that depends on the whole corpus (weights of rare terms, a rotation) is in the
``Space`` that the embedder makes for a corpus: a matrix to search, and a method that turns a
query into a vector of the same space.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Space(Protocol):
    """The vector space of a corpus and its queries, in which every prefix is a coarser embedding."""

    @property
    def matrix(self) -> Vectors:
        """The vectors of the documents, one per row."""

    async def query(self, text: str) -> Vectors:
        """Return the vector of a query."""


@runtime_checkable
class UsesFrequencies(Protocol):
    """A space that weights the terms of a query by how many documents contain them."""

    def use_frequencies(self, frequency: Callable[[str], int]) -> None:
        """Set ``frequency``, which returns how many documents of the corpus contain a term."""


@runtime_checkable
class HasCentre(Protocol):
    """A space whose vectors share a large common part, so that any two of them look similar."""

    @property
    def centre(self) -> Vectors | None:
        """The vector to subtract from two queries before they are compared; None for nothing."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> str:
        """Stored with the vectors; it changes whenever the vectors could change."""

    @property
    def size(self) -> int:
        """The dimension of the vectors."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of documents, one per row."""

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The space of a corpus with these texts and their vectors."""

    async def close(self) -> None:
        """Release connections and other resources."""
