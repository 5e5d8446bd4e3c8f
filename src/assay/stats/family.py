"""A family of comparisons: tested together with the same sign flips, and corrected together.

One draw of signs gives the statistics of all comparisons of the family. A p-value is corrected by
comparing its statistic with the largest one of each draw, and the interval beside it uses the same
critical value. So both say the same, and metrics that move together cost no more than one.

The smallest difference that a number of questions can detect uses the normal approximation, which
is accurate enough to plan the next run; ``bench/family.py`` measures how often such a difference is
really found.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec
import numpy as np
from msgspec import UNSET, Struct
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.difference import (
    EVERYTHING,
    Contrast,
    FamilyDecision,
    Moments,
    difference_interval,
    is_change,
    moments,
)
from assay.stats.effect import Effect, Family, Method, Test, with_note
from assay.stats.flip import HEAVY, MOST_EXACT, MOST_FLIPPED, Flips
from assay.stats.interval import Interval, normal_quantile
from assay.stats.mean_interval import mean_interval
from assay.stats.paired import PairedSigns, mcnemar_exact
from assay.stats.resample import Floats, stream
from assay.stats.scores import student_statistic
from assay.words.message import Message, message, message_n

ALPHA = 0.05
POWER = 0.8
CRITICAL = normal_quantile(1 - ALPHA / 2)
"""The critical value of a single two-sided test at 5%."""


def detectable_difference(
    spread: float, n: int, *, critical: float = CRITICAL, power: float = POWER
) -> float | None:
    """The smallest true mean difference that is detected with this power.

    ``(c + z_power) · spread / √n``, where ``spread`` is the standard deviation of the paired
    differences and ``c`` the critical value of the test in standard errors. Returns ``None`` for
    fewer than two pairs, or if the spread is 0 or NaN.

    >>> round(detectable_difference(0.5, 100), 3)
    0.14
    """
    if n < 2 or not spread > 0:
        return None
    return (critical + normal_quantile(power)) * spread / math.sqrt(n)


def detectable_rate_difference(
    discordant: int, n: int, *, critical: float = CRITICAL, power: float = POWER
) -> float | None:
    """The smallest true difference of two paired rates that McNemar's exact test detects.

    With the share ``ψ`` of items that changed in either direction (``discordant / n``), the
    difference ``δ`` is the solution of ``n δ - 1 = c √(n ψ) + z_power σ``. This is the formula of
    R. J. Connor (Biometrics 43, 1987) with two corrections: one item, because the exact test can
    only count whole ones, and in ``σ² = n (ψ - δ²) + (1 - ψ) (c²/4 - c δ √(n/ψ))``, because the
    number of changed items varies together with the difference. A difference cannot be larger
    than the share of changed items. If ``δ`` would be larger, all changes are assumed to be in
    the same direction, ``ψ = δ``. Returns ``None`` if not even a difference of 1 would be
    detected.

    >>> round(detectable_rate_difference(20, 100), 3)
    0.13
    """
    if n < 1:
        return None
    z_power = normal_quantile(power)
    share = discordant / n

    def is_detected(difference: float) -> bool:
        changed = max(share, difference)
        linked = critical * (critical / 4 - difference * math.sqrt(n / changed))
        variance = n * (changed - difference**2) + (1 - changed) * linked
        needed = critical * math.sqrt(n * changed) + z_power * math.sqrt(max(variance, 0.0))
        return n * difference - 1 >= needed

    if not is_detected(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_detected(middle) else (middle, high)
    return high


JointTest: TypeAlias = Flips | PairedSigns

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
    """A comparison with the moments of its changes, over the units that are flipped.

    ``row`` contains the sum of each unit, or ``None`` if there are too many to keep, and ``few``
    the sums that are not 0, or ``None`` if they are many. ``plain`` is the plain interval.
    """

    comparison: PairComparison
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


def change_column(comparison: PairComparison, method: Method) -> ChangeColumn | None:
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
    comparison: PairComparison,
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


MIN_COUNT = 6
"""The smallest number of items, questions or documents that must differ for a verdict.

With five, no two-sided test can reach 5%: even if all change in the same direction, the p-value
is 2/2⁵."""

NOTHING_SHOWN = FamilyDecision(critical=0.0, below=0.0, above=math.inf, is_significant=False)
"""The decision if no item changed."""


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
            n=0 if column is None else column.tested.n,
            note=unpaired_note(comparison),
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
    test = joint_test(tested, family, method)
    places = {index: place for place, index in enumerate(changed)}
    return [
        _effect(effect, column, test, places.get(index), method)
        for index, (effect, column) in enumerate(zip(effects, columns, strict=True))
    ]


def _effect(
    effect: Effect,
    column: ChangeColumn | None,
    test: JointTest | None,
    place: int | None,
    method: Method,
) -> Effect:
    if column is None:
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, message("no item has a value in both"))
    is_rate = column.is_rate(method)
    effect = msgspec.structs.replace(
        effect,
        difference=column.tested.mean,
        gained=column.tested.gained,
        lost=column.tested.lost,
        plain_interval=column.plain,
        questions=column.tested.units if method.by_question else UNSET,
        documents=method.few_documents or UNSET,
    )
    if test is None or place is None:
        interval = _interval(column, NOTHING_SHOWN, method, is_rate=is_rate)
        effect = msgspec.structs.replace(
            effect, interval=interval, needed=MIN_COUNT, verdict="too few"
        )
        return with_note(effect, message("no item changed"))
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
        detectable=_detectable(column, critical, is_rate=is_rate),
    )
    return _with_verdict(effect, column, method)


def _interval(
    column: ChangeColumn, decision: FamilyDecision, method: Method, *, is_rate: bool
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
        return "question-permutation" if method.by_question else "cluster-permutation"
    return "mcnemar-exact" if is_rate else "permutation"


def needed_changes(critical: float) -> int:
    """How many units must differ, all in one direction, for a statistic above ``critical``.

    With ``m`` changed units the statistic is at most ``√m``.

    >>> needed_changes(1.9), needed_changes(2.9)
    (6, 9)
    """
    return MIN_COUNT if math.isinf(critical) else max(MIN_COUNT, math.floor(critical**2 + 1e-6) + 1)


def _p_value(
    column: ChangeColumn, test: JointTest, place: int, method: Method, *, is_rate: bool
) -> float:
    """The p-value of one comparison alone: exact where that is possible."""
    if is_rate:
        return mcnemar_exact(column.tested.gained, column.tested.lost) or 1.0
    if column.few is not None:
        flips = Flips.of_rows(
            column.few[:, None],
            resamples=method.resamples,
            rng=stream(method.seed),
            most_shown=column.most_shown(method),
        )
        return flips.p_value(0)
    return test.p_value(place)


def _decision(test: JointTest, place: int, p_adjusted: float, alpha: float) -> FamilyDecision:
    critical = test.critical(alpha)
    below, above = test.neighbours(place, critical)
    observed = float(test.observed[place])
    is_significant = p_adjusted < alpha
    if not is_significant and observed > below:  # the exact p-value of this comparison decides
        below, above = observed, math.inf
    return FamilyDecision(
        critical=critical, below=below, above=above, is_significant=is_significant
    )


def _detectable(column: ChangeColumn, critical: float, *, is_rate: bool) -> float | None:
    """The detectable difference; ``None`` if it would be larger than any that is possible."""
    changes, reach = column.tested, column.comparison.reach
    # if few items differ now, their critical value is lower than in a run with a difference
    critical = max(critical, CRITICAL)
    if is_rate:
        changed = changes.gained + changes.lost
        return detectable_rate_difference(changed, changes.n, critical=critical)
    error = changes.error
    if error is None or critical**2 >= changes.units:
        return None
    difference = detectable_difference(
        error * math.sqrt(changes.units),
        changes.units,
        critical=student_statistic(critical, changes.units),
    )
    is_possible = difference is not None and (reach is None or difference <= reach)
    return difference if is_possible else None


def _changed_note(changed: int, needed: int, method: Method) -> Message:
    """That too little changed for a verdict."""
    if method.by_question:
        return message_n(
            "{n} question changed; a verdict needs {needed}",
            "{n} questions changed; a verdict needs {needed}",
            changed,
            needed=needed,
        )
    if method.clusters is None:
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
    changed, needed = column.tested.changed, effect.needed or MIN_COUNT
    if changed < needed:
        effect = msgspec.structs.replace(effect, verdict="too few")
        return with_note(effect, _changed_note(changed, needed, method))
    if effect.p_adjusted is None or effect.p_adjusted >= ALPHA or not effect.difference:
        return effect
    direction = column.comparison.metric.better
    if direction is None:
        return with_note(effect, message("the values differ, but neither direction is better"))
    is_better = (effect.difference > 0) == (direction == "higher")
    effect = msgspec.structs.replace(effect, verdict="better" if is_better else "worse")
    if effect.is_local:
        return with_note(effect, message("shown for these documents, but not for new ones"))
    return effect
