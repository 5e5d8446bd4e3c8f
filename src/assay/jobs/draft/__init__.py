"""Drafts of questions from documents: ``assay questions draft``."""

from assay.jobs.draft.corpus import COUNT, Drafted, draft_by_template
from assay.jobs.draft.draft import Draft, Evidence
from assay.jobs.draft.kind import KINDS, Kind
from assay.jobs.draft.selection import Selection

__all__ = [
    "COUNT",
    "KINDS",
    "Draft",
    "Drafted",
    "Evidence",
    "Kind",
    "Selection",
    "draft_by_template",
]
