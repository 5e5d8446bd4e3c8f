"""Drafts of questions from documents: ``assay questions draft``."""

from assay.jobs.draft.corpus import Drafted, draft_by_template
from assay.jobs.draft.draft import Draft, Evidence
from assay.jobs.draft.kind import COUNT, KINDS, Kind, Wanted
from assay.jobs.draft.novel import NovelDrafts, draft_novel
from assay.jobs.draft.prompted import (
    DraftEstimate,
    PromptedDrafts,
    draft_by_model,
    estimate_drafts,
)
from assay.jobs.draft.selection import Selection

__all__ = [
    "COUNT",
    "KINDS",
    "Draft",
    "DraftEstimate",
    "Drafted",
    "Evidence",
    "Kind",
    "NovelDrafts",
    "PromptedDrafts",
    "Selection",
    "Wanted",
    "draft_by_model",
    "draft_by_template",
    "draft_novel",
    "estimate_drafts",
]
