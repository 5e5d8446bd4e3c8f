"""Read documents of all supported formats as pages of text."""

from assay.data.document.paged import PagedDocument, read_paged
from assay.data.document.read import Document, Page, document_endings, is_document, read_document
from assay.data.document.table import csv_rows, xlsx_sheets

__all__ = [
    "Document",
    "Page",
    "PagedDocument",
    "csv_rows",
    "document_endings",
    "is_document",
    "read_document",
    "read_paged",
    "xlsx_sheets",
]
