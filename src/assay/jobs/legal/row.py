"""The row of the legal benchmark."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from assay.journal import Row


class BenchRow(Row, kw_only=True):
    """What the benchmark adds to a row. The fields from ``score`` on are scores and reasons."""

    question_type: str = ""
    category: str | None = None
    difficulty: str | None = None
    file: str = ""
    document: str = ""
    document_sha256: str = ""
    has_page_marks: bool = True
    min_score: float | None = None
    weight: float | None = None
    type_weight: float | None = None
    gold: Mapping[str, Any] = {}
    score: float | UnsetType = UNSET
    terms: Mapping[str, Any] | UnsetType = UNSET
    fields: Mapping[str, bool] | UnsetType = UNSET
    missing: Sequence[str] | UnsetType = UNSET
    invented: Sequence[Mapping[str, Any]] | UnsetType = UNSET
    faults: Sequence[str] | UnsetType = UNSET
    why: Sequence[Any] | UnsetType = UNSET
    notes: Sequence[str] | UnsetType = UNSET
    passed: bool | UnsetType | None = UNSET
    citations: Sequence[Mapping[str, Any]] | UnsetType = UNSET
