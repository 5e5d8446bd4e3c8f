"""The fields of a published results file that are not read."""

from pathlib import Path

import msgspec
from msgspec.structs import fields

from assay.data.jsonl import read_blocks
from assay.jobs.depth.map.row import DepthRow

_KNOWN = frozenset(field.name for field in fields(DepthRow))


def read_ignored_fields(path: Path) -> tuple[str, ...]:
    """The names of the fields that no part of assay reads, in alphabetical order."""
    ignored: set[str] = set()
    for rows in read_blocks(path, dict[str, msgspec.Raw], torn_end=True):
        for row in rows:
            ignored.update(row.keys() - _KNOWN)
    return tuple(sorted(ignored))
