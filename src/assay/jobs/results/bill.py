"""What the rows of each variant cost together."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

USAGE: Final = ("calls", "replayed_calls", "prompt_tokens", "completion_tokens")
MONEY: Final = ("cost", "paid", "judge_cost", "judge_paid")


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
