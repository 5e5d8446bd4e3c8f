"""The system that a benchmark asks; the reference pipeline has one index for each document.

A question of a benchmark is about one document, so the pipeline searches that one alone. Any
other system is asked the question as it stands; one that speaks assay's protocol finds the
document's name in ``Question.source``.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from assay.config import ReferenceConfig, Workspace
from assay.data.corpus import Chunk, chunk_document, write_corpus
from assay.data.document import Document, Page
from assay.errors import DatasetError, SystemFailed
from assay.jobs.legal.handler import PagedSource
from assay.records import Answer, Question, digest
from assay.systems import (
    ChecksSettings,
    CountsCalls,
    Prepares,
    Setting,
    System,
    SystemContext,
    load_system,
)

FOLDER: Final = ".assay/bench"
"""Where the chunks of the documents are kept in the workspace, by their content."""

TOKENS: Final = 80
"""Tokens of a chunk at most: what is cited is a few sentences, not a page."""


def load_bench_system(
    spec: str, documents: Mapping[str, PagedSource], around: SystemContext, workspace: Workspace
) -> System:
    """The system that ``spec`` names; a reference pipeline is given the benchmark's documents."""
    config = _reference(spec, around)
    if config is None:
        return load_system(spec, around)
    # NumPy takes 0.1 s to import, and only this system needs it
    from assay.systems.reference import load_reference  # noqa: PLC0415

    systems: dict[str, System] = {}
    for name, source in documents.items():
        folder = f"{FOLDER}/{source.sha256[:16]}"
        write_corpus(workspace.root / folder / "chunks", paged_chunks(source))
        own = replace(
            config,
            chunks_manifest=f"{folder}/chunks/manifest.json",
            embedding_cache_dir=f"{folder}/embeddings",
        )
        systems[name] = load_reference(own, around)
    return ByDocument(systems)


def is_reference(spec: str, around: SystemContext) -> bool:
    """Whether ``spec`` names a reference pipeline, configured or not."""
    return _reference(spec, around) is not None


def _reference(spec: str, around: SystemContext) -> ReferenceConfig | None:
    config = around.systems.get(spec)
    if config is None and spec.partition(":")[0] == "reference":
        return ReferenceConfig()
    return config if isinstance(config, ReferenceConfig) else None


def paged_chunks(source: PagedSource) -> list[Chunk]:
    """The chunks of a document, none running over a page: each is cited by the page it is on."""
    name = f"{source.sha256[:16]}{source.path.suffix}"
    chunks: dict[str, Chunk] = {}
    for number, text in enumerate(source.pages, 1):
        page = Document(name=name, pages=(Page(number=number, text=text),))
        for chunk in chunk_document(page, tokens=TOKENS, overlap=0):
            # a page may repeat what another has word for word: a heading, a form
            own = f"{chunk.id}-p{number}" if chunk.id in chunks else chunk.id
            chunks[own] = replace(chunk, id=own, prev=None, next=None)
    if not chunks:
        raise DatasetError(f"{source.path}: there is no text in it")
    return list(chunks.values())


class ByDocument:
    """Systems of one kind, one for each document; a question goes to that of its ``source``."""

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = dict(systems)
        self._first = next(iter(self._systems.values()))

    @property
    def identity(self) -> str:
        """That of the only one, or one that stands for all of them."""
        names = sorted(system.identity for system in self._systems.values())
        if len(names) == 1:
            return names[0]
        head = names[0].partition(":")[0]
        return f"{head}:{len(names)} documents:{digest(names)}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """As each of them has."""
        return self._first.settings

    @property
    def max_concurrency(self) -> int | None:
        """As each of them allows."""
        return self._first.max_concurrency

    def check(self, settings: Mapping[str, Any]) -> None:
        """Let each refuse values, and make ready what it will need."""
        for system in self._systems.values():
            if isinstance(system, ChecksSettings):
                system.check(settings)

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The model calls that a question takes of any of them."""
        return self._first.calls(settings) if isinstance(self._first, CountsCalls) else ()

    async def prepare(self) -> None:
        """Prepare all, one after another: each is small."""
        for system in self._systems.values():
            if isinstance(system, Prepares):
                await system.prepare()

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Ask the system of the question's document."""
        system = self._systems.get(question.source or "")
        if system is None:
            raise SystemFailed(f"question {question.id!r} is about no known document")
        return await system.ask(question, settings, top_k)

    async def close(self) -> None:
        """Close all."""
        await asyncio.gather(*(system.close() for system in self._systems.values()))
