"""Drafted questions on the page: accept, edit or reject one after the other."""

from assay.web.draft.calls import add_draft_calls

__all__ = ["add_draft_calls"]
