"""How far a contract-risk reviewer can be trusted."""

from assay.jobs.review.handler import SPEC
from assay.jobs.review.run import Review, choose_reviews, describe, prepare_review, run_review
from assay.jobs.review.source import ReviewSources, make_review_context

__all__ = [
    "SPEC",
    "Review",
    "ReviewSources",
    "choose_reviews",
    "describe",
    "make_review_context",
    "prepare_review",
    "run_review",
]
