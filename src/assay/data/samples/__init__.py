"""Sample texts in Chinese, Russian and English, written for this project."""

from assay.data.samples.sample import (
    DOCUMENTS,
    sample_benchmark,
    sample_chunks,
    sample_document_bytes,
    sample_question_lines,
)

__all__ = [
    "DOCUMENTS",
    "sample_benchmark",
    "sample_chunks",
    "sample_document_bytes",
    "sample_question_lines",
]
