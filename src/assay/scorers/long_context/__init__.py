"""Scores of answers about a long text: choices and short answers."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.long_context.metric import METRICS
    from assay.scorers.long_context.score import score_answer
else:
    __getattr__ = lazy_door(__name__, {"METRICS": "metric", "score_answer": "score"})

__all__ = [
    "METRICS",
    "score_answer",
]
