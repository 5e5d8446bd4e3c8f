"""Embeddings from any OpenAI-compatible endpoint, through a ``ModelClient``.

The vectors of a Matryoshka model may be shortened to their first ``dimensions``. This is done
here, and the rows are scaled to length 1 again, so it works with servers that do not support the
``dimensions`` parameter. If a server supports it, it can be set in the model's ``parameters``,
which saves transfer. The search may use still shorter prefixes and normalises them itself.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec
import numpy as np

from assay.errors import SystemFailed, UseError
from assay.models.client import ModelClient
from assay.rag.embed.hashed import NestedSpace, RotatedSpace, unit_rows
from assay.rag.embed.protocol import Space, Vectors


class ModelEmbedder:
    """Makes vectors with a model on a server.

    Args:
        client: the client of the model; ``close`` closes it.
        dimensions: the number of leading dimensions to keep, ``None`` for all. Only for nested
            models.
        nested: whether the model was trained so that prefixes of its vectors are embeddings
            (Matryoshka). If not, the space is rotated (``assay.rag.embed.hashed``) so that
            they become usable.
        query_prompt: a prefix for questions, for example ``"query: "`` for the e5 models.
        document_prompt: a prefix for documents, for example ``"passage: "``.

    Raises:
        UseError: ``dimensions`` is below 1, or is set although the model is not nested.
    """

    def __init__(
        self,
        client: ModelClient,
        *,
        dimensions: int | None = None,
        nested: bool = False,
        query_prompt: str = "",
        document_prompt: str = "",
    ) -> None:
        if dimensions is not None and dimensions < 1:
            raise UseError(f"dimensions: {dimensions}: must be at least 1")
        if dimensions is not None and not nested:
            raise UseError(
                f"dimensions: {dimensions}: only vectors of a nested (Matryoshka) model can be "
                "shortened; set 'nested: true' if the model is one, or remove 'dimensions' and "
                "set search_dim"
            )
        self._client = client
        self._dimensions = dimensions
        self._nested = nested
        self._query_prompt = query_prompt
        self._document_prompt = document_prompt
        self._observed_size: int | None = None

    @property
    def identity(self) -> str:
        """Model, address, parameters, dimensions, nested or not, and the prompts."""
        shape = msgspec.json.encode(
            {
                "dimensions": self._dimensions,
                "nested": self._nested,
                "prompts": [self._query_prompt, self._document_prompt],
            }
        )
        return f"model:{self._client.identity}{shape.decode()}"

    @property
    def size(self) -> int:
        """The dimension of the vectors: ``dimensions``, or that of the first vectors received.

        Raises:
            UseError: ``dimensions`` is not set and no vector has been received yet.
        """
        size = self._dimensions or self._observed_size
        if size is None:
            raise UseError(
                f"{self._client.config.model}: its dimension is not known before the first "
                "embedding; set 'dimensions'"
            )
        return size

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a row of length 1 for each document; the batches are requested concurrently.

        Raises:
            SystemFailed: the model's vectors have fewer dimensions than ``dimensions``, or not
                all of them have the same dimension.
        """
        return await self._embed_texts([self._document_prompt + text for text in texts])

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The space of a corpus: the vectors unchanged if the model is nested, otherwise rotated."""
        self._observed_size = vectors.shape[1]
        return (NestedSpace if self._nested else RotatedSpace)(vectors, self._query)

    async def open_connections(self, count: int) -> None:
        """Open up to ``count`` of the client's connections; nothing is sent."""
        await self._client.open_connections(count)

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()

    async def _query(self, text: str) -> Vectors:
        corpus_size = self._observed_size
        row: Vectors = (await self._embed_texts([self._query_prompt + text]))[0]
        if corpus_size is not None and len(row) != corpus_size:
            self._observed_size = corpus_size
            raise SystemFailed(
                f"{self._client.config.model}: its vectors now have {len(row)} dimensions, those "
                f"of the corpus {corpus_size}: the model has changed; remove the stored vectors"
            )
        return row

    async def _embed_texts(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.size), dtype=np.float32)
        batch = self._client.config.embedding_batch
        parts = await _gather(
            [
                self._embed_batch(texts[start : start + batch])
                for start in range(0, len(texts), batch)
            ]
        )
        sizes = sorted({part.shape[1] for part in parts})
        if len(sizes) > 1:
            raise SystemFailed(
                f"{self._client.config.model}: it sent vectors of different dimensions: {sizes}"
            )
        self._observed_size = sizes[0]
        return np.concatenate(parts)

    async def _embed_batch(self, texts: list[str]) -> Vectors:
        vectors = np.asarray(await self._client.embed(texts), dtype=np.float64)
        if self._dimensions is not None and vectors.shape[1] < self._dimensions:
            raise SystemFailed(
                f"{self._client.config.model}: its vectors have {vectors.shape[1]} dimensions, "
                f"but 'dimensions' is {self._dimensions}; lower 'dimensions'"
            )
        return unit_rows(vectors[:, : self._dimensions])


async def _gather(parts: list[Coroutine[Any, Any, Vectors]]) -> list[Vectors]:
    """Run coroutines at once and return their results in order.

    If one fails, the others are cancelled, so that none is still running when this returns.
    """
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
