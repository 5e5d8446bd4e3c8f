"""Scores of answers in an ablation: retrieval, citations and abstention."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.ablation.metric import METRICS
    from assay.scorers.ablation.score import score_answer
else:
    __getattr__ = lazy_door(__name__, {"METRICS": "metric", "score_answer": "score"})

__all__ = [
    "METRICS",
    "score_answer",
]
