"""Drafts that a model writes, held against the passages."""

from assay.jobs.draft.prompted.ask import (
    DraftEstimate,
    PromptedDrafts,
    draft_by_model,
    estimate_drafts,
)

__all__ = ["DraftEstimate", "PromptedDrafts", "draft_by_model", "estimate_drafts"]
