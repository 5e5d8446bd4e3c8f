"""The generators of the reference pipeline: four roles behind one protocol."""

from assay.rag.generate.protocol import Generator
from assay.rag.generate.protocol import GradesUnreadable
from assay.rag.generate.prompted import PromptedGenerator

__all__ = [
    "Generator",
    "GradesUnreadable",
    "PromptedGenerator",
]
