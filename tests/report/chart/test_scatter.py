import itertools
import random

from assay.report.chart.scatter import Box, name_boxes

FRAME = Box(0, 0, 300, 200)


def test_names_overlap_nothing():
    """Twenty names at random points cover no point and no other name, and are inside the frame."""
    draws = random.Random(5)
    points = [(draws.uniform(20, 280), draws.uniform(20, 180)) for _ in range(20)]
    boxes = [box for box in name_boxes(points, [(14, 9)] * 20, FRAME) if box is not None]
    assert len(boxes) == 20
    assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes, 2))
    assert all(box.within(FRAME) for box in boxes)
    assert not any(
        box.left < x < box.right and box.bottom < y < box.top for box in boxes for x, y in points
    )


def test_a_name_is_right_of_a_lone_point_and_left_at_the_edge():
    """A name is to the right of its point, or to the left if the point is at the right edge."""
    (right,) = name_boxes([(100, 100)], [(40, 10)], FRAME)
    (left,) = name_boxes([(295, 100)], [(40, 10)], FRAME)
    assert right is not None
    assert right.left > 100
    assert left is not None
    assert left.right < 295


def test_a_name_that_fits_nowhere_has_no_box():
    """The box of a name that is wider than the frame is ``None``."""
    assert name_boxes([(100, 100)], [(400, 10)], FRAME) == [None]


def test_names_keep_clear_of_lines():
    """A name is not placed on a line."""
    line = ((100.0, 100.0), (200.0, 100.0))
    (box,) = name_boxes([(100, 100)], [(40, 10)], FRAME, lines=[line])
    assert box is not None
    assert box.right <= 100 or box.bottom >= 100 or box.top <= 100


def test_a_name_is_not_put_beside_another_point():
    """If possible, a name is nearer to its own point than to any other point."""
    points = [(100.0, 100.0), (148.0, 100.0)]
    boxes = name_boxes(points, [(40, 10)] * 2, FRAME)
    for index, box in enumerate(boxes):
        assert box is not None
        assert box.distance(*points[index]) < box.distance(*points[1 - index])
