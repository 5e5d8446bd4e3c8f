"""Scores of the legal benchmark: facts, sets of evidence, gaps and conflicts."""

from assay.scorers.legal.answer import BenchAnswer, CitedPassage
from assay.scorers.legal.conflict_gap import conflict_gap_score, wrong_stance
from assay.scorers.legal.evidence import required_items, stands_in
from assay.scorers.legal.evidence_set import evidence_set_score
from assay.scorers.legal.fact import fact_score
from assay.scorers.legal.metric import METRICS

__all__ = [
    "METRICS",
    "BenchAnswer",
    "CitedPassage",
    "conflict_gap_score",
    "evidence_set_score",
    "fact_score",
    "required_items",
    "stands_in",
    "wrong_stance",
]
