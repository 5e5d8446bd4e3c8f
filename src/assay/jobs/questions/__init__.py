"""Question sets: ``assay questions``."""

from assay.jobs.questions.diff import SetDiff, diff_questions
from assay.jobs.questions.file import write_lines
from assay.jobs.questions.gold import GoldPassage, QuestionGold, change_gold, read_gold
from assay.jobs.questions.power import Basis, Power, assumed_basis, power, recorded_basis
from assay.jobs.questions.respan import Respanned, respan

__all__ = [
    "Basis",
    "GoldPassage",
    "Power",
    "QuestionGold",
    "Respanned",
    "SetDiff",
    "assumed_basis",
    "change_gold",
    "diff_questions",
    "power",
    "read_gold",
    "recorded_basis",
    "respan",
    "write_lines",
]
