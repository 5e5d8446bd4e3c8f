"""Read documents of all supported formats as pages of text."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.data.document.paged import PagedDocument, read_paged
    from assay.data.document.read import (
        Document,
        HeadingSource,
        Page,
        document_endings,
        is_document,
        read_document,
    )
    from assay.data.document.table import (
        csv_delimiter,
        csv_rows,
        xlsx_cell_faults,
        xlsx_sheets,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Document": "read",
            "HeadingSource": "read",
            "Page": "read",
            "PagedDocument": "paged",
            "csv_delimiter": "table",
            "csv_rows": "table",
            "document_endings": "read",
            "is_document": "read",
            "read_document": "read",
            "read_paged": "paged",
            "xlsx_cell_faults": "table",
            "xlsx_sheets": "table",
        },
    )

__all__ = [
    "Document",
    "HeadingSource",
    "Page",
    "PagedDocument",
    "csv_delimiter",
    "csv_rows",
    "document_endings",
    "is_document",
    "read_document",
    "read_paged",
    "xlsx_cell_faults",
    "xlsx_sheets",
]
