"""The confidence interval of a mean difference, alone or together with its test.

The statistic of a true difference ``μ`` is that of the sign flips, ``T(μ) = |Σ (d - μ)| /
√Σ (d - μ)²``, and the interval contains every ``μ`` whose statistic is not above a critical value.
Two items are added, as D. G. Bonett and R. M. Price do for two paired rates ("Adjusted Wald
confidence interval for a difference of binomial proportions based on paired data", Journal of
Educational and Behavioral Statistics 37, 2012): one with the largest change that was seen, and one
with the same change in the other direction. So there is a width even if all items changed alike.
Documents take the place of items if they are resampled: ``d`` is then the sum over a document, and
``μ`` is multiplied by its number of items.
"""

import math

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.interval import Interval, check_level
from assay.stats.mean import FEWEST_VALUES, skew_reach, skewness
from assay.stats.resample import Floats, cluster_sums
from assay.stats.student import t_quantile


class Moments(Struct, frozen=True, kw_only=True):
    """What the interval of a mean difference needs to know about the changes.

    A *unit* is an item, or a document if documents are resampled. ``changed`` is the number of
    units whose sum is not 0, and ``largest`` the largest of these sums. ``spread`` is the
    sum of the squared deviations of the units, ``skew`` their skewness.
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
    spread: float
    skew: float

    @property
    def error(self) -> float | None:
        """The standard error of the mean; ``None`` if it is unknown or 0."""
        if self.units < 2 or self.spread <= 0:
            return None
        return math.sqrt(self.spread * self.units / (self.units - 1)) / self.n


class Decision(Struct, frozen=True, kw_only=True):
    """What the test of a family says about one of its comparisons.

    ``critical`` is the largest statistic that is not significant in this family. ``below`` and
    ``above`` are the possible statistics of this comparison around it. ``is_significant`` tells
    whether the observed one is beyond it.
    """

    critical: float
    below: float
    above: float
    is_significant: bool


def moments(changes: Floats, clusters: NDArray[np.integer] | None = None) -> Moments | None:
    """The moments of finite changes; ``None`` if there are none.

    >>> moments(np.array([0.5, 0.0, -0.25, 0.5])).changed
    3
    """
    n = len(changes)
    if n == 0:
        return None
    mean = float(changes.mean())
    gained, lost = int(np.count_nonzero(changes > 0)), int(np.count_nonzero(changes < 0))
    sums, sizes = (changes, None) if clusters is None else cluster_sums(changes, clusters)
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
        spread=float(residuals @ residuals),
        skew=skewness(residuals),
    )


def is_change(sums: Floats) -> NDArray[np.bool_]:
    """Which sums are not 0. If the changes of a document cancel, a rounding error may be left.

    >>> is_change(np.array([1.0, 1e-17, 0.0])).tolist()
    [True, False, False]
    """
    sizes = np.abs(sums)
    return np.asarray(sizes > 1e-12 * float(sizes.max(initial=0.0)))


def difference_interval(
    changes: Moments,
    *,
    level: float = 0.95,
    reach: float | None = None,
    decision: Decision | None = None,
    is_yes_no: bool = False,
) -> Interval | None:
    """The interval of a mean difference.

    Without a decision it is the plain interval of this difference alone (``t``). With one it is
    the interval of the test (``max-t``): it leaves out 0 exactly if the difference is
    significant, and all intervals of the family contain their true differences at once with the
    probability ``level``. The end towards 0 then comes from the critical value of the test. The
    other end, and both if nothing is significant, reach at least as far as Student's t does,
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
    near = far = _statistic(quantile, changes.units + 2)
    if decision is not None:
        # the same statistics with the two items added, which does not change their order
        scale = 1 / math.hypot(1, math.sqrt(2) * added / math.sqrt(changes.squares or 1))
        middle = (decision.below + decision.above) / 2
        near = min(max(far, decision.below * scale), middle * scale)
        far = max(far, near)
    skew = 0.0 if is_yes_no else skew_reach(changes.skew, changes.units, z) * (changes.error or 0.0)
    low, high = _end(changes, added, far, -1) + min(skew, 0.0), _end(changes, added, far, 1)
    high += max(skew, 0.0)
    if decision is not None:
        nearest = 1e-12 * abs(changes.mean)  # rounding must not move an end across 0
        if not decision.is_significant:
            low, high = min(low, 0.0), max(high, 0.0)
        elif changes.total > 0:
            low = max(_end(changes, added, near, -1), nearest)
        else:
            high = min(_end(changes, added, near, 1), -nearest)
    if reach is not None:
        low, high = max(low, -reach), min(high, reach)
    if math.isinf(low) or math.isinf(high):
        return None
    return Interval(low=low, high=high, level=level, method="t" if decision is None else "max-t")


def _added_change(changes: Moments, reach: float | None) -> float | None:
    """The change of the two items that are added; ``None`` if it is unknown.

    If fewer than six units changed, their largest change says little about others, and the
    largest possible one is used.
    """
    if changes.changed >= FEWEST_VALUES:
        return changes.largest
    return None if reach is None else reach * changes.n / changes.units


def _statistic(quantile: float, units: int) -> float:
    """The statistic ``T`` of ``units`` changes that have this t statistic."""
    return quantile * math.sqrt(units / (units - 1 + quantile * quantile))


def student_statistic(statistic: float, units: int) -> float:
    """The t statistic of ``units`` changes whose statistic of the sign flips is ``statistic``.

    >>> round(student_statistic(1.9, 20), 3)
    2.046
    """
    return statistic * math.sqrt((units - 1) / (units - statistic * statistic))


def _end(changes: Moments, added: float, critical: float, side: int) -> float:
    """The lower (``side`` -1) or upper end: where ``T(μ)`` is equal to the critical value.

    ``(Σd - μ Σm)² = c² Σ (d - μm)²`` is a quadratic equation in ``μ``, where ``m`` is the number
    of items of a unit. It is infinite if no ``μ`` is far enough away to be left out.
    """
    square = critical * critical
    size = changes.n / changes.units
    items = changes.n + 2 * size
    a = items * items - square * (changes.size_squares + 2 * size * size)
    b = changes.total * items - square * changes.cross
    c = changes.total**2 - square * (changes.squares + 2 * added * added)
    if a <= 0:
        return side * math.inf
    return (b + side * math.sqrt(max(b * b - a * c, 0.0))) / a
