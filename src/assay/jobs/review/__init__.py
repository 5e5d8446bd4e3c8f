"""How far a contract-risk reviewer can be trusted."""

from assay.jobs.review.preparation import prepare
from assay.jobs.review.source import ReviewOptions
from assay.jobs.review.spec import SPEC

__all__ = ["SPEC", "ReviewOptions", "prepare"]
