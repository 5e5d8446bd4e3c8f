"""Question sets: ``assay questions``."""

from assay.jobs.questions.diff import SetDiff, diff_questions
from assay.jobs.questions.power import Basis, Power, assumed_basis, power, recorded_basis
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
    "Power",
    "Published",
    "Respanned",
    "SetDiff",
    "accepted_row",
    "assumed_basis",
    "decide",
    "diff_questions",
    "draft_files",
    "power",
    "publish",
    "question_text",
    "read_drafts",
    "recorded_basis",
    "respan",
    "versions_of",
]
