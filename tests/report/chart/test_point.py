import itertools

from hypothesis import given
from hypothesis import strategies as st

from assay.report.chart.point import bounds, levels, pareto_front
from assay.stats.interval import Interval

POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


def beats(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Lower x and higher y are better."""
    return one != other and one[0] <= other[0] and one[1] >= other[1]


@given(POINTS)
def test_the_front_is_what_nothing_beats(points: list[tuple[int, int]]):
    """No point of the front is beaten, every other one is, and the order is by x."""
    front = pareto_front(points)
    assert not any(beats(one, points[place]) for place in front for one in points)
    others = set(range(len(points))) - set(front)
    assert all(any(beats(one, points[place]) for one in points) for place in others)
    assert all(points[a][0] <= points[b][0] for a, b in itertools.pairwise(front))


def test_directions_turn_the_front():
    """The best corner is where both directions say it is."""
    points = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    assert pareto_front(points) == [1]
    assert pareto_front(points, x_better="higher") == [3]
    assert pareto_front(points, y_better="lower") == [0]
    assert pareto_front(points, x_better="higher", y_better="lower") == [2]


def test_equal_points_are_both_on_the_front():
    """Two variants of the same cost and value do not beat each other."""
    assert pareto_front([(1.0, 1.0), (1.0, 1.0)]) == [0, 1]


def test_an_endless_interval_is_not_drawn():
    """Bounds that are no numbers draw nothing and name no level."""
    endless = Interval(low=float("-inf"), high=1.0, method="x")
    assert bounds(endless) is None
    assert bounds(None) is None
    assert levels([endless, None, Interval(low=0, high=1, level=0.9, method="x")]) == {0.9}
