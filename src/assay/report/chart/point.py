"""The data of charts, and the Pareto front of a set of points."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from assay.report.table import is_defined
from assay.stats import Interval


class Bar(Struct, frozen=True, kw_only=True):
    """The value of a metric for one variant; an undefined value (``None``) has no bar."""

    name: str
    value: float | None
    interval: Interval | None = None


class LinePoint(Struct, frozen=True, kw_only=True):
    """The value of a metric at the value ``x`` of an ordered variable."""

    x: float
    value: float | None
    interval: Interval | None = None


class Spot(Struct, frozen=True, kw_only=True):
    """The values of two metrics for one variant: ``x`` is a cost, ``y`` is a benefit."""

    name: str
    x: float | None
    y: float | None
    x_interval: Interval | None = None
    y_interval: Interval | None = None


class Difference(Struct, frozen=True, kw_only=True):
    """The difference of a variant to the baseline.

    ``significant`` is the result of the test after the correction for multiple comparisons.
    """

    name: str
    difference: float | None
    interval: Interval | None = None
    significant: bool = False


Direction = Literal["higher", "lower"]


def pareto_front(
    points: Sequence[tuple[float, float]],
    *,
    x_better: Direction = "lower",
    y_better: Direction = "higher",
) -> list[int]:
    """Indices of the points that no other point dominates, ordered by ``x``.

    A point dominates another one if it is at least as good on both axes and better on one of
    them. Equal points do not dominate each other, so either all or none of them are on the front.

    >>> pareto_front([(1.0, 0.7), (2.0, 0.9), (3.0, 0.8), (1.0, 0.6)])
    [0, 1]
    """
    x_sign = -1 if x_better == "higher" else 1
    y_sign = -1 if y_better == "lower" else 1
    costs = [(x_sign * x, -y_sign * y) for x, y in points]
    front = [
        index
        for index, (x, y) in enumerate(costs)
        if not any(other != (x, y) and other[0] <= x and other[1] <= y for other in costs)
    ]
    return sorted(front, key=lambda index: (points[index][0], points[index][1], index))


def bounds(interval: Interval | None) -> tuple[float, float] | None:
    """The ends of an interval; ``None`` if it is undefined or infinite and cannot be drawn."""
    if interval is None or not (is_defined(interval.low) and is_defined(interval.high)):
        return None
    return interval.low, interval.high


def levels(intervals: Sequence[Interval | None]) -> set[float]:
    """The confidence levels of the intervals that can be drawn."""
    return {interval.level for interval in intervals if interval and bounds(interval)}
