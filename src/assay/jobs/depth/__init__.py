"""Depth: where in a long context a model stops finding what it was given."""

from assay.jobs.depth.preparation import DepthOptions, prepare
from assay.jobs.depth.sample import LENGTHS
from assay.jobs.depth.spec import SPEC

__all__ = ["LENGTHS", "SPEC", "DepthOptions", "prepare"]
