"""The reference pipeline as a system under test; all variants share one index.

``prepare`` builds the index once, before the first question is timed. Vectors that are already in
the store on disk are not computed again.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from assay.config import ModelConfig
from assay.data.corpus import Corpus
from assay.errors import DatasetError, UseError
from assay.models import OpensConnections
from assay.rag.embed import (
    Embedder,
    GivenVectors,
    ModelEmbedder,
    Vectors,
    VectorStore,
)
from assay.rag.generate import Generator
from assay.rag.pipeline import Pipeline
from assay.rag.search import IndexKind, SearchIndex, usearch_library
from assay.rag.settings import ONLY_WHEN, SEARCH_DIMS, PipelineSettings, read_settings
from assay.records import Answer, Question, digest
from assay.systems.protocol import Setting

EARLY = {
    "expand": ("query_fusion_enabled", ("query_variants_count",)),
    "hypothesise": ("hyde_enabled", ("hyde_max_words",)),
}
"""Roles whose model call depends only on the question and a few settings.

Each role has the setting that switches it on, and the settings that affect the call.
"""

ALIASES = {
    "search_dim": ("dim", "mrl_dimension"),
    "drift_filter_enabled": ("drift_filter",),
    "query_fusion_enabled": ("multi_query", "query_fusion"),
    "hyde_enabled": ("hyde",),
    "rrf_enabled": ("rrf",),
    "llm_rerank_enabled": ("llm_rerank",),
    "repack_strategy": ("repack",),
}
"""Short names of settings for use in experiment files."""


class ReferenceSystem:
    """Answers questions from a corpus with the reference pipeline."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder,
        generator: Generator,
        *,
        store: VectorStore | None = None,
        index: IndexKind = "exact",
        given: GivenVectors | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        if not corpus.chunks:
            raise DatasetError("the corpus is empty: there is nothing to search")
        if index == "usearch":
            usearch_library()  # a missing library is reported before the corpus is embedded
        self._corpus = corpus
        self._embedder = embedder
        self._generator = generator
        self._store = store
        self._index_kind: IndexKind = index
        self._given = given or GivenVectors()
        self._notes = (*notes, *self._given.problems)
        self._dims: set[int | None] = set()
        self._pipeline: Pipeline | None = None
        self._preparing = asyncio.Lock()

    @property
    def identity(self) -> str:
        """The corpus, the embedder, the generator, and the index if it is approximate.

        Vectors that were given and not made by the embedder belong to it too.
        """
        return (
            f"reference:{self._corpus.sha256[:12]}:"
            f"{self._embedder.identity}:{self._generator.identity}"
            f"{':usearch' if self._index_kind == 'usearch' else ''}"
            f"{f':vectors-{self._given.sha256[:12]}' if self._given.sha256 else ''}"
        )

    @property
    def notes(self) -> Sequence[str]:
        """Which given vectors are not used, and why."""
        return self._notes

    @property
    def corpus_sha256(self) -> str:
        """The hash of the corpus that is searched."""
        return self._corpus.sha256

    @property
    def chunk_ids(self) -> Collection[str]:
        """The ids of all chunks of the corpus."""
        return frozenset(chunk.id for chunk in self._corpus.chunks)

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Every setting of the pipeline, with its choices and the settings it depends on."""
        return declared_settings(known_size(self._embedder) or SEARCH_DIMS[-1])

    @property
    def max_concurrency(self) -> int | None:
        """1 if no model is called, otherwise None.

        Simultaneous questions that only compute would wait for each other, and the latency of
        each would include the time of the others.
        """
        calls_models = self._generator.makes_calls or isinstance(self._embedder, ModelEmbedder)
        return None if calls_models else 1

    @property
    def model_config(self) -> ModelConfig | None:
        """The model of the prompted roles, for estimates; ``None`` if they are not prompted."""
        return getattr(self._generator, "model_config", None)

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise ``UseError`` for values out of range; note the dimension for ``prepare``."""
        self._dims.add(read_settings(settings).search_dim)

    async def prepare(self) -> None:
        """Embed the texts without stored vectors and build the index.

        The index is built in a thread, so that the event loop is not blocked.
        """
        async with self._preparing:
            if self._pipeline is None:
                texts = [index_text(chunk.heading, chunk.text) for chunk in self._corpus.chunks]
                vectors = await self._vectors(texts)
                index = await asyncio.to_thread(self._build, texts, vectors)
                self._pipeline = Pipeline(self._corpus.chunks, index, self._generator)

    async def _vectors(self, texts: list[str]) -> Vectors:
        """The vectors of all chunks: those that were given, the stored ones, and new ones."""
        if self._given.size is None:
            return await self._embed(texts)
        missing = self._given.missing(len(texts))
        made = await self._embed([texts[number] for number in missing or (0,)])
        if made.shape[1] != self._given.size:
            raise UseError(
                f"the given vectors have {self._given.size} dimensions, but {self._embedder.identity} "
                f"makes {made.shape[1]}; name the embedder that made them, or remove the files"
            )
        return self._given.complete(len(texts), missing, made)

    async def _embed(self, texts: list[str]) -> Vectors:
        if self._store is not None:
            return await self._store.vectors(texts, self._embedder)
        return await self._embedder.embed(texts)

    def _build(self, texts: list[str], vectors: Vectors) -> SearchIndex:
        folder = self._store.folder if self._store is not None else None
        space = self._embedder.space(texts, vectors)
        index = SearchIndex(texts, space, folder, kind=self._index_kind)
        for dim in sorted(self._dims, key=lambda dim: dim or 0):
            index.prepare(dim)
        return index

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer one question from the corpus; builds the index first if that is not done."""
        if self._pipeline is None:
            await self.prepare()
        assert self._pipeline is not None
        return await self._pipeline.chat(question.text, read_settings(settings), top_k)

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The model calls of a question; most variants share the calls of the early stages."""
        if not self._generator.makes_calls:
            return ()
        chosen = msgspec.to_builtins(read_settings(settings))
        effective = {name: value for name, value in chosen.items() if _has_effect(name, chosen)}
        signatures = []
        if not chosen["fast_mode"]:
            for role, (switch, names) in EARLY.items():
                if chosen[switch]:
                    signatures.append(f"{role}-{digest([chosen[name] for name in names])}")
            if chosen["llm_rerank_enabled"]:
                late = {"repack_strategy", "citation_style", "top_k"}
                before = {name: value for name, value in effective.items() if name not in late}
                signatures.append(f"grade-{digest(before)}")
        signatures.append(f"answer-{digest(effective)}")
        return tuple(signatures)

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Open the connections of the models."""
        for part in (self._embedder, self._generator):
            if isinstance(part, OpensConnections):
                await part.open_connections(concurrency)

    async def close(self) -> None:
        """Release the embedder and the generator."""
        await self._embedder.close()
        await self._generator.close()


def index_text(heading: str | None, text: str) -> str:
    r"""The text under which a chunk is searched: its heading and its text.

    The heading is left out if the text already begins with it.

    >>> index_text("Lease › Article 3", "Rent is due on the first.")
    'Lease › Article 3\nRent is due on the first.'
    """
    return text if not heading or text.startswith(heading) else f"{heading}\n{text}"


def declared_settings(size: int) -> dict[str, Setting]:
    """The declarations of the pipeline's settings; ``search_dim`` offers values up to ``size``."""
    special: Mapping[str, Setting] = {
        "search_dim": Setting(choices=(None, *(dim for dim in SEARCH_DIMS if dim <= size))),
        "repack_strategy": Setting(choices=("reverse", "forward", "none"), order_only=True),
        "citation_style": Setting(choices=("index", "page")),
        "top_k": Setting(kind=int),
    }
    declared = {}
    for field in msgspec.structs.fields(PipelineSettings):
        kind = field.type if field.type in (bool, int, float) else type(field.default)
        setting = special.get(field.name) or Setting(kind=kind)
        declared[field.name] = msgspec.structs.replace(
            setting,
            only_when=ONLY_WHEN.get(field.name, {}),
            default=field.default,
            aliases=ALIASES.get(field.name, ()),
        )
    return declared


def known_size(embedder: Embedder) -> int | None:
    """The dimension of an embedder's vectors; None if that is not known yet."""
    try:
        return embedder.size
    except UseError:  # the size of a remote model is known only after its first vectors
        return None


def _has_effect(name: str, chosen: Mapping[str, Any]) -> bool:
    needed = ONLY_WHEN.get(name, {})
    return all(chosen[other] == value for other, value in needed.items())
