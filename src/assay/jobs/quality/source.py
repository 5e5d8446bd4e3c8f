"""Prepare a PDF for questions: it is read once and stored in the workspace under its hash."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import ReferenceConfig
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk
from assay.data.corpus.chunker import OVERLAP, SEPARATOR, TOKENS, Section, chunk_document, sections
from assay.data.corpus.corpus_files import write_corpus
from assay.data.document.document import Document, Page, read_document
from assay.data.jsonl import UNREADABLE, unreadable_error
from assay.errors import DatasetError
from assay.mask import learn_values, private_path
from assay.runs.summary import write_atomically
from assay.text.normalise import Span
from assay.text.sentence import sentences

# Read a PDF for the quality job: chunks that do not cross a page break, and the page texts.
#
# A chunk is cited by the page on which it begins. If it continued on the next page, the cited
# page would not contain all of its text. Sections are therefore also cut at page breaks. A
# sentence that crosses a page break is not cut; it belongs to the page on which it begins.


class PdfText(Struct, frozen=True, kw_only=True):
    """The chunks of a PDF, and the text of each page, beginning with page 1.

    The text of a page includes the complete last sentence, even if that sentence ends on the
    next page. ``empty_pages`` are the numbers of pages without text: blank or scanned ones.
    ``unread`` is the number of characters that could not be read, by the number of their page.
    """

    chunks: tuple[Chunk, ...]
    pages: tuple[str, ...]
    empty_pages: tuple[int, ...] = ()
    unread: dict[int, int] = {}


def read_pdf(path: Path, *, name: str | None = None) -> PdfText:
    """Read a PDF; ``name`` (default: the file name) becomes the source of its chunks.

    Raises:
        DatasetError: the file cannot be read, is damaged, is no PDF, or is a scan without text.
    """
    document = read_document(path, name=name)
    if any(page.number is None for page in document.pages):
        raise DatasetError(f"{path}: not a PDF: it has no pages to cite")
    pages = {page.number: page.text for page in document.pages if page.number is not None}
    chunks: list[Chunk] = []
    for section in sections(document):
        spans = sentences(section.text)
        for span in spans:
            begin, end = section.page_at(span.start), section.page_at(span.end - 1)
            if begin is not None and begin != end:
                pages[begin] += f"\n{span.of(section.text)}"
        for part in _parts(document.name, section, spans):
            heading = SEPARATOR.join(section.path) or None
            part_chunks = chunk_document(part, tokens=TOKENS, overlap=OVERLAP)
            chunks.extend(replace(chunk, heading=heading) for chunk in part_chunks)
    if not chunks:
        raise DatasetError(f"{path}: the file has no text")
    return PdfText(
        chunks=tuple(_with_links(chunks)),
        pages=tuple(text for _, text in sorted(pages.items())),
        empty_pages=tuple(number for number, text in pages.items() if not text.strip()),
        unread=document.unread,
    )


def _parts(name: str, section: Section, spans: list[Span]) -> Iterator[Document]:
    """One document for each page, with the sentences of the section that begin on that page."""
    for page, group in groupby(spans, key=lambda span: section.page_at(span.start)):
        page_spans = list(group)
        text = section.text[page_spans[0].start : page_spans[-1].end]
        yield Document(name=name, pages=(Page(number=page, text=text),))


def _with_links(chunks: list[Chunk]) -> Iterator[Chunk]:
    """The chunks with ids that are unique in the whole PDF, and linked to their neighbours."""
    seen: Counter[str] = Counter()
    ids = []
    for chunk in chunks:
        digest = chunk.id.partition("-")[0]
        seen[digest] += 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    for index, chunk in enumerate(chunks):
        yield replace(
            chunk,
            id=ids[index],
            prev=ids[index - 1] if index else None,
            next=ids[index + 1] if index + 1 < len(ids) else None,
        )


FOLDER: Final = ".assay/pdf"
_PAGES: Final = "pages.json"


class PdfSource(Struct, frozen=True, kw_only=True):
    """A PDF and its text, page 1 first; ``unread`` counts the characters that are not in it.

    ``folder`` contains its chunks and its index; it is relative to the workspace.
    """

    path: Path
    sha256: str
    pages: tuple[str, ...]
    empty_pages: tuple[int, ...]
    unread: dict[int, int]
    chunks: int
    folder: str

    @property
    def manifest(self) -> str:
        """The path of the chunks' manifest, relative to the workspace."""
        return f"{self.folder}/chunks/manifest.json"

    @property
    def vectors(self) -> str:
        """The folder of the embeddings and the search index, relative to the workspace."""
        return f"{self.folder}/embeddings"


class _PdfRecord(Struct, frozen=True, kw_only=True):
    """What is stored of a PDF besides its chunks; ``reader`` is a digest of the code that read it."""

    reader: str
    sha256: str
    chunks: int
    pages: tuple[str, ...]
    empty_pages: tuple[int, ...] = ()
    unread: dict[int, int] = {}


def prepare_source(path: Path, workspace: Workspace) -> PdfSource:
    """Read a PDF and store its text in the workspace.

    If the same code has already read a file with the same content, the stored text is used.
    """
    try:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise unreadable_error(path, error) from None
    folder = private_path(workspace.root / FOLDER / sha256[:16])
    record = _load_record(folder, sha256)
    if record is None:
        record = _read_and_store(path, folder, sha256)
    learn_values(record.pages)
    return PdfSource(
        path=path,
        sha256=sha256,
        pages=record.pages,
        empty_pages=record.empty_pages,
        unread=record.unread,
        chunks=record.chunks,
        folder=f"{FOLDER}/{sha256[:16]}",
    )


def with_source(
    document: ConfigDocument[ExperimentFile] | None, source: PdfSource, workspace: Workspace
) -> ConfigDocument[ExperimentFile]:
    """The configuration, changed so that every reference pipeline in it searches this PDF."""
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
    return ConfigDocument(
        value=replace(file, defaults=defaults, systems=systems), path=path, lines=lines
    )


def _load_record(folder: Path, sha256: str) -> _PdfRecord | None:
    """The stored record; ``None`` if it is missing, damaged or made by other code."""
    try:
        record = msgspec.json.decode((folder / _PAGES).read_bytes(), type=_PdfRecord)
    except (OSError, *UNREADABLE):
        return None
    is_current = record.sha256 == sha256 and record.reader == _reader()
    return record if is_current and (folder / "chunks" / "manifest.json").exists() else None


def _read_and_store(path: Path, folder: Path, sha256: str) -> _PdfRecord:
    # the name comes from the content, so a renamed file has the same chunks and answers
    text = read_pdf(path, name=f"{sha256[:16]}.pdf")
    write_corpus(folder / "chunks", text.chunks)
    record = _PdfRecord(
        reader=_reader(),
        sha256=sha256,
        chunks=len(text.chunks),
        pages=text.pages,
        empty_pages=text.empty_pages,
        unread=text.unread,
    )
    try:
        # it is read again, so it stays as it is; with redaction the folder is private
        write_atomically(folder / _PAGES, msgspec.json.encode(record), is_masked=True)
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return record


@cache
def _reader() -> str:
    """A digest of the code that turns a PDF into chunks, because other code makes other chunks."""
    code = hashlib.sha256(version("pypdfium2").encode())
    package = Path(str(files("assay")))
    for room in ("data/corpus", "data/document", "data/quality", "text"):
        for file in sorted((package / room).rglob("*.py")):
            code.update(file.read_bytes())
    return code.hexdigest()[:16]
