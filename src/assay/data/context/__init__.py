"""Build contexts of a given length with the evidence at a given depth."""

from assay.data.context.build import build_context, skip_reason
from assay.data.context.forbidden_phrase import forbidden_phrases

__all__ = [
    "build_context",
    "forbidden_phrases",
    "skip_reason",
]
