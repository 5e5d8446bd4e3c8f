"""Workspaces and corpora: ``assay init`` and ``assay ingest``."""
