"""The legal benchmark: facts, sets of evidence, and gaps that must not be filled in."""

from assay.jobs.legal.benchmark import check_type, read_benchmark_data
from assay.jobs.legal.citation import with_citations
from assay.jobs.legal.handler import AskedQuestion
from assay.jobs.legal.preparation import (
    BenchOptions,
    prepare,
    prepare_with_system,
    run_name,
    summarise_results,
)
from assay.jobs.legal.questioner import Questioner, QuestionLoop, QuestionResult
from assay.jobs.legal.spec import SPEC
from assay.jobs.legal.system import load_bench_system
from assay.jobs.legal.validate import validate_benchmark

__all__ = [
    "SPEC",
    "AskedQuestion",
    "BenchOptions",
    "QuestionLoop",
    "QuestionResult",
    "Questioner",
    "check_type",
    "load_bench_system",
    "prepare",
    "prepare_with_system",
    "read_benchmark_data",
    "run_name",
    "summarise_results",
    "validate_benchmark",
    "with_citations",
]
