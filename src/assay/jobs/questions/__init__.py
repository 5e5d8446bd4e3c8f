"""Question sets: ``assay questions``."""

from assay.jobs.questions.diff import SetDiff, diff_lines, diff_questions
from assay.jobs.questions.file import write_lines
from assay.jobs.questions.gold import GoldPassage, QuestionGold, change_gold, read_gold
from assay.jobs.questions.power import (
    Basis,
    Power,
    assumed_basis,
    largest_difference,
    power,
    recorded_basis,
)
from assay.jobs.questions.respan import Respanned, respan
from assay.jobs.questions.review import (
    Draft,
    Published,
    accepted_row,
    decide,
    draft_files,
    publish,
    question_text,
    read_drafts,
    versions_of,
)

__all__ = [
    "Basis",
    "Draft",
    "GoldPassage",
    "Power",
    "Published",
    "QuestionGold",
    "Respanned",
    "SetDiff",
    "accepted_row",
    "assumed_basis",
    "change_gold",
    "decide",
    "diff_lines",
    "diff_questions",
    "draft_files",
    "largest_difference",
    "power",
    "publish",
    "question_text",
    "read_drafts",
    "read_gold",
    "recorded_basis",
    "respan",
    "versions_of",
    "write_lines",
]
