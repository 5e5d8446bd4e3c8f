"""Scores of answers about a long text: choices and short answers."""

from assay.scorers.long_context.metric import METRICS
from assay.scorers.long_context.open_answer import answer_span, is_denied
from assay.scorers.long_context.score import score_answer

__all__ = [
    "METRICS",
    "answer_span",
    "is_denied",
    "score_answer",
]
