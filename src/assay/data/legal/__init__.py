"""Files of the legal benchmark: their schema, reading and checking."""

from assay.data.legal.check import CheckedFile, check_benchmark, repeated_across
from assay.data.legal.file import document_path
from assay.data.legal.problem import Problem
from assay.data.legal.question import (
    BenchQuestion,
    EvidenceQuestion,
    FactQuestion,
    GapQuestion,
    QuestionType,
)

__all__ = [
    "BenchQuestion",
    "CheckedFile",
    "EvidenceQuestion",
    "FactQuestion",
    "GapQuestion",
    "Problem",
    "QuestionType",
    "check_benchmark",
    "document_path",
    "repeated_across",
]
