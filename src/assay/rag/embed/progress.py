"""Who is told how far the embedding of a corpus is."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, TypeAlias

EmbeddingProgress: TypeAlias = Callable[[int, int], None]

EMBEDDING_PROGRESS: Final[ContextVar[EmbeddingProgress | None]] = ContextVar(
    "EMBEDDING_PROGRESS", default=None
)
"""Called with the number of texts that are embedded, and of all that must be. By default, a line is
written to standard error every few seconds."""
