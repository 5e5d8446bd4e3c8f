"""Scores of a run as columns: what the statistics are computed from."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.records import Tally

ABSENT, SCORED, FAILED, SKIPPED = 0, 1, 2, 3
"""What ``Scores.status`` holds."""


class Scores(Struct, frozen=True, kw_only=True, eq=False):
    """One array a field, a row a variant, a column an item.

    ``items`` are what is paired: question ids, or ids with a placement. ``clusters`` numbers
    each item's source document. A value counts only where it is a number and its status is
    ``SCORED``: a case that failed or was skipped has none, whatever the array holds.
    """

    items: Sequence[str]
    variants: tuple[str, ...]
    status: NDArray[np.uint8]
    values: Mapping[str, NDArray[np.floating]]
    clusters: NDArray[np.integer] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.variants), len(self.items))
        for name, array in (("status", self.status), *self.values.items()):
            if array.shape != shape:
                raise ValueError(f"{name}: shape {array.shape} where the scores are {shape}")
        if self.clusters is not None and self.clusters.shape != shape[1:]:
            raise ValueError(f"clusters: shape {self.clusters.shape} for {shape[1]} items")
        if len(set(self.variants)) != shape[0]:
            raise ValueError(f"a variant stands twice among {', '.join(self.variants)}")
        if len(set(self.items)) != shape[1]:
            raise ValueError("an item stands twice: pairs would be of different questions")

    def column(self, field: str, variant: str) -> NDArray[np.floating]:
        """The values of one variant, NaN where there is none; a field or variant nobody has is all NaN."""
        if field not in self.values or variant not in self.variants:
            return np.full(len(self.items), np.nan)
        row = self.variants.index(variant)
        values: NDArray[np.floating] = self.values[field][row]
        scored = self.status[row] == SCORED
        if not np.issubdtype(values.dtype, np.floating):
            values = values.astype(np.float64)
        if (scored | np.isnan(values)).all() and not np.isinf(values).any():
            return values
        blanked = values.copy()
        blanked[~scored | np.isinf(values)] = np.nan
        return blanked

    def tally(self, variant: str) -> Tally:
        """How the cases of a variant ended."""
        counts = np.bincount(self.status[self.variants.index(variant)], minlength=4).tolist()
        return Tally(scored=counts[SCORED], failed=counts[FAILED], skipped=counts[SKIPPED])
