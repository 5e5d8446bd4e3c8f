"""Scores of answers about a long text: choices and short answers."""

from assay.scorers.long_context.metric import METRICS
from assay.scorers.long_context.score import score_answer

__all__ = [
    "METRICS",
    "score_answer",
]
