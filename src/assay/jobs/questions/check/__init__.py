"""Checking a set of questions: ``assay questions check``."""

from assay.jobs.questions.check.check import QuestionCheck, SetCheck, check_questions
from assay.jobs.questions.check.corpus import load_passages
from assay.jobs.questions.check.finding import LEVELS, Finding, Kind, Level, question_score
from assay.jobs.questions.check.fix import Fixed, write_fixed
from assay.jobs.questions.check.report import (
    as_json,
    as_page,
    finding_line,
    kind_table,
    summary_lines,
)

__all__ = [
    "LEVELS",
    "Finding",
    "Fixed",
    "Kind",
    "Level",
    "QuestionCheck",
    "SetCheck",
    "as_json",
    "as_page",
    "check_questions",
    "finding_line",
    "kind_table",
    "load_passages",
    "question_score",
    "summary_lines",
    "write_fixed",
]
