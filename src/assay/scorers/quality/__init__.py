"""The score of an answer about a PDF: phrases and page citations."""

from assay.scorers.quality.metric import METRICS
from assay.scorers.quality.score import Expectation, score_answer, weighted_score

__all__ = [
    "METRICS",
    "Expectation",
    "score_answer",
    "weighted_score",
]
