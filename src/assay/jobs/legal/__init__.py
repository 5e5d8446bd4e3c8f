"""The legal benchmark: facts, sets of evidence, and gaps that must not be filled in."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
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
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AskedQuestion": "handler",
            "BenchOptions": "preparation",
            "BenchmarkData": "benchmark",
            "QuestionLoop": "questioner",
            "QuestionResult": "questioner",
            "Questioner": "questioner",
            "SPEC": "spec",
            "SYSTEM_VARIABLE": "preparation",
            "bench_summary": "summary",
            "check_type": "benchmark",
            "ignored_line": "validate",
            "load_bench_system": "system",
            "prepare": "preparation",
            "prepare_with_system": "preparation",
            "read_benchmark_data": "benchmark",
            "result_row": "summary",
            "run_name": "preparation",
            "summarise_results": "preparation",
            "validate_benchmark": "validate",
            "with_answer": "citation",
        },
    )

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
