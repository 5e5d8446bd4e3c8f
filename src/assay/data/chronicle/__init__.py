"""Generate an invented chronicle of any length with questions, in three languages."""

from assay.data.chronicle.story import chronicle

__all__ = [
    "chronicle",
]
