"""Columns of numbers that grow while rows are read: one value for each variant and item."""

import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from assay.errors import JournalCorrupt
from assay.stats import ANSWERED, FAILED, SCORED, SKIPPED, SPARED

STATUSES: Final = {
    "": SCORED,
    "scored": SCORED,
    "failed": FAILED,
    "skipped": SKIPPED,
    "spared": SPARED,
    "answered": ANSWERED,
}
ROUNDING: Final = 1e-6
"""By how much a share may be outside of 0 to 1."""
TIME: Final = "elapsed_s"
"""The field with the seconds that a case took."""
LONGEST_TIME: Final = 1e9
"""Seconds, about 30 years: no case takes so long."""
NO_TIME: Final = "a time is not below 0"
TOO_LONG: Final = f"a time is not above {LONGEST_TIME:g} seconds"
Indexes = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The variant and the item of each row."""


class Columns:
    """The values of ``fields``, the status, and the block of the file, by variant and item.

    Fields in ``small`` are yes or no, for which half the precision is enough. Values of ``shares``
    are from 0 to 1, and times are not negative. ``room`` is the expected number of items; columns grow if there are more. A
    field without any value yet, which is usual, has no column. ``where`` is the file in messages.
    """

    def __init__(
        self,
        fields: Sequence[str],
        small: Collection[str],
        room: int,
        shares: Collection[str] = (),
        where: str = "",
    ) -> None:
        self.fields = list(fields)
        self._where = where
        self._shares = frozenset(shares)
        self._room = room
        self._kinds = {field: np.float32 if field in small else np.float64 for field in fields}
        self._values: dict[str, NDArray[np.floating]] = {}
        self._status = _empty(0, room, 0, np.uint8)
        self._blocks = _empty(0, room, -1, np.int32)

    @property
    def shape(self) -> tuple[int, int]:
        """For how many variants and items there is room."""
        variants, items = self._status.shape
        return variants, items

    def grow(self, variants: int, items: int) -> None:
        """Make room for so many variants and items, for items twice as much as is needed."""
        known, room = self._status.shape
        if variants <= known and items <= room:
            return
        shape = max(variants, known), room if items <= room else max(1024, 2 * items)
        self._status = _grown(self._status, shape, 0)
        self._blocks = _grown(self._blocks, shape, -1)
        for field, column in self._values.items():
            self._values[field] = _grown(column, shape, np.nan)

    def put(self, found: Mapping[str, list[Any]], at: Indexes, blocks: NDArray[np.int32]) -> None:
        """Add the fields of rows; the last row of a variant and item replaces earlier ones.

        ``found`` are the values of each field, row by row, those of ``key``, ``status`` and
        ``error`` too. Raises ``JournalCorrupt`` if a share is not from 0 to 1, or a time is
        negative.
        """
        status = _statuses(found["status"], found["error"])
        # one number for each case: twice as fast as a pair of numbers
        cases = np.ravel_multi_index(at, self.shape)
        self._status.reshape(-1)[cases] = status
        self._blocks.reshape(-1)[cases] = blocks
        unscored = status != SCORED
        some_unscored = bool(unscored.any())
        for field in self.fields:
            if field not in self._values:
                if _are_all_none(found[field]):
                    continue
                self._values[field] = np.full(self._status.shape, np.nan, self._kinds[field])
            values = numbers(found[field], self._kinds[field])
            if some_unscored:
                values[unscored] = np.nan
            if field in self._shares or field == TIME:
                _refuse_impossible(self._where, field, values, found["key"])
            self._values[field].reshape(-1)[cases] = values

    def status(self, order: slice | NDArray[np.intp]) -> NDArray[np.uint8]:
        """How each case ended, with the items in this order."""
        return self._status[:, order]

    def blocks(self, order: slice | NDArray[np.intp]) -> NDArray[np.int32]:
        """The block of the file in which the row of each case is; -1 if there is none."""
        return self._blocks[:, order]

    def take_values(self, order: slice | NDArray[np.intp]) -> dict[str, NDArray[np.floating]]:
        """The values of all fields, with the items in this order; this object loses them.

        The old order of a column is freed before the next one is copied. A field without any value
        has an array of NaN that takes no memory.
        """
        shape = self.status(order).shape
        return {
            field: self._values.pop(field)[:, order]
            if field in self._values
            else np.broadcast_to(kind(np.nan), shape)
            for field, kind in self._kinds.items()
        }


def _refuse_impossible(where: str, field: str, values: NDArray[Any], keys: Sequence[str]) -> None:
    """Raise ``JournalCorrupt`` if a value is not a share, or not a time; undefined ones (NaN) are."""
    most = LONGEST_TIME if field == TIME else 1 + ROUNDING
    # fmin and fmax pass over NaN, and are a hundred times as fast as looking at each value
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    if low < -ROUNDING or high > most:
        at = int(np.flatnonzero((values < -ROUNDING) | (values > most))[0])
        value = f"{where}: {keys[at]}: {field} is {values[at]:g}, but "
        if field == TIME:
            reason = NO_TIME if values[at] < 0 else TOO_LONG
            raise JournalCorrupt(
                f"{value}{reason}; nothing was changed. Correct or delete that line"
            )
        raise JournalCorrupt(
            f"{value}it is a share from 0 to 1; "
            "nothing was changed. Score the run again with assay score, or delete that line"
        )


def numbers(values: list[Any], kind: Any) -> NDArray[Any]:
    """Numbers and booleans as an array, with NaN for ``None``.

    >>> numbers([True, None, 0.5], np.float64)
    array([1. , nan, 0.5])
    """
    if _are_all_none(values):
        return np.full(len(values), np.nan, kind)
    # packing is several times as fast as any function of NumPy for lists
    is_yes_or_no = isinstance(values[0], bool) and _are_all_0_or_1(values)
    packed_as = "?" if is_yes_or_no else "d"
    try:
        packed = struct.pack(f"{len(values)}{packed_as}", *values)
    except (struct.error, OverflowError):  # a None, or an integer that no float can hold
        packed = struct.pack(f"{len(values)}d", *map(_float, values))
    with np.errstate(over="ignore"):  # a number that is too large becomes infinite
        return np.frombuffer(packed, packed_as).astype(kind)


def whole_numbers(values: Iterable[int], count: int) -> NDArray[np.int64]:
    """So many whole numbers as an array.

    >>> whole_numbers(range(3), 3)
    array([0, 1, 2])
    """
    return np.frombuffer(struct.pack(f"{count}q", *values), np.int64)


def _are_all_none(values: list[Any]) -> bool:
    return values[0] is None and values.count(None) == len(values)


def _are_all_0_or_1(values: list[Any]) -> bool:
    return values.count(True) + values.count(False) == len(values)


def _float(value: float | None) -> float:
    try:
        return np.nan if value is None else float(value)
    except OverflowError:
        return np.inf


def _statuses(names: list[str], errors: list[str | None]) -> NDArray[np.uint8]:
    if names.count("scored") == len(names) == errors.count(None):
        return np.full(len(names), SCORED, np.uint8)
    return np.array(
        [
            FAILED if error is not None else STATUSES.get(name, FAILED)
            for name, error in zip(names, errors, strict=True)
        ],
        np.uint8,
    )


def _empty(variants: int, items: int, missing: float, kind: Any) -> NDArray[Any]:
    return np.full((variants, items), missing, kind)


def grown_column(column: NDArray[np.float64] | None, shape: tuple[int, int]) -> NDArray[np.float64]:
    """The column with room for ``shape``, with NaN in what is new."""
    if column is None:
        return np.full(shape, np.nan)
    return column if column.shape == shape else _grown(column, shape, np.nan)


def _grown(column: NDArray[Any], shape: tuple[int, int], missing: float) -> NDArray[Any]:
    grown = np.full(shape, missing, column.dtype)
    grown[: column.shape[0], : column.shape[1]] = column
    return grown
