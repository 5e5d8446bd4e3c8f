"""The generators of the reference pipeline, which have four roles and share one protocol."""

from assay.rag.generate.prompted import PromptedGenerator
from assay.rag.generate.protocol import Generator, GradesUnreadable

__all__ = [
    "Generator",
    "GradesUnreadable",
    "PromptedGenerator",
]
