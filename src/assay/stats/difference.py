"""The standard error, the t statistic and the interval of a mean of paired differences.

For independent items it is Student's t (1908). Differences may be skewed: many questions win a
little, few lose much. Where the sample is too small for its skew by the rule of W. G. Cochran
("Sampling techniques", 1977, ``n > 25 γ²``), the end in the direction of the skew is further away, by
the Edgeworth correction of P. Hall ("Inverting an Edgeworth expansion", Annals of Statistics 11, 1983).

For documents, or for questions that were asked several times, it is the cluster-robust t: the
variance of R. M. Bell and D. F. McCaffrey ("Bias reduction in standard errors for linear regression
with multi-stage samples", Survey Methodology 28, 2002), known as CR2, with their degrees of freedom. It
is never narrower than that of the same items without clusters: a design effect below 1 is chance (L.
Kish, "Survey sampling", 1965).

If all changes are alike, they show no spread, but another question could have changed otherwise. Then
the interval allows for as large a share of others as C. J. Clopper and E. S. Pearson do for none of
``n`` ("The use of confidence or fiducial limits", Biometrika 26, 1934).

A ``Contrast`` is the difference within each item: one variant minus another, or a weighted sum of
several.
"""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.interval import (
    ROUNDING,
    Interval,
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
)
from assay.stats.resample import Floats, cluster_sums

EVERYTHING = slice(None)
FEWEST_VALUES = 6
"""The smallest number of values for an interval if nothing limits how far off the next value is."""
FEWEST_SKEWED = 20
"""With fewer units, their skew is mostly chance."""


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
    """What the test and the interval of a mean need to know about its values.

    A *unit* is an item, or a document or question if those are drawn. ``changed`` is the number of
    units whose sum is not 0; ``gained`` and ``lost`` count items. ``error`` is the standard error of
    the mean with ``freedom`` degrees, 0 if the values show no spread. ``skew`` is the skewness of the
    units if it matters, else 0. ``flipped`` is the statistic of the sign flips if units count
    unequally: then it is not the same as t, and a mean must be large by both.
    """

    n: int
    units: int
    mean: float
    changed: int
    gained: int
    lost: int
    error: float
    freedom: int
    skew: float
    flipped: float = math.inf

    @property
    def t(self) -> float:
        """The size of the t statistic of the mean, so far as skew does not explain it."""
        if not self.error:
            return math.inf if self.mean else 0.0
        t = abs(self.mean) / self.error
        return _without_skew(t, self.skew, self.units) if self.mean * self.skew < 0 else t

    def statistic(self, reach: float | None) -> float:
        """The statistic of sign flips that is as unlikely as the mean (see ``assay.stats.flip``).

        ``reach`` is the largest possible size of a value, or ``None`` if there is no limit.
        """
        if self.units < 2:
            return float(self.mean != 0)
        if not self.error and reach is not None:
            share = abs(self.mean) / (reach + abs(self.mean))
            tail = min((1 - share) ** self.units, 0.5)
            return flip_statistic(t_quantile(1 - tail, self.units - 1), self.units)
        of_t = flip_statistic(_same_tail(self.t, self.freedom, self.units - 1), self.units)
        return min(of_t, self.flipped)

    def ends(self, statistic: float) -> tuple[float, float]:
        """The ends of the interval that leaves out 0 if ``self.statistic`` is larger than this."""
        t = student_statistic(statistic, self.units)
        t = _same_tail(t, self.units - 1, self.freedom)
        if math.isinf(t):
            return -math.inf, math.inf
        further = _further(t, self.skew, self.units)
        down, up = t - min(further, 0.0), t + max(further, 0.0)
        return self.mean - down * self.error, self.mean + up * self.error


def moments(
    values: Floats,
    clusters: NDArray[np.integer] | None = None,
    weights: Floats | None = None,
) -> Moments | None:
    """The moments of values; ``None`` if there are none.

    ``weights``, one for each value, have the mean 1. The mean is then the weighted one.

    >>> found = moments(np.array([0.5, 0.0, -0.25, 0.5]))
    >>> found.changed, round(found.error, 3)
    (3, 0.188)
    >>> moments(np.array([1.0, -1.0]), weights=np.array([1.5, 0.5])).mean
    0.5
    """
    n = len(values)
    if n == 0:
        return None
    sums = values if weights is None else weights * values
    sizes = weights
    mean = float(sums.sum() / n)
    error, freedom = _error(sums, sizes, mean)
    if clusters is not None:
        item_error, item_freedom = error, freedom
        sums = cluster_sums(sums, clusters)[0]
        sizes = cluster_sums(np.ones(n) if weights is None else weights, clusters)[0]
        error, freedom = _error(sums, sizes, mean)
        if len(sums) > 1 and item_error:
            least = item_error * t_quantile(0.975, item_freedom) / t_quantile(0.975, freedom)
            error = max(error, least)
    units = len(sums)
    return Moments(
        n=n,
        units=units,
        mean=mean,
        changed=int(np.count_nonzero(is_change(sums))),
        gained=int(np.count_nonzero(values > 0)),
        lost=int(np.count_nonzero(values < 0)),
        error=error,
        freedom=freedom,
        skew=_skew_that_matters(sums - mean * (1.0 if sizes is None else sizes)),
        flipped=math.inf if sizes is None else _flipped(sums),
    )


def _flipped(sums: Floats) -> float:
    square = float(sums @ sums)
    return abs(float(sums.sum())) / math.sqrt(square) if square else 0.0


def _error(sums: Floats, sizes: Floats | None, mean: float) -> tuple[float, int]:
    """The standard error of the mean, and its degrees of freedom; 0 if there is no spread.

    ``sums`` are those of the units, ``sizes`` how much each unit counts. CR2 divides the squared
    deviation of a unit by one minus its share of the whole. The degrees of freedom are
    ``tr(Ω)² / tr(Ω²)`` for the covariances Ω of the deviations, if items are independent.
    """
    units = len(sums)
    if units < 2:
        return 0.0, 1
    deviations = sums - mean * (1.0 if sizes is None else sizes)
    size = max(float(np.abs(sums).max()), abs(mean))
    if float(deviations @ deviations) <= units * (ROUNDING * size) ** 2:
        return 0.0, units - 1
    if sizes is None:
        return math.sqrt(float(deviations @ deviations) / (units - 1) / units), units - 1
    total = float(sizes.sum())
    kept = np.maximum(1 - sizes / total, ROUNDING)
    error = math.sqrt(float(np.sum(deviations**2 / kept))) / total
    linked = sizes**2 / kept
    trace = float(np.sum(sizes**2) + (linked.sum() ** 2 - linked @ linked) / total**2)
    return error, max(1, min(math.floor(total**2 / trace + 1e-9), units - 1))


def is_change(sums: Floats) -> NDArray[np.bool_]:
    """Which sums are not 0. If the changes of a document cancel, a rounding error may be left.

    >>> is_change(np.array([1.0, 1e-17, 0.0])).tolist()
    [True, False, False]
    """
    sizes = np.abs(sums)
    return np.asarray(sizes > ROUNDING * float(sizes.max(initial=0.0)))


def _skew_that_matters(deviations: Floats) -> float:
    """The skewness of the deviations, or 0 if there are enough of them by Cochran's rule."""
    n = len(deviations)
    square = float(np.mean(deviations * deviations))
    if n < FEWEST_SKEWED or square <= 0:
        return 0.0
    skew = float(np.mean(deviations * deviations * deviations)) / square**1.5
    return skew if n <= 25 * skew * skew else 0.0


def _further(t: float, skew: float, n: int) -> float:
    """By how many standard errors the end in the direction of the skew moves outwards."""
    return skew * (2 * t * t + 1) / (6 * math.sqrt(n))


def _without_skew(t: float, skew: float, n: int) -> float:
    """What is left of t against the skew: the ``c`` for which ``c + _further(c)`` is ``t``.

    >>> left = _without_skew(3.0, -4.0, 30)
    >>> round(left, 2), round(left + _further(left, 4.0, 30), 9)
    (1.95, 3.0)
    """
    slope = abs(skew) / (6 * math.sqrt(n))
    if t <= slope:
        return 0.0
    return 2 * (t - slope) / (1 + math.sqrt(1 + 8 * slope * (t - slope)))


def flip_statistic(t: float, units: int) -> float:
    """The statistic of sign flips of ``units`` differences that have this t statistic.

    >>> round(flip_statistic(2.046, 20), 2)
    1.9
    """
    return math.sqrt(units) if math.isinf(t) else t * math.sqrt(units / (units - 1 + t * t))


def student_statistic(statistic: float, units: int) -> float:
    """The t statistic of ``units`` differences whose statistic of sign flips is ``statistic``.

    >>> round(student_statistic(1.9, 20), 3)
    2.046
    """
    left = units - statistic * statistic
    return statistic * math.sqrt((units - 1) / left) if left > 0 else math.inf


def statistic_of_z(z: float, units: int) -> float:
    """The statistic of sign flips that is as unlikely as a normal variable at ``z``."""
    share = normal_cdf(z)
    if not 0.5 < share < 1 or units < 2:
        return 0.0 if share <= 0.5 else math.sqrt(units)
    return flip_statistic(t_quantile(share, units - 1), units)


def z_of_statistic(statistic: float, units: int) -> float:
    """The normal variable that is as unlikely as this statistic of sign flips."""
    t = student_statistic(statistic, units)
    return normal_quantile(1.0 if math.isinf(t) else t_cdf(t, units - 1))


def _same_tail(t: float, freedom: int, other: int) -> float:
    """The value of t with ``other`` degrees that is as unlikely as ``t`` with ``freedom``."""
    if freedom == other or not 0 < t < math.inf:
        return t
    share = t_cdf(t, freedom)
    return t_quantile(share, other) if share < 1 else math.inf


def difference_interval(
    changes: Moments, statistic: float, *, level: float, reach: float | None, method: str
) -> Interval | None:
    """The interval of a mean difference that leaves out 0 if its statistic is above ``statistic``.

    ``reach`` is the largest possible change (1 for scores), or ``None`` if there is no limit.
    Returns ``None`` for one unit, and for few units or without spread if there is no limit.
    """
    if changes.units < (FEWEST_VALUES if reach is None else 2):
        return None
    if changes.error:
        low, high = changes.ends(statistic)
    elif reach is not None:
        t = student_statistic(statistic, changes.units)
        tail = 0.0 if math.isinf(t) else 1 - t_cdf(t, changes.units - 1)
        other = 1 - tail ** (1 / changes.units)
        low = changes.mean - other * (reach + changes.mean)
        high = changes.mean + other * (reach - changes.mean)
    else:
        return None
    if reach is not None:
        low, high = max(low, -reach), min(high, reach)
    if math.isinf(low) or math.isinf(high):
        return None
    return Interval(low=low, high=high, level=level, method=method)


def share_of_others(n: float, level: float = 0.95) -> float:
    """The largest share of units unlike these ``n``, none of which was seen.

    It is the upper end of Clopper and Pearson's interval for 0 of ``n``.

    >>> round(share_of_others(9), 2)
    0.34
    """
    return float(1 - ((1 - level) / 2) ** (1 / n))


# Two paired rates: McNemar's mid-p test and Tango's interval of their difference.

_HALVINGS = 60
_MOST_EXACT = 1_000


def mcnemar(gained: int, lost: int) -> float | None:
    """The mid-p value of McNemar's test, from the numbers of items that gained and lost.

    ``2 Σ_{k < l} C(m, k) / 2^m + C(m, l) / 2^m`` with ``m = gained + lost`` and the smaller count
    ``l``, at most 1. Q. McNemar, Psychometrika 12 (1947); M. W. Fagerland, S. Lydersen and P. Laake,
    "The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact
    conditional", BMC Medical Research Methodology 13 (2013).

    >>> mcnemar(6, 0)
    0.015625
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"{gained} gained, {lost} lost: a count cannot be negative")
    smaller, changed = min(gained, lost), gained + lost
    if changed == 0:
        return None
    if 2 * smaller == changed:
        return 1.0
    if changed <= _MOST_EXACT:
        ways = [math.comb(changed, k) for k in range(smaller + 1)]
        return float((2 * sum(ways) - ways[-1]) / 2**changed)
    log_ways = (
        math.lgamma(changed + 1) - math.lgamma(smaller + 1) - math.lgamma(changed - smaller + 1)
    )
    steps = np.arange(smaller, 0, -1, dtype=np.float64)
    fewer = float(np.exp(np.cumsum(np.log(steps / (changed - steps + 1)))).sum())
    log_p_value = log_ways + math.log1p(2 * fewer) - changed * math.log(2)
    return min(1.0, math.exp(log_p_value))


def tango(gained: float, lost: float, n: float, z: float) -> tuple[float, float]:
    """Both ends of Tango's score interval for the difference of two paired rates.

    It contains every difference ``δ`` for which ``|gained - lost - n δ| ≤ z √(n (2 q + δ (1 - δ)))``,
    where ``q`` is the most likely share of items that lose if the difference is ``δ``. So it leaves
    out 0 exactly if ``|gained - lost| / √(gained + lost) > z``, and has a width if no item changed.
    T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17 (1998).

    >>> low, high = tango(9, 3, 50, 1.959964)
    >>> round(low, 3), round(high, 3)
    (-0.018, 0.263)
    """

    def end(gained: float, lost: float) -> float:
        """The upper end."""
        low, high = (gained - lost) / n, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            b = (2 * n - gained + lost) * middle - gained - lost
            q = (math.sqrt(max(b * b + 8 * n * lost * middle * (1 - middle), 0.0)) - b) / (4 * n)
            spread = n * (2 * q + middle * (1 - middle))
            is_inside = n * middle - gained + lost <= z * math.sqrt(max(spread, 0.0))
            low, high = (middle, high) if is_inside else (low, middle)
        return high

    return -end(lost, gained), end(gained, lost)
