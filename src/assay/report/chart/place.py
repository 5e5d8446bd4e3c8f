"""Where names stand beside points, so that no name covers a point or another name."""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct


class Box(Struct, frozen=True):
    """A rectangle, in any one unit."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Whether the two share any area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def within(self, other: "Box") -> bool:
        """Whether this one lies inside the other."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.bottom >= other.bottom
            and self.top <= other.top
        )

    def away(self, x: float, y: float) -> float:
        """How far a point outside lies from the rectangle; zero inside."""
        across = max(self.left - x, 0.0, x - self.right)
        up = max(self.bottom - y, 0.0, y - self.top)
        return math.hypot(across, up)


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
    """A box inside ``frame`` for each name, near its point; ``None`` where none is free.

    Each name takes the first free spot around its point: right, left, above, below and the
    corners, then further out; never over a point, a name or one of the ``lines``, and beside
    another point only where there is nothing else, or not at all where it must be ``clear``.
    As the first placed takes the best spot, a few orders are tried and the best outcome kept.
    """
    fixed = [Box(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    fixed += [box for start, end in lines for box in _beads(start, end, radius)]
    places = range(len(points))
    orders = (
        list(places),
        sorted(places, key=lambda place: points[place]),
        sorted(places, key=lambda place: points[place], reverse=True),
        sorted(places, key=lambda place: points[place][1]),
        sorted(places, key=lambda place: points[place][1], reverse=True),
    )
    outcomes = [_placed(order, points, sizes, frame, fixed, reach, clear=clear) for order in orders]
    return min(outcomes, key=lambda outcome: outcome[0])[1]


def _placed(
    order: Sequence[int],
    points: Sequence[Point],
    sizes: Sequence[Point],
    frame: Box,
    fixed: Sequence[Box],
    reach: Sequence[float],
    *,
    clear: bool,
) -> tuple[int, list[Box | None]]:
    """The outcome of placing names in one order, and how far from ideal it is."""
    taken = list(fixed)
    boxes: list[Box | None] = [None] * len(order)
    cost = 0
    for place in order:
        price, box = _best_spot(place, points, sizes[place], frame, taken, reach, clear=clear)
        cost += price
        boxes[place] = box
        if box is not None:
            taken.append(box)
    return cost, boxes


def _best_spot(
    place: int,
    points: Sequence[Point],
    size: Point,
    frame: Box,
    taken: Sequence[Box],
    reach: Sequence[float],
    *,
    clear: bool,
) -> tuple[int, Box | None]:
    """The first free spot that cannot be taken for another point's, or else the first free.

    Its number is what it costs; 1,000 where there is none.
    """
    second: tuple[int, Box | None] = (1000, None)
    for number, box in enumerate(_spots(points[place], size, reach)):
        if not box.within(frame) or any(box.meets(other) for other in taken):
            continue
        if not _nearer(box, place, points):
            return number, box
        if second[1] is None and not clear:
            second = (number + 100, box)
    return second


def _nearer(box: Box, place: int, points: Sequence[Point]) -> bool:
    """Whether the box could be taken for another point's."""
    own = box.away(*points[place])
    return any(box.away(*point) < 2 * own for other, point in enumerate(points) if other != place)


def _beads(start: Point, end: Point, radius: float) -> list[Box]:
    """Small boxes strung along a line, close enough that no name slips between."""
    count = max(1, int(math.dist(start, end) / (2 * radius)))
    beads = []
    for step in range(count + 1):
        x = start[0] + (end[0] - start[0]) * step / count
        y = start[1] + (end[1] - start[1]) * step / count
        beads.append(Box(x - 1, y - 1, x + 1, y + 1))
    return beads


def _spots(point: Point, size: Point, reach: Sequence[float]) -> Iterator[Box]:
    x, y = point
    width, height = size
    for distance in reach:
        for angle in (0, 180, 90, 270, 45, 135, 315, 225):
            across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            # the box's nearest side or corner is what stands at the distance
            centre_x = x + across * distance + _sign(across) * width / 2
            centre_y = y + up * distance + _sign(up) * height / 2
            yield Box(
                centre_x - width / 2,
                centre_y - height / 2,
                centre_x + width / 2,
                centre_y + height / 2,
            )


def _sign(value: float) -> int:
    return 0 if abs(value) < 1e-9 else 1 if value > 0 else -1
