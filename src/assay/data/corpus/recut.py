"""The same documents cut into chunks of another size: a variable of an ablation.

``assay ingest`` notes in the manifest where the documents are and what they contained. A corpus of
another size is made from these documents once, and kept in a folder beside the chunks.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.corpus.chunk import MADE_BY, MANIFEST, Corpus, corpus_of, load_corpus
from assay.data.corpus.chunker import OVERLAP, TOKENS, Chunker, chunk_document
from assay.data.corpus.corpus_files import write_corpus
from assay.data.document.document import Document, read_document
from assay.data.jsonl import UNREADABLE
from assay.errors import DatasetError, UseError
from assay.words.message import Message, message

_BLOCK: Final = 1 << 20
_MOST_NAMED: Final = 3
_RULES: Final = 3
"""Raised when documents are cut in another way, so that a corpus of the earlier one is made again."""


class Cut(Struct, frozen=True, kw_only=True):
    """How documents are cut into chunks."""

    tokens: int = TOKENS
    overlap: int = OVERLAP
    chunker: Chunker = "headings"

    @property
    def folder(self) -> str:
        """The name of the folder with the corpus of this cut."""
        return f"cut-{self.chunker}-{self.tokens}-{self.overlap}"


class _Source(Struct):
    source: str
    document_sha256: str = ""


class _Manifest(Struct):
    sources: list[_Source] = []
    settings: dict[str, Any] = {}
    documents: str = ""
    made_by: str = ""


def ingested_cut(manifest: Path) -> Cut:
    """How ``assay ingest`` cut the documents of a corpus; the defaults if that is not known."""
    settings = _read(manifest).settings
    chosen = {
        name: settings[name] for name in ("tokens", "overlap") if type(settings.get(name)) is int
    }
    return Cut(**chosen)


def recut_corpus(manifest: Path, cut: Cut, bounds: Path | None = None) -> Corpus:
    """The corpus of ``manifest`` cut in another way; it is made once, and then read.

    Raises:
        UseError: the manifest does not say where the documents are, or they are not in ``bounds``.
        DatasetError: a document is missing, has changed, or cannot be read.
    """
    content = _read(manifest)
    folder = manifest if manifest.is_dir() else manifest.parent
    settings = {**msgspec.to_builtins(cut), "of": _content_hash(content), "rules": _RULES}
    kept = folder / cut.folder
    if _read(kept / MANIFEST).settings == settings:
        return load_corpus(kept / MANIFEST)
    chunks = [
        chunk
        for document in read_documents(manifest, bounds)
        for chunk in chunk_document(
            document, tokens=cut.tokens, overlap=cut.overlap, chunker=cut.chunker
        )
    ]
    try:
        write_corpus(kept, chunks, settings=settings)
    except DatasetError:  # the folder cannot be written, or is somebody else's: not kept
        return corpus_of(chunks)
    return load_corpus(kept / MANIFEST)


def read_documents(manifest: Path, bounds: Path | None = None) -> list[Document]:
    """Read the documents of a corpus again; raises as ``recut_corpus``."""
    content = _read(manifest)
    if content.made_by != MADE_BY or not content.documents:
        raise UseError(
            f"{manifest} does not say where its documents are; run assay ingest FOLDER again, "
            "so that chunk_tokens, chunk_overlap and chunker can be changed"
        )
    folder = (manifest if manifest.is_dir() else manifest.parent) / content.documents
    if bounds is not None and not folder.resolve().is_relative_to(bounds.resolve()):
        raise UseError(
            f"{manifest}: the documents are in {folder.resolve()}, outside {bounds}; "
            "pass --allow-outside-root"
        )
    return [_read_document(folder / entry.source, entry) for entry in content.sources]


def changed_documents(
    manifest: Path, bounds: Path | None = None, *, recent: bool = False
) -> list[str]:
    """The documents of a corpus that are no longer those that ``assay ingest`` read.

    With ``recent``, only files that were written after the manifest are read. Empty if the manifest
    does not say where the documents are, or if they are not in ``bounds``.
    """
    content = _read(manifest)
    home = manifest if manifest.is_dir() else manifest.parent
    folder = home / content.documents
    is_outside = bounds is not None and not folder.resolve().is_relative_to(bounds.resolve())
    if content.made_by != MADE_BY or not content.documents or is_outside:
        return []
    try:
        since = (home / MANIFEST).stat().st_mtime if recent else -1.0
        return [
            entry.source
            for entry in content.sources
            if entry.document_sha256
            and (path := folder / entry.source).is_file()
            and path.stat().st_mtime > since
            and file_sha256(path) != entry.document_sha256
        ]
    except OSError:
        return []


def changed_notes(changed: Sequence[str]) -> Iterator[Message]:
    """A line about documents that changed since they were read; none if none did."""
    if changed:
        yield message(
            "documents changed since assay ingest read them, and the chunks are of the old ones: {names}; run assay ingest again",
            names=", ".join(changed[:_MOST_NAMED]) + (" …" if len(changed) > _MOST_NAMED else ""),
        )


def _read_document(path: Path, entry: _Source) -> Document:
    if not path.is_file():
        raise DatasetError(f"{path}: the document is not there any more; run assay ingest again")
    if file_sha256(path) != entry.document_sha256:
        raise DatasetError(f"{path}: changed since assay ingest; run it again")
    return read_document(path, name=entry.source)


def file_sha256(path: Path) -> str:
    """The hash of a file, which is read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _content_hash(content: _Manifest) -> str:
    entries = [[entry.source, entry.document_sha256] for entry in content.sources]
    return hashlib.sha256(msgspec.json.encode(entries)).hexdigest()[:16]


def _read(manifest: Path) -> _Manifest:
    path = manifest / MANIFEST if manifest.is_dir() else manifest
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (OSError, *UNREADABLE):
        return _Manifest()
