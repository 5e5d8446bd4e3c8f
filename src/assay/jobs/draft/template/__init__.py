"""Drafts without a model: rules of three languages, as data."""

from assay.jobs.draft.template.document import (
    DocumentDrafts,
    Event,
    PassageText,
    compared,
    document_drafts,
)
from assay.jobs.draft.template.wording import Wording, wording

__all__ = [
    "DocumentDrafts",
    "Event",
    "PassageText",
    "Wording",
    "compared",
    "document_drafts",
    "wording",
]
