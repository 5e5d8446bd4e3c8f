"""Documents of any supported format, read as pages of text."""

from assay.data.document.read import Document
from assay.data.document.read import Page
from assay.data.document.paged import PagedDocument
from assay.data.document.read import is_document
from assay.data.document.read import read_document
from assay.data.document.paged import read_paged

__all__ = [
    "Document",
    "Page",
    "PagedDocument",
    "is_document",
    "read_document",
    "read_paged",
]
