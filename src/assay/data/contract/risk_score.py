"""Read a table of scores for risk levels, which replaces the default table: YAML or JSON.

There is one row for each true level. A row gives the score, from 0 to 1, of each level that
a reviewer may report::

    high: {high: 1.0, medium: 0.4, low: 0.0}
    medium: {high: 0.8, medium: 1.0, low: 0.4}
    low: {high: 0.5, medium: 0.8, low: 1.0}
"""

from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from assay.config import load_document
from assay.errors import ConfigError, DatasetError

_Score: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    high: _Score
    medium: _Score
    low: _Score


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    high: _Row
    medium: _Row
    low: _Row


def read_risk_scores(path: Path) -> tuple[tuple[float, ...], ...]:
    """Read the nine scores; rows and columns are in the order high, medium, low.

    Raises:
        DatasetError: the file cannot be read, or a score is missing or not from 0 to 1.
    """
    try:
        table = load_document(path, _Table).value
    except ConfigError as error:
        raise DatasetError(*error.lines) from None
    return tuple((row.high, row.medium, row.low) for row in (table.high, table.medium, table.low))
