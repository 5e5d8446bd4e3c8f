"""Scores of a contract-risk review: levels of risk, errors and their costs."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
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
    from assay.scorers.risk.ordinal import RISK_SCORES, Worth
    from assay.scorers.risk.score import (
        COUNTED,
        UNPARSED,
        outcome,
        review_metrics,
        review_summary,
        score_review,
        share_after_veto,
    )
    from assay.scorers.risk.unread import unread_part
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AFTER_VETO": "metric",
            "CORPUS": "metric",
            "COUNTED": "score",
            "LEVELS": "level",
            "Level": "level",
            "METRICS": "metric",
            "Matrix": "confusion",
            "RISK_SCORES": "ordinal",
            "TITLES": "level",
            "UNPARSED": "score",
            "Worth": "ordinal",
            "highest_level": "level",
            "level_of_word": "level",
            "outcome": "score",
            "review_metrics": "score",
            "review_summary": "score",
            "row_shares": "confusion",
            "score_review": "score",
            "share_after_veto": "score",
            "stated_level": "level",
            "unread_part": "unread",
        },
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
    "Worth",
    "highest_level",
    "level_of_word",
    "outcome",
    "review_metrics",
    "review_summary",
    "row_shares",
    "score_review",
    "share_after_veto",
    "stated_level",
    "unread_part",
]
