"""Files of the legal benchmark: their schema, and how they are read and checked."""

from assay.data.legal.check import CheckedFile, check_benchmark, last_page, repeated_across
from assay.data.legal.problem import Problem
from assay.data.legal.question import (
    AmountPart,
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
from assay.data.legal.shape import without_nulls
from assay.data.legal.threshold import passing_score

__all__ = [
    "AmountPart",
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
    "last_page",
    "passing_score",
    "repeated_across",
    "without_nulls",
]
