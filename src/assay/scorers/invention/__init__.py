"""Details of an answer that neither the document nor the question holds."""

from assay.scorers.invention.detail import Invention
from assay.scorers.invention.detail import Penalty
from assay.scorers.invention.detail import inventions
from assay.scorers.invention.detail import severity

__all__ = [
    "Invention",
    "Penalty",
    "inventions",
    "severity",
]
