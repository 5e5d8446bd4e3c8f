"""Scores of a contract-risk review: levels of risk, errors and their costs."""

from assay.scorers.risk.confusion import Matrix, row_shares
from assay.scorers.risk.level import (
    LEVELS,
    TITLES,
    Level,
    highest_level,
    level_of_word,
    stated_level,
)
from assay.scorers.risk.metric import AFTER_VETO, CORPUS, METRICS
from assay.scorers.risk.ordinal import RISK_SCORES
from assay.scorers.risk.score import (
    COUNTED,
    UNPARSED,
    outcome,
    review_metrics,
    review_summary,
    score_review,
    share_after_veto,
)

__all__ = [
    "AFTER_VETO",
    "CORPUS",
    "COUNTED",
    "LEVELS",
    "METRICS",
    "RISK_SCORES",
    "TITLES",
    "UNPARSED",
    "Level",
    "Matrix",
    "highest_level",
    "level_of_word",
    "outcome",
    "review_metrics",
    "review_summary",
    "row_shares",
    "score_review",
    "share_after_veto",
    "stated_level",
]
