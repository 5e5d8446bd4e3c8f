"""What the files of a run's workspace say about a question: the expected answer, passages.

Rows have the ids of gold passages, and leave out texts that the corpus has. The file of
questions is read only if it is the one that the run was made with, by its hash. Retrieved passages
have the text of the corpus only if that is the one of the run, by its hash, or if the id of the chunk
follows from its text.
"""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from assay.config import Workspace
from assay.data.corpus import Chunk, has_id_of_text, load_corpus
from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError
from assay.journal import Summary

LARGEST_FILE: Final = 64_000_000
"""Larger files of questions or passages are not read for the page, in bytes."""


T = TypeVar("T")


class _Question(Struct, frozen=True, gc=False):
    id: str = ""
    answer: str | None = None


class SourceTexts:
    """The texts behind the ids of a run; empty where a file cannot be read."""

    def __init__(self, journal: Path, summary: Summary | None) -> None:
        self._journal = journal
        self._summary = summary

    def answer(self, question: str) -> str | None:
        """The answer that the file of questions expects."""
        return self._answers.get(question)

    def gold(self, name: str) -> str | None:
        """The text of a gold passage, as the corpus has it today."""
        chunk = self._chunks.get(name)
        return chunk.text if chunk else None

    def retrieved(self, name: str) -> str | None:
        """The text that a retrieved passage had; ``None`` if the corpus may have changed."""
        chunk = self._chunks.get(name)
        if chunk is None:
            return None
        is_unchanged = self._corpus_sha256 == self._run_corpus or has_id_of_text(chunk)
        return chunk.text if is_unchanged else None

    @cached_property
    def _run_corpus(self) -> str | None:
        """The hash of the corpus of the run; ``None`` if its system searched another one."""
        extra = self._summary.extra if self._summary is not None else {}
        sha256 = extra.get("corpus_sha256")
        return sha256 if isinstance(sha256, str) else None

    @cached_property
    def _root(self) -> Path | None:
        try:
            return Workspace.find(start=self._journal.parent).root
        except (AssayError, OSError):
            return None

    @cached_property
    def _answers(self) -> dict[str, str]:
        summary = self._summary
        if summary is None or not summary.questions_path or not summary.questions_sha256:
            return {}
        path = (self._root or self._journal.parent) / summary.questions_path
        data = _content(path)
        if hashlib.sha256(data).hexdigest() != summary.questions_sha256:
            return {}
        rows = _lines(data, _Question)
        return {row.id: row.answer for row in rows if row.id and row.answer}

    @property
    def _chunks(self) -> dict[str, Chunk]:
        return self._corpus[0]

    @property
    def _corpus_sha256(self) -> str:
        return self._corpus[1]

    @cached_property
    def _corpus(self) -> tuple[dict[str, Chunk], str]:
        """The chunks of the workspace by id, and their hash; none if they are too large."""
        if self._root is None:
            return {}, ""
        workspace, configured = Workspace(root=self._root), None
        with suppress(AssayError, OSError):
            document = workspace.load_configuration()
            configured = document.value.defaults.chunks_manifest if document else None
        manifest = self._root / (configured or "chunks/manifest.json")
        with suppress(AssayError, OSError, ValueError):  # a path with a null byte
            sizes = (path.stat().st_size for path in manifest.parent.glob("*.jsonl"))
            if sum(sizes) <= LARGEST_FILE:
                corpus = load_corpus(manifest, workspace.bounds)
                return {chunk.id: chunk for chunk in corpus.chunks}, corpus.sha256
        return {}, ""


def _content(path: Path) -> bytes:
    """The bytes of a file of a sensible size; empty if there is none."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            return b""
        return path.read_bytes()
    except (OSError, ValueError):  # a path with a null byte
        return b""


def _lines(data: bytes, as_type: type[T]) -> Iterator[T]:
    decoder = msgspec.json.Decoder(as_type)
    for line in data.split(b"\n"):
        if line.strip():
            try:
                yield decoder.decode(line)
            except UNREADABLE:
                return
