"""Rows that wait to be put into columns, taken apart into their fields."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from assay.jobs.results.bill import CALLS, COST

HEAD: Final = ("key", "source", "config", "status", "error", COST)
"""The fields of every row that are put into columns besides the requested ones."""


class Batch:
    """The values of each field of the rows so far, row by row.

    Rows are taken apart block by block, while they are in the processor's cache, and their memory is
    free for the next block: with whole rows waiting, twice as many reads of memory missed the cache.
    """

    def __init__(self, fields: Iterable[str]) -> None:
        self._paths: dict[str, list[tuple[str, str]]] = {}
        for field in dict.fromkeys((*HEAD, CALLS, *fields)):
            parent, _, name = field.rpartition(".")
            self._paths.setdefault(parent, []).append((field, name))
        self.items: list[str] = []
        self.found: dict[str, list[Any]] = {
            field: [] for names in self._paths.values() for field, _ in names
        }
        self._blocks: list[int] = []
        self._rows: list[int] = []

    def __len__(self) -> int:
        return len(self.items)

    def add(self, fields: Mapping[str, Sequence[Any]], items: Sequence[str], block: int) -> None:
        """Add the rows of a block, at least one: their fields, and the names of their items."""
        for parent, names in self._paths.items():
            values = _fields_of(parent, fields, [name for _, name in names])
            for field, name in names:
                self.found[field] += values[name]
        self.items += items
        self._blocks.append(block)
        self._rows.append(len(items))

    @property
    def blocks(self) -> NDArray[np.int32]:
        """The block of each row."""
        return np.repeat(np.array(self._blocks, np.int32), self._rows)


def _fields_of(
    parent: str, fields: Mapping[str, Sequence[Any]], names: Sequence[str]
) -> Mapping[str, Iterable[Any]]:
    """The named fields of an object in each row, or the rows' own fields if there is no parent."""
    if not parent:
        return fields
    first, *further = parent.split(".", 1)
    owners = fields[first]
    if further:
        owners = list(map(attrgetter(*further), owners))
    if len(names) > 1:
        return transposed(owners)
    return {name: map(attrgetter(name), owners) for name in names}  # faster for a single field


def transposed(rows: Sequence[Any]) -> dict[str, tuple[Any, ...]]:
    """The values of each field of structs of one type, in their order.

    Several times as fast as getting every field of every struct.
    """
    columns = zip(*map(astuple, rows), strict=True)
    return dict(zip(type(rows[0]).__struct_fields__, columns, strict=True))
