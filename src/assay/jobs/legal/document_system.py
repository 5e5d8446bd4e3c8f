"""Load the system that a benchmark asks; the reference pipeline gets an index per document.

A question of a benchmark is about one document, so the pipeline searches only this document.
Any other system gets the question unchanged; a system that uses assay's protocol finds the
name of the document in ``Question.source``.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from assay.config.system import ReferenceConfig
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk
from assay.data.corpus.chunker import chunk_document
from assay.data.corpus.corpus_files import write_corpus
from assay.data.document.document import Document, Page
from assay.errors import DatasetError, SystemFailed
from assay.jobs.legal.handler import PagedSource
from assay.mask import private_path
from assay.records import Answer, Question, digest
from assay.registry import load_object
from assay.systems.load import SystemContext, load_system
from assay.systems.protocol import ChecksSettings, CountsCalls, Prepares, Setting, System, WarmsUp

FOLDER: Final = ".assay/bench"
"""The folder of the workspace for the chunks; each document is named by its hash."""

TOKENS: Final = 80
"""The most tokens of a chunk; small, so that a citation is a few sentences and not a page."""


def load_bench_system(
    spec: str, documents: Mapping[str, PagedSource], context: SystemContext, workspace: Workspace
) -> System:
    """Load the system that ``spec`` names.

    For a reference pipeline, the chunks of the benchmark's documents are written to the
    workspace, and the pipeline searches them.
    """
    config = _reference_config(spec, context)
    if config is None:
        return load_system(spec, context)
    configs: dict[str, ReferenceConfig] = {}
    for name, source in documents.items():
        folder = f"{FOLDER}/{source.sha256[:16]}"
        write_corpus(private_path(workspace.root / folder / "chunks"), paged_chunks(source))
        configs[name] = replace(
            config,
            chunks_manifest=f"{folder}/chunks/manifest.json",
            embedding_cache_dir=f"{folder}/embeddings",
        )
    system = load_by_document(configs, context)
    if context.cluster is None:
        return system
    # imported only for --on ray
    on_workers: Callable[..., System] = load_object("assay.systems.cluster.system:on_workers")
    return on_workers(system, context, "assay.jobs.legal.document_system:load_by_document", configs)


def load_by_document(
    configs: Mapping[str, ReferenceConfig], context: SystemContext
) -> "ByDocument":
    """The pipelines that these configurations describe, one for each document."""
    # NumPy takes 0.1 s to import, and only this system needs it
    from assay.systems.reference import load_reference  # noqa: PLC0415

    return ByDocument({name: load_reference(config, context) for name, config in configs.items()})


def is_reference(spec: str, context: SystemContext) -> bool:
    """Whether ``spec`` is ``reference`` or the name of a configured reference pipeline."""
    return _reference_config(spec, context) is not None


def _reference_config(spec: str, context: SystemContext) -> ReferenceConfig | None:
    """The configuration of a reference pipeline; ``None`` if ``spec`` names another system."""
    config = context.systems.get(spec)
    if config is None and spec.partition(":")[0] == "reference":
        return ReferenceConfig()
    return config if isinstance(config, ReferenceConfig) else None


def paged_chunks(source: PagedSource) -> list[Chunk]:
    """The chunks of a document. Each is on one page only, because it is cited by its page.

    The chunks of a document without page marks have no page.

    Raises:
        DatasetError: The document contains no text, or there is no document.
    """
    if not source.sha256:
        raise DatasetError(
            f"{source.path}: was not found, and the reference pipeline has nothing to search "
            "without it; name another system with --system"
        )
    name = f"{source.sha256[:16]}{source.path.suffix}"
    chunks: dict[str, Chunk] = {}
    for number, text in enumerate(source.pages, 1):
        page_number = number if source.has_page_marks else None
        page = Document(name=name, pages=(Page(number=page_number, text=text),))
        for chunk in chunk_document(page, tokens=TOKENS, overlap=0):
            # two pages may contain the same text, for example a heading or a form
            chunk_id = f"{chunk.id}-p{number}" if chunk.id in chunks else chunk.id
            chunks[chunk_id] = replace(chunk, id=chunk_id, prev=None, next=None)
    if not chunks:
        raise DatasetError(f"{source.path}: contains no text")
    return list(chunks.values())


class ByDocument:
    """Equal systems, one for each document; ``Question.source`` says which one is asked."""

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = dict(systems)
        self._first = next(iter(self._systems.values()))

    @property
    def identity(self) -> str:
        """The identity of the only system, or a digest of all identities if there are several."""
        names = sorted(system.identity for system in self._systems.values())
        if len(names) == 1:
            return names[0]
        head = names[0].partition(":")[0]
        return f"{head}:{len(names)} documents:{digest(names)}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings, which are the same for all systems."""
        return self._first.settings

    @property
    def max_concurrency(self) -> int | None:
        """The limit of each system."""
        return self._first.max_concurrency

    def check(self, settings: Mapping[str, Any]) -> None:
        """Let each system check the values and prepare what it needs for them."""
        for system in self._systems.values():
            if isinstance(system, ChecksSettings):
                system.check(settings)

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The model calls that one question needs; they are the same for all systems."""
        return self._first.calls(settings) if isinstance(self._first, CountsCalls) else ()

    async def prepare(self) -> None:
        """Prepare all systems one after another; each is small."""
        for system in self._systems.values():
            if isinstance(system, Prepares):
                await system.prepare()

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Let each system do what it can before the first question."""
        for system in self._systems.values():
            if isinstance(system, WarmsUp):
                await system.warm_up(settings, concurrency)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Ask the system of the question's document."""
        system = self._systems.get(question.source or "")
        if system is None:
            raise SystemFailed(f"question {question.id!r} names no document of the benchmark")
        return await system.ask(question, settings, top_k)

    async def close(self) -> None:
        """Close all systems."""
        await asyncio.gather(*(system.close() for system in self._systems.values()))
