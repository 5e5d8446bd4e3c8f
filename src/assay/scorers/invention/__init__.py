"""Details of an answer that neither the document nor the question contains."""

from assay.scorers.invention.detail import SEVERITY, Invention, Penalty, inventions, severity

__all__ = [
    "SEVERITY",
    "Invention",
    "Penalty",
    "inventions",
    "severity",
]
