"""Questions and documents of the quality job."""

from assay.data.quality.config import BenchmarkConfig, DatasetConfig, load_benchmark
from assay.data.quality.pdf_text import read_pdf
from assay.data.quality.question import (
    QualityFile,
    QualityQuestion,
    read_quality_file,
    read_quality_line,
    read_quality_questions,
)

__all__ = [
    "BenchmarkConfig",
    "DatasetConfig",
    "QualityFile",
    "QualityQuestion",
    "load_benchmark",
    "read_pdf",
    "read_quality_file",
    "read_quality_line",
    "read_quality_questions",
]
