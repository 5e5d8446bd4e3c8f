"""Scores of the legal benchmark: facts, sets of evidence, gaps and conflicts."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.scorers.legal.answer import BenchAnswer, CitedPassage
    from assay.scorers.legal.conflict_gap import ConflictGapScore, conflict_gap_score, wrong_stance
    from assay.scorers.legal.evidence import required_items, stands_in
    from assay.scorers.legal.evidence_set import evidence_set_score
    from assay.scorers.legal.fact import FactScore, fact_score
    from assay.scorers.legal.metric import METRICS
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "BenchAnswer": "answer",
            "ConflictGapScore": "conflict_gap",
            "FactScore": "fact",
            "CitedPassage": "answer",
            "METRICS": "metric",
            "conflict_gap_score": "conflict_gap",
            "evidence_set_score": "evidence_set",
            "fact_score": "fact",
            "required_items": "evidence",
            "stands_in": "evidence",
            "wrong_stance": "conflict_gap",
        },
    )

__all__ = [
    "METRICS",
    "BenchAnswer",
    "CitedPassage",
    "ConflictGapScore",
    "FactScore",
    "conflict_gap_score",
    "evidence_set_score",
    "fact_score",
    "required_items",
    "stands_in",
    "wrong_stance",
]
