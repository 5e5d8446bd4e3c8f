"""A PDF as the quality job needs it: chunks that keep to one page, and the text of each page.

A chunk that ran over a page break could only be cited by the page on which it begins, and a
reader would look in vain. So sections are cut at page breaks too; a sentence that runs over
one stays whole and belongs to the page on which it begins.
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
    """The chunks of a PDF and, for looking things up, the text of its pages, page 1 first.

    A page's text has the whole of a sentence that begins on it. ``empty_pages`` have no text:
    blank, or scanned.
    """

    chunks: tuple[Chunk, ...]
    pages: tuple[str, ...]
    empty_pages: tuple[int, ...] = ()


def read_pdf(path: Path, *, name: str | None = None) -> PdfText:
    """Read a PDF; one that is scanned, damaged or no PDF is refused with a line that says so."""
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
            made = chunk_document(part, tokens=TOKENS, overlap=OVERLAP)
            chunks.extend(replace(chunk, heading=heading) for chunk in made)
    if not chunks:
        raise DatasetError(f"{path}: there is no text in it")
    return PdfText(
        chunks=tuple(_linked(chunks)),
        pages=tuple(text for _, text in sorted(pages.items())),
        empty_pages=tuple(number for number, text in pages.items() if not text.strip()),
    )


def _parts(name: str, section: Section, spans: list[Span]) -> Iterator[Document]:
    """The section's sentences by the page on which they begin, as a document each."""
    for page, group in groupby(spans, key=lambda span: section.page_at(span.start)):
        own = list(group)
        text = section.text[own[0].start : own[-1].end]
        yield Document(name=name, pages=(Page(number=page, text=text),))


def _linked(chunks: list[Chunk]) -> Iterator[Chunk]:
    """The chunks with ids of their own, each told its neighbours."""
    seen: Counter[str] = Counter()
    ids = []
    for chunk in chunks:
        plain = chunk.id.partition("-")[0]
        seen[plain] += 1
        ids.append(plain if seen[plain] == 1 else f"{plain}-{seen[plain]}")
    for place, chunk in enumerate(chunks):
        yield replace(
            chunk,
            id=ids[place],
            prev=ids[place - 1] if place else None,
            next=ids[place + 1] if place + 1 < len(ids) else None,
        )
