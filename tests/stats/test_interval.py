"""Intervals at the edges: nothing, one value, no spread, other levels, documents."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats import Interval, bca_mean, quantile_difference_interval, quantile_interval, wilson
from assay.stats.interval import acceleration, bca_bounds


def ends(interval: Interval | None) -> tuple[float, float]:
    """Both ends of an interval that must be there."""
    assert interval is not None
    return interval.low, interval.high


def test_wilson_of_nothing_is_undefined():
    """Without a trial there is no interval."""
    assert wilson(0, 0) is None


def test_wilson_keeps_width_where_all_agree():
    """All or none succeeding touches the end of the scale and still leaves room."""
    low, high = ends(wilson(10, 10))
    assert high == 1.0
    assert 0.6 < low < 0.8
    assert ends(wilson(0, 10)) == pytest.approx((0.0, 1 - low))


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_wilson_refuses_impossible_counts(successes: int, n: int):
    """More successes than trials are a mistake, not a rate."""
    with pytest.raises(ValueError, match="successes"):
        wilson(successes, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_level_must_lie_between_zero_and_one(level: float):
    """95 for 0.95 is refused by every kind of interval."""
    values = np.arange(9.0)
    with pytest.raises(ValueError, match="level"):
        wilson(1, 2, level)
    with pytest.raises(ValueError, match="level"):
        bca_mean(values, level=level)
    with pytest.raises(ValueError, match="level"):
        quantile_interval(values, 0.5, level=level)
    with pytest.raises(ValueError, match="level"):
        quantile_difference_interval(values, values, 0.5, level=level)


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, 1.0, np.nan]])
def test_fewer_than_two_values_have_no_interval(values: list[float]):
    """One defined value says nothing about spread, whatever stands around it."""
    array = np.array(values)
    assert bca_mean(array) is None
    assert bca_mean(array, resamples=99) is None
    assert quantile_interval(array, 0.5) is None
    assert quantile_difference_interval(array, array, 0.5) is None


@pytest.mark.parametrize("value", [0.0, 0.1, -3e9])
def test_equal_values_have_an_interval_without_width(value: float):
    """All equal: the interval is the value itself, by every method."""
    values = np.full(7, value)
    clusters = np.array([0, 0, 1, 1, 2, 2, 2])
    for interval in (
        bca_mean(values),
        bca_mean(values, clusters=clusters),
        quantile_interval(values, 0.95),
        quantile_interval(values, 0.95, clusters=clusters),
    ):
        assert ends(interval) == pytest.approx((value, value))


def test_undefined_values_are_left_out():
    """NaN among the values changes nothing, with clusters or without."""
    values = np.array([0.0, 1.0, 0.5, 2.0, 0.25, 1.5])
    clusters = np.array([0, 0, 1, 1, 2, 2])
    holed = np.insert(values, 3, np.nan)
    assert bca_mean(holed) == bca_mean(values)
    assert bca_mean(holed, clusters=np.insert(clusters, 3, 9)) == bca_mean(
        values, clusters=clusters
    )
    assert quantile_interval(holed, 0.5) == quantile_interval(values, 0.5)


def test_a_higher_level_is_wider():
    """0.99 holds 0.95 holds 0.8, and the level stands in the interval."""
    values = np.random.default_rng(0).exponential(size=40)
    for make in (bca_mean, lambda array, level: quantile_interval(array, 0.5, level=level)):
        narrow, middle, wide = (make(values, level=level) for level in (0.8, 0.95, 0.99))
        assert narrow is not None
        assert narrow.level == 0.8
        assert ends(wide)[0] < ends(middle)[0] < ends(narrow)[0]
        assert ends(narrow)[1] < ends(middle)[1] < ends(wide)[1]


def test_mean_is_computed_not_drawn():
    """Without a number of resamples the seed changes nothing; with one it does."""
    values = np.random.default_rng(0).exponential(size=40)
    assert bca_mean(values, seed=1) == bca_mean(values, seed=2)
    drawn = bca_mean(values, resamples=500, seed=1)
    assert drawn == bca_mean(values, resamples=500, seed=1)
    assert drawn != bca_mean(values, resamples=500, seed=2)


def test_interval_follows_scale_and_shift():
    """Values in milliseconds give the interval in milliseconds."""
    values = np.random.default_rng(0).lognormal(size=60)
    low, high = ends(bca_mean(values))
    assert ends(bca_mean(1000 * values + 5)) == pytest.approx((1000 * low + 5, 1000 * high + 5))


def test_many_values_use_their_moments_unless_few_carry_the_spread():
    """The method says so; a handful of large values among many keeps the convolution."""
    rng = np.random.default_rng(0)
    smooth = bca_mean(rng.exponential(size=25_000))
    assert smooth is not None
    assert smooth.method == "bca-expansion"
    rare = np.zeros(25_000)
    rare[:8] = 1
    few = bca_mean(rare)
    assert few is not None
    assert few.method == "bca"
    # Eight events: the exact Poisson limits are 3.45 and 15.8, and BCa leans the same way.
    assert 3 < few.low * 25_000 < 5
    assert 13 < few.high * 25_000 < 17


def test_documents_that_agree_within_widen_the_interval():
    """Ten items from each of twenty documents are worth twenty, not two hundred."""
    clusters = np.repeat(np.arange(20), 10)
    values = np.random.default_rng(0).normal(size=20)[clusters]
    items, documents = ends(bca_mean(values)), ends(bca_mean(values, clusters=clusters))
    assert documents[1] - documents[0] > 2.5 * (items[1] - items[0])
    one, many = (ends(quantile_interval(values, 0.5, clusters=given)) for given in (None, clusters))
    assert many[1] - many[0] > 1.5 * (one[1] - one[0])


def test_documents_of_one_item_are_items():
    """A document for each item gives the interval of the items."""
    values = np.random.default_rng(0).exponential(size=50)
    assert ends(bca_mean(values, clusters=np.arange(50))) == pytest.approx(
        ends(bca_mean(values)), rel=5e-3
    )


def test_one_document_has_no_interval():
    """A single document says nothing about others."""
    values, clusters = np.arange(9.0), np.zeros(9, dtype=int)
    assert bca_mean(values, clusters=clusters) is None
    assert quantile_interval(values, 0.5, clusters=clusters) is None
    assert quantile_difference_interval(values, values, 0.5, clusters=clusters) is None


def test_cluster_numbers_may_be_any():
    """Numbers far apart or negative name the same documents."""
    values = np.random.default_rng(0).exponential(size=30)
    clusters = np.repeat(np.arange(10), 3)
    assert bca_mean(values, clusters=clusters * 10**12 - 7) == bca_mean(values, clusters=clusters)


def test_percentile_difference_of_pairs_is_narrower_than_of_strangers():
    """A variant slower by the same for every item shows it; pairing is what tells."""
    rng = np.random.default_rng(0)
    for n in (300, 3000):
        base = rng.lognormal(size=n)
        paired = ends(quantile_difference_interval(base + 0.1, base, 0.5))
        strangers = ends(quantile_difference_interval(rng.permutation(base) + 0.1, base, 0.5))
        assert paired == pytest.approx((0.1, 0.1))
        assert strangers[1] - strangers[0] > 0.05


def test_percentile_difference_uses_pairs_only():
    """Items undefined on one side are left out on both."""
    base = np.arange(10.0)
    values = base + 1
    values[0], base[9] = np.nan, np.nan
    assert quantile_difference_interval(values, base, 0.5) == quantile_difference_interval(
        values[1:9], base[1:9], 0.5
    )


def test_bca_without_spread_or_past_its_pole_stays_finite():
    """Equal pulls have no skew, and an extreme skew reads the furthest draw."""
    assert acceleration(np.ones(5)) == 0.0
    draws = np.arange(100.0)
    low, high = bca_bounds(draws, 50.0, 5.0)
    assert (low >= 0, high) == (True, 99.0)


@given(
    st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]), min_size=2, max_size=60),
)
def test_a_mean_of_shares_stays_between_nought_and_one(values: list[float]):
    """Neither end of the interval leaves the range of the values."""
    interval = bca_mean(np.array(values))
    assert interval is not None
    assert min(values) <= interval.low <= interval.high <= max(values)
