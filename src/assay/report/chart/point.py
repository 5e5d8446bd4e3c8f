"""What charts are drawn from, and which variants no other beats."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from assay.report.table import is_defined
from assay.stats import Interval


class Bar(Struct, frozen=True, kw_only=True):
    """One variant's value of one metric; ``None`` says undefined and draws no bar."""

    name: str
    value: float | None
    interval: Interval | None = None


class LinePoint(Struct, frozen=True, kw_only=True):
    """The metric's value at one setting ``x`` of an ordered variable."""

    x: float
    value: float | None
    interval: Interval | None = None


class Spot(Struct, frozen=True, kw_only=True):
    """A variant between two metrics: ``x`` what it costs, ``y`` what it brings."""

    name: str
    x: float | None
    y: float | None
    x_interval: Interval | None = None
    y_interval: Interval | None = None


class Difference(Struct, frozen=True, kw_only=True):
    """A variant's difference to the baseline; ``significant`` after correction."""

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
    """Indices of the points no other beats, by rising ``x``.

    A point is beaten by one at least as good on both axes and better on one. Equal points
    do not beat each other: both are on the front, or neither is.

    >>> pareto_front([(1.0, 0.7), (2.0, 0.9), (3.0, 0.8), (1.0, 0.6)])
    [0, 1]
    """
    x_sign = -1 if x_better == "higher" else 1
    y_sign = -1 if y_better == "lower" else 1
    costs = [(x_sign * x, -y_sign * y) for x, y in points]
    front = [
        place
        for place, (x, y) in enumerate(costs)
        if not any(other != (x, y) and other[0] <= x and other[1] <= y for other in costs)
    ]
    return sorted(front, key=lambda place: (points[place][0], points[place][1], place))


def bounds(interval: Interval | None) -> tuple[float, float] | None:
    """Both ends of an interval that can be drawn."""
    if interval is None or not (is_defined(interval.low) and is_defined(interval.high)):
        return None
    return interval.low, interval.high


def levels(intervals: Sequence[Interval | None]) -> set[float]:
    """The levels of the intervals that can be drawn."""
    return {interval.level for interval in intervals if interval and bounds(interval)}
