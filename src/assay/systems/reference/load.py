"""Loading the reference pipeline that a configuration describes."""

import sys
from collections.abc import Sequence
from pathlib import Path

from assay.config import ReferenceConfig, nearest
from assay.data.corpus import corpus_path, load_corpus
from assay.errors import DatasetError, SystemLoadError
from assay.mask import learn_values, private_folder
from assay.rag.embed import (
    E5Embedder,
    Embedder,
    HashedEmbedder,
    ModelEmbedder,
    OnnxEmbedder,
    SentenceTransformersEmbedder,
    VectorStore,
    read_given_vectors,
    vector_files,
)
from assay.rag.generate import Generator, PromptedGenerator
from assay.rag.generate.extractive import ExtractiveGenerator
from assay.systems.context import SystemContext, model_client
from assay.systems.reference.system import CutCorpora, ReferenceSystem, known_size
from assay.text import counted
from assay.words import say

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
        store=VectorStore(private_folder(folder), tell=_tell_embedded),
        index=config.index,
        given=given,
        notes=[_unused_line(files)] if files and not is_named else (),
        cuts=CutCorpora(manifest, context.bounds),
    )


def _tell_embedded(done: int, total: int) -> None:
    """Say how far the first reading of a large corpus is."""
    line = say("{done} of {total} passages embedded", done=f"{done:,}", total=f"{total:,}")
    sys.stderr.write(f"{line}\n")


def _unused_line(files: Sequence[Path]) -> str:
    names = ", ".join(path.name for path in files[:3]) + (" …" if len(files) > 3 else "")
    return (
        f"{counted(len(files), 'file')} of vectors in {files[0].parent} not used ({names}): the "
        "configuration does not name the embedder that made them (systems: embedder)"
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
