"""Read documents of all supported formats as pages of text."""

from assay.data.document.paged import PagedDocument, read_paged
from assay.data.document.read import Document, Page, is_document, read_document

__all__ = [
    "Document",
    "Page",
    "PagedDocument",
    "is_document",
    "read_document",
    "read_paged",
]
