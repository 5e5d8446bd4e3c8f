"""Dense and lexical search, and the two together."""

from assay.rag.search.index import Hit
from assay.rag.search.index import IndexKind
from assay.rag.search.index import SearchIndex
from assay.rag.search.index import best_of
from assay.rag.search.index import fuse_hits
from assay.rag.search.approximate import usearch_library

__all__ = [
    "Hit",
    "IndexKind",
    "SearchIndex",
    "best_of",
    "fuse_hits",
    "usearch_library",
]
