"""The confidence interval of a mean difference, alone or together with its test.

The statistic of a true difference ``μ`` is that of the sign flips, ``T(μ) = |Σ (d - μ)| /
√Σ (d - μ)²``, and the interval contains every ``μ`` whose statistic is not above a critical value.
Two items are added, whose changes are as far above and below the mean as any that was seen. They
stand for items that are unlike these, and so there is a width even if all items changed alike. For
two paired rates they are +1 and -1, as in D. G. Bonett and R. M. Price, "Adjusted Wald confidence
interval for a difference of binomial proportions based on paired data" (Journal of Educational and
Behavioral Statistics 37, 2012). Documents take the place of items if they are resampled: ``d`` is
then the sum over a document, and ``μ`` is multiplied by its number of items.

A ``Contrast`` is the difference within each item: one variant minus another, or a weighted sum of
several.
"""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.interval import ROUNDING, Interval, check_level, t_quantile
from assay.stats.mean_interval import FEWEST_VALUES, skew_reach, skewness
from assay.stats.resample import Floats, cluster_sums
from assay.stats.scores import flip_statistic, skewed_demand, student_statistic, without_skew

EVERYTHING = slice(None)


class Contrast:
    """A weighted sum of columns, computed for the items that are asked for.

    0.3 - 0.1 and 0.6 - 0.4 are the same difference and must be equal. Therefore the last digits
    of the floating-point numbers (about three) are rounded away. The result is NaN if any value
    is undefined.

    >>> contrast = Contrast([(1.0, np.array([0.3, 0.6])), (-1.0, np.array([0.1, 0.4]))])
    >>> contrast.changes().tolist()
    [0.2, 0.2]
    """

    def __init__(
        self,
        parts: Sequence[tuple[float, NDArray[np.floating]]],
        sizes: Sequence[float] | None = None,
    ) -> None:
        """``sizes`` has the size of the largest value of each column, if they are known."""
        self._parts = tuple(parts)
        if sizes is None:
            sizes = [largest_size(column) for _, column in self._parts]
        self._decimals = _decimals(self._parts, sizes)

    def __len__(self) -> int:
        return len(self._parts[0][1])

    def changes(self, items: slice = EVERYTHING) -> Floats:
        """The weighted sums of these items."""
        (weight, column), *others = self._parts
        total: Floats = column[items].astype(np.float64)
        if weight != 1:
            total *= weight
        for weight, column in others:
            total += weight * column[items].astype(np.float64)
        if self._decimals is not None:
            np.round(total, self._decimals, out=total)
            total += 0.0  # removes a negative zero
        return total


def largest_size(column: NDArray[np.floating]) -> float:
    """The size of the value that is furthest from 0; 0 if none is defined.

    >>> largest_size(np.array([0.5, -2.0, np.nan]))
    2.0
    """
    # fmin and fmax pass over NaN
    return max(
        float(np.fmax.reduce(column, initial=0.0)), -float(np.fmin.reduce(column, initial=0.0))
    )


def _decimals(
    parts: Sequence[tuple[float, NDArray[np.floating]]], sizes: Sequence[float]
) -> int | None:
    """How many decimals are certain, or ``None`` if nothing has to be rounded."""
    is_single = any(column.dtype == np.float32 for _, column in parts)
    largest = max(abs(weight) * size for (weight, _), size in zip(parts, sizes, strict=True))
    if not 0 < largest < math.inf:
        return None
    return (6 if is_single else 13) - 1 - math.floor(math.log10(largest))


class Moments(Struct, frozen=True, kw_only=True):
    """What the interval of a mean difference needs to know about the changes.

    A *unit* is an item, or a document if documents are resampled. ``changed`` is the number of
    units whose sum is not 0, and ``largest`` the size of the largest sum. ``furthest``,
    ``spread`` and ``skew`` are about the deviations of the units from the mean: the size of the
    largest one, the sum of their squares, and their skewness. With weights, sums are those of
    weighted changes, and the size of a unit (``heaviest`` is that of a unit which is not known) is
    its weight.
    """

    n: int
    units: int
    mean: float
    total: float
    squares: float
    cross: float
    size_squares: float
    largest: float
    changed: int
    gained: int
    lost: int
    furthest: float
    spread: float
    skew: float
    heaviest: float

    @property
    def error(self) -> float | None:
        """The standard error of the mean; ``None`` if it is unknown, 0, or rounding only."""
        if self.units < 2 or self.spread <= self.units * (ROUNDING * self.largest) ** 2:
            return None
        return math.sqrt(self.spread * self.units / (self.units - 1)) / self.n

    @property
    def is_against_skew(self) -> bool:
        """Whether rare large changes point away from the mean."""
        return self.error is not None and self.total * self.skew < 0

    def most_shown(self) -> float:
        """The largest statistic that these changes can claim; infinite without skew against it."""
        if not self.is_against_skew:
            return math.inf
        return without_skew(abs(self.total) / math.sqrt(self.squares), self.skew, self.units)


class FamilyDecision(Struct, frozen=True, kw_only=True):
    """What the test of a family says about one of its comparisons.

    ``critical`` is the largest statistic that is not significant in this family. ``below`` and
    ``above`` are the possible statistics of this comparison around it, after the skew of the changes
    was taken from them. ``is_significant`` tells
    whether the observed one is beyond it.
    """

    critical: float
    below: float
    above: float
    is_significant: bool


def moments(
    changes: Floats,
    clusters: NDArray[np.integer] | None = None,
    weights: Floats | None = None,
) -> Moments | None:
    """The moments of finite changes; ``None`` if there are none.

    ``weights``, one for each change, have the mean 1. The mean is then that of the weighted
    changes, and the deviation of a unit is ``w d - w mean``.

    >>> moments(np.array([0.5, 0.0, -0.25, 0.5])).changed
    3
    >>> moments(np.array([1.0, -1.0]), weights=np.array([1.5, 0.5])).mean
    0.5
    """
    n = len(changes)
    if n == 0:
        return None
    gained, lost = int(np.count_nonzero(changes > 0)), int(np.count_nonzero(changes < 0))
    sums, sizes = _unit_sums(changes, clusters, weights)
    mean = float(changes.mean() if weights is None else sums.sum() / n)
    residuals = sums - mean * (1.0 if sizes is None else sizes)
    units = len(sums)
    squares = float(sums @ sums)
    largest = float(max(sums.max(), -sums.min()))
    return Moments(
        n=n,
        units=units,
        mean=mean,
        total=float(sums.sum()),
        squares=squares,
        cross=float(sums.sum() if sizes is None else sums @ sizes),
        size_squares=float(n if sizes is None else sizes @ sizes),
        largest=largest,
        changed=gained + lost if sizes is None else int(np.count_nonzero(is_change(sums))),
        gained=gained,
        lost=lost,
        furthest=float(np.abs(residuals).max()),
        spread=float(residuals @ residuals),
        skew=skewness(residuals),
        heaviest=n / units if weights is None or sizes is None else float(sizes.max()),
    )


def _unit_sums(
    changes: Floats, clusters: NDArray[np.integer] | None, weights: Floats | None
) -> tuple[Floats, Floats | None]:
    """The sum of the changes of each unit, and the size of each unit if it is not 1."""
    if weights is None:
        return (changes, None) if clusters is None else cluster_sums(changes, clusters)
    if clusters is None:
        return weights * changes, weights
    return cluster_sums(weights * changes, clusters)[0], cluster_sums(weights, clusters)[0]


def is_change(sums: Floats) -> NDArray[np.bool_]:
    """Which sums are not 0. If the changes of a document cancel, a rounding error may be left.

    >>> is_change(np.array([1.0, 1e-17, 0.0])).tolist()
    [True, False, False]
    """
    sizes = np.abs(sums)
    return np.asarray(sizes > ROUNDING * float(sizes.max(initial=0.0)))


def difference_interval(
    changes: Moments,
    *,
    level: float = 0.95,
    reach: float | None = None,
    decision: FamilyDecision | None = None,
    is_yes_no: bool = False,
) -> Interval | None:
    """The interval of a mean difference.

    Without a decision it is the plain interval of this difference alone (``t``). With one it is
    the interval of the test (``max-t``): it leaves out 0 exactly if the difference is
    significant, and all intervals of the family contain their true differences at once with the
    probability ``level``. The end towards 0 then comes from the critical value of the test, and
    from what the skew of the changes demands beyond it. The other end, and both if nothing is significant, reach at least as far as Student's t does,
    and further in the direction of the skew of the changes.

    Returns ``None`` for one unit, and if fewer than six units changed and nothing limits how far.

    Args:
        changes: the moments of the changes.
        level: the confidence level; for a decision, one minus its significance level.
        reach: the largest possible change (1 for scores), or ``None`` if there is no limit.
        decision: the decision of the test, or ``None`` for the plain interval.
        is_yes_no: whether each change is 1, 0 or -1. Then the two items are all that is needed.
    """
    check_level(level)
    added = _added_change(changes, reach)
    if added is None or changes.units < 2:
        return None
    quantile = z = t_quantile((1 + level) / 2, changes.units - 1)
    if decision is not None and decision.critical < math.sqrt(changes.units):
        quantile = max(quantile, student_statistic(decision.critical, changes.units))
        z = max(z, decision.critical)
    far = flip_statistic(quantile, changes.units + 2)
    sample = _Sample(changes, added, centre=0.0 if is_yes_no else 1.0)
    if decision is not None:
        far = max(far, sample.statistic(decision.below))
    skew = 0.0 if is_yes_no else skew_reach(changes.skew, changes.units, z) * (changes.error or 0.0)
    low, high = sample.end(far, -1) + min(skew, 0.0), sample.end(far, 1) + max(skew, 0.0)
    if decision is not None:
        middle = (decision.below + decision.above) / 2
        near, nearest = min(far, sample.statistic(middle)), ROUNDING * abs(changes.mean)
        if not is_yes_no and changes.is_against_skew:
            near = sample.statistic(skewed_demand(middle, changes.skew, changes.units))
        if not decision.is_significant:
            low, high = min(low, 0.0), max(high, 0.0)
        elif changes.total > 0:
            low = max(sample.end(near, -1), nearest)  # rounding must not move it across 0
        else:
            high = min(sample.end(near, 1), -nearest)
    if reach is not None:
        low, high = max(low, -reach), min(high, reach)
    if math.isinf(low) or math.isinf(high):
        return None
    return Interval(low=low, high=high, level=level, method="t" if decision is None else "max-t")


def _added_change(changes: Moments, reach: float | None) -> float | None:
    """How far the two items that are added are from the mean; ``None`` if it is unknown.

    If fewer than six units changed, they say little about others, and the largest possible
    change is used. Changes that are all alike could have been absent.
    """
    size = changes.n / changes.units
    if changes.changed >= FEWEST_VALUES:
        return max(changes.furthest, abs(changes.mean) * size)
    return None if reach is None else reach * changes.heaviest


class _Sample:
    """The moments of the changes with the two items added.

    ``centre`` is 1 if they are on both sides of the mean, and 0 if they are on both sides of 0.
    """

    def __init__(self, changes: Moments, added: float, *, centre: float) -> None:
        size = changes.n / changes.units
        shift = centre * changes.mean * size
        self._squares = changes.squares
        self._added = added
        self._share = centre / changes.units
        self.items = changes.n + 2 * size
        self.total = changes.total + 2 * shift
        self.squares = changes.squares + 2 * added**2 + 2 * shift**2
        self.cross = changes.cross + 2 * shift * size
        self.size_squares = changes.size_squares + 2 * size**2

    def statistic(self, statistic: float) -> float:
        """The statistic with the two items, if it is ``statistic`` without them.

        A larger one stays larger, so the test is the same.
        """
        if math.isinf(statistic) or self._squares <= 0:
            return statistic
        total = statistic * math.sqrt(self._squares)
        squares = self._squares + 2 * self._added**2 + 2 * (self._share * total) ** 2
        return total * (1 + 2 * self._share) / math.sqrt(squares)

    def end(self, critical: float, side: int) -> float:
        """The lower (``side`` -1) or upper end: where ``T(μ)`` is equal to the critical value.

        ``(Σd - μ Σm)² = c² Σ (d - μm)²`` is a quadratic equation in ``μ``, where ``m`` is the
        number of items of a unit. It is infinite if no ``μ`` is far enough away to be left out.
        """
        square = critical * critical
        a = self.items**2 - square * self.size_squares
        b = self.total * self.items - square * self.cross
        c = self.total**2 - square * self.squares
        if a <= 0:
            return side * math.inf
        return (b + side * math.sqrt(max(b * b - a * c, 0.0))) / a
