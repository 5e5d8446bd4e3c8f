"""Questions and documents of the quality job."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.data.quality.config import BenchmarkConfig, DatasetConfig, load_benchmark
    from assay.data.quality.pdf_text import read_pdf
    from assay.data.quality.question import (
        QualityFile,
        QualityQuestion,
        read_quality_file,
        read_quality_line,
        read_quality_questions,
        refuse_unchecked,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "BenchmarkConfig": "config",
            "DatasetConfig": "config",
            "QualityFile": "question",
            "QualityQuestion": "question",
            "load_benchmark": "config",
            "read_pdf": "pdf_text",
            "read_quality_file": "question",
            "read_quality_line": "question",
            "read_quality_questions": "question",
            "refuse_unchecked": "question",
        },
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
    "refuse_unchecked",
]
