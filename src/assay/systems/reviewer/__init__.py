"""The reference contract reviewer: rules, laws and, if one is configured, a model."""

from assay.systems.reviewer.reviewer import SAMPLE, Reviewer, load_reviewer

__all__ = [
    "SAMPLE",
    "Reviewer",
    "load_reviewer",
]
