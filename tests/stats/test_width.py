"""No interval has a width of rounding errors: either it has a real width, or there is none."""

import numpy as np
import pytest

from assay.records import Metric
from assay.stats.agreement import (
    alpha_interval,
    cohen_kappa,
    kappa_interval,
    krippendorff_alpha,
)
from assay.stats.comparison import paired_effect
from assay.stats.corrected import JudgedScores, corrected_difference
from assay.stats.difference import moments
from assay.stats.effect import Method
from assay.stats.interval import Interval, with_width
from assay.stats.mean_interval import mean_interval
from assay.stats.quantile import quantile_difference_interval, quantile_interval

SCORES = [1 / 3, 0.1, 0.7, 2 / 3, 0.3, 0.9999999]


@pytest.mark.parametrize("documents", [2, 3, 5, 7, 12])
@pytest.mark.parametrize("score", SCORES)
def test_equal_scores_of_documents_have_the_interval_of_their_number(score: float, documents: int):
    """Equal scores have an interval like that of as many yes/no values, whatever their sum is rounded to."""
    clusters = np.concatenate([np.arange(documents), np.arange(documents), [0]])
    interval = mean_interval(np.full(len(clusters), score), clusters=clusters)
    assert interval is not None
    assert interval.high - interval.low > 1e-4


def test_documents_with_equal_means_have_a_width():
    """Documents whose questions differ, but whose means do not, have no interval of rounding errors."""
    interval = mean_interval(np.tile([0.1, 0.7, 0.3], 5), clusters=np.repeat(np.arange(5), 3))
    assert interval is not None
    assert interval.high - interval.low > 0.1


def test_many_equal_scores_have_a_width():
    """The rounding errors of half a million equal scores are no spread."""
    values = np.full(500_001, 0.7)
    interval = mean_interval(values, clusters=np.arange(len(values)) // 1000)
    assert interval is not None
    assert interval.high - interval.low > 5e-3


def test_equal_seconds_of_documents_have_no_interval():
    """If all latencies are equal but for rounding, nothing is known about their spread."""
    values = np.array([0.3, 0.1 + 0.2] * 30)
    assert mean_interval(values * 100, clusters=np.repeat(np.arange(6), 10), is_score=False) is None
    assert mean_interval(values * 100, is_score=False) is None
    assert quantile_interval(values, 0.5) is None
    assert quantile_interval(values, 0.5, clusters=np.repeat(np.arange(10), 6)) is None
    assert quantile_difference_interval(values, np.full(60, 0.3), 0.5) is None


def test_kappa_of_a_judge_with_one_answer_has_no_interval():
    """A judge that always says the same has a kappa of 0 without any question, so it has no interval."""
    tables = np.zeros((8, 2, 2))
    tables[:5, 1, 1], tables[5:, 1, 0] = 1 / 3, 1.7
    assert cohen_kappa(tables.sum(axis=0)) == 0
    assert kappa_interval(tables, np.arange(8)) is None


def test_agreement_that_is_never_reached_has_an_interval():
    """Six questions on which all differ do not show that people always differ."""
    interval = alpha_interval(np.tile([1.0, 1.0], (6, 1)), np.arange(6))
    assert interval is not None
    assert interval.low == pytest.approx(krippendorff_alpha(np.tile([1.0, 1.0], (6, 1))))
    assert interval.high > 0


def test_a_perfect_kappa_with_a_single_wrong_answer_has_an_interval():
    """Without the only answer that both call wrong kappa is undefined, but it is still perfect."""
    tables = np.zeros((20, 2, 2))
    tables[:19, 1, 1] = tables[19, 0, 0] = 1
    interval = kappa_interval(tables, np.arange(20))
    assert interval is not None
    assert (interval.low < 0, interval.high) == (True, 1.0)


def test_equal_sides_have_no_interval_of_their_difference():
    """Two variants with the same answers and labels differ by 0, with no spread that could be known."""
    judged = np.repeat([1.0, 0.0], 100)
    labels = np.tile([1.0, 0.0, np.nan, np.nan], 50)
    side = JudgedScores(judged=judged, labels=labels, weights=np.ones(200))
    found = corrected_difference(side, side)
    assert found.estimate == 0
    assert found.interval is None


def test_equal_changes_have_no_standard_error():
    """Changes that are equal but for rounding have no spread from which power could be told."""
    changes = moments(np.array([0.3 - 0.2, 0.1] * 20))
    assert changes is not None
    assert changes.error == 0


@pytest.mark.parametrize(("width", "is_kept"), [(0.0, False), (3e-16, False), (1e-6, True)])
def test_a_width_is_distinguished_from_rounding(width: float, is_kept: bool):
    """An interval is kept if its width is more than rounding, compared with the size of the values."""
    interval = Interval(low=0.5, high=0.5 + width, method="t")
    assert (with_width(interval) is not None) == is_kept
    far = Interval(low=0.0, high=width, method="t")
    assert with_width(far, size=1e9) is None


@pytest.mark.parametrize("heavy", [1.5, 3.0, 10.0])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_one_weight_does_not_widen_eight_equal_answers(heavy: float, score: float):
    """Eight answers equal to those before have an interval of about ±.37, whatever one of them weighs."""
    values, weights = np.full(8, score), np.array([heavy, *[1.0] * 7])
    graded = Metric(name="mrr", field="mrr")
    effect = paired_effect(graded, "new", "old", values, values, Method(), weights / weights.mean())
    assert effect.difference == 0
    assert effect.interval is not None
    assert (effect.interval.low, effect.interval.high) == pytest.approx((-0.369, 0.369), abs=1e-3)
    alone = paired_effect(graded, "new", "old", values, values, Method()).interval
    assert alone is not None
    assert alone.high == pytest.approx(effect.interval.high, abs=0.05)
