"""Workspaces and corpora: ``assay init`` and ``assay ingest``."""

from assay.jobs.corpus.ingest import Ingestion, chunks_folder, ingest
from assay.jobs.corpus.workspace import create_workspace

__all__ = [
    "Ingestion",
    "chunks_folder",
    "create_workspace",
    "ingest",
]
