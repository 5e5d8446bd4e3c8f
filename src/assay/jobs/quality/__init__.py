"""The quality job: does each answer about a PDF contain what it must, and nothing it must not?"""

from assay.jobs.quality.batch import prepare
from assay.jobs.quality.preparation import QualityOptions
from assay.jobs.quality.spec import SPEC

__all__ = ["SPEC", "QualityOptions", "prepare"]
