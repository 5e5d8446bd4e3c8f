"""Depth: where in a long context a model stops finding what it was given."""

from assay.jobs.depth.estimate import depth_estimate
from assay.jobs.depth.handler import SPEC
from assay.jobs.depth.novel_data import NovelData, read_novel_data
from assay.jobs.depth.run import Depth, describe, prepare_depth, run_closed_book, run_depth
from assay.jobs.depth.sample import LENGTHS, SYSTEM, sample_novel_data

__all__ = [
    "LENGTHS",
    "SPEC",
    "SYSTEM",
    "Depth",
    "NovelData",
    "depth_estimate",
    "describe",
    "prepare_depth",
    "read_novel_data",
    "run_closed_book",
    "run_depth",
    "sample_novel_data",
]
