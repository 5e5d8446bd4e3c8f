"""A PDF made ready to be asked about: read once, kept in the workspace under its hash."""

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config import Document, ExperimentFile, ReferenceConfig, Workspace
from assay.data.corpus import write_corpus
from assay.data.line import unreadable_error
from assay.data.quality import read_pdf
from assay.errors import DatasetError
from assay.journal import write_atomically

FOLDER: Final = ".assay/pdf"
_PAGES: Final = "pages.json"


class Source(Struct, frozen=True, kw_only=True):
    """A PDF by its content. ``folder``, relative to the workspace, holds its chunks and index."""

    path: Path
    sha256: str
    pages: tuple[str, ...]
    empty_pages: tuple[int, ...]
    chunks: int
    folder: str

    @property
    def manifest(self) -> str:
        """Its chunks, relative to the workspace."""
        return f"{self.folder}/chunks/manifest.json"

    @property
    def vectors(self) -> str:
        """Its embeddings and search index, relative to the workspace."""
        return f"{self.folder}/embeddings"


class _Kept(Struct, frozen=True, kw_only=True):
    """What is kept of a PDF besides its chunks. ``reader`` stands for the code that read it."""

    reader: str
    sha256: str
    chunks: int
    pages: tuple[str, ...]
    empty_pages: tuple[int, ...] = ()


def prepare_source(path: Path, workspace: Workspace) -> Source:
    """Read a PDF into the workspace, unless the same content was read by the same code before."""
    try:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise unreadable_error(path, error) from None
    folder = workspace.root / FOLDER / sha256[:16]
    kept = _kept(folder, sha256)
    if kept is None:
        kept = _read(path, folder, sha256)
    return Source(
        path=path,
        sha256=sha256,
        pages=kept.pages,
        empty_pages=kept.empty_pages,
        chunks=kept.chunks,
        folder=f"{FOLDER}/{sha256[:16]}",
    )


def with_source(
    document: Document[ExperimentFile] | None, source: Source, workspace: Workspace
) -> Document[ExperimentFile]:
    """The configuration with this PDF as the corpus of every reference pipeline in it."""
    file = document.value if document is not None else ExperimentFile()
    vectors = file.defaults.embedding_cache_dir or source.vectors
    systems = {
        name: replace(config, chunks_manifest=source.manifest)
        if isinstance(config, ReferenceConfig)
        else config
        for name, config in file.systems.items()
    }
    defaults = replace(file.defaults, chunks_manifest=source.manifest, embedding_cache_dir=vectors)
    path = document.path if document is not None else workspace.experiments_file
    lines = document.lines if document is not None else {}
    return Document(value=replace(file, defaults=defaults, systems=systems), path=path, lines=lines)


def _kept(folder: Path, sha256: str) -> _Kept | None:
    try:
        kept = msgspec.json.decode((folder / _PAGES).read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return None
    whole = kept.sha256 == sha256 and kept.reader == _reader()
    return kept if whole and (folder / "chunks" / "manifest.json").exists() else None


def _read(path: Path, folder: Path, sha256: str) -> _Kept:
    # named by its content, so that a renamed file has the same chunks and is not asked anew
    text = read_pdf(path, name=f"{sha256[:16]}.pdf")
    write_corpus(folder / "chunks", text.chunks)
    kept = _Kept(
        reader=_reader(),
        sha256=sha256,
        chunks=len(text.chunks),
        pages=text.pages,
        empty_pages=text.empty_pages,
    )
    try:
        write_atomically(folder / _PAGES, msgspec.json.encode(kept))
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return kept


@cache
def _reader() -> str:
    """A digest of the code that turns a PDF into chunks: other code, other chunks."""
    code = hashlib.sha256(version("pypdfium2").encode())
    package = Path(str(files("assay")))
    for room in ("data/corpus", "data/document", "data/quality", "text"):
        for file in sorted((package / room).rglob("*.py")):
            code.update(file.read_bytes())
    return code.hexdigest()[:16]
