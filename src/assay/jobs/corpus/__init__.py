"""Workspaces and corpora: ``assay init`` and ``assay ingest``."""

from assay.jobs.corpus.ingest import Ingestion
from assay.jobs.corpus.ingest import chunks_folder
from assay.jobs.corpus.workspace import create_workspace
from assay.jobs.corpus.ingest import ingest

__all__ = [
    "Ingestion",
    "chunks_folder",
    "create_workspace",
    "ingest",
]
