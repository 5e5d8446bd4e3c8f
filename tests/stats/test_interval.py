"""Edge cases of intervals: impossible counts, other levels, percentiles of few values."""

import numpy as np
import pytest

from assay.stats.interval import Interval, wilson
from assay.stats.mean_interval import mean_interval
from assay.stats.quantile import quantile_difference_interval, quantile_interval


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
        mean_interval(values, level=level)
    with pytest.raises(ValueError, match="level"):
        quantile_interval(values, 0.5, level=level)
    with pytest.raises(ValueError, match="level"):
        quantile_difference_interval(values, values, 0.5, level=level)


@pytest.mark.parametrize(("q", "fewest"), [(0.5, 6), (0.95, 72)])
def test_percentiles_of_few_values_have_no_interval(q: float, fewest: int):
    """With fewer values all may be on one side of the percentile, and then no end is known."""
    values = np.arange(float(fewest))
    assert quantile_interval(values[1:], q) is None
    assert quantile_difference_interval(values[1:] + 1, values[1:], q) is None
    assert quantile_interval(np.append(values[1:], np.nan), q) is None
    assert quantile_interval(values, q) is not None
    assert quantile_difference_interval(values + 1, values, q) is not None


def test_undefined_values_are_left_out():
    """NaN among the values does not change the interval of a percentile."""
    values = np.array([0.0, 1.0, 0.5, 2.0, 0.25, 1.5])
    assert quantile_interval(np.insert(values, 3, np.nan), 0.5) == quantile_interval(values, 0.5)


def test_a_higher_level_is_wider():
    """A higher level contains the interval of a lower level, and the interval names its level."""
    values = np.random.default_rng(0).exponential(size=40)
    narrow, middle, wide = (
        quantile_interval(values, 0.5, level=level) for level in (0.8, 0.95, 0.99)
    )
    assert narrow is not None
    assert narrow.level == 0.8
    assert ends(wide)[0] < ends(middle)[0] < ends(narrow)[0]
    assert ends(narrow)[1] < ends(middle)[1] < ends(wide)[1]


def test_documents_that_agree_within_widen_the_interval():
    """Ten equal items in each of twenty documents count as twenty values, not two hundred."""
    clusters = np.repeat(np.arange(20), 10)
    values = np.random.default_rng(0).normal(size=20)[clusters]
    items = ends(quantile_interval(values, 0.5))
    documents = ends(quantile_interval(values, 0.5, clusters=clusters))
    assert documents[1] - documents[0] > 1.5 * (items[1] - items[0])


def test_one_document_has_no_interval():
    """All items in a single document give no interval of a percentile."""
    values, clusters = np.arange(9.0), np.zeros(9, dtype=int)
    assert quantile_interval(values, 0.5, clusters=clusters) is None
    assert quantile_difference_interval(values, values, 0.5, clusters=clusters) is None


def test_percentile_difference_of_pairs_is_narrower_than_of_unrelated_values():
    """If every item is slower by the same amount, pairing shows it almost exactly."""
    rng = np.random.default_rng(0)
    for n in (300, 3000):
        base = rng.lognormal(size=n)
        paired = ends(quantile_difference_interval(base + 0.1, base, 0.5))
        unrelated = ends(quantile_difference_interval(rng.permutation(base) + 0.1, base, 0.5))
        assert paired[0] < 0.1 < paired[1]
        assert paired[1] - paired[0] < 0.3 * (unrelated[1] - unrelated[0])


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_equal_percentiles_are_not_certain(shift: float):
    """Pairs that differ by the same amount leave a width, and equal values have no interval."""
    base = np.linspace(1.0, 2.0, 80)
    for q in (0.5, 0.95):
        low, high = ends(quantile_difference_interval(base + shift, base, q))
        assert low < shift < high
        assert quantile_interval(np.ones(80), q) is None
        assert quantile_difference_interval(np.full(80, 2.0), np.ones(80), q) is None


def test_percentile_difference_uses_pairs_only():
    """An item with an undefined value on one side is left out on both sides."""
    base = np.arange(10.0)
    values = base + 1
    values[0], base[9] = np.nan, np.nan
    assert quantile_difference_interval(values, base, 0.5) == quantile_difference_interval(
        values[1:9], base[1:9], 0.5
    )


def test_the_other_direction_has_the_mirrored_interval():
    """The baseline compared with the variant has the same interval with the opposite sign."""
    rng = np.random.default_rng(0)
    base = rng.lognormal(size=90)
    values = base * rng.lognormal(0.1, 0.2, size=90)
    for q in (0.5, 0.95):
        low, high = ends(quantile_difference_interval(values, base, q))
        assert ends(quantile_difference_interval(base, values, q)) == pytest.approx((-high, -low))


def test_documents_never_make_a_percentile_surer():
    """Documents that are more alike than chance would have it do not narrow the interval."""
    values = np.random.default_rng(3).permutation(np.tile([1.0, 2.0, 3.0, 4.0], 15))
    clusters = np.argsort(np.argsort(values, kind="stable"), kind="stable") % 15
    alone = ends(quantile_interval(values, 0.5))
    low, high = ends(quantile_interval(values, 0.5, clusters=clusters))
    assert low <= alone[0]
    assert high >= alone[1]
