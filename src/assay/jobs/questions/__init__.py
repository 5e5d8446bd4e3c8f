"""Question sets: ``assay questions``."""

from assay.jobs.questions.diff import SetDiff, diff_questions
from assay.jobs.questions.file import write_lines
from assay.jobs.questions.power import Basis, Power, assumed_basis, power, recorded_basis
from assay.jobs.questions.respan import Respanned, respan

__all__ = [
    "Basis",
    "Power",
    "Respanned",
    "SetDiff",
    "assumed_basis",
    "diff_questions",
    "power",
    "recorded_basis",
    "respan",
    "write_lines",
]
