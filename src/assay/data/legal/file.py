"""Files of the legal benchmark: their shape, their JSON Schema, and reading them.

A file has a type, a document beside it and questions of that type. Files are read and checked
by ``assay.data.legal.check``, which names all that is wrong at once.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from assay.data.legal.question import (
    EvidenceQuestion,
    FactQuestion,
    GapQuestion,
    QuestionType,
    Share,
)

SCHEMA_VERSION: Final = "1.0.0"
"""The version of the files' shape."""


class EvaluationCriteria(Struct, frozen=True, kw_only=True):
    """What counts as passed; further keys are the user's own."""

    min_score: Annotated[
        Share | None, Meta(description="A question passes from this score on.")
    ] = None


class _Benchmark(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    document: Annotated[str, Meta(min_length=1, description="A file beside this one.")]
    description: str = ""
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION
    evaluation_criteria: EvaluationCriteria = EvaluationCriteria()


class FactBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="fact_exact"
):
    """A file of questions of fact."""

    questions: Annotated[tuple[FactQuestion, ...], Meta(min_length=1)]


class EvidenceBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="evidence_set"
):
    """A file of questions for sets of evidence."""

    questions: Annotated[tuple[EvidenceQuestion, ...], Meta(min_length=1)]


class GapBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="conflict_gap"
):
    """A file of questions that the document leaves open."""

    questions: Annotated[tuple[GapQuestion, ...], Meta(min_length=1)]


Benchmark: TypeAlias = FactBenchmark | EvidenceBenchmark | GapBenchmark

KINDS: Final[dict[QuestionType, type[FactBenchmark | EvidenceBenchmark | GapBenchmark]]] = {
    "fact_exact": FactBenchmark,
    "evidence_set": EvidenceBenchmark,
    "conflict_gap": GapBenchmark,
}
"""The shape of a file by its ``benchmark_type``."""


def convert_benchmark(raw: Any) -> Benchmark:
    """The benchmark of a decoded JSON value that has no problems."""
    found: Benchmark = msgspec.convert(raw, Benchmark)
    return found


def benchmark_schema() -> str:
    """JSON Schema (2020-12) of a benchmark file, indented, ending in a newline."""
    made = msgspec.json.schema(Benchmark)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay legal benchmark",
        "description": f"Schema version {SCHEMA_VERSION}.",
        **made,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def document_path(benchmark: Path, document: str) -> Path:
    """Where the document of a benchmark file stands: beside it."""
    return benchmark.parent / document
