"""The reference pipeline as a system under test: one shared index for all variants.

The index is built once, before the first question is timed (``prepare``); vectors come from
the store on disk where they are known.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from assay.config import ReferenceConfig, nearest
from assay.data.corpus import Corpus, load_corpus
from assay.errors import DatasetError, SystemLoadError, UseError
from assay.rag.embed import (
    E5Embedder,
    Embedder,
    HashedEmbedder,
    ModelEmbedder,
    OnnxEmbedder,
    SentenceTransformersEmbedder,
    Vectors,
    VectorStore,
)
from assay.rag.generate import Generator, PromptedGenerator
from assay.rag.generate.extractive import ExtractiveGenerator
from assay.rag.pipeline import Pipeline
from assay.rag.search import IndexKind, SearchIndex, usearch_library
from assay.rag.settings import ONLY_WHEN, SEARCH_DIMS, PipelineSettings, read_settings
from assay.records import Answer, Question, digest
from assay.systems.context import SystemContext, model_client
from assay.systems.protocol import Setting

CHUNKS = "chunks/manifest.json"
VECTORS = "embeddings"

EARLY = {
    "expand": ("query_fusion_enabled", ("query_variants_count",)),
    "hypothesise": ("hyde_enabled", ("hyde_max_words",)),
}
"""Roles whose call depends on the question and a few settings alone, and their switch."""

ALIASES = {
    "search_dim": ("dim", "mrl_dimension"),
    "drift_filter_enabled": ("drift_filter",),
    "query_fusion_enabled": ("multi_query", "query_fusion"),
    "hyde_enabled": ("hyde",),
    "rrf_enabled": ("rrf",),
    "llm_rerank_enabled": ("llm_rerank",),
    "repack_strategy": ("repack",),
}
"""Short names that experiment files use for a setting."""


class ReferenceSystem:
    """Answers from a corpus with the reference pipeline."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder,
        generator: Generator,
        *,
        store: VectorStore | None = None,
        index: IndexKind = "exact",
    ) -> None:
        if not corpus.chunks:
            raise DatasetError("the corpus is empty: there is nothing to search")
        if index == "usearch":
            usearch_library()  # a missing extra is said now, not after the corpus is embedded
        self._corpus = corpus
        self._embedder = embedder
        self._generator = generator
        self._store = store
        self._index_kind: IndexKind = index
        self._dims: set[int | None] = set()
        self._pipeline: Pipeline | None = None
        self._preparing = asyncio.Lock()

    @property
    def identity(self) -> str:
        """The corpus, the embedder, the generator, and the index if it may miss something."""
        return (
            f"reference:{self._corpus.sha256[:12]}:"
            f"{self._embedder.identity}:{self._generator.identity}"
            f"{':usearch' if self._index_kind == 'usearch' else ''}"
        )

    @property
    def corpus_sha256(self) -> str:
        """The hash of what is searched."""
        return self._corpus.sha256

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Every switch of the pipeline, with its choices and what it depends on."""
        try:
            size = self._embedder.size
        except UseError:  # a model behind an address tells its size with its first vectors
            size = SEARCH_DIMS[-1]
        return declared_settings(size)

    @property
    def max_concurrency(self) -> int | None:
        """One where all the work is this process's own; no bound where models are called.

        Side by side, questions that only compute wait for each other, and each one's latency
        would be the others'.
        """
        calls_models = self._generator.makes_calls or isinstance(self._embedder, ModelEmbedder)
        return None if calls_models else 1

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse values out of bounds; remember the dimension, for ``prepare`` to make it ready."""
        self._dims.add(read_settings(settings).search_dim)

    async def prepare(self) -> None:
        """Embed what is not known yet and build the index, off the event loop where it is long."""
        async with self._preparing:
            if self._pipeline is None:
                texts = [index_text(chunk.heading, chunk.text) for chunk in self._corpus.chunks]
                if self._store is not None:
                    vectors = await self._store.vectors(texts, self._embedder)
                else:
                    vectors = await self._embedder.embed(texts)
                index = await asyncio.to_thread(self._build, texts, vectors)
                self._pipeline = Pipeline(self._corpus.chunks, index, self._generator)

    def _build(self, texts: list[str], vectors: Vectors) -> SearchIndex:
        folder = self._store.folder if self._store is not None else None
        space = self._embedder.space(texts, vectors)
        index = SearchIndex(texts, space, folder, kind=self._index_kind)
        for dim in sorted(self._dims, key=lambda dim: dim or 0):
            index.prepare(dim)
        return index

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """One question, from nothing but the corpus."""
        if self._pipeline is None:
            await self.prepare()
        assert self._pipeline is not None
        return await self._pipeline.chat(question.text, read_settings(settings), top_k)

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The model calls of a question; those of early stages are shared by most variants."""
        if not self._generator.makes_calls:
            return ()
        chosen = msgspec.to_builtins(read_settings(settings))
        effective = {name: value for name, value in chosen.items() if _matters(name, chosen)}
        signatures = []
        if not chosen["fast_mode"]:
            for role, (switch, shaping) in EARLY.items():
                if chosen[switch]:
                    signatures.append(f"{role}-{digest([chosen[name] for name in shaping])}")
            if chosen["llm_rerank_enabled"]:
                late = {"repack_strategy", "citation_style", "top_k"}
                before = {name: value for name, value in effective.items() if name not in late}
                signatures.append(f"grade-{digest(before)}")
        signatures.append(f"answer-{digest(effective)}")
        return tuple(signatures)

    async def close(self) -> None:
        """Release the embedder and the generator."""
        await self._embedder.close()
        await self._generator.close()


def index_text(heading: str | None, text: str) -> str:
    r"""What is searched of a chunk: its heading, where the text does not begin with it, and itself.

    >>> index_text("Lease › Article 3", "Rent is due on the first.")
    'Lease › Article 3\nRent is due on the first.'
    """
    return text if not heading or text.startswith(heading) else f"{heading}\n{text}"


def declared_settings(size: int) -> dict[str, Setting]:
    """The pipeline's settings as a system declares them; ``search_dim`` up to ``size``."""
    kinds: Mapping[str, Setting] = {
        "search_dim": Setting(choices=(None, *(dim for dim in SEARCH_DIMS if dim <= size))),
        "repack_strategy": Setting(choices=("reverse", "forward", "none")),
        "citation_style": Setting(choices=("index", "page")),
        "top_k": Setting(kind=int),
    }
    declared = {}
    for one in msgspec.structs.fields(PipelineSettings):
        plain = one.type if one.type in (bool, int, float) else type(one.default)
        setting = kinds.get(one.name) or Setting(kind=plain)
        declared[one.name] = msgspec.structs.replace(
            setting,
            only_when=ONLY_WHEN.get(one.name, {}),
            default=one.default,
            aliases=ALIASES.get(one.name, ()),
        )
    return declared


def load_reference(config: ReferenceConfig, around: SystemContext) -> ReferenceSystem:
    """The system that a configuration describes, over the workspace's corpus."""
    defaults = around.defaults
    embedder = _embedder(config.embedder, around)
    generator = _generator(config.generator, around)
    chunks = config.chunks_manifest or defaults.chunks_manifest or CHUNKS
    manifest = around.path(chunks, "chunks_manifest")
    if not manifest.exists():
        raise DatasetError(
            f"{manifest}: there is no corpus; make one with `assay ingest FOLDER`, "
            "or try `assay init DIR` for a workspace with samples"
        )
    vectors = config.embedding_cache_dir or defaults.embedding_cache_dir or VECTORS
    folder = around.path(vectors, "embedding_cache_dir")
    return ReferenceSystem(
        load_corpus(manifest),
        embedder,
        generator,
        store=VectorStore(folder),
        index=config.index,
    )


def _embedder(spec: str, around: SystemContext) -> Embedder:
    kind, _, rest = spec.partition(":")
    match kind:
        case "hashed":
            return HashedEmbedder()
        case "openai":
            return ModelEmbedder(model_client(rest, around))
        case "e5":
            return E5Embedder()
        case "onnx":
            return OnnxEmbedder(around.path(rest, "embedder"))
        case "sentence-transformers":
            return SentenceTransformersEmbedder(around.path(rest, "embedder"))
        case _:
            known = ("hashed", "e5", "openai:MODEL", "onnx:FOLDER", "sentence-transformers:FOLDER")
            raise SystemLoadError(f"there is no embedder {spec!r}{nearest(spec, known)}")


def _generator(spec: str, around: SystemContext) -> Generator:
    kind, _, rest = spec.partition(":")
    match kind:
        case "extractive":
            return ExtractiveGenerator()
        case "openai":
            return PromptedGenerator(model_client(rest, around))
        case _:
            known = ("extractive", "openai:MODEL")
            raise SystemLoadError(f"there is no generator {spec!r}{nearest(spec, known)}")


def _matters(name: str, chosen: Mapping[str, Any]) -> bool:
    needed = ONLY_WHEN.get(name, {})
    return all(chosen[other] == value for other, value in needed.items())
