"""What turns text into vectors, behind one interface.

An embedder makes document vectors that depend on the text alone, so that they can be cached
by content. What depends on the whole corpus (weights of rare terms, a rotation) lives in the
``Space`` it fits to a corpus: a matrix to search and a way to bring a query into it.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Space(Protocol):
    """Documents and queries in one vector space, nested: every prefix is a coarser embedding."""

    @property
    def matrix(self) -> Vectors:
        """A row for each document."""

    async def query(self, text: str) -> Vectors:
        """The vector of a query."""


@runtime_checkable
class UsesFrequencies(Protocol):
    """A space whose queries weight terms by how many documents hold them."""

    def use_frequencies(self, frequency: Callable[[str], int]) -> None:
        """Take the frequencies of the corpus."""


@runtime_checkable
class HasCentre(Protocol):
    """A space whose vectors have so much in common that any two look alike."""

    @property
    def centre(self) -> Vectors | None:
        """What to take off two queries before they are compared; ``None``: nothing."""


class Embedder(Protocol):
    """Makes vectors. ``identity`` changes whenever the vectors would."""

    @property
    def identity(self) -> str:
        """Stored with the vectors."""

    @property
    def size(self) -> int:
        """The whole dimension."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """A row for each document text."""

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The space of a corpus whose vectors these are."""

    async def close(self) -> None:
        """Release what it holds."""
