"""The fields of a recorded row that the results file contains."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class ReportRow(Struct, frozen=True, kw_only=True):
    """One run of a question. A field that the row does not have is ``UNSET``."""

    key: str = ""
    schema_version: int = 0
    status: str = "scored"
    answer: str | UnsetType | None = UNSET
    metrics: Mapping[str, float | int | bool | None] | UnsetType = UNSET
    scores: Mapping[str, float | int | bool | None] | UnsetType = UNSET
    matches: Any = UNSET
    cited_pages: Any = UNSET
    unsupported: Any = UNSET
    passages: Any = UNSET
    elapsed_s: float | int | UnsetType | None = UNSET
    finish_reason: str | UnsetType | None = UNSET
    scored_in_part: bool | UnsetType | None = UNSET
    error: str | UnsetType | None = UNSET
    error_kind: str | UnsetType | None = UNSET
    reason: str | UnsetType | None = UNSET

    def metric(self, name: str) -> float | None:
        """The value of a metric; ``None`` if it is undefined or the row has no metrics."""
        return None if isinstance(self.metrics, UnsetType) else self.metrics.get(name)
