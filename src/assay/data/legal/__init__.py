"""Files of the legal benchmark: their schema, reading and checking."""

from assay.data.legal.question import BenchQuestion
from assay.data.legal.check import CheckedFile
from assay.data.legal.question import EvidenceQuestion
from assay.data.legal.question import FactQuestion
from assay.data.legal.question import GapQuestion
from assay.data.legal.problem import Problem
from assay.data.legal.question import QuestionType
from assay.data.legal.check import check_benchmark
from assay.data.legal.file import document_path
from assay.data.legal.check import repeated_across

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
