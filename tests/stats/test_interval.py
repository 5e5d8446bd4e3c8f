"""Edge cases of intervals: no value, one value, no spread, other levels, and clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats import Interval, bca_mean, quantile_difference_interval, quantile_interval, wilson
from assay.stats.interval import acceleration, bca_bounds


def ends(interval: Interval | None) -> tuple[float, float]:
    """Both ends of an interval; it must not be ``None``."""
    assert interval is not None
    return interval.low, interval.high


def test_wilson_of_nothing_is_undefined():
    """Without any trial there is no interval."""
    assert wilson(0, 0) is None


def test_wilson_keeps_width_if_all_trials_agree():
    """If all or no trials succeed, one end is 1 or 0, and the interval still has a width."""
    low, high = ends(wilson(10, 10))
    assert high == 1.0
    assert 0.6 < low < 0.8
    assert ends(wilson(0, 10)) == pytest.approx((0.0, 1 - low))


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_wilson_refuses_impossible_counts(successes: int, n: int):
    """Negative successes, or more successes than trials, are refused."""
    with pytest.raises(ValueError, match="successes"):
        wilson(successes, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_level_must_lie_between_zero_and_one(level: float):
    """Every kind of interval refuses 95 in place of 0.95."""
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
    """One defined value gives no interval, with or without NaN beside it."""
    array = np.array(values)
    assert bca_mean(array) is None
    assert bca_mean(array, resamples=99) is None
    assert quantile_interval(array, 0.5) is None
    assert quantile_difference_interval(array, array, 0.5) is None


@pytest.mark.parametrize("value", [0.0, 0.1, -3e9])
def test_equal_values_have_an_interval_without_width(value: float):
    """If all values are equal, both ends are that value, for every method."""
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
    """NaN among the values does not change the interval, with or without clusters."""
    values = np.array([0.0, 1.0, 0.5, 2.0, 0.25, 1.5])
    clusters = np.array([0, 0, 1, 1, 2, 2])
    with_nan = np.insert(values, 3, np.nan)
    assert bca_mean(with_nan) == bca_mean(values)
    assert bca_mean(with_nan, clusters=np.insert(clusters, 3, 9)) == bca_mean(
        values, clusters=clusters
    )
    assert quantile_interval(with_nan, 0.5) == quantile_interval(values, 0.5)


def test_a_higher_level_is_wider():
    """A higher level contains the interval of a lower level, and the interval names its level."""
    values = np.random.default_rng(0).exponential(size=40)
    for make in (bca_mean, lambda array, level: quantile_interval(array, 0.5, level=level)):
        narrow, middle, wide = (make(values, level=level) for level in (0.8, 0.95, 0.99))
        assert narrow is not None
        assert narrow.level == 0.8
        assert ends(wide)[0] < ends(middle)[0] < ends(narrow)[0]
        assert ends(narrow)[1] < ends(middle)[1] < ends(wide)[1]


def test_mean_is_computed_not_drawn():
    """The seed matters only if a number of resamples is given."""
    values = np.random.default_rng(0).exponential(size=40)
    assert bca_mean(values, seed=1) == bca_mean(values, seed=2)
    drawn = bca_mean(values, resamples=500, seed=1)
    assert drawn == bca_mean(values, resamples=500, seed=1)
    assert drawn != bca_mean(values, resamples=500, seed=2)


def test_interval_follows_scale_and_shift():
    """Scaling and shifting all values scales and shifts the interval."""
    values = np.random.default_rng(0).lognormal(size=60)
    low, high = ends(bca_mean(values))
    assert ends(bca_mean(1000 * values + 5)) == pytest.approx((1000 * low + 5, 1000 * high + 5))


def test_many_values_use_their_moments_unless_few_cause_the_spread():
    """Very many values use moments; if a few large values cause the spread, convolution is used."""
    rng = np.random.default_rng(0)
    smooth = bca_mean(rng.exponential(size=25_000))
    assert smooth is not None
    assert smooth.method == "bca-expansion"
    rare = np.zeros(25_000)
    rare[:8] = 1
    interval = bca_mean(rare)
    assert interval is not None
    assert interval.method == "bca"
    # For eight events the exact Poisson limits are 3.45 and 15.8; BCa is asymmetric in the same way.
    assert 3 < interval.low * 25_000 < 5
    assert 13 < interval.high * 25_000 < 17


def test_documents_that_agree_within_widen_the_interval():
    """Ten equal items in each of twenty documents count as twenty values, not two hundred."""
    clusters = np.repeat(np.arange(20), 10)
    values = np.random.default_rng(0).normal(size=20)[clusters]
    items, documents = ends(bca_mean(values)), ends(bca_mean(values, clusters=clusters))
    assert documents[1] - documents[0] > 2.5 * (items[1] - items[0])
    items = ends(quantile_interval(values, 0.5))
    documents = ends(quantile_interval(values, 0.5, clusters=clusters))
    assert documents[1] - documents[0] > 1.5 * (items[1] - items[0])


def test_documents_of_one_item_are_items():
    """If each item is its own document, the interval is that of the items."""
    values = np.random.default_rng(0).exponential(size=50)
    assert ends(bca_mean(values, clusters=np.arange(50))) == pytest.approx(
        ends(bca_mean(values)), rel=5e-3
    )


def test_one_document_has_no_interval():
    """All items in a single document give no interval."""
    values, clusters = np.arange(9.0), np.zeros(9, dtype=int)
    assert bca_mean(values, clusters=clusters) is None
    assert quantile_interval(values, 0.5, clusters=clusters) is None
    assert quantile_difference_interval(values, values, 0.5, clusters=clusters) is None


def test_cluster_numbers_may_be_any():
    """Cluster numbers may be very large or negative."""
    values = np.random.default_rng(0).exponential(size=30)
    clusters = np.repeat(np.arange(10), 3)
    assert bca_mean(values, clusters=clusters * 10**12 - 7) == bca_mean(values, clusters=clusters)


def test_percentile_difference_of_pairs_is_narrower_than_of_unrelated_values():
    """If every item is slower by the same amount, pairing shows it exactly."""
    rng = np.random.default_rng(0)
    for n in (300, 3000):
        base = rng.lognormal(size=n)
        paired = ends(quantile_difference_interval(base + 0.1, base, 0.5))
        unrelated = ends(quantile_difference_interval(rng.permutation(base) + 0.1, base, 0.5))
        assert paired == pytest.approx((0.1, 0.1))
        assert unrelated[1] - unrelated[0] > 0.05


def test_percentile_difference_uses_pairs_only():
    """An item with an undefined value on one side is left out on both sides."""
    base = np.arange(10.0)
    values = base + 1
    values[0], base[9] = np.nan, np.nan
    assert quantile_difference_interval(values, base, 0.5) == quantile_difference_interval(
        values[1:9], base[1:9], 0.5
    )


def test_bca_without_spread_or_past_its_pole_stays_finite():
    """Equal values have no skew, and an extreme skew gives the largest draw."""
    assert acceleration(np.ones(5)) == 0.0
    draws = np.arange(100.0)
    low, high = bca_bounds(draws, 50.0, 5.0)
    assert (low >= 0, high) == (True, 99.0)


@given(
    st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]), min_size=2, max_size=60),
)
def test_the_interval_of_a_mean_stays_between_the_values(values: list[float]):
    """Both ends of the interval are inside the range of the values."""
    interval = bca_mean(np.array(values))
    assert interval is not None
    assert min(values) <= interval.low <= interval.high <= max(values)
