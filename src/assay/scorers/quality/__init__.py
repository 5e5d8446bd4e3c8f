"""The score of an answer about a PDF: phrases and page citations."""

from assay.scorers.quality.score import Expectation
from assay.scorers.quality.score import METRICS
from assay.scorers.quality.score import score_answer
from assay.scorers.quality.score import weighted_score

__all__ = [
    "Expectation",
    "METRICS",
    "score_answer",
    "weighted_score",
]
