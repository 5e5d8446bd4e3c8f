"""The interval of a mean never claims more than its values can show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from assay.stats import interval
from assay.stats.interval import MOST_DISTINCT, Interval, wilson
from assay.stats.mean_interval import mean_interval

Values = NDArray[np.float64]


def ends(interval: Interval | None) -> tuple[float, float]:
    """Both ends of an interval; it must not be ``None``."""
    assert interval is not None
    return interval.low, interval.high


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 5, 50])
def test_equal_scores_have_an_interval_with_a_width(value: float, n: int):
    """Five equal scores do not prove that the sixth is the same; more scores show more."""
    low, high = ends(mean_interval(np.full(n, value)))
    assert 0 <= low <= value <= high <= 1
    assert high - low > 0.7 / n
    assert n == 1 or high - low < 4 / n


@given(
    st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.94, 1.0]), min_size=1, max_size=60),
    st.sampled_from([0.8, 0.95, 0.99]),
    st.booleans(),
)
def test_intervals_of_scores_are_inside_the_scale(
    values: list[float], level: float, clustered: bool
):
    """The interval is between 0 and 1, contains the mean, and has a width if it exists."""
    array = np.array(values)
    clusters = np.arange(len(values)) // 2 if clustered else None
    interval = mean_interval(array, level=level, clusters=clusters)
    if interval is None:
        assert clustered
        assert len(values) <= 2
        return
    assert 0 <= interval.low <= array.mean() + 1e-12
    assert array.mean() - 1e-12 <= interval.high <= 1
    assert interval.high - interval.low > 1e-3
    assert interval.level == level


def test_yes_no_values_have_wilsons_interval():
    """Scores that are all 0 or 1 get Wilson's interval, whatever the kind of the metric."""
    assert mean_interval(np.array([1.0] * 8 + [0.0] * 2)) == wilson(8, 10)


def test_values_outside_the_scale_are_no_scores():
    """Ratings or latencies use their own spread; a unit makes scores of small numbers impossible."""
    ratings = np.array([4.0, 5.0, 5.0, 3.0, 5.0, 4.0, 5.0])
    interval = mean_interval(ratings)
    assert interval is not None
    assert interval.method == "t"
    seconds = mean_interval(ratings / 1000, is_score=False)
    assert seconds is not None
    assert (seconds.method, seconds.high < 0.01) == ("t", True)
    assert ends(seconds) == pytest.approx((interval.low / 1000, interval.high / 1000))


@pytest.mark.parametrize("values", [[], [7.0], [1.0, 2.0, 3.0, 4.0, 5.0], [7.0] * 20])
def test_without_a_limit_or_spread_nothing_is_said(values: list[float]):
    """Fewer than six values on an open scale, or equal ones, have no interval."""
    assert mean_interval(np.array(values)) is None


def test_undefined_values_are_left_out():
    """NaN among the values does not change the interval, with or without documents."""
    values = np.array([0.0, 1.0, 0.5, 0.2, 0.25, 0.75])
    clusters = np.array([0, 0, 1, 1, 2, 2])
    with_nan = np.insert(values, 3, np.nan)
    assert mean_interval(with_nan) == mean_interval(values)
    assert mean_interval(with_nan, clusters=np.insert(clusters, 3, 9)) == mean_interval(
        values, clusters=clusters
    )
    assert mean_interval(np.full(3, np.nan)) is None


def test_a_higher_level_is_wider():
    """A higher level contains the interval of a lower level, for every method."""
    rng = np.random.default_rng(0)
    for values, clusters in (
        (rng.uniform(size=40), None),
        (rng.exponential(size=40), None),
        (rng.uniform(size=40), np.arange(40) // 8),
        (rng.exponential(size=40), np.arange(40) // 8),
    ):
        narrow, middle, wide = (
            ends(mean_interval(values, level=level, clusters=clusters))
            for level in (0.8, 0.95, 0.99)
        )
        assert wide[0] < middle[0] < narrow[0]
        assert narrow[1] < middle[1] < wide[1]


def test_the_end_in_the_direction_of_the_skew_is_further_away():
    """A few very long latencies say more about the upper end than about the lower one."""
    values = np.array([1.0] * 18 + [9.0, 12.0])
    low, high = ends(mean_interval(values, is_score=False))
    assert high - values.mean() > 1.2 * (values.mean() - low)


def test_very_many_scores_are_rounded_outwards(monkeypatch: pytest.MonkeyPatch):
    """The interval of a long run, whose scores are rounded, contains the exact one and is hardly wider."""
    long = np.random.default_rng(0).uniform(size=MOST_DISTINCT + 1)
    rounded = ends(mean_interval(long))
    monkeypatch.setattr(interval, "MOST_DISTINCT", len(long))
    exact = ends(mean_interval(long))
    assert rounded[0] <= exact[0] <= exact[1] <= rounded[1]
    assert rounded == pytest.approx(exact, abs=3e-4)


def test_documents_that_agree_within_widen_the_interval():
    """Ten equal items in each of twenty documents count as twenty values, not two hundred."""
    clusters = np.repeat(np.arange(20), 10)
    values = np.random.default_rng(0).uniform(size=20)[clusters]
    items, documents = ends(mean_interval(values)), ends(mean_interval(values, clusters=clusters))
    assert documents[1] - documents[0] > 2.5 * (items[1] - items[0])


def test_documents_without_differences_are_trials():
    """If all items of ten documents succeed, the interval is Clopper and Pearson's for ten of ten."""
    interval = mean_interval(np.ones(100), clusters=np.arange(100) // 10)
    assert interval is not None
    expected = stats.binomtest(10, 10).proportion_ci()
    assert (interval.low, interval.high) == pytest.approx((expected.low, 1.0))
    assert interval.method == "clopper-pearson"


def test_equal_documents_are_not_certain():
    """Three documents with the same mean still leave room for another one."""
    low, high = ends(mean_interval(np.array([0.0, 1.0] * 15), clusters=np.arange(30) // 10))
    assert high - low > 0.3


def test_one_document_says_nothing_about_others():
    """All items in a single document give no interval, unless nothing varies in it."""
    clusters = np.zeros(9, dtype=int)
    assert mean_interval(np.arange(9.0), clusters=clusters) is None
    assert mean_interval(np.arange(9.0) / 9, clusters=clusters) is None
    assert mean_interval(np.full(9, 3.0), clusters=np.arange(9) // 3) is None


def test_cluster_numbers_may_be_any():
    """Cluster numbers may be very large or negative."""
    values = np.random.default_rng(0).exponential(size=30)
    clusters = np.repeat(np.arange(10), 3)
    assert mean_interval(values, clusters=clusters * 10**12 - 7) == mean_interval(
        values, clusters=clusters
    )
