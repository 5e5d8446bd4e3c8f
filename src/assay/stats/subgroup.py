"""Groups of questions: whether a variant changes something everywhere, or only in some of them.

A *grouping* puts each item into one group, for example by the language of its question. The effects in
its groups are one family: a comparison of the variant with the baseline in each group, corrected
together (``assay.stats.family``). That one group shows a difference and another does not is no
difference between the groups. The question whether the effect differs has a test of its own:
``group_p_value``.
"""

import math
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
from assay.stats.resample import Floats, stream
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
    nothing is. ``scores`` are in order (``Scores.in_order``).
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
        return int(inside.sum()) if numbers is None else len(np.unique(numbers[inside]))


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
            p_value = parts.p_value(method.resamples, seed)
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
    comparison of several mean values", Biometrika 38, 1951). No equal variances are assumed. It has to be
    large by each of these standards, so the largest p-value counts:

    - among permutations of the groups over the units. That is exact if the differences of all groups are
      distributed alike, and holds for many units otherwise, because the statistic is studentised (A.
      Janssen, "Studentized permutation tests for non-i.i.d. hypotheses", Statistics & Probability
      Letters 36, 1997; E. Chung and J. P. Romano, "Exact and asymptotically robust permutation tests",
      Annals of Statistics 41, 2013);
    - among normal means with variances that are as uncertain as those of so many units (K.
      Krishnamoorthy, F. Lu and T. Mathew, "A parametric bootstrap approach for ANOVA with unequal
      variances", Computational Statistics & Data Analysis 51, 2007). That holds for small groups that
      vary more than others;
    - if a unit, a document for example, has items in several groups: among random signs of the deviations
      of whole units from the common mean (A. C. Cameron, J. B. Gelbach and D. L. Miller,
      "Bootstrap-based improvements for inference with clustered errors", Review of Economics and
      Statistics 90, 2008). The variances have covariances beside them then, and items are permuted.

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
    return None if parts is None else parts.p_value(resamples, stream(seed, "groups"))


def _large_groups(changes: Floats, groups: Numbers, units: Numbers | None) -> "_Parts | None":
    """The parts of the groups that have enough units; ``None`` if these are fewer than two."""
    known = np.isfinite(changes)
    if units is None:
        units = np.arange(len(changes))
    pairs = np.unique(np.column_stack([groups[known], units[known]]), axis=0)
    numbers, counts = np.unique(pairs[:, 0], return_counts=True)
    large = numbers[counts >= FEWEST_IN_GROUP]
    if len(large) < 2:
        return None
    known &= np.isin(groups, large)
    places = np.searchsorted(large, groups[known])
    rows = np.unique(units[known], return_inverse=True)[1]
    return _Parts(changes[known], places, rows)


class _Parts:
    """The differences of items, with the numbers of their groups and of their units.

    ``_sums`` and ``_sizes`` have what each unit (row) has in each group (column).
    """

    def __init__(self, changes: Floats, groups: Numbers, units: Numbers) -> None:
        self.groups, self._units = int(groups.max()) + 1, int(units.max()) + 1
        self._sums, self._sizes = self._cells(changes, np.ones(len(changes)), groups, units)
        self._counts = np.count_nonzero(self._sizes, axis=0).astype(np.float64)
        self._mean = float(changes.mean())
        self._pooled = float(self._pooled_of(self._sums, self._sizes))
        self._is_divided = bool((np.count_nonzero(self._sizes, axis=1) > 1).any())
        # what is permuted: items if units are divided among groups, otherwise units
        self._permuted_parts = (changes, np.ones(len(changes)), groups, units)
        if not self._is_divided:
            labels = np.argmax(self._sizes, axis=1)
            sums, sizes = self._sums.sum(axis=1), self._sizes.sum(axis=1)
            self._permuted_parts = (sums, sizes, labels, np.arange(self._units))

    def _cells(
        self, sums: Floats, sizes: Floats, groups: Numbers, units: Numbers
    ) -> tuple[Floats, Floats]:
        """The sum and the number of differences of each unit in each group; one row a permutation."""
        draws = groups.size // len(sums)
        places = units * self.groups + groups
        if groups.ndim > 1:
            places += np.arange(draws)[:, None] * self._units * self.groups
        shape = (*groups.shape[:-1], self._units, self.groups)
        cells = [
            np.bincount(places.ravel(), np.tile(each, draws), math.prod(shape)).reshape(shape)
            for each in (sums, sizes)
        ]
        return cells[0], cells[1]

    def _pooled_of(self, sums: Floats, sizes: Floats) -> Floats:
        """The mean square of what a unit has in a group, around the common mean."""
        off = sums - self._mean * sizes
        cells = np.count_nonzero(sizes, axis=(-2, -1))
        return np.asarray((off * off).sum(axis=(-2, -1)) / (cells - 1), dtype=np.float64)

    def p_value(self, resamples: int, rng: np.random.Generator) -> float | None:
        """The p-value; ``None`` if too few units changed, or all alike."""
        changed = np.count_nonzero(is_change(self._sums).any(axis=1))
        total = self._sizes.sum(axis=0)
        means = self._sums.sum(axis=0) / total
        if changed < MIN_COUNT or self._pooled <= _TIE * float(np.abs(means).max()) ** 2:
            return None
        off = self._sums - means * self._sizes
        covariance = self._covariance(off.T @ off, self._counts, total, self._pooled)
        least = float(_statistic(means, covariance)) * (1 - _TIE)
        drawn = [self._normal(covariance, resamples, rng)]
        if len(self._permuted_parts[0]) <= MOST_PERMUTED:
            drawn.append(self._permuted(resamples, rng))
        if self._is_divided:
            drawn.append(self._flipped(means, covariance, resamples, rng))
        reached = [int(np.count_nonzero(found >= least)) for found in drawn]
        return max((1 + n) / (1 + len(found)) for n, found in zip(reached, drawn, strict=True))

    def _covariance(
        self, products: Floats, counts: Floats, total: Floats, pooled: Floats | float
    ) -> Floats:
        """The covariances of the means, from the sums of products of deviations."""
        padded = products + _POOLED * np.multiply.outer(pooled, np.eye(self.groups))
        factor = np.sqrt(counts / (counts - 1 + _POOLED)) / total
        return np.asarray(padded * factor[..., :, None] * factor[..., None, :], dtype=np.float64)

    def _permuted(self, resamples: int, rng: np.random.Generator) -> Floats:
        """The statistics for random permutations of the groups over units, or over items."""
        sums, sizes, groups, units = self._permuted_parts
        found = []
        resamples = min(resamples, max(1_999, _MOST_LABELS // len(groups)))
        block = max(1, _BLOCK // max(len(groups), self._sums.size))
        for start in range(0, resamples, block):
            count = min(block, resamples - start)
            drawn = rng.permuted(np.tile(groups, (count, 1)), axis=1)
            of_units, in_units = self._cells(sums, sizes, drawn, units)
            total, counts = in_units.sum(axis=1), np.count_nonzero(in_units, axis=1)
            means = of_units.sum(axis=1) / total
            off = of_units - means[:, None] * in_units
            covariance = self._covariance(
                off.transpose(0, 2, 1) @ off, counts, total, self._pooled_of(of_units, in_units)
            )
            found.append(_statistic(means, covariance))
        return np.concatenate(found)

    def _flipped(
        self, means: Floats, covariance: Floats, resamples: int, rng: np.random.Generator
    ) -> Floats:
        """The statistics if the deviations of units from the common mean change their signs."""
        weights = np.linalg.solve(covariance, np.ones(self.groups))
        off = self._sums - float(weights @ means / weights.sum()) * self._sizes
        total = self._sizes.sum(axis=0)
        crossed = np.einsum("uj,ul->ujl", off, self._sizes).reshape(len(off), -1)
        found = []
        block = max(1, _BLOCK // len(off))
        for start in range(0, resamples, block):
            signs = rng.choice([-1.0, 1.0], size=(min(block, resamples - start), len(off)))
            drawn = signs @ off / total
            mixed = drawn[:, None, :] * (signs @ crossed).reshape(-1, self.groups, self.groups)
            both = drawn[:, :, None] * drawn[:, None, :] * (self._sizes.T @ self._sizes)
            products = off.T @ off - mixed - mixed.transpose(0, 2, 1) + both
            covariance = self._covariance(products, self._counts, total, self._pooled)
            found.append(_statistic(drawn, covariance))
        return np.concatenate(found)

    def _normal(self, covariance: Floats, resamples: int, rng: np.random.Generator) -> Floats:
        """The statistics of normal means and of variances with as many degrees of freedom.

        For groups that share units these are Wishart's covariances, by the decomposition of M. S.
        Bartlett, "On the theory of statistical regression", 1933.
        """
        groups = self.groups
        root = np.linalg.cholesky(covariance)
        means = rng.standard_normal((resamples, groups)) @ root.T
        freedom = self._counts - 1
        lower = np.zeros((resamples, groups, groups))
        if self._is_divided:
            freedom = np.full(groups, max(len(self._sums) - 1, groups))
            lower += np.tril(rng.standard_normal(lower.shape), -1)
        of_each = freedom - np.arange(groups) if self._is_divided else freedom
        chi = np.sqrt(rng.chisquare(of_each, (resamples, groups)))
        lower += chi[..., None] * np.eye(groups)
        lower = root @ lower / np.sqrt(freedom)
        return _statistic(means, lower @ lower.transpose(0, 2, 1))


def _statistic(means: Floats, covariance: Floats) -> Floats:
    """Wald's statistic of equal means: Welch's if the covariances are 0."""
    contrast = means[..., 1:] - means[..., :1]
    spread = (
        covariance[..., 1:, 1:]
        - covariance[..., 1:, :1]
        - covariance[..., :1, 1:]
        + covariance[..., :1, :1]
    )
    solved = np.linalg.solve(spread, contrast[..., None])[..., 0]
    return np.asarray((contrast * solved).sum(axis=-1), dtype=np.float64)
