"""Scores of a contract-risk review: levels, errors and their costs."""

from assay.scorers.risk.score import COUNTED
from assay.scorers.risk.level import LEVELS
from assay.scorers.risk.level import Level
from assay.scorers.risk.score import METRICS
from assay.scorers.risk.confusion import Matrix
from assay.scorers.risk.ordinal import RISK_SCORES
from assay.scorers.risk.level import TITLES
from assay.scorers.risk.score import UNPARSED
from assay.scorers.risk.level import highest_level
from assay.scorers.risk.level import level_of_word
from assay.scorers.risk.score import outcome
from assay.scorers.risk.score import review_metrics
from assay.scorers.risk.score import review_summary
from assay.scorers.risk.confusion import row_shares
from assay.scorers.risk.score import score_review

__all__ = [
    "COUNTED",
    "LEVELS",
    "Level",
    "METRICS",
    "Matrix",
    "RISK_SCORES",
    "TITLES",
    "UNPARSED",
    "highest_level",
    "level_of_word",
    "outcome",
    "review_metrics",
    "review_summary",
    "row_shares",
    "score_review",
]
