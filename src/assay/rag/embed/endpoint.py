"""Embeddings of any OpenAI-compatible endpoint, by a ``ModelClient``.

A model trained for it (Matryoshka) may be cut to its leading ``dimensions``; the cut is made
here and the rows are scaled to length 1 again, so it works with servers that do not know the
``dimensions`` parameter (one that does can be given it in the model's ``parameters``, which
saves transfer). Shorter prefixes than that are taken by the search, which normalises by the
prefix it uses.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec
import numpy as np

from assay.errors import SystemFailed, UseError
from assay.models import ModelClient
from assay.rag.embed.protocol import Space, Vectors
from assay.rag.embed.rotation import Nested, Rotated, unit_rows


class ModelEmbedder:
    """Vectors from a model behind an address.

    Args:
        client: the model; closed together with the embedder.
        dimensions: leading dimensions to keep, ``None`` for all. Only for nested models.
        nested: whether the model was trained so that prefixes are embeddings. If not, the
            space is rotated (``assay.rag.embed.rotation``) to make them so.
        query_prompt: put before a question, such as ``"query: "`` for the e5 family.
        document_prompt: put before a document, such as ``"passage: "``.
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
            raise UseError(f"dimensions: {dimensions}: at least 1 is needed")
        if dimensions is not None and not nested:
            raise UseError(
                f"dimensions: {dimensions}: only vectors of a model trained nested can be cut; "
                "say 'nested: true' if it was, or leave 'dimensions' out and set search_dim"
            )
        self._client = client
        self._dimensions = dimensions
        self._nested = nested
        self._query_prompt = query_prompt
        self._document_prompt = document_prompt
        self._learnt: int | None = None

    @property
    def identity(self) -> str:
        """Model, address and parameters, what is kept of the vectors, and the prompts."""
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
        """The dimensions kept; where all are, known from the first vectors seen.

        Raises:
            UseError: no vector has been seen yet.
        """
        known = self._dimensions or self._learnt
        if known is None:
            raise UseError(
                f"{self._client.config.model}: its dimension is known after the first embedding; "
                "set 'dimensions' to know it before"
            )
        return known

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each document, asked for in concurrent batches.

        Raises:
            SystemFailed: the model's vectors have fewer dimensions than are to be kept.
        """
        return await self._embedded([self._document_prompt + text for text in texts])

    def space(self, texts: Sequence[str], vectors: Vectors) -> Space:
        """The vectors as they are if the model is nested, rotated if not."""
        self._learnt = vectors.shape[1]
        return (Nested if self._nested else Rotated)(vectors, self._query)

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()

    async def _query(self, text: str) -> Vectors:
        before = self._learnt
        row: Vectors = (await self._embedded([self._query_prompt + text]))[0]
        if before is not None and len(row) != before:
            self._learnt = before
            raise SystemFailed(
                f"{self._client.config.model}: its vectors now have {len(row)} dimensions, those "
                f"of the corpus {before}: the model has changed; remove the stored vectors"
            )
        return row

    async def _embedded(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.size), dtype=np.float32)
        batch = self._client.config.embedding_batch
        parts = await _all(
            [self._part(texts[start : start + batch]) for start in range(0, len(texts), batch)]
        )
        widths = sorted({part.shape[1] for part in parts})
        if len(widths) > 1:
            raise SystemFailed(
                f"{self._client.config.model}: vectors of {widths} dimensions in one corpus"
            )
        self._learnt = widths[0]
        return np.concatenate(parts)

    async def _part(self, texts: list[str]) -> Vectors:
        vectors = np.asarray(await self._client.embed(texts), dtype=np.float64)
        if self._dimensions is not None and vectors.shape[1] < self._dimensions:
            raise SystemFailed(
                f"{self._client.config.model}: its vectors have {vectors.shape[1]} dimensions, "
                f"fewer than the {self._dimensions} to keep; lower 'dimensions'"
            )
        return unit_rows(vectors[:, : self._dimensions])


async def _all(parts: list[Coroutine[Any, Any, Vectors]]) -> list[Vectors]:
    """All results in order; the first failure ends the others, so that none outlives the call."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
