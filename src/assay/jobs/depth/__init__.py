"""Depth: where in a long context a model stops finding what it was given."""

from assay.jobs.depth.run import Depth
from assay.jobs.depth.sample import LENGTHS
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.handler import SPEC
from assay.jobs.depth.sample import SYSTEM
from assay.jobs.depth.estimate import depth_estimate
from assay.jobs.depth.run import describe
from assay.jobs.depth.run import prepare_depth
from assay.jobs.depth.novel_data import read_novel_data
from assay.jobs.depth.run import run_closed_book
from assay.jobs.depth.run import run_depth
from assay.jobs.depth.sample import sample_novel_data

__all__ = [
    "Depth",
    "LENGTHS",
    "NovelData",
    "SPEC",
    "SYSTEM",
    "depth_estimate",
    "describe",
    "prepare_depth",
    "read_novel_data",
    "run_closed_book",
    "run_depth",
    "sample_novel_data",
]
