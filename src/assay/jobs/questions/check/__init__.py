"""Checking a set of questions: ``assay questions check``."""

from assay.jobs.questions.check.bench import is_bench_file
from assay.jobs.questions.check.check import QuestionCheck, SetCheck, check_questions
from assay.jobs.questions.check.closed_book import (
    ClosedBook,
    ClosedBookEstimate,
    ask_closed_book,
    estimate_closed_book,
)
from assay.jobs.questions.check.corpus import load_passages
from assay.jobs.questions.check.finding import LEVELS, Finding, Kind, Level, question_score
from assay.jobs.questions.check.fix import Fixed, write_fixed
from assay.jobs.questions.check.item import Item, read_items
from assay.jobs.questions.check.report import (
    as_json,
    as_page,
    finding_line,
    kind_table,
    summary_lines,
)

__all__ = [
    "LEVELS",
    "ClosedBook",
    "ClosedBookEstimate",
    "Finding",
    "Fixed",
    "Item",
    "Kind",
    "Level",
    "QuestionCheck",
    "SetCheck",
    "as_json",
    "as_page",
    "ask_closed_book",
    "check_questions",
    "estimate_closed_book",
    "finding_line",
    "is_bench_file",
    "kind_table",
    "load_passages",
    "question_score",
    "read_items",
    "summary_lines",
    "write_fixed",
]
