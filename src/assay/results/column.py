"""Columns of numbers that grow while rows are read: one value for each variant and item."""

import re
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from operator import attrgetter, is_
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple
from numpy.typing import NDArray

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt
from assay.stats.scores import ANSWERED, FAILED, SCORED, SKIPPED, SPARED, Scores

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
TIMES: Final = frozenset({"elapsed_s", "ttft_s"})
"""The fields with the seconds that a case took, and that it took to the first text."""
LONGEST_TIME: Final = 1e9
"""Seconds, about 30 years: no case takes so long."""
NO_TIME: Final = "a time is not below 0"
TOO_LONG: Final = f"a time is not above {LONGEST_TIME:g} seconds"
Indexes = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The variant and the item of each row."""


class RowColumns:
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
            if field in self._shares or field in TIMES:
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
    most = LONGEST_TIME if field in TIMES else 1 + ROUNDING
    # fmin and fmax pass over NaN, and are a hundred times as fast as looking at each value
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    if low < -ROUNDING or high > most:
        at = int(np.flatnonzero((values < -ROUNDING) | (values > most))[0])
        value = f"{where}: {keys[at]}: {field} is {values[at]:g}, but "
        if field in TIMES:
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


# What the rows of each variant cost together, and what each case cost.

USAGE: Final = ("calls", "replayed_calls", "prompt_tokens", "completion_tokens")
MONEY: Final = ("cost", "paid", "judge_cost", "judge_paid")
COST: Final = "cost"
CALLS: Final = "usage.calls"
"""The fields of rows that are added up by case."""
CASE_COST: Final = "bill.cost"
"""The column of what each case cost."""
CASE_CALLS: Final = "bill.calls"
"""The column of how many calls each case took."""


class Bill(Struct, frozen=True, kw_only=True):
    """What all rows of a variant cost together, including failed and replaced rows.

    ``cost`` is the list price of all calls, ``paid`` that of the calls that were not replayed
    from the cache. Both are ``None`` if no price is known. ``judge_cost`` and ``judge_paid`` are
    the same for the calls of judges, which are not part of the others.
    """

    calls: int = 0
    replayed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    paid: float | None = None
    judge_cost: float | UnsetType = UNSET
    judge_paid: float | UnsetType = UNSET


class BillSums:
    """Adds up the costs of rows by variant."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[str, float]] = {}

    def add(self, rows: Iterable[Any]) -> None:
        """Add rows with the fields of ``row_type``."""
        for row in rows:
            usage = row.usage
            if usage.calls:
                self._add(row.config, USAGE, usage)
            if (
                row.cost is not None
                or row.paid is not None
                or row.judge_cost is not None
                or row.judge_paid is not None
            ):
                self._add(row.config, MONEY, row)

    def _add(self, variant: str, names: Iterable[str], amounts: Any) -> None:
        sums = self._sums.setdefault(variant, {})
        for name in names:
            amount = getattr(amounts, name)
            if amount is not None:
                sums[name] = sums.get(name, 0) + amount

    def bills(self, variants: Iterable[str]) -> dict[str, Bill]:
        """The bill of each variant."""
        return {name: _bill(self._sums.get(name, {})) for name in variants}


def _bill(sums: Mapping[str, float]) -> Bill:
    """The bill with amounts rounded to 12 decimals; further digits depend on the order of rows.

    Counts of files from elsewhere may be written as 12.0, and an estimate as 12.5.
    """
    rounded = {name: round(value, 12 if name in MONEY else None) for name, value in sums.items()}
    return msgspec.convert(rounded, Bill)


class CaseSums:
    """Adds up what each case cost and the calls it took, over all its rows.

    A row that scores an answer again does not repeat what the answer cost, so one row of a case is
    not enough. NaN for a case without a known amount.
    """

    def __init__(self) -> None:
        self._columns: dict[str, NDArray[np.float64]] = {}

    def add(
        self, found: Mapping[str, list[float | None]], at: Indexes, shape: tuple[int, int]
    ) -> None:
        """Add the values of rows; ``at`` has the variant and the item of each, below ``shape``."""
        self._add(CASE_COST, found[COST], at, shape)
        self._add(CASE_CALLS, found[CALLS], at, shape)

    def _add(
        self, name: str, amounts: list[float | None], at: Indexes, shape: tuple[int, int]
    ) -> None:
        if name not in self._columns and amounts.count(None) == len(amounts):
            return
        column = grown_column(self._columns.get(name), shape)
        values = np.array(amounts, np.float64)
        known = ~np.isnan(values)
        cases = at[0][known], at[1][known]
        column[cases] = np.nan_to_num(column[cases])
        np.add.at(column, cases, values[known])
        self._columns[name] = column

    def columns(
        self, order: slice | NDArray[np.intp], shape: tuple[int, int]
    ) -> dict[str, NDArray[np.floating]]:
        """The columns that have a value, with the items in this order."""
        return {
            name: grown_column(column, shape)[:, order] for name, column in self._columns.items()
        }


def paired_bills(scores: Scores, variants: Sequence[str]) -> dict[str, Bill]:
    """What the cases that all these variants have scored cost in each of them.

    Only cases whose amounts are known in all of them count, so that a variant does not look cheap
    because its cases failed.
    """
    numbers = [scores.variants.index(name) for name in variants]
    is_scored = (scores.status[numbers] == SCORED).all(axis=0)
    found: dict[str, dict[str, float]] = {name: {} for name in variants}
    for field, amount in ((CASE_COST, "cost"), (CASE_CALLS, "calls")):
        if field not in scores.values:
            continue
        values = scores.values[field][numbers]
        common = values[:, is_scored & ~np.isnan(values).any(axis=0)]
        if common.size:
            for name, total in zip(variants, common.sum(axis=1), strict=True):
                found[name][amount] = float(total)
    return {name: _bill(sums) for name, sums in found.items()}


# Rows that wait to be put into columns, taken apart into their fields.

HEAD: Final = ("key", "source", "config", "status", "error", COST)
"""The fields of every row that are put into columns besides the requested ones."""


class ColumnBatch:
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
    one = owners[0]
    if all(map(is_, owners, repeat(one))):  # rows without the object share its defaults
        return {name: (getattr(one, name),) * len(owners) for name in names}
    if len(names) > 1:
        return transposed(owners)
    return {name: map(attrgetter(name), owners) for name in names}  # faster for a single field


def transposed(rows: Sequence[Any]) -> dict[str, tuple[Any, ...]]:
    """The values of each field of structs of one type, in their order.

    Several times as fast as getting every field of every struct.
    """
    columns = zip(*map(astuple, rows), strict=True)
    return dict(zip(type(rows[0]).__struct_fields__, columns, strict=True))


# Stages that a system skipped without being told to: their setting then has no effect.
#
# A variant whose reranker fails in every case gives the answers of one without a reranker. The rows
# say so stage by stage; here they are counted.

_MARK: Final = b'"skipped"'
_SKIPPED: Final = re.compile(rb'"skipped"\s*:\s*"((?:[^"\\]|\\.)*+)"')
_OFF: Final = re.compile(rb"\b(?:off|disabled|not enabled)$|^the model takes the second look$")
"""The end of a reason that names a setting: the stage was not meant to run."""
_LONGEST: Final = 120
_ANSWERED: Final = frozenset({"scored", "answered"})


class SkippedStage(Struct, frozen=True, kw_only=True):
    """A stage that was skipped in some cases of a variant, and the most frequent reason."""

    variant: str
    stage: str
    cases: int
    reason: str


class _Stage(Struct):
    name: str = ""
    skipped: str | None = None


_DECODER: Final = msgspec.json.Decoder(list[_Stage])


class SkippedStages:
    """Counts the skipped stages of the last row of each key."""

    def __init__(self) -> None:
        self._by_key: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {}

    def add(self, rows: Sequence[Any]) -> None:
        """Take rows with the fields ``key``, ``config``, ``status`` and ``stages``."""
        if not self._by_key and _MARK not in b"".join([row.stages for row in rows]):
            return  # usual, and much faster than looking at each row
        for row in rows:
            stages = _skipped(bytes(row.stages)) if row.status in _ANSWERED else ()
            if stages:
                self._by_key[row.key] = (row.config, stages)
            elif self._by_key:
                self._by_key.pop(row.key, None)

    def listed(self, variants: Mapping[str, Any]) -> tuple[SkippedStage, ...]:
        """The skipped stages, in the order of the variants."""
        counts: dict[tuple[str, str], Counter[str]] = {}
        for variant, stages in self._by_key.values():
            for stage, reason in dict(stages).items():
                counts.setdefault((variant, stage), Counter())[reason] += 1
        order = {name: place for place, name in enumerate(variants)}
        return tuple(
            SkippedStage(
                variant=variant,
                stage=stage,
                cases=reasons.total(),
                reason=min(reasons, key=lambda reason: (-reasons[reason], reason)),
            )
            for (variant, stage), reasons in sorted(
                counts.items(), key=lambda item: (order.get(item[0][0], 0), item[0])
            )
        )


def _skipped(stages: bytes) -> tuple[tuple[str, str], ...]:
    r"""The stages that were skipped for another reason than a setting, and the reasons.

    Of a reason only what is before a colon is kept; what follows is about one case.

    >>> _skipped(b'[{"name": "rerank", "skipped": "llm_rerank_enabled is off"}]')
    ()
    >>> _skipped(b'[{"name": "rerank", "skipped": "no grades: \\"hm\\""}]')
    (('rerank', 'no grades'),)
    """
    if all(_OFF.search(reason) for reason in _SKIPPED.findall(stages)):
        return ()
    try:
        read = _DECODER.decode(stages)
    except UNREADABLE:
        return ()
    return tuple(
        (stage.name, stage.skipped.partition(": ")[0][:_LONGEST])
        for stage in read
        if stage.skipped and not _OFF.search(stage.skipped.encode())
    )
