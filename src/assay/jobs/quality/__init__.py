"""The quality job: does each answer about a PDF hold what it must, and nothing it must not?"""

from assay.jobs.quality.batch import Batch, open_batch
from assay.jobs.quality.handler import SPEC
from assay.jobs.quality.results_file import journal_path
from assay.jobs.quality.run import Choice, Quality, describe, parse_settings

__all__ = [
    "SPEC",
    "Batch",
    "Choice",
    "Quality",
    "describe",
    "journal_path",
    "open_batch",
    "parse_settings",
]
