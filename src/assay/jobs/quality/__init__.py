"""The quality job: does each answer about a PDF contain what it must, and nothing it must not?"""

from assay.jobs.quality.batch import prepare
from assay.jobs.quality.handler import SPEC
from assay.jobs.quality.preparation import QualityOptions

__all__ = ["SPEC", "QualityOptions", "prepare"]
