"""Read a PDF for the quality job: chunks that do not cross a page break, and the page texts.

A chunk is cited by the page on which it begins. If it continued on the next page, the cited
page would not contain all of its text. Sections are therefore also cut at page breaks. A
sentence that crosses a page break is not cut; it belongs to the page on which it begins.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from assay.data.corpus import OVERLAP, SEPARATOR, TOKENS, Chunk, Section, chunk_document, sections
from assay.data.document import Document, Page, read_document
from assay.errors import DatasetError
from assay.text import Span, sentences


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
