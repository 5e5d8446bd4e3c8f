"""A family of comparisons: tested together with the same sign flips, and corrected together.

One draw of signs gives the statistics of all comparisons of the family. A p-value is corrected by
comparing its statistic with the largest one of each draw, and the interval beside it uses the same
critical value. So both say the same, and metrics that move together cost no more than one.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from msgspec import Struct

from assay.records import Metric
from assay.stats.contrast import Contrast
from assay.stats.difference import (
    Decision,
    Moments,
    difference_interval,
    is_change,
    moments,
    student_statistic,
)
from assay.stats.effect import Effect, Family, Method, Test, with_note
from assay.stats.flip import HEAVY, MOST_EXACT, MOST_FLIPPED, Flips
from assay.stats.interval import Interval
from assay.stats.mcnemar import PairedSigns, mcnemar_exact
from assay.stats.power import ALPHA, detectable_difference, detectable_rate_difference
from assay.stats.resample import Floats, stream

MIN_COUNT = 6
"""The smallest number of items or documents that must differ for a verdict.

With five, no two-sided test can reach 5%: even if all change in the same direction, the p-value
is 2/2⁵."""

NOTHING_SHOWN = Decision(critical=0.0, below=0.0, above=math.inf, is_significant=False)
"""The decision if no item changed."""

_BLOCK = 1 << 15
"""How many items of a long run are in memory at once as rows of a family."""


class Comparison(Struct, frozen=True, kw_only=True, eq=False):
    """Two variants (or a contrast of several) in one metric.

    ``is_yes_no`` is true if each change is 1, 0 or -1. ``reach`` is the largest possible change,
    or ``None`` if there is no limit. ``unpaired`` is the number of items that have a value in
    only one of the two.
    """

    metric: Metric
    variant: str
    baseline: str
    contrast: Contrast
    is_yes_no: bool = False
    reach: float | None = None
    unpaired: int = 0


class _Column(Struct, frozen=True, kw_only=True, eq=False):
    """A comparison with the moments of its changes.

    ``tested`` is about the units that are flipped, ``plain`` about those of the plain interval.
    ``row`` contains the sum of each unit, or ``None`` if there are too many to keep, and ``few``
    the sums that are not 0, or ``None`` if they are many.
    """

    comparison: Comparison
    tested: Moments
    plain: Moments
    row: Floats | None
    few: Floats | None


def family_effects(
    comparisons: Sequence[Comparison], family: Family, method: Method
) -> list[Effect]:
    """The effects of a family in the order of its comparisons; the order changes no number.

    Random signs belong to places. Items must be in an order that does not depend on the run.
    """
    columns = [_column(comparison, method) for comparison in comparisons]
    effects = [
        Effect(
            variant=comparison.variant,
            baseline=comparison.baseline,
            metric=comparison.metric.name,
            family=family,
            n=0 if column is None else column.tested.n,
            note=f"{comparison.unpaired} items have a value in only one of the two"
            if comparison.unpaired
            else "",
        )
        for comparison, column in zip(comparisons, columns, strict=True)
    ]
    changed = sorted(
        (index for index, column in enumerate(columns) if column and column.tested.changed),
        key=lambda index: (
            effects[index].metric,
            effects[index].variant,
            effects[index].baseline,
        ),
    )
    tested = [column for index in changed if (column := columns[index])]
    test = _joint_test(tested, family, method)
    places = {index: place for place, index in enumerate(changed)}
    return [
        _effect(effect, column, test, places.get(index), method)
        for index, (effect, column) in enumerate(zip(effects, columns, strict=True))
    ]


def _column(comparison: Comparison, method: Method) -> _Column | None:
    """The changes of a comparison; ``None`` if no item has a value in both variants."""
    changes = comparison.contrast.changes()
    known = np.isfinite(changes)
    defined = changes if known.all() else changes[known]
    clusters, documents = method.clusters_of(known), method.documents_of(known)
    tested = moments(defined, clusters)
    if tested is None:
        return None
    is_same = documents is None or method.documents is None
    plain = tested if is_same else moments(defined, documents) or tested
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
    return _Column(comparison=comparison, tested=tested, plain=plain, row=row, few=few)


def _joint_test(
    columns: Sequence[_Column], family: Family, method: Method
) -> Flips | PairedSigns | None:
    """The test of all columns; ``None`` if there are none."""
    if not columns:
        return None
    if len(columns) == 1 and columns[0].comparison.is_yes_no and method.clusters is None:
        return PairedSigns(columns[0].tested.gained, columns[0].tested.lost)
    rng = stream(method.seed, "flips", family)
    rows = [column.row for column in columns if column.row is not None]
    if len(rows) == len(columns) and len(rows[0]) <= MOST_FLIPPED:
        return Flips.of_rows(np.column_stack(rows), resamples=method.resamples, rng=rng)
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
    )


def _blocks(columns: Sequence[_Column]) -> Iterator[Floats]:
    """The sums of many units, a block of units at a time, with a row for each column."""
    first = columns[0]
    units = len(first.comparison.contrast) if first.row is None else len(first.row)
    for start in range(0, units, _BLOCK):
        part = slice(start, min(start + _BLOCK, units))
        block = np.empty((len(columns), part.stop - start))
        for row, column in zip(block, columns, strict=True):
            row[:] = (
                column.comparison.contrast.changes(part) if column.row is None else column.row[part]
            )
        block[np.isnan(block)] = 0.0
        yield block


def _effect(
    effect: Effect,
    column: _Column | None,
    test: Flips | PairedSigns | None,
    place: int | None,
    method: Method,
) -> Effect:
    if column is None:
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, "no item has a value in both")
    is_rate = column.comparison.is_yes_no and method.clusters is None
    effect = msgspec.structs.replace(
        effect,
        difference=column.tested.mean,
        gained=column.tested.gained,
        lost=column.tested.lost,
        plain_interval=difference_interval(
            column.plain,
            level=method.level,
            reach=column.comparison.reach,
            is_yes_no=is_rate and column.plain is column.tested,
        ),
    )
    if test is None or place is None:
        interval = _interval(column, NOTHING_SHOWN, method, is_rate=is_rate)
        effect = msgspec.structs.replace(
            effect, interval=interval, needed=MIN_COUNT, verdict="too few"
        )
        return with_note(effect, "no item changed")
    p_value = _p_value(column, test, place, method, is_rate=is_rate)
    p_adjusted = max(p_value, test.p_adjusted(place))
    critical = test.critical(ALPHA)
    decision = _decision(test, place, p_adjusted, round(1 - method.level, 12))
    effect = msgspec.structs.replace(
        effect,
        interval=_interval(column, decision, method, is_rate=is_rate),
        test=_test_name(method, is_rate=is_rate),
        p_value=p_value,
        p_adjusted=p_adjusted,
        needed=needed_changes(critical),
        detectable=_detectable(column.tested, critical, is_rate=is_rate),
    )
    return _with_verdict(effect, column, method)


def _interval(
    column: _Column, decision: Decision, method: Method, *, is_rate: bool
) -> Interval | None:
    return difference_interval(
        column.tested,
        level=method.level,
        reach=column.comparison.reach,
        decision=decision,
        is_yes_no=is_rate,
    )


def _test_name(method: Method, *, is_rate: bool) -> Test:
    if method.clusters is not None:
        return "cluster-permutation"
    return "mcnemar-exact" if is_rate else "permutation"


def needed_changes(critical: float) -> int:
    """How many units must differ, all in one direction, for a statistic above ``critical``.

    With ``m`` changed units the statistic is at most ``√m``.

    >>> needed_changes(1.9), needed_changes(2.9)
    (6, 9)
    """
    return MIN_COUNT if math.isinf(critical) else max(MIN_COUNT, math.floor(critical**2 + 1e-6) + 1)


def _p_value(
    column: _Column, test: Flips | PairedSigns, place: int, method: Method, *, is_rate: bool
) -> float:
    """The p-value of one comparison alone: exact where that is possible."""
    if is_rate:
        return mcnemar_exact(column.tested.gained, column.tested.lost) or 1.0
    if column.few is not None:
        rng = stream(method.seed)
        return Flips.of_rows(column.few[:, None], resamples=method.resamples, rng=rng).p_value(0)
    return test.p_value(place)


def _decision(test: Flips | PairedSigns, place: int, p_adjusted: float, alpha: float) -> Decision:
    critical = test.critical(alpha)
    below, above = test.neighbours(place, critical)
    observed = float(test.observed[place])
    is_significant = p_adjusted < alpha
    if not is_significant and observed > below:  # the exact p-value of this comparison decides
        below, above = observed, math.inf
    return Decision(critical=critical, below=below, above=above, is_significant=is_significant)


def _detectable(changes: Moments, critical: float, *, is_rate: bool) -> float | None:
    if is_rate:
        changed = changes.gained + changes.lost
        return detectable_rate_difference(changed, changes.n, critical=critical)
    error = changes.error
    if error is None or critical**2 >= changes.units:
        return None
    return detectable_difference(
        error * math.sqrt(changes.units),
        changes.units,
        critical=student_statistic(critical, changes.units),
    )


def _with_verdict(effect: Effect, column: _Column, method: Method) -> Effect:
    changed, needed = column.tested.changed, effect.needed or MIN_COUNT
    if changed < needed:
        units = "items" if method.clusters is None else "documents"
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, f"{changed} {units} changed; a verdict needs {needed}")
    if effect.p_adjusted is None or effect.p_adjusted >= ALPHA or not effect.difference:
        return effect
    direction = column.comparison.metric.better
    if direction is None:
        return with_note(effect, "the values differ, but neither direction is better")
    is_better = (effect.difference > 0) == (direction == "higher")
    return msgspec.structs.replace(effect, verdict="better" if is_better else "worse")
