"""Rows of other versions: older ones are migrated while they are read, newer ones are refused.

Version 0 is a row without ``schema_version``: other programs write such rows, with an ``error``
or without any field for the outcome. Version 1 has the same fields as version 2; version 2 added
the status ``answered``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from assay.records import SCHEMA_VERSION

Fields = dict[str, Any]


def _from_0(row: Mapping[str, Any]) -> Fields:
    """A row with an error has failed; another row without a status is scored."""
    status = "failed" if row.get("error") is not None else row.get("status") or "scored"
    return {**row, "status": status}


_STEPS: Final[Mapping[int, Callable[[Mapping[str, Any]], Fields]]] = {0: _from_0}
"""The steps that change a row of this version to the next one. Other versions need no change."""


def needs_migration(version: int) -> bool:
    """Whether rows of this version must be changed before they are used."""
    return version in _STEPS


def migrate(row: Fields) -> Fields:
    """The row as this version would have written it.

    >>> migrate({"key": "q1::full::topk=10", "error": "timeout"})["status"]
    'failed'
    """
    for version in range(row.get("schema_version", 0), SCHEMA_VERSION):
        if version in _STEPS:
            row = _STEPS[version](row)
    return row
