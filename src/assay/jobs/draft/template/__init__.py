"""Drafts without a model: rules of three languages, as data."""

from assay.jobs.draft.template.document import (
    DocumentDrafts,
    Event,
    PassageText,
    compared,
    document_drafts,
)

__all__ = ["DocumentDrafts", "Event", "PassageText", "compared", "document_drafts"]
