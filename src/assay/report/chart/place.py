"""Positions of names beside points, so that no name covers a point or another name."""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct


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
