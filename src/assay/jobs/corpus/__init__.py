"""Workspaces and corpora: ``assay init`` and ``assay ingest``."""

from assay.jobs.corpus.ingest import Ingestion, chunks_folder, ingest, is_corpus_of
from assay.jobs.corpus.search import CorpusSearch, Found, search_corpus
from assay.jobs.corpus.workspace import create_empty_workspace, create_workspace

__all__ = [
    "CorpusSearch",
    "Found",
    "Ingestion",
    "chunks_folder",
    "create_empty_workspace",
    "create_workspace",
    "ingest",
    "is_corpus_of",
    "search_corpus",
]
