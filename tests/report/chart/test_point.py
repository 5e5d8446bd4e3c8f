import itertools

from hypothesis import given
from hypothesis import strategies as st

from assay.report.chart.scatter import bounds, levels, pareto_front
from assay.stats.interval import Interval

POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


def dominates(point: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a point dominates another one if lower x and higher y are better."""
    return point != other and point[0] <= other[0] and point[1] >= other[1]


@given(POINTS)
def test_the_front_is_what_nothing_beats(points: list[tuple[int, int]]):
    """No point of the front is dominated, all other points are, and the front is ordered by x."""
    front = pareto_front(points)
    assert not any(dominates(point, points[index]) for index in front for point in points)
    others = set(range(len(points))) - set(front)
    assert all(any(dominates(point, points[index]) for point in points) for index in others)
    assert all(points[a][0] <= points[b][0] for a, b in itertools.pairwise(front))


def test_directions_turn_the_front():
    """The front is at the corner that is best for the two directions."""
    points = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    assert pareto_front(points) == [1]
    assert pareto_front(points, x_better="higher") == [3]
    assert pareto_front(points, y_better="lower") == [0]
    assert pareto_front(points, x_better="higher", y_better="lower") == [2]


def test_equal_points_are_both_on_the_front():
    """Two points with the same values do not dominate each other."""
    assert pareto_front([(1.0, 1.0), (1.0, 1.0)]) == [0, 1]


def test_an_endless_interval_is_not_drawn():
    """An infinite interval has no bounds to draw, and its level is ignored."""
    infinite = Interval(low=float("-inf"), high=1.0, method="x")
    assert bounds(infinite) is None
    assert bounds(None) is None
    assert levels([infinite, None, Interval(low=0, high=1, level=0.9, method="x")]) == {0.9}
