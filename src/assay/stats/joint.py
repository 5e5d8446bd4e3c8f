"""The columns of a family: their changes, and the test that flips all of them together."""

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.contrast import EVERYTHING, Contrast
from assay.stats.difference import Moments, difference_interval, is_change, moments
from assay.stats.effect import Family, Method
from assay.stats.flip import HEAVY, MOST_EXACT, MOST_FLIPPED, Flips
from assay.stats.interval import Interval
from assay.stats.paired import PairedSigns
from assay.stats.resample import Floats, stream
from assay.stats.stats_mean import mean_interval
from assay.words.message import Message, message_n

JointTest: TypeAlias = Flips | PairedSigns

_BLOCK = 1 << 15
"""How many items of a long run are in memory at once as rows of a family."""


class Comparison(Struct, frozen=True, kw_only=True, eq=False):
    """Two variants (or a contrast of several) in one metric.

    ``is_yes_no`` is true if each change is 1, 0 or -1. ``reach`` is the largest possible change,
    or ``None`` if there is no limit. ``unpaired`` is the number of items that have a value in
    only one of the two. ``weights``, one for each item, have the mean 1 over the items with both
    values; the difference is then that of weighted means.
    """

    metric: Metric
    variant: str
    baseline: str
    contrast: Contrast
    is_yes_no: bool = False
    reach: float | None = None
    unpaired: int = 0
    weights: Floats | None = None

    def changes(self, items: slice = EVERYTHING) -> Floats:
        """The changes of these items, times their weights."""
        changes = self.contrast.changes(items)
        return changes if self.weights is None else changes * self.weights[items]


def unpaired_note(comparison: Comparison) -> Message | str:
    """What is said about items without a pair; empty if all have one."""
    if not comparison.unpaired:
        return ""
    return message_n(
        "{n} item has a value in only one of the two",
        "{n} items have a value in only one of the two",
        comparison.unpaired,
    )


class ChangeColumn(Struct, frozen=True, kw_only=True, eq=False):
    """A comparison with the moments of its changes, over the units that are flipped.

    ``row`` contains the sum of each unit, or ``None`` if there are too many to keep, and ``few``
    the sums that are not 0, or ``None`` if they are many. ``plain`` is the plain interval.
    """

    comparison: Comparison
    tested: Moments
    plain: Interval | None
    row: Floats | None
    few: Floats | None

    def is_rate(self, method: Method) -> bool:
        """Whether each unit changed by 1, 0 or -1; equal rates then mean symmetric changes."""
        return self.comparison.is_yes_no and method.clusters is None

    def most_shown(self, method: Method) -> float:
        """The largest statistic that the changes can claim: skew may explain a part of it."""
        return math.inf if self.is_rate(method) else self.tested.most_shown()


def change_column(comparison: Comparison, method: Method) -> ChangeColumn | None:
    """The changes of a comparison; ``None`` if no item has a value in both variants."""
    changes = comparison.contrast.changes()
    known = np.isfinite(changes)
    defined = changes if known.all() else changes[known]
    weights = None if comparison.weights is None else comparison.weights[known]
    tested = moments(defined, method.clusters_of(known), weights)
    if tested is None:
        return None
    documents = method.documents_of(known)
    plain = _plain_interval(comparison, tested, defined, weights, documents, method)
    if comparison.weights is not None and weights is not None:
        changes, defined = changes * comparison.weights, defined * weights
    row = None
    if method.clusters is not None:
        sums = np.bincount(
            method.clusters, weights=np.where(known, changes, 0.0), minlength=1
        ).astype(np.float64)
        row = np.where(is_change(sums), sums, 0.0)
    elif len(changes) <= MOST_FLIPPED:
        row = np.where(known, changes, 0.0)
    few = None
    if 0 < tested.changed <= MOST_EXACT:
        sums = defined if row is None else row
        few = sums[sums != 0]
    return ChangeColumn(
        comparison=comparison,
        tested=tested,
        plain=plain,
        row=row,
        few=few,
    )


def _plain_interval(
    comparison: Comparison,
    tested: Moments,
    changes: Floats,
    weights: Floats | None,
    documents: NDArray[np.integer] | None,
    method: Method,
) -> Interval | None:
    """The interval of one difference alone.

    If there are documents, but too few to flip them, it is about new documents: each document is
    one observation.
    """
    if documents is None or not method.has_wider_intervals:
        return difference_interval(
            tested,
            level=method.level,
            reach=comparison.reach,
            is_yes_no=comparison.is_yes_no and method.clusters is None,
        )
    if weights is not None:
        moved = moments(changes, documents, weights)
        found = (
            difference_interval(moved, level=method.level, reach=comparison.reach)
            if moved
            else None
        )
        return found and msgspec.structs.replace(found, method="cluster-t")
    interval = mean_interval(changes, level=method.level, clusters=documents, is_score=False)
    if interval is None or comparison.reach is None:
        return interval
    return msgspec.structs.replace(
        interval,
        low=max(interval.low, -comparison.reach),
        high=min(interval.high, comparison.reach),
    )


def joint_test(columns: Sequence[ChangeColumn], family: Family, method: Method) -> JointTest | None:
    """The test of all columns; ``None`` if there are none."""
    if not columns:
        return None
    if len(columns) == 1 and columns[0].is_rate(method):
        return PairedSigns(columns[0].tested.gained, columns[0].tested.lost)
    rng = stream(method.seed, "flips", family)
    most_shown = np.array([column.most_shown(method) for column in columns])
    rows = [column.row for column in columns if column.row is not None]
    if len(rows) == len(columns) and len(rows[0]) <= MOST_FLIPPED:
        return Flips.of_rows(
            np.column_stack(rows), resamples=method.resamples, rng=rng, most_shown=most_shown
        )
    products = np.zeros((len(columns), len(columns)))
    for block in _blocks(columns):
        products += block @ block.T
    squares = np.array([column.tested.squares for column in columns])
    largest = np.array([column.tested.largest for column in columns])
    heavy = np.zeros((0, len(columns)))
    if (largest**2 > HEAVY * squares).any():
        least = np.sqrt(HEAVY * squares)[:, None]
        heavy = np.concatenate(
            [block[:, (np.abs(block) > least).any(axis=0)].T for block in _blocks(columns)]
        )
    return Flips.of_limit(
        np.array([column.tested.total for column in columns]),
        products,
        heavy,
        resamples=method.resamples,
        rng=rng,
        most_shown=most_shown,
    )


def _blocks(columns: Sequence[ChangeColumn]) -> Iterator[Floats]:
    """The sums of many units, a block of units at a time, with a row for each column."""
    first = columns[0]
    units = len(first.comparison.contrast) if first.row is None else len(first.row)
    for start in range(0, units, _BLOCK):
        part = slice(start, min(start + _BLOCK, units))
        block = np.empty((len(columns), part.stop - start))
        for row, column in zip(block, columns, strict=True):
            row[:] = column.comparison.changes(part) if column.row is None else column.row[part]
        block[np.isnan(block)] = 0.0
        yield block
