"""A table of what a verdict is worth, in place of the default one: YAML or JSON.

Three rows, each a true level, with what the verdicts are worth from 0 to 1::

    high: {high: 1.0, medium: 0.4, low: 0.0}
    medium: {high: 0.8, medium: 1.0, low: 0.4}
    low: {high: 0.5, medium: 0.8, low: 1.0}
"""

from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from assay.config import load_document
from assay.errors import ConfigError, DatasetError

_Worth: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    high: _Worth
    medium: _Worth
    low: _Worth


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    high: _Row
    medium: _Row
    low: _Row


def read_risk_scores(path: Path) -> tuple[tuple[float, ...], ...]:
    """The nine cells, rows and columns in the order high, medium, low.

    Raises:
        DatasetError: the file cannot be read, a cell is missing, or one is not in 0..1.
    """
    try:
        table = load_document(path, _Table).value
    except ConfigError as error:
        raise DatasetError(str(error)) from None
    return tuple((row.high, row.medium, row.low) for row in (table.high, table.medium, table.low))
