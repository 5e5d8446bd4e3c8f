"""A family of comparisons: tested together with the same sign flips, and corrected together.

One draw of signs gives the statistics of all comparisons of the family. A p-value is corrected by
comparing its statistic with the largest one of each draw, and the interval beside it uses the same
critical value. So both say the same, and metrics that move together cost no more than one.
"""

import math
from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from assay.stats.difference import Decision, difference_interval
from assay.stats.effect import Effect, Family, Method, Test, with_note
from assay.stats.flip import Flips
from assay.stats.interval import Interval
from assay.stats.joint import (
    ChangeColumn,
    Comparison,
    JointTest,
    change_column,
    joint_test,
    unpaired_note,
)
from assay.stats.paired import mcnemar_exact
from assay.stats.power import ALPHA, CRITICAL, detectable_difference, detectable_rate_difference
from assay.stats.resample import stream
from assay.stats.scores import student_statistic
from assay.words.message import Message, message, message_n

MIN_COUNT = 6
"""The smallest number of items, questions or documents that must differ for a verdict.

With five, no two-sided test can reach 5%: even if all change in the same direction, the p-value
is 2/2⁵."""

NOTHING_SHOWN = Decision(critical=0.0, below=0.0, above=math.inf, is_significant=False)
"""The decision if no item changed."""


def family_effects(
    comparisons: Sequence[Comparison], family: Family, method: Method
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
    column: ChangeColumn, decision: Decision, method: Method, *, is_rate: bool
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


def _decision(test: JointTest, place: int, p_adjusted: float, alpha: float) -> Decision:
    critical = test.critical(alpha)
    below, above = test.neighbours(place, critical)
    observed = float(test.observed[place])
    is_significant = p_adjusted < alpha
    if not is_significant and observed > below:  # the exact p-value of this comparison decides
        below, above = observed, math.inf
    return Decision(critical=critical, below=below, above=above, is_significant=is_significant)


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
