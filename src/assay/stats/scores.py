"""The scores of a run as arrays; all statistics are computed from them."""

from collections.abc import Mapping, Sequence
from itertools import islice
from operator import le

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.records import Tally

ABSENT, SCORED, FAILED, SKIPPED, ANSWERED, SPARED = 0, 1, 2, 3, 4, 5
"""The values of ``Scores.status``."""


class Scores(Struct, frozen=True, kw_only=True, eq=False):
    """One array for each field, with one row for each variant and one column for each item.

    ``items`` are the names by which values are paired: question ids, or ids with a placement.
    ``clusters`` contains the number of the source document of each item, and ``questions`` the
    number of its question; ``None`` if every item is a question of its own. A value is used only if
    it is a finite number and its status is ``SCORED``. The value of a case that failed, was
    skipped, spared or not judged yet is ignored.
    """

    items: Sequence[str]
    variants: tuple[str, ...]
    status: NDArray[np.uint8]
    values: Mapping[str, NDArray[np.floating]]
    clusters: NDArray[np.integer] | None = None
    questions: NDArray[np.integer] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.variants), len(self.items))
        for name, array in (("status", self.status), *self.values.items()):
            if array.shape != shape:
                raise ValueError(f"{name}: the shape is {array.shape}, but it must be {shape}")
        for name, numbers in (("clusters", self.clusters), ("questions", self.questions)):
            if numbers is not None and numbers.shape != shape[1:]:
                raise ValueError(
                    f"{name}: the shape is {numbers.shape}, but there are {shape[1]} items"
                )
        if len(set(self.variants)) != shape[0]:
            raise ValueError(f"a variant appears twice in {', '.join(self.variants)}")
        if len(set(self.items)) != shape[1]:
            raise ValueError("an item appears twice, so values cannot be paired")

    def in_order(self) -> "Scores":
        """The same scores with the items sorted by name.

        Random signs and draws belong to places, so the order of the items must not depend on the
        order in which they were answered.
        """
        if all(map(le, self.items, islice(self.items, 1, None))):
            return self
        order = np.array(sorted(range(len(self.items)), key=self.items.__getitem__))
        return Scores(
            items=[self.items[place] for place in order],
            variants=self.variants,
            status=self.status[:, order],
            values={field: values[:, order] for field, values in self.values.items()},
            clusters=None if self.clusters is None else self.clusters[order],
            questions=None if self.questions is None else self.questions[order],
        )

    def column(self, field: str, variant: str) -> NDArray[np.floating]:
        """The values of one variant, with NaN for items that have no value.

        If the field or the variant does not exist, all values are NaN.
        """
        if field not in self.values or variant not in self.variants:
            return np.full(len(self.items), np.nan)
        row = self.variants.index(variant)
        values: NDArray[np.floating] = self.values[field][row]
        scored = self.status[row] == SCORED
        if not np.issubdtype(values.dtype, np.floating):
            values = values.astype(np.float64)
        has_others = not scored.all() and not (scored | np.isnan(values)).all()
        if not has_others and not np.isinf(values).any():
            return values
        column = values.copy()
        column[~scored | np.isinf(values)] = np.nan
        return column

    def tally(self, variant: str) -> Tally:
        """How many cases of a variant ended in each way."""
        counts = np.bincount(self.status[self.variants.index(variant)], minlength=6).tolist()
        return Tally(
            scored=counts[SCORED],
            answered=counts[ANSWERED],
            failed=counts[FAILED],
            skipped=counts[SKIPPED],
            spared=counts[SPARED] or msgspec.UNSET,
        )
