"""The legal benchmark: facts, sets of evidence, and gaps that must not be filled in."""

from assay.jobs.legal.benchmark import BenchmarkData, check_type, read_benchmark_data
from assay.jobs.legal.citation import with_answer
from assay.jobs.legal.handler import AskedQuestion
from assay.jobs.legal.preparation import (
    SYSTEM_VARIABLE,
    BenchOptions,
    prepare,
    prepare_with_system,
    run_name,
    summarise_results,
)
from assay.jobs.legal.questioner import Questioner, QuestionLoop, QuestionResult
from assay.jobs.legal.spec import SPEC
from assay.jobs.legal.summary import bench_summary, result_row
from assay.jobs.legal.system import load_bench_system
from assay.jobs.legal.validate import ignored_line, validate_benchmark

__all__ = [
    "SPEC",
    "SYSTEM_VARIABLE",
    "AskedQuestion",
    "BenchOptions",
    "BenchmarkData",
    "QuestionLoop",
    "QuestionResult",
    "Questioner",
    "bench_summary",
    "check_type",
    "ignored_line",
    "load_bench_system",
    "prepare",
    "prepare_with_system",
    "read_benchmark_data",
    "result_row",
    "run_name",
    "summarise_results",
    "validate_benchmark",
    "with_answer",
]
