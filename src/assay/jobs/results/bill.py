"""What the rows of each variant cost together, and what each case cost."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from assay.jobs.results.column import Indexes, grown_column
from assay.stats import SCORED, Scores

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
