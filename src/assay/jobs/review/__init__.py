"""How far a contract-risk reviewer can be trusted."""

from assay.jobs.review.handler import SPEC
from assay.jobs.review.preparation import prepare
from assay.jobs.review.source import ReviewOptions

__all__ = ["SPEC", "ReviewOptions", "prepare"]
