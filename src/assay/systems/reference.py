"""The reference pipeline as a system under test; all variants share one index.

``prepare`` builds the index once, before the first question is timed. Vectors that are already in
the store on disk are not computed again.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from assay.checks.retrieval import span_match
from assay.config.system import ModelConfig, ReferenceConfig
from assay.data.corpus.chunk import Chunk, Corpus, corpus_path, load_corpus
from assay.data.corpus.recut import (
    Cut,
    changed_documents,
    changed_notes,
    ingested_cut,
    recut_corpus,
)
from assay.errors import DatasetError, SystemLoadError, UseError
from assay.mask import learn_values, private_folder
from assay.models.client import OpensConnections
from assay.rag.dense import usearch_library
from assay.rag.embed.endpoint import ModelEmbedder
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.embed.local import E5Embedder, OnnxEmbedder, SentenceTransformersEmbedder
from assay.rag.embed.protocol import Embedder, Vectors
from assay.rag.embed.store import GivenVectors, VectorStore, read_given_vectors, vector_files
from assay.rag.generate.extractive import ExtractiveGenerator
from assay.rag.generate.prompted import PromptedGenerator
from assay.rag.generate.protocol import Generator
from assay.rag.pipeline import ONLY_WHEN, SEARCH_DIMS, Pipeline, PipelineSettings, read_settings
from assay.rag.search import IndexKind, SearchIndex
from assay.records import Answer, GoldSpan, Passage, Question, digest
from assay.registry import nearest
from assay.systems.load import SystemContext, model_client
from assay.systems.protocol import Setting
from assay.text.width import counted
from assay.words.message import Message, message

# Which parts of documents a corpus has.


class CorpusSpans:
    """The texts of the chunks by document, made ready at the first question."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._texts: dict[str, str] = {}

    def holds(self, span: GoldSpan) -> bool:
        """Whether a chunk of the document covers a part of the span.

        A span without a document may be in any of them. What cannot be decided, because chunks of
        another program have no offsets, counts as held.
        """
        names = [span.source] if span.source else list(self._passages)
        wanted = "".join(span.text.split())
        if wanted and span.end is None and any(wanted in self._text(name) for name in names):
            return True
        passages = [passage for name in names for passage in self._passages.get(name, ())]
        match = span_match(span, passages)
        return match is None or match.share > 0

    @cached_property
    def _passages(self) -> dict[str, list[Passage]]:
        passages: dict[str, list[Passage]] = {}
        for chunk in self._chunks:
            passage = Passage(
                id=chunk.id, text=chunk.text, source=chunk.source, start=chunk.start, end=chunk.end
            )
            passages.setdefault(chunk.source, []).append(passage)
        return passages

    def _text(self, source: str) -> str:
        """The text of a document without white space; parts that chunks share are twice."""
        if source not in self._texts:
            texts = (passage.text for passage in self._passages.get(source, ()))
            self._texts[source] = "".join("".join(texts).split())
        return self._texts[source]


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


CUT_SETTINGS = ("chunk_tokens", "chunk_overlap", "chunker")
"""Settings that cut the documents in another way; without them, the ingested corpus is used."""


class CutCorpora:
    """The corpora that are made from the documents of one manifest, each made once."""

    def __init__(self, manifest: Path, bounds: Path | None = None) -> None:
        self._manifest = manifest
        self._bounds = bounds
        self.ingested = ingested_cut(manifest)

    def of(self, settings: PipelineSettings) -> Cut | None:
        """The cut that settings ask for; None if it is that of the ingested corpus.

        Raises ``UseError`` if the overlap is not less than the size of a chunk.
        """
        chosen = {
            "tokens": settings.chunk_tokens,
            "overlap": settings.chunk_overlap,
            "chunker": settings.chunker,
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        cut = msgspec.structs.replace(self.ingested, **given)
        if settings.chunk_overlap is None and cut.overlap >= cut.tokens:
            cut = msgspec.structs.replace(cut, overlap=cut.tokens // 8)
        if cut.overlap >= cut.tokens:
            raise UseError(
                f"chunk_overlap {cut.overlap} must be less than chunk_tokens {cut.tokens}"
            )
        return None if cut == self.ingested else cut

    def read(self, cut: Cut) -> Corpus:
        """The corpus of a cut."""
        return recut_corpus(self._manifest, cut, self._bounds)


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
        notes: Sequence[Message | str] = (),
        cuts: CutCorpora | None = None,
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
        self._cuts = cuts
        self._spans = CorpusSpans(corpus.chunks)
        self._dims: dict[Cut | None, set[int | None]] = {}
        self._pipelines: dict[Cut | None, Pipeline] = {}
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
    def notes(self) -> Sequence[Message | str]:
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
    def sources(self) -> Collection[str]:
        """The names of the documents of the corpus."""
        return frozenset(chunk.source for chunk in self._corpus.chunks)

    def holds_span(self, span: GoldSpan) -> bool:
        """Whether some chunk can cover a part of the span."""
        return self._spans.holds(span)

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Every setting of the pipeline, with its choices and the settings it depends on."""
        ingested = self._cuts.ingested if self._cuts is not None else None
        return declared_settings(known_size(self._embedder) or SEARCH_DIMS[-1], ingested)

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
        chosen = read_settings(settings)
        self._dims.setdefault(self._cut(chosen), set()).add(chosen.search_dim)

    def _cut(self, settings: PipelineSettings) -> Cut | None:
        """How the documents are cut with these settings; None for the corpus as it is."""
        if all(getattr(settings, name) is None for name in CUT_SETTINGS):
            return None
        if self._cuts is None:
            raise UseError(f"{', '.join(CUT_SETTINGS)} need a corpus that assay ingest made")
        return self._cuts.of(settings)

    async def prepare(self) -> None:
        """Embed the texts without stored vectors and build the index of each cut.

        Indexes are built in a thread, so that the event loop is not blocked.
        """
        for cut in self._dims or (None,):
            await self._prepare(cut)

    async def _prepare(self, cut: Cut | None) -> Pipeline:
        async with self._preparing:
            if cut not in self._pipelines:
                corpus = self._corpus
                if cut is not None and self._cuts is not None:
                    corpus = await asyncio.to_thread(self._cuts.read, cut)
                texts = [index_text(chunk.heading, chunk.text) for chunk in corpus.chunks]
                vectors = await (self._vectors(texts) if cut is None else self._embed(texts))
                index = await asyncio.to_thread(self._build, texts, vectors, cut)
                self._pipelines[cut] = Pipeline(corpus.chunks, index, self._generator)
        return self._pipelines[cut]

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

    def _build(self, texts: list[str], vectors: Vectors, cut: Cut | None) -> SearchIndex:
        folder = self._store.folder if self._store is not None else None
        space = self._embedder.space(texts, vectors)
        index = SearchIndex(texts, space, folder, kind=self._index_kind)
        for dim in sorted(self._dims.get(cut, ()), key=lambda dim: dim or 0):
            index.prepare(dim)
        return index

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer one question from the corpus; builds the index first if that is not done."""
        chosen = read_settings(settings)
        cut = self._cut(chosen)
        pipeline = self._pipelines.get(cut) or await self._prepare(cut)
        return await pipeline.chat(question.text, chosen, top_k)

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


def declared_settings(size: int, ingested: Cut | None = None) -> dict[str, Setting]:
    """The declarations of the pipeline's settings; ``search_dim`` offers values up to ``size``.

    ``ingested`` says how the corpus was cut. The settings that cut it in another way are passed
    only if a variant names them, so that runs without them stay what they were.
    """
    cut = ingested or Cut()
    cuts: Mapping[str, Setting] = {
        "chunk_tokens": Setting(kind=int, initial=cut.tokens),
        "chunk_overlap": Setting(kind=int, initial=cut.overlap),
        "chunker": Setting(choices=("headings", "plain"), initial=cut.chunker),
    }
    special: Mapping[str, Setting] = {
        "search_dim": Setting(choices=(None, *(dim for dim in SEARCH_DIMS if dim <= size))),
        "repack_strategy": Setting(choices=("reverse", "forward", "none"), order_only=True),
        "citation_style": Setting(choices=("index", "page")),
        "top_k": Setting(kind=int),
    }
    declared = {}
    for field in msgspec.structs.fields(PipelineSettings):
        if field.name in cuts:
            declared[field.name] = cuts[field.name]
            continue
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


# Loading the reference pipeline that a configuration describes.

CHUNKS = "chunks/manifest.json"
VECTORS = "embeddings"


def load_reference(config: ReferenceConfig, context: SystemContext) -> ReferenceSystem:
    """Load the system that a configuration describes, with the workspace's corpus.

    Raises ``DatasetError`` if there is no corpus.
    """
    defaults = context.defaults
    embedder = _load_embedder(config.embedder, context)
    generator = _load_generator(config.generator, context)
    chunks = config.chunks_manifest or defaults.chunks_manifest or CHUNKS
    manifest = corpus_path(context.path(chunks, "chunks_manifest"))
    if not manifest.exists():
        raise DatasetError(
            f"{manifest}: there is no corpus; create one with `assay ingest FOLDER`, "
            "or create a workspace with samples with `assay init DIR`"
        )
    vectors = config.embedding_cache_dir or defaults.embedding_cache_dir or VECTORS
    folder = context.path(vectors, "embedding_cache_dir")
    corpus = load_corpus(manifest, context.bounds_of(manifest))
    learn_values(chunk.text for chunk in corpus.chunks)
    files = vector_files(folder, corpus.files)
    is_named = config.embedder != ReferenceConfig().embedder
    given = read_given_vectors(folder, corpus.files, known_size(embedder)) if is_named else None
    return ReferenceSystem(
        corpus,
        embedder,
        generator,
        store=VectorStore(private_folder(folder)),
        index=config.index,
        given=given,
        notes=[
            *([_unused_line(files)] if files and not is_named else ()),
            *changed_notes(changed_documents(manifest, context.bounds, recent=True)),
        ],
        cuts=CutCorpora(manifest, context.bounds),
    )


def _unused_line(files: Sequence[Path]) -> Message | str:
    names = ", ".join(path.name for path in files[:3]) + (" …" if len(files) > 3 else "")
    return message(
        "{files} of vectors in {parent} not used ({names}): the configuration does not name the embedder that made them (systems: embedder)",
        files=counted(len(files), "file"),
        parent=files[0].parent,
        names=names,
    )


def _load_embedder(spec: str, context: SystemContext) -> Embedder:
    kind, _, rest = spec.partition(":")
    match kind:
        case "hashed":
            return HashedEmbedder()
        case "openai":
            return ModelEmbedder(model_client(rest, context))
        case "e5":
            return E5Embedder()
        case "onnx":
            return OnnxEmbedder(context.path(rest, "embedder"))
        case "sentence-transformers":
            return SentenceTransformersEmbedder(context.path(rest, "embedder"))
        case _:
            known = ("hashed", "e5", "openai:MODEL", "onnx:FOLDER", "sentence-transformers:FOLDER")
            raise SystemLoadError(f"there is no embedder {spec!r}{nearest(spec, known)}")


def _load_generator(spec: str, context: SystemContext) -> Generator:
    kind, _, rest = spec.partition(":")
    match kind:
        case "extractive":
            return ExtractiveGenerator()
        case "openai":
            return PromptedGenerator(model_client(rest, context))
        case _:
            known = ("extractive", "openai:MODEL")
            raise SystemLoadError(f"there is no generator {spec!r}{nearest(spec, known)}")
