"""Dense search, lexical search, and hybrid search, which combines both."""

from assay.rag.search.approximate import usearch_library
from assay.rag.search.index import Hit, IndexKind, SearchIndex, best_of, fuse_hits
from assay.rag.search.lexical import LexicalIndex

__all__ = [
    "Hit",
    "IndexKind",
    "LexicalIndex",
    "SearchIndex",
    "best_of",
    "fuse_hits",
    "usearch_library",
]
