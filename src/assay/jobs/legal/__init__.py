"""The legal benchmark: facts, sets of evidence, and gaps that must not be filled in."""

from assay.jobs.legal.benchmark import check_type, read_benchmark_data, sample_path
from assay.jobs.legal.citation import with_citations
from assay.jobs.legal.handler import SPEC, AskedQuestion
from assay.jobs.legal.questioner import Questioner, QuestionLoop, QuestionResult
from assay.jobs.legal.run import (
    Bench,
    Choice,
    describe,
    prepare_bench,
    prepare_with_system,
    run_bench,
    run_name,
    summarise_results,
)
from assay.jobs.legal.summary import shortcomings
from assay.jobs.legal.system import load_bench_system
from assay.jobs.legal.validate import validate_benchmark

__all__ = [
    "SPEC",
    "AskedQuestion",
    "Bench",
    "Choice",
    "QuestionLoop",
    "QuestionResult",
    "Questioner",
    "check_type",
    "describe",
    "load_bench_system",
    "prepare_bench",
    "prepare_with_system",
    "read_benchmark_data",
    "run_bench",
    "run_name",
    "sample_path",
    "shortcomings",
    "summarise_results",
    "validate_benchmark",
    "with_citations",
]
