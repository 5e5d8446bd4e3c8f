"""The fields of a recorded row that the results of a benchmark are made from."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct


class ReportRow(Struct, frozen=True, kw_only=True):
    """One question and its outcome. A field that the row does not have is ``None``."""

    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    config: str = ""
    status: str = "scored"
    question_type: str = ""
    category: str | None = None
    difficulty: str | None = None
    file: str = ""
    source: str | None = None
    question: str = ""
    min_score: float | int | None = None
    weight: float | int | None = None
    type_weight: float | int | None = None
    score: float | int | None = None
    passed: bool | None = None
    terms: Mapping[str, float | int | bool | None] | None = None
    why: Any = None
    missing: Sequence[str] | None = None
    invented: Sequence[Mapping[str, Any]] | None = None
    faults: Sequence[str] | None = None
    notes: Sequence[str] | None = None
    answer: str | None = None
    citations: Any = None
    elapsed_s: float | int | None = None
    error: str | None = None
    reason: str | None = None
