"""Groups of questions: whether a variant changes something everywhere, or only in some of them.

A *grouping* puts each item into one group, for example by the language of its question. The effects in
its groups are one family: a comparison of the variant with the baseline in each group, corrected
together (``assay.stats.family``). That one group shows a difference and another does not is no
difference between the groups. The question whether the effect differs has a test of its own:
``group_p_value``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.analysis import MetricCell, metric_cell
from assay.stats.comparison import Column, column_of, paired_comparison, percentile_effect
from assay.stats.difference import Contrast, is_change
from assay.stats.effect import SHARE, Effect, Family, Method, holm
from assay.stats.family import (
    MIN_COUNT,
    PairComparison,
    change_column,
    family_effects,
    plain_interval,
)
from assay.stats.interval import Interval
from assay.stats.resample import Floats, cluster_count, stream
from assay.stats.scores import Numbers, Scores
from assay.words.message import Message

FEWEST_IN_GROUP: Final = 5
"""With fewer questions (or documents, if these are drawn) a group has no test."""
MOST_PERMUTED: Final = 3_000
"""Above this many units the normal distribution is as good, and labels are not permuted."""
_MOST_LABELS: Final = 3_000_000
"""About so many labels are drawn, and at least 2,000 permutations."""
_POOLED: Final = 2.0
"""So many units of the pooled variance are added to that of a group, which may show none by chance."""
_BLOCK: Final = 1 << 18
_TIE: Final = 1e-9


class Grouping(Struct, frozen=True, kw_only=True, eq=False):
    """The groups of a field: their labels, and the number of each item's group.

    ``note`` says how groups were made of the values, if each is not one value.
    """

    field: str
    labels: tuple[str, ...]
    codes: Numbers
    note: Message | str = ""


class Group(Struct, frozen=True, kw_only=True):
    """A group with the number of its questions, its values and its differences, by variant.

    A group of fewer than ``FEWEST_IN_GROUP`` questions has differences without interval and verdict.
    """

    label: str
    questions: int
    cells: Mapping[str, MetricCell]
    effects: Mapping[str, Effect]


class GroupTest(Struct, frozen=True, kw_only=True):
    """Whether the effect of a variant differs between ``groups`` groups of a field.

    ``p_value`` is ``None`` if fewer than two groups are large enough, or too little changed.
    ``p_adjusted`` is corrected for all variants and fields that were asked for together.
    """

    variant: str
    groups: int
    p_value: float | None
    p_adjusted: float | None = None


class Subgroups(Struct, frozen=True, kw_only=True):
    """A metric in the groups of a field. There are no tests of a percentile."""

    grouping: Grouping
    groups: tuple[Group, ...]
    tests: tuple[GroupTest, ...]


class Comparison(Struct, frozen=True, kw_only=True, eq=False):
    """What is compared in groups: variants with a baseline in one metric.

    ``excluded`` are the variants that have values but are not compared, and ``baseline`` is empty if
    nothing is. ``scores`` are in order (``Scores.in_order``), and have the means of draws unless the
    metric is a percentile (``Scores.mean_of_draws``).
    """

    scores: Scores
    metric: Metric
    baseline: str
    method: Method
    excluded: Collection[str] = ()

    @property
    def compared(self) -> list[str]:
        """The variants that are compared with the baseline."""
        left_out = {self.baseline, *self.excluded}
        return [name for name in self.scores.variants if self.baseline and name not in left_out]

    def columns(self, inside: NDArray[np.bool_]) -> dict[str, Column]:
        """The values of each variant, undefined outside a group."""
        field = self.metric.field
        return {
            name: column_of(self.metric, np.where(inside, self.scores.column(field, name), np.nan))
            for name in self.scores.variants
        }

    def question_count(self, inside: NDArray[np.bool_]) -> int:
        """The number of questions among the items of a group."""
        numbers = self.scores.questions
        return int(inside.sum()) if numbers is None else cluster_count(numbers[inside])


def subgroups(comparison: Comparison, groupings: Sequence[Grouping]) -> list[Subgroups]:
    """The values, differences and tests of some fields; all of them are corrected together."""
    made = [_groups(comparison, grouping) for grouping in groupings]
    tests = [_tests(comparison, grouping) for grouping in groupings]
    adjusted = iter(holm([test.p_value for listed in tests for test in listed]))
    tests = [[replace(test, p_adjusted=next(adjusted)) for test in listed] for listed in tests]
    effects = iter(_effects(comparison, [pair for _, pairs in made for pair in pairs]))
    return [
        Subgroups(
            grouping=grouping,
            groups=tuple(
                group
                if group.questions < FEWEST_IN_GROUP
                else replace(group, effects={name: next(effects) for name in comparison.compared})
                for group in groups
            ),
            tests=tuple(listed),
        )
        for grouping, (groups, _), listed in zip(groupings, made, tests, strict=True)
    ]


_Pair = tuple[PairComparison, Column, Column]


def _groups(comparison: Comparison, grouping: Grouping) -> tuple[list[Group], list[_Pair]]:
    """The groups of a field, and the comparisons in those that are large enough."""
    groups: list[Group] = []
    listed: list[_Pair] = []
    for number, label in enumerate(grouping.labels):
        inside = grouping.codes == number
        columns = comparison.columns(inside)
        pairs = list(_pairs(comparison, columns))
        count = comparison.question_count(inside)
        groups.append(
            Group(
                label=label,
                questions=count,
                cells={
                    name: metric_cell(comparison.metric, column, comparison.method)
                    for name, column in columns.items()
                },
                effects={pair.variant: _small_effect(pair) for pair, _, _ in pairs},
            )
        )
        if count >= FEWEST_IN_GROUP:
            listed += pairs
    return groups, listed


def _pairs(comparison: Comparison, columns: Mapping[str, Column]) -> Iterator[_Pair]:
    for name in comparison.compared:
        values, base = columns[name], columns[comparison.baseline]
        pair = paired_comparison(comparison.metric, name, comparison.baseline, values, base)
        yield pair, values, base


def _small_effect(pair: PairComparison) -> Effect:
    """The effect in a group that is too small for an interval and a verdict."""
    changes = pair.contrast.changes()
    known = changes[np.isfinite(changes)]
    has_mean = len(known) > 0 and pair.metric.kind not in SHARE
    return Effect(
        variant=pair.variant,
        baseline=pair.baseline,
        metric=pair.metric.name,
        n=len(known),
        difference=float(known.mean()) if has_mean else None,
        verdict="too few",
    )


def _effects(comparison: Comparison, pairs: Sequence[_Pair]) -> list[Effect]:
    """The effects in all groups, corrected together; a percentile has no test."""
    family: Family = "latency" if comparison.metric.family == "latency" else "primary"
    if comparison.metric.kind in SHARE:
        return [
            percentile_effect(pair, values.values, base.values, family, comparison.method)
            for pair, values, base in pairs
        ]
    return family_effects([pair for pair, _, _ in pairs], family, comparison.method)


def _tests(comparison: Comparison, grouping: Grouping) -> list[GroupTest]:
    if comparison.metric.kind in SHARE:
        return []
    scores, method, field = comparison.scores, comparison.method, comparison.metric.field
    base = scores.column(field, comparison.baseline)
    tests = []
    for name in comparison.compared:
        changes = Contrast(((1.0, scores.column(field, name)), (-1.0, base))).changes()
        parts = _large_groups(changes, grouping.codes, method.units)
        p_value = None
        if parts is not None:
            seed = stream(method.seed, "groups", grouping.field, name)
            p_value = _p_value(parts, method.resamples, seed)
        tests.append(
            GroupTest(variant=name, groups=0 if parts is None else parts.groups, p_value=p_value)
        )
    return tests


# Opposite effects: a mean of all questions may hide that a variant helps some and harms others.


class Opposite(Struct, frozen=True, kw_only=True):
    """A variant that is shown to be higher in one group of a field and lower in another one."""

    field: str
    higher: tuple[str, Effect]
    lower: tuple[str, Effect]

    @property
    def variant(self) -> str:
        """The variant."""
        return self.higher[1].variant


def opposite_effects(comparison: Comparison, groupings: Sequence[Grouping]) -> list[Opposite]:
    """The opposite effects in the groups of these fields, the largest of each variant and field.

    All groups that are looked at are corrected together. Most runs have no two groups with opposite
    plain intervals, and then nothing is drawn: corrected intervals are no narrower.
    """
    if comparison.metric.kind in SHARE:
        return []
    listed: list[tuple[Grouping, str, PairComparison]] = []
    for grouping in groupings:
        for number, label in enumerate(grouping.labels):
            inside = grouping.codes == number
            if comparison.question_count(inside) >= FEWEST_IN_GROUP:
                pairs = _pairs(comparison, comparison.columns(inside))
                listed += [(grouping, label, pair) for pair, _, _ in pairs]
    plain = [_plain(pair, comparison.method) for _, _, pair in listed]
    if not any(_opposites(listed, plain)):
        return []
    effects = family_effects([pair for _, _, pair in listed], "primary", comparison.method)
    shown = [None if effect.verdict == "too few" else effect.interval for effect in effects]
    found = []
    for field, places in _opposites(listed, shown):
        ends = [(listed[place][1], effects[place]) for place in places]
        ends.sort(key=lambda end: end[1].difference or 0.0)
        found.append(Opposite(field=field, higher=ends[-1], lower=ends[0]))
    return found


def _plain(pair: PairComparison, method: Method) -> Interval | None:
    column = change_column(pair, method)
    return None if column is None else plain_interval(column, method.level)


def _opposites(
    listed: Sequence[tuple[Grouping, str, PairComparison]], intervals: Sequence[Interval | None]
) -> Iterator[tuple[str, list[int]]]:
    """The places of the intervals without 0, for each field and variant with some on both sides."""
    sides: dict[tuple[str, str], dict[int, bool]] = {}
    for place, ((grouping, _, pair), ends) in enumerate(zip(listed, intervals, strict=True)):
        if ends is not None and (ends.low > 0 or ends.high < 0):
            sides.setdefault((grouping.field, pair.variant), {})[place] = ends.low > 0
    for (field, _), places in sides.items():
        if len(set(places.values())) == 2:
            yield field, list(places)


# The test.


def group_p_value(
    changes: Floats,
    groups: Numbers,
    units: Numbers | None = None,
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> float | None:
    """The p-value of the hypothesis that the mean difference is the same in all groups.

    The statistic is ``Σ w (m - M)²`` over the groups, with the mean ``m`` of each, ``w`` one divided by
    the variance of that mean, and ``M`` the mean of all ``m`` weighted with ``w`` (B. L. Welch, "On the
    comparison of several mean values", Biometrika 38, 1951). No equal variances are assumed, but two units
    of the pooled variance are added to that of each group, because a small one may show none by chance. The
    statistic has to be large by both of these standards, so the larger p-value counts:

    - among permutations of the groups over the units. That is exact if the differences of all groups are
      distributed alike, however skewed they are (A. Janssen, "Studentized permutation tests for non-i.i.d.
      hypotheses", Statistics & Probability Letters 36, 1997);
    - among normal means with variances that are as uncertain as those of so many units (K.
      Krishnamoorthy, F. Lu and T. Mathew, "A parametric bootstrap approach for ANOVA with unequal
      variances", Computational Statistics & Data Analysis 51, 2007). That holds for small groups that
      vary more than others.

    A unit, a document for example, that has items in several groups counts as a unit in each. The groups
    then have more in common than the test assumes, so it finds less.

    Args:
        changes: the difference of each item; NaN means undefined and is left out.
        groups: the number of each item's group.
        units: the number of each item's unit, or ``None`` if items are the units.
        resamples: the number of random draws.
        seed: the seed of these draws.

    Returns ``None`` if fewer than two groups have ``FEWEST_IN_GROUP`` units; the other groups are left
    out. Also if fewer than ``MIN_COUNT`` units changed, or all of them alike.

    >>> changes = np.concatenate([np.tile([0.9, 1.0, 1.1], 4), np.tile([-0.1, 0.0, 0.1], 4)])
    >>> group_p_value(changes, np.repeat([0, 1], 12)) < 0.001
    True
    """
    parts = _large_groups(changes, groups, units)
    return None if parts is None else _p_value(parts, resamples, stream(seed, "groups"))


class _Parts(Struct, frozen=True, kw_only=True, eq=False):
    """The units of each group, with the sum and the number of their differences in it.

    ``labels`` are the numbers of the groups, and ``changed`` is the number of units that changed.
    """

    groups: int
    labels: Numbers
    sums: Floats
    sizes: Floats
    changed: int


def _large_groups(changes: Floats, groups: Numbers, units: Numbers | None) -> _Parts | None:
    """The units of the groups that have enough of them; ``None`` if these are fewer than two groups."""
    if units is None:
        units = np.arange(len(changes))
    known = np.isfinite(changes)
    pairs, places, sizes = np.unique(
        np.column_stack([groups, units])[known], axis=0, return_inverse=True, return_counts=True
    )
    sums = np.bincount(places.ravel(), changes[known], len(pairs)).astype(np.float64)
    _, labels, counts = np.unique(pairs[:, 0], return_inverse=True, return_counts=True)
    is_large = counts >= FEWEST_IN_GROUP
    if np.count_nonzero(is_large) < 2:
        return None
    kept = is_large[labels]
    return _Parts(
        groups=int(np.count_nonzero(is_large)),
        labels=(np.cumsum(is_large) - 1)[labels[kept]],
        sums=sums[kept],
        sizes=sizes[kept].astype(np.float64),
        changed=cluster_count(pairs[kept, 1][is_change(sums[kept])]),
    )


def _p_value(parts: _Parts, resamples: int, rng: np.random.Generator) -> float | None:
    """The larger p-value of the two; ``None`` if too few units changed, or all alike."""
    n, mean = len(parts.sums), float(parts.sums.sum() / parts.sizes.sum())
    off = parts.sums - mean * parts.sizes
    pooled = float(off @ off) / (n - 1)
    if parts.changed < MIN_COUNT or pooled <= _TIE * mean**2:
        return None
    powers = np.column_stack(
        [np.ones(n), parts.sizes, off, off**2, off * parts.sizes, parts.sizes**2]
    )

    def moments_of(labels: Numbers) -> tuple[Floats, Floats]:
        """The means of the groups and their variances, if the units have these labels."""
        means, variances = np.empty((2, len(labels), parts.groups))
        for group in range(parts.groups):
            count, size, total, squares, products, sizes = ((labels == group) @ powers).T
            means[:, group] = centre = total / size
            spread = squares - 2 * centre * products + centre**2 * sizes + _POOLED * pooled
            variances[:, group] = spread * count / (count - 1 + _POOLED) / size**2
        return means, variances

    means, variances = moments_of(parts.labels[None])
    # large units leave fewer degrees of freedom: as many as equal ones that say as much (Kish)
    totals = np.bincount(parts.labels, parts.sizes)
    equal = totals**2 / np.bincount(parts.labels, parts.sizes**2)
    freedom = np.maximum(equal - 1, 1.0)
    drawn = [
        _statistic(
            rng.standard_normal((resamples, parts.groups)) * np.sqrt(variances),
            rng.chisquare(freedom, (resamples, parts.groups)) / freedom * variances,
        )
    ]
    if n <= MOST_PERMUTED:
        count = min(resamples, max(1_999, _MOST_LABELS // n))
        block = max(1, _BLOCK // n)
        drawn.append(np.empty(count))
        for start in range(0, count, block):
            labels = np.tile(parts.labels, (min(block, count - start), 1))
            moved = moments_of(rng.permuted(labels, axis=1))
            drawn[1][start : start + len(labels)] = _statistic(*moved)
    least = float(_statistic(means, variances)[0]) * (1 - _TIE)
    return max((1 + int(np.count_nonzero(each >= least))) / (1 + len(each)) for each in drawn)


def _statistic(means: Floats, variances: Floats) -> Floats:
    """Welch's statistic, one for each row of the means of groups and their variances."""
    weights = 1 / variances
    centre = (weights * means).sum(axis=-1, keepdims=True) / weights.sum(axis=-1, keepdims=True)
    return np.asarray((weights * (means - centre) ** 2).sum(axis=-1), dtype=np.float64)
