"""The structure of a legal benchmark file, and its JSON Schema.

A file has a type, questions of that type, and usually the name of a document. Files are read by
``assay.data.legal.check``, which reports all problems together. Class docstrings and
descriptions become part of the JSON Schema. Fields that are not listed here are allowed; they are
ignored.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from assay.data.foreign_value import as_number
from assay.data.legal.question import (
    EvidenceQuestion,
    FactQuestion,
    GapQuestion,
    QuestionType,
    Share,
)

SCHEMA_VERSION: Final = "1.0.0"
"""The version of the file format."""


class EvaluationCriteria(Struct, frozen=True, kw_only=True):
    """When a question counts as passed. Other keys, for example descriptions, are allowed."""

    min_score: Annotated[
        Share | None, Meta(description="A question passes if its score is at least this.")
    ] = None
    passing_threshold: Annotated[
        Any, Meta(description="Another name of min_score; 70 means 0.7.")
    ] = None
    passing_score: Annotated[
        Any, Meta(description="A number, or an object with one for each type or difficulty.")
    ] = None


class ScoringConfig(Struct, frozen=True, kw_only=True):
    """How the scores of the whole benchmark are combined."""

    overall_pass_threshold: Annotated[
        Any,
        Meta(description="A question passes with this score if nothing else says when."),
    ] = None
    type_weights: Annotated[
        Mapping[str, Any],
        Meta(description="The weight of each type of question in the overall percentage."),
    ] = {}

    @property
    def weights(self) -> dict[str, float]:
        """The weights that are numbers; descriptions beside them are left out.

        >>> ScoringConfig(type_weights={"fact_exact": 2, "note": "…"}).weights
        {'fact_exact': 2.0}
        """
        numbers = {name: as_number(weight) for name, weight in self.type_weights.items()}
        return {
            name: weight for name, weight in numbers.items() if weight is not None and weight >= 0
        }


class _Benchmark(Struct, frozen=True, kw_only=True):
    document: Annotated[
        str, Meta(description="A file in the same folder, in a folder above it or beside it.")
    ] = ""
    description: Any = ""
    benchmark_name: Any = None
    version: Any = None
    document_info: Any = None
    system_instructions: Any = None
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION
    evaluation_criteria: EvaluationCriteria = EvaluationCriteria()
    scoring_config: ScoringConfig = ScoringConfig()


class FactBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="fact_exact"
):
    """A file of questions about facts."""

    questions: Annotated[tuple[FactQuestion, ...], Meta(min_length=1)]


class EvidenceBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="evidence_set"
):
    """A file of questions that ask for all relevant passages."""

    questions: Annotated[tuple[EvidenceQuestion, ...], Meta(min_length=1)]


class GapBenchmark(
    _Benchmark, frozen=True, kw_only=True, tag_field="benchmark_type", tag="conflict_gap"
):
    """A file of questions that the document does not answer, or answers in two ways."""

    questions: Annotated[tuple[GapQuestion, ...], Meta(min_length=1)]


Benchmark: TypeAlias = FactBenchmark | EvidenceBenchmark | GapBenchmark

KINDS: Final[dict[QuestionType, type[FactBenchmark | EvidenceBenchmark | GapBenchmark]]] = {
    "fact_exact": FactBenchmark,
    "evidence_set": EvidenceBenchmark,
    "conflict_gap": GapBenchmark,
}
"""The struct of a file for each ``benchmark_type``."""


def convert_benchmark(raw: Any) -> Benchmark:
    """Convert a decoded JSON value, which must have no problems, to a benchmark."""
    benchmark: Benchmark = msgspec.convert(raw, Benchmark)
    return benchmark


def benchmark_schema() -> str:
    """The JSON Schema (2020-12) of a benchmark file, indented, with a newline at the end."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay legal benchmark",
        "description": f"Schema version {SCHEMA_VERSION}.",
        **msgspec.json.schema(Benchmark),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
