"""The legal benchmark: facts, sets of evidence, and gaps that must not be filled in."""

from assay.jobs.legal.handler import AskedQuestion
from assay.jobs.legal.run import Bench
from assay.jobs.legal.run import Choice
from assay.jobs.legal.questioner import QuestionLoop
from assay.jobs.legal.questioner import QuestionResult
from assay.jobs.legal.questioner import Questioner
from assay.jobs.legal.handler import SPEC
from assay.jobs.legal.benchmark import check_type
from assay.jobs.legal.run import describe
from assay.jobs.legal.system import load_bench_system
from assay.jobs.legal.run import prepare_bench
from assay.jobs.legal.run import prepare_with_system
from assay.jobs.legal.benchmark import read_benchmark_data
from assay.jobs.legal.run import run_bench
from assay.jobs.legal.run import run_name
from assay.jobs.legal.benchmark import sample_path
from assay.jobs.legal.summary import shortcomings
from assay.jobs.legal.run import summarise_results
from assay.jobs.legal.validate import validate_benchmark
from assay.jobs.legal.citation import with_citations

__all__ = [
    "AskedQuestion",
    "Bench",
    "Choice",
    "QuestionLoop",
    "QuestionResult",
    "Questioner",
    "SPEC",
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
