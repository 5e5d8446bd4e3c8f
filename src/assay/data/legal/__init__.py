"""Files of the legal benchmark: their schema, and how they are read and checked."""

from assay.data.legal.check import CheckedFile, check_benchmark, repeated_across
from assay.data.legal.file import document_path
from assay.data.legal.problem import Problem
from assay.data.legal.question import (
    BenchQuestion,
    DateSpan,
    EvidenceQuestion,
    ExpectedEvidence,
    ExpectedFact,
    FactQuestion,
    FactScoring,
    GapQuestion,
    QuestionType,
    RequiredEvidence,
)

__all__ = [
    "BenchQuestion",
    "CheckedFile",
    "DateSpan",
    "EvidenceQuestion",
    "ExpectedEvidence",
    "ExpectedFact",
    "FactQuestion",
    "FactScoring",
    "GapQuestion",
    "Problem",
    "QuestionType",
    "RequiredEvidence",
    "check_benchmark",
    "document_path",
    "repeated_across",
]
