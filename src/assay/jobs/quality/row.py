"""The row of a quality run."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from assay.journal import Row


class QualityRow(Row, kw_only=True):
    """What a quality run adds to a row. The fields from ``metrics`` on are scores."""

    run: int = 1
    expected: Mapping[str, Any] = {}
    weight: float = 1.0
    metrics: Mapping[str, Any] | UnsetType = UNSET
    matches: Sequence[Any] | UnsetType = UNSET
    cited_pages: Sequence[int] | UnsetType = UNSET
    unsupported: Sequence[Any] | UnsetType = UNSET
