"""A folder of documents made into a corpus: the work behind ``assay ingest``."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from assay.datasets.chunk import Chunk, write_corpus
from assay.datasets.chunker import OVERLAP, TOKENS, chunk_document
from assay.datasets.document import is_document, read_document
from assay.errors import DatasetError, UseError


class Ingested(Struct, frozen=True, kw_only=True):
    """A document that was read. ``empty_pages`` are those without text, perhaps scanned."""

    source: str
    chunks: int
    pages: int | None = None
    empty_pages: tuple[int, ...] = ()


class Passed(Struct, frozen=True, kw_only=True):
    """A file that was left out, and why. ``failed`` where it should have been read."""

    source: str
    reason: str
    failed: bool


class Ingestion(Struct, frozen=True, kw_only=True):
    """What became of a folder."""

    manifest: Path
    ingested: tuple[Ingested, ...]
    passed: tuple[Passed, ...]

    @property
    def chunks(self) -> int:
        """Chunks of all documents."""
        return sum(document.chunks for document in self.ingested)


def ingest(folder: Path, out: Path, *, tokens: int = TOKENS, overlap: int = OVERLAP) -> Ingestion:
    """Cut every document below ``folder`` into chunks and write them to ``out``.

    The same folder gives the same bytes. A document that cannot be read is left out and
    named in the result; where none can be read, nothing is written.
    """
    if not folder.is_dir():
        raise UseError(f"{folder}: no such folder of documents")
    ingested: list[Ingested] = []
    passed: list[Passed] = []
    chunks: list[Chunk] = []
    for path in _files(folder, out):
        source = path.relative_to(folder).as_posix()
        if not is_document(path):
            reason = "not a .txt, .md, .pdf or .docx file"
            passed.append(Passed(source=source, reason=reason, failed=False))
            continue
        try:
            document, made = _read(path, source, tokens, overlap)
        except DatasetError as error:
            passed.append(Passed(source=source, reason=str(error), failed=True))
            continue
        ingested.append(document)
        chunks.extend(made)
    if not chunks:
        raise DatasetError(_nothing_to_read(folder, passed))
    settings = {"tokens": tokens, "overlap": overlap}
    manifest = write_corpus(out, chunks, settings=settings)
    return Ingestion(manifest=manifest, ingested=tuple(ingested), passed=tuple(passed))


def _files(folder: Path, out: Path) -> Iterator[Path]:
    """Every file below the folder by name, without hidden ones and without our own output."""
    inside = out.resolve()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith((".", "~$")) for part in parts)
        if path.is_file() and not hidden and not path.resolve().is_relative_to(inside):
            yield path


def _read(path: Path, source: str, tokens: int, overlap: int) -> tuple[Ingested, list[Chunk]]:
    document = read_document(path, name=source)
    chunks = chunk_document(document, tokens=tokens, overlap=overlap)
    if not chunks:
        raise DatasetError(f"{path}: there is no text in it")
    numbers = [page.number for page in document.pages if page.number is not None]
    empty = {page.number for page in document.pages if not page.text.strip()}
    read = Ingested(
        source=source,
        chunks=len(chunks),
        pages=len(numbers) or None,
        empty_pages=tuple(number for number in numbers if number in empty),
    )
    return read, chunks


def _nothing_to_read(folder: Path, passed: list[Passed]) -> str:
    failed = [item for item in passed if item.failed]
    if failed:
        return f"{folder}: no document could be read; first: {failed[0].reason}"
    return f"{folder}: there is no .txt, .md, .pdf or .docx file in it"
