"""A family of comparisons: tested together with the same sign flips, and corrected together.

One draw of signs gives the statistics of all comparisons of the family. A p-value is corrected by
comparing its statistic with the largest one of each draw (max-T), and the interval beside it uses the
same critical value: Tango's for yes/no, Student's t otherwise. So both say the same, all intervals of a
family hold at once, and metrics that move together cost no more than one.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from msgspec import UNSET, Struct

from assay.records import Metric
from assay.stats.difference import (
    EVERYTHING,
    Contrast,
    Moments,
    difference_interval,
    flip_statistic,
    is_change,
    mcnemar,
    moments,
    share_of_others,
    statistic_of_z,
    student_statistic,
    tango,
    z_of_statistic,
)
from assay.stats.effect import Effect, Family, Method, Test, with_note
from assay.stats.flip import MOST_EXACT, MOST_FLIPPED, ROUNDED, Flips
from assay.stats.interval import Interval, normal_quantile, t_quantile
from assay.stats.planning import (
    ALPHA,
    CRITICAL,
    detectable_difference,
    detectable_rate_difference,
)
from assay.stats.resample import Floats, stream
from assay.words.message import Message, message, message_n

_BLOCK = 1 << 15
"""How many items of a long run are in memory at once as rows of a family."""


class PairComparison(Struct, frozen=True, kw_only=True, eq=False):
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


def unpaired_note(comparison: PairComparison) -> Message | str:
    """What is said about items without a pair; empty if all have one."""
    if not comparison.unpaired:
        return ""
    return message_n(
        "{n} item has a value in only one of the two",
        "{n} items have a value in only one of the two",
        comparison.unpaired,
    )


class ChangeColumn(Struct, frozen=True, kw_only=True, eq=False):
    """A comparison with the moments of its changes.

    ``row`` contains the sum of each unit that is flipped, or ``None`` if there are too many to keep,
    and ``few`` the sums that are not 0, or ``None`` if they are many. ``is_rate``: each unit changed by
    1, 0 or -1. ``counts`` are the items that gained and lost, and all of them; with weights, as many
    equal ones as say as much, ``(Σ w)² / Σ w²`` in all (L. Kish, "Survey sampling", 1965).
    """

    comparison: PairComparison
    moments: Moments
    row: Floats | None
    few: Floats | None
    is_rate: bool
    counts: tuple[float, float, float]

    @property
    def statistic(self) -> float:
        """The statistic that is compared with the flipped ones."""
        found = self.moments
        of_means = found.statistic(self.comparison.reach)
        if not self.comparison.is_yes_no:
            return of_means
        gained, lost, _ = self.counts
        z = abs(gained - lost) / math.sqrt(gained + lost) if found.changed else 0.0
        return z if self.is_rate else min(of_means, statistic_of_z(z, found.units))

    def interval(self, statistic: float, level: float, method: str) -> Interval | None:
        """The interval that leaves out 0 if ``self.statistic`` is larger than ``statistic``."""
        found = self.moments
        if self.is_rate:
            low, high = tango(found.gained, found.lost, found.n, statistic)
            return Interval(low=low, high=high, level=level, method=f"{method}tango")
        reach = self.comparison.reach
        interval = difference_interval(
            found, statistic, level=level, reach=reach, method=f"{method}t"
        )
        if interval is None:
            return None
        ends = [interval.low, interval.high]
        # documents, or weighted questions, are never less uncertain than as many equal questions
        if self.comparison.is_yes_no and (found.changed or self.comparison.weights is None):
            z = z_of_statistic(statistic, found.units)
            ends += tango(*self.counts, z)
        if self.statistic <= statistic:
            ends.append(0.0)
        return msgspec.structs.replace(interval, low=min(ends), high=max(ends))


def change_column(comparison: PairComparison, method: Method) -> ChangeColumn | None:
    """The changes of a comparison; ``None`` if no item has a value in both variants."""
    changes = comparison.contrast.changes()
    known = np.isfinite(changes)
    defined = changes if known.all() else changes[known]
    weights = None if comparison.weights is None else comparison.weights[known]
    found = moments(defined, method.units_of(known), weights)
    if found is None:
        return None
    if comparison.weights is not None and weights is not None:
        changes, defined = changes * comparison.weights, defined * weights
    row = None
    if method.units is not None:
        sums = np.bincount(method.units, weights=np.where(known, changes, 0.0), minlength=1).astype(
            np.float64
        )
        row = np.where(is_change(sums), sums, 0.0)
    elif len(changes) <= MOST_FLIPPED:
        row = np.where(known, changes, 0.0)
    few = None
    if 0 < found.changed <= MOST_EXACT:
        sums = defined if row is None else row
        few = sums[sums != 0]
    return ChangeColumn(
        comparison=comparison,
        moments=found,
        row=row,
        few=few,
        is_rate=comparison.is_yes_no and method.units is None and weights is None,
        counts=_counts(found, defined, weights),
    )


def _counts(found: Moments, changes: Floats, weights: Floats | None) -> tuple[float, float, float]:
    if weights is None:
        return found.gained, found.lost, found.n
    total = float(weights.sum())
    equal = total**2 / float(weights @ weights)
    gained, lost = (float(weights[side].sum()) / total for side in (changes > 0, changes < 0))
    return equal * gained, equal * lost, equal


def joint_flips(columns: Sequence[ChangeColumn], family: Family, method: Method) -> Flips | None:
    """The sign flips of all columns; ``None`` for none, and for one McNemar test of many changes."""
    if not columns or (len(columns) == 1 and columns[0].is_rate and columns[0].few is None):
        return None
    rng = stream(method.seed, "flips", family)
    observed = np.array([column.statistic for column in columns])
    rows = [column.row for column in columns if column.row is not None]
    if len(rows) == len(columns) and len(rows[0]) <= MOST_FLIPPED:
        return Flips.of_rows(
            np.column_stack(rows), resamples=method.resamples, rng=rng, observed=observed
        )
    products = np.zeros((len(columns), len(columns)))
    for block in _blocks(columns):
        products += block @ block.T
    return Flips.of_products(observed, products, resamples=method.resamples, rng=rng)


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


MIN_COUNT = 5
"""The smallest number of units that must differ for a verdict.

With four, no two-sided test can reach 5%: even if all change in the same direction, the mid-p value
is 1/2⁴."""


def family_effects(
    comparisons: Sequence[PairComparison], family: Family, method: Method
) -> list[Effect]:
    """The effects of a family in the order of its comparisons; the order changes no number.

    Random signs belong to places. Items must be in an order that does not depend on the run.
    """
    columns = [change_column(comparison, method) for comparison in comparisons]
    effects = [
        Effect(
            variant=comparison.variant,
            baseline=comparison.baseline,
            metric=comparison.metric.name,
            family=family,
            n=0 if column is None else column.moments.n,
            note=unpaired_note(comparison),
        )
        for comparison, column in zip(comparisons, columns, strict=True)
    ]
    changed = sorted(
        (index for index, column in enumerate(columns) if column and column.moments.changed),
        key=lambda index: (
            effects[index].metric,
            effects[index].variant,
            effects[index].baseline,
        ),
    )
    tested = [column for index in changed if (column := columns[index])]
    flips = joint_flips(tested, family, method)
    places = {index: place for place, index in enumerate(changed)}
    return [
        _effect(effect, column, flips, places.get(index), method)
        for index, (effect, column) in enumerate(zip(effects, columns, strict=True))
    ]


def _effect(
    effect: Effect,
    column: ChangeColumn | None,
    flips: Flips | None,
    place: int | None,
    method: Method,
) -> Effect:
    if column is None:
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, message("no item has a value in both"))
    found = column.moments
    plain = plain_interval(column, method.level)
    effect = msgspec.structs.replace(
        effect,
        difference=found.mean,
        gained=found.gained,
        lost=found.lost,
        interval=plain,
        plain_interval=plain,
        units=UNSET if method.units is None else found.units,
        unit=UNSET if method.units is None else method.unit,
    )
    if place is None:
        return msgspec.structs.replace(
            effect,
            needed=MIN_COUNT,
            at_most=share_of_others(found.units, method.level),
            verdict="too few",
        )
    p_value = p_adjusted = _p_value(column, flips, place, method)
    if flips is not None and flips.columns > 1:
        p_adjusted = max(p_value, flips.p_adjusted(place))
    critical = _critical(column, flips, ALPHA)
    observed, statistic = column.statistic, _critical(column, flips, 1 - method.level)
    # between possible statistics, each critical value is the same test: the interval follows it
    if p_adjusted < 1 - method.level:
        statistic = min(statistic, observed - ROUNDED)
    else:
        statistic = max(statistic, observed)
    effect = msgspec.structs.replace(
        effect,
        interval=column.interval(statistic, method.level, "max-t-"),
        test=_test_name(column, method),
        p_value=p_value,
        p_adjusted=p_adjusted,
        needed=needed_changes(critical),
        detectable=_detectable(column, critical),
    )
    return _with_verdict(effect, column, method)


def plain_interval(column: ChangeColumn, level: float) -> Interval | None:
    """The interval of a comparison as if nothing else were compared."""
    return column.interval(_alone(column, level), level, "")


def _alone(column: ChangeColumn, level: float) -> float:
    """The critical statistic of a comparison if nothing else is compared."""
    share = (1 + level) / 2
    if column.is_rate:
        return normal_quantile(share)
    units = column.moments.units
    return flip_statistic(t_quantile(share, units - 1), units) if units > 1 else math.inf


def _critical(column: ChangeColumn, flips: Flips | None, alpha: float) -> float:
    """The critical statistic of a comparison in its family, at least that of it alone."""
    alone = _alone(column, 1 - alpha)
    return alone if flips is None else max(alone, flips.critical(alpha))


def _test_name(column: ChangeColumn, method: Method) -> Test:
    if method.unit == "item":
        return "mcnemar-mid-p" if column.is_rate else "permutation"
    return "question-permutation" if method.unit == "question" else "cluster-permutation"


def needed_changes(critical: float) -> int:
    """How many units must differ, all in one direction, for a statistic above ``critical``.

    With ``m`` changed units the statistic is at most ``√m``.

    >>> needed_changes(1.9), needed_changes(3.0)
    (5, 10)
    """
    return MIN_COUNT if math.isinf(critical) else max(MIN_COUNT, math.floor(critical**2 + 1e-6) + 1)


def _p_value(column: ChangeColumn, flips: Flips | None, place: int, method: Method) -> float:
    """The p-value of one comparison alone: exact where that is possible."""
    if column.is_rate or flips is None:
        return mcnemar(column.moments.gained, column.moments.lost) or 1.0
    if column.few is not None:
        flips, place = (
            Flips.of_rows(
                column.few[:, None],
                resamples=method.resamples,
                rng=stream(method.seed),
                observed=np.array([column.statistic]),
            ),
            0,
        )
    return flips.p_value(place)


def _detectable(column: ChangeColumn, critical: float) -> float | None:
    """The detectable difference; ``None`` if it would be larger than any that is possible."""
    found, reach = column.moments, column.comparison.reach
    # if few items differ now, their critical value is lower than in a run with a difference
    critical = max(critical, CRITICAL)
    if column.is_rate:
        return detectable_rate_difference(found.gained + found.lost, found.n, critical=critical)
    if not found.error or critical**2 >= found.units:
        return None
    difference = detectable_difference(
        found.error * math.sqrt(found.units),
        found.units,
        critical=student_statistic(critical, found.units),
    )
    is_possible = difference is not None and (reach is None or difference <= reach)
    return difference if is_possible else None


def _changed_note(changed: int, needed: int, method: Method) -> Message:
    """That too little changed for a verdict."""
    if method.unit == "question":
        return message_n(
            "{n} question changed; a verdict needs {needed}",
            "{n} questions changed; a verdict needs {needed}",
            changed,
            needed=needed,
        )
    if method.unit == "item":
        return message_n(
            "{n} item changed; a verdict needs {needed}",
            "{n} items changed; a verdict needs {needed}",
            changed,
            needed=needed,
        )
    return message_n(
        "{n} document changed; a verdict needs {needed}",
        "{n} documents changed; a verdict needs {needed}",
        changed,
        needed=needed,
    )


def _with_verdict(effect: Effect, column: ChangeColumn, method: Method) -> Effect:
    changed, needed = column.moments.changed, effect.needed or MIN_COUNT
    if changed < needed or (effect.interval is None and column.moments.error):
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, _changed_note(changed, needed, method))
    if effect.p_adjusted is None or effect.p_adjusted >= ALPHA or not effect.difference:
        return effect
    direction = column.comparison.metric.better
    if direction is None:
        return with_note(effect, message("the values differ, but neither direction is better"))
    is_better = (effect.difference > 0) == (direction == "higher")
    return msgspec.structs.replace(effect, verdict="better" if is_better else "worse")
