"""Scatter charts: the cost and the benefit of each variant, with the Pareto front.

Names beside points are placed so that no name covers a point or another name.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from msgspec import Struct

from assay.report.chart.style import (
    DOMINATED,
    FRONT,
    NAME_SIZE,
    NOT_SHOWN,
    Canvas,
    Width,
    canvas,
    end_at_one,
    halo,
    value_axis,
)
from assay.report.look import BLUE, GREY, VERMILLION
from assay.report.table.table import is_defined
from assay.stats.interval import Interval
from assay.words.language import Lang


class Box(Struct, frozen=True):
    """A rectangle; all coordinates have the same unit."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: "Box") -> bool:
        """Whether the two rectangles have an area in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def within(self, other: "Box") -> bool:
        """Whether this rectangle is inside the other one."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.bottom >= other.bottom
            and self.top <= other.top
        )

    def distance(self, x: float, y: float) -> float:
        """The distance of a point from the rectangle; zero if the point is inside."""
        horizontal = max(self.left - x, 0.0, x - self.right)
        vertical = max(self.bottom - y, 0.0, y - self.top)
        return math.hypot(horizontal, vertical)


Point = tuple[float, float]


def name_boxes(
    points: Sequence[Point],
    sizes: Sequence[Point],
    frame: Box,
    *,
    radius: float = 3.0,
    reach: Sequence[float] = (5.0, 10.0, 18.0, 30.0),
    lines: Sequence[tuple[Point, Point]] = (),
    clear: bool = False,
) -> list[Box | None]:
    """A box inside ``frame`` near its point for each name; ``None`` if there is no free position.

    Each name takes the first free position around its point: right, left, above, below and the
    four corners, at each of the distances in ``reach``. A position is free if it covers no point,
    no other name and none of the ``lines``. A position that could belong to another point is used
    only if there is no other, and never if ``clear`` is set.

    The names that are placed first get the best positions, so the function tries several orders
    and returns the best result.
    """
    obstacles = [Box(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    obstacles += [box for start, end in lines for box in _line_boxes(start, end, radius)]
    indices = range(len(points))
    orders = (
        list(indices),
        sorted(indices, key=lambda index: points[index]),
        sorted(indices, key=lambda index: points[index], reverse=True),
        sorted(indices, key=lambda index: points[index][1]),
        sorted(indices, key=lambda index: points[index][1], reverse=True),
    )
    results = [
        _boxes_in_order(order, points, sizes, frame, obstacles, reach, clear=clear)
        for order in orders
    ]
    return min(results, key=lambda result: result[0])[1]


def _boxes_in_order(
    order: Sequence[int],
    points: Sequence[Point],
    sizes: Sequence[Point],
    frame: Box,
    obstacles: Sequence[Box],
    reach: Sequence[float],
    *,
    clear: bool,
) -> tuple[int, list[Box | None]]:
    """The cost of placing the names in this order, and their boxes; a lower cost is better."""
    occupied = list(obstacles)
    boxes: list[Box | None] = [None] * len(order)
    total = 0
    for index in order:
        cost, box = _best_box(index, points, sizes[index], frame, occupied, reach, clear=clear)
        total += cost
        boxes[index] = box
        if box is not None:
            occupied.append(box)
    return total, boxes


def _best_box(
    index: int,
    points: Sequence[Point],
    size: Point,
    frame: Box,
    occupied: Sequence[Box],
    reach: Sequence[float],
    *,
    clear: bool,
) -> tuple[int, Box | None]:
    """The cost and the box of the first free position that cannot belong to another point.

    The cost is the number of the position. If every free position could belong to another point,
    the first of them is returned with 100 added to its cost. Without a position the cost is 1000.
    """
    ambiguous: tuple[int, Box | None] = (1000, None)
    for number, box in enumerate(_candidates(points[index], size, reach)):
        if not box.within(frame) or any(box.overlaps(other) for other in occupied):
            continue
        if not _is_ambiguous(box, index, points):
            return number, box
        if ambiguous[1] is None and not clear:
            ambiguous = (number + 100, box)
    return ambiguous


def _is_ambiguous(box: Box, index: int, points: Sequence[Point]) -> bool:
    """Whether a reader could take the box for the name of another point."""
    limit = 2 * box.distance(*points[index])
    return any(box.distance(*point) < limit for other, point in enumerate(points) if other != index)


def _line_boxes(start: Point, end: Point, radius: float) -> list[Box]:
    """Small boxes along a line, so close together that no name fits between them."""
    count = max(1, int(math.dist(start, end) / (2 * radius)))
    boxes = []
    for step in range(count + 1):
        x = start[0] + (end[0] - start[0]) * step / count
        y = start[1] + (end[1] - start[1]) * step / count
        boxes.append(Box(x - 1, y - 1, x + 1, y + 1))
    return boxes


def _candidates(point: Point, size: Point, reach: Sequence[float]) -> Iterator[Box]:
    x, y = point
    width, height = size
    for distance in reach:
        for angle in (0, 180, 90, 270, 45, 135, 315, 225):
            dx, dy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            # the distance is measured to the nearest side or corner of the box
            centre_x = x + dx * distance + _sign(dx) * width / 2
            centre_y = y + dy * distance + _sign(dy) * height / 2
            yield Box(
                centre_x - width / 2,
                centre_y - height / 2,
                centre_x + width / 2,
                centre_y + height / 2,
            )


def _sign(value: float) -> int:
    return 0 if abs(value) < 1e-9 else 1 if value > 0 else -1


# The data of charts, and the Pareto front of a set of points.


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


class DrawnDifference(Struct, frozen=True, kw_only=True):
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


_MAX_NAMED = 10
_REACH = (5.0, 10.0, 18.0, 30.0, 45.0)
_Line = tuple[tuple[float, float], tuple[float, float]]


class _Group:
    """Variants with equal values, which share a marker and a label."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        self.spots: list[Spot] = []
        self.numbers: list[int] = []


def scatter_chart(
    spots: Sequence[Spot],
    path: Path,
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    x_better: Direction = "lower",
    y_better: Direction = "higher",
    y_is_share: bool = False,
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw a point for the two metrics of each variant, and return ``path``.

    The points of the Pareto front are filled and connected by a line; the other points are
    hollow. The names are written beside the points if they fit; otherwise the points have numbers
    and a key below the chart gives the names. Variants without a value are listed under the axis.
    The axis of a share ends at 1.
    """
    texts = [x_label, y_label, title, *(spot.name for spot in spots)]
    with canvas(texts, path, lang=lang, width=width) as drawing:
        groups = _groups(spots)
        front = pareto_front(
            [(group.x, group.y) for group in groups], x_better=x_better, y_better=y_better
        )
        drawing.set_height(2.0 if width == "single" else 3.0)
        drawing.set_title(title)
        _scale(drawing.axes, groups)
        if y_is_share:
            end_at_one(drawing.axes.yaxis, drawing.axes)
        _draw(drawing.axes, groups, front)
        _label(drawing, spots, x_label, y_label)
        if not groups:
            drawing.write_no_data()
        _add_legend(drawing, groups, front)
        _name(drawing, groups, spots, front)
    return path


def _groups(spots: Sequence[Spot]) -> list[_Group]:
    groups: dict[tuple[float, float], _Group] = {}
    for number, spot in enumerate(spots, 1):
        if spot.x is None or spot.y is None or not (is_defined(spot.x) and is_defined(spot.y)):
            continue
        group = groups.setdefault((spot.x, spot.y), _Group(spot.x, spot.y))
        group.spots.append(spot)
        group.numbers.append(number)
    return list(groups.values())


def _scale(axes: Axes, groups: Sequence[_Group]) -> None:
    value_axis(axes.xaxis, axes, ticks=5)
    value_axis(axes.yaxis, axes, ticks=5)
    axes.grid(visible=True)
    for values, intervals, set_limits in (
        (
            [group.x for group in groups],
            [bounds(spot.x_interval) for group in groups for spot in group.spots],
            axes.set_xlim,
        ),
        (
            [group.y for group in groups],
            [bounds(spot.y_interval) for group in groups for spot in group.spots],
            axes.set_ylim,
        ),
    ):
        ends = [*values, *(end for interval in intervals for end in interval or ())] or [0.0, 1.0]
        padding = 0.12 * (max(ends) - min(ends)) or 0.1 * abs(max(ends)) or 0.5
        set_limits(min(ends) - padding, max(ends) + padding)


def _draw(axes: Axes, groups: Sequence[_Group], front: Sequence[int]) -> None:
    for index, group in enumerate(groups):
        on_front = index in front
        colour = BLUE if on_front else GREY
        for spot in group.spots:
            x_bounds, y_bounds = bounds(spot.x_interval), bounds(spot.y_interval)
            if x_bounds:
                axes.plot(x_bounds, [group.y, group.y], color=colour, linewidth=0.6, alpha=0.6)
            if y_bounds:
                axes.plot([group.x, group.x], y_bounds, color=colour, linewidth=0.6, alpha=0.6)
        axes.plot(
            group.x,
            group.y,
            marker="o",
            markersize=5,
            markeredgecolor=colour,
            markerfacecolor=colour if on_front else "white",
            zorder=3,
        )
    axes.plot(
        [groups[index].x for index in front],
        [groups[index].y for index in front],
        color=VERMILLION,
        linewidth=0.9,
        linestyle=(0, (4, 2)),
        zorder=2,
    )


def _label(drawing: Canvas, spots: Sequence[Spot], x_label: str, y_label: str) -> None:
    missing = [
        spot.name
        for spot in spots
        if spot.x is None or spot.y is None or not (is_defined(spot.x) and is_defined(spot.y))
    ]
    below = drawing.say(NOT_SHOWN, names=", ".join(missing)) if missing else ""
    axes = drawing.axes
    drawing.label_axis(axes.xaxis, x_label, levels([spot.x_interval for spot in spots]), below)
    drawing.label_axis(axes.yaxis, y_label, levels([spot.y_interval for spot in spots]))


def _add_legend(drawing: Canvas, groups: Sequence[_Group], front: Sequence[int]) -> None:
    if len(groups) < 2:
        return
    handles = [
        Line2D(
            [],
            [],
            color=VERMILLION,
            linewidth=0.9,
            linestyle=(0, (4, 2)),
            marker="o",
            markersize=5,
            markeredgecolor=BLUE,
            markerfacecolor=BLUE,
            label=drawing.say(FRONT),
        )
    ]
    if len(front) < len(groups):
        handles.append(
            Line2D(
                [],
                [],
                linestyle="",
                marker="o",
                markersize=5,
                markeredgecolor=GREY,
                markerfacecolor="white",
                label=drawing.say(DOMINATED),
            )
        )
    # directly above the axes: at "outside upper" it would cover the title
    drawing.axes.legend(
        handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), borderaxespad=0.2, ncols=2
    )


def _name(
    drawing: Canvas, groups: Sequence[_Group], spots: Sequence[Spot], front: Sequence[int]
) -> None:
    """Write names beside the points, or numbers and a key if the names do not fit."""
    names = drawing.names([spot.name for spot in spots], 0.4)
    labels = ["\n".join(names[number - 1] for number in group.numbers) for group in groups]
    if len(spots) <= _MAX_NAMED:
        drawing.lay_out()
        front_lines = _front_lines(groups, front)
        # best where no interval runs through a name, else where at least the front does not
        for lines in (front_lines + _interval_lines(groups), front_lines):
            boxes = _boxes(drawing, groups, labels, lines, clear=True)
            if None not in boxes:
                _write(drawing, groups, labels, boxes)
                return
    _add_key(drawing, groups, spots)
    drawing.lay_out()
    numbers = [_ranges(group.numbers) for group in groups]
    _write(drawing, groups, numbers, _boxes(drawing, groups, numbers, _front_lines(groups, front)))


def _front_lines(groups: Sequence[_Group], front: Sequence[int]) -> list[_Line]:
    """The Pareto front, in values of the axes."""
    points = [(groups[index].x, groups[index].y) for index in front]
    return list(itertools.pairwise(points))


def _interval_lines(groups: Sequence[_Group]) -> list[_Line]:
    """The intervals of all points, in values of the axes."""
    lines: list[_Line] = []
    for group in groups:
        for spot in group.spots:
            if across := bounds(spot.x_interval):
                lines.append(((across[0], group.y), (across[1], group.y)))
            if along := bounds(spot.y_interval):
                lines.append(((group.x, along[0]), (group.x, along[1])))
    return lines


def _boxes(
    drawing: Canvas,
    groups: Sequence[_Group],
    texts: Sequence[str],
    lines: Sequence[_Line],
    *,
    clear: bool = False,
) -> list[Box | None]:
    """The boxes for the texts, in pixels of the figure, which is laid out; none on ``lines``."""
    axes = drawing.axes
    pixel = drawing.figure.dpi / 72
    sizes = []
    for text in texts:
        sample = axes.annotate(text, (0.5, 0.5), xycoords="axes fraction", fontsize=NAME_SIZE)
        extent = sample.get_window_extent()
        sample.remove()
        sizes.append((extent.width, extent.height))
    points = [_pixels(axes, (group.x, group.y)) for group in groups]
    frame = axes.get_window_extent()
    return name_boxes(
        points,
        sizes,
        Box(frame.x0, frame.y0, frame.x1, frame.y1),
        radius=3.5 * pixel,
        reach=[distance * pixel for distance in _REACH],
        lines=[(_pixels(axes, start), _pixels(axes, end)) for start, end in lines],
        clear=clear,
    )


def _pixels(axes: Axes, point: tuple[float, float]) -> tuple[float, float]:
    x, y = axes.transData.transform(point)
    return float(x), float(y)


def _write(
    drawing: Canvas, groups: Sequence[_Group], texts: Sequence[str], boxes: Sequence[Box | None]
) -> None:
    pixel = drawing.figure.dpi / 72
    for group, text, box in zip(groups, texts, boxes, strict=True):
        x, y = _pixels(drawing.axes, (group.x, group.y))
        # without a box a number may overlap others; the key still names every point
        dx, dy = 0.0, 9.0
        if box is not None:
            dx = ((box.left + box.right) / 2 - x) / pixel
            dy = ((box.bottom + box.top) / 2 - y) / pixel
        is_far = box is not None and box.distance(x, y) > _REACH[0] * 1.5 * pixel
        annotation = drawing.axes.annotate(
            text,
            (group.x, group.y),
            xytext=(dx, dy),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=NAME_SIZE,
            zorder=4,
            path_effects=halo(),
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": GREY, "shrinkB": 3}
            if is_far
            else None,
        )
        annotation.set_in_layout(False)  # its box is inside the axes


def _ranges(numbers: Sequence[int]) -> str:
    """Rising numbers as text, with a dash for each run of consecutive numbers.

    >>> _ranges([1, 2, 3, 7])
    '1–3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _add_key(drawing: Canvas, groups: Sequence[_Group], spots: Sequence[Spot]) -> None:
    """Add the key below the chart: the number and the name of each variant."""
    names = drawing.names([spot.name for spot in spots], 0.85 if len(spots) <= 10 else 0.4)
    shown = sorted(number for group in groups for number in group.numbers)
    entries = [f"{number}  {names[number - 1]}".replace("\n", "\n     ") for number in shown]
    columns = drawing.columns(entries, beside=12)
    lines = sum(1 + entry.count("\n") for entry in entries)
    drawing.set_height(drawing.axes_inches, legend_lines=lines)
    drawing.figure.legend(
        [Line2D([], [], linestyle="") for _ in entries],
        entries,
        loc="outside lower center",
        ncols=columns,
        handlelength=0,
        handletextpad=0,
        fontsize=NAME_SIZE,
        labelspacing=0.25,
        columnspacing=1.2,
    )
