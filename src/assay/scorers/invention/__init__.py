"""Details of an answer that neither the document nor the question contains."""

from assay.scorers.invention.detail import Invention, Penalty, inventions, severity

__all__ = [
    "Invention",
    "Penalty",
    "inventions",
    "severity",
]
