"""How far a contract-risk reviewer can be trusted."""

from assay.jobs.review.run import Review
from assay.jobs.review.source import ReviewSources
from assay.jobs.review.handler import SPEC
from assay.jobs.review.run import choose_reviews
from assay.jobs.review.run import describe
from assay.jobs.review.source import make_review_context
from assay.jobs.review.run import prepare_review
from assay.jobs.review.run import run_review

__all__ = [
    "Review",
    "ReviewSources",
    "SPEC",
    "choose_reviews",
    "describe",
    "make_review_context",
    "prepare_review",
    "run_review",
]
