"""The generators of the reference pipeline, which have four roles and share one protocol."""

from assay.rag.generate.prompted import PromptedGenerator, read_grades
from assay.rag.generate.protocol import Generator, GradesUnreadable

__all__ = [
    "Generator",
    "GradesUnreadable",
    "PromptedGenerator",
    "read_grades",
]
