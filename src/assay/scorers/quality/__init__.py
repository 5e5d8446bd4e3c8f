"""The score of an answer about a PDF: phrases and page citations."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.quality.expectation import Expectation
    from assay.scorers.quality.metric import METRICS
    from assay.scorers.quality.score import score_answer
    from assay.scorers.quality.weighted import weighted_score
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "METRICS": "metric",
            "Expectation": "expectation",
            "score_answer": "score",
            "weighted_score": "weighted",
        },
    )

__all__ = [
    "METRICS",
    "Expectation",
    "score_answer",
    "weighted_score",
]
