"""Corrected rates and differences: what they do at the edges, and how often they hold."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.stats.corrected import FEWEST_LABELS, JudgedScores, corrected_difference, corrected_mean
from assay.stats.judge_error import effective_count
from assay.stats.mean_interval import mean_interval

Floats = NDArray[np.float64]


def scores(judged: Floats, labels: Floats, weights: Floats | None = None) -> JudgedScores:
    """Scores whose labels are equally likely unless ``weights`` says otherwise."""
    return JudgedScores(
        judged=judged, labels=labels, weights=np.ones(len(judged)) if weights is None else weights
    )


def simulated(
    rng: np.random.Generator, right: NDArray[np.bool_], errors: tuple[float, float], labels: int
) -> JudgedScores:
    """A judge with this sensitivity and specificity, and labels of a random part of the answers."""
    draws = rng.random(len(right))
    said = np.where(right, draws < errors[0], draws >= errors[1]).astype(np.float64)
    known = rng.permutation(len(right)) < labels
    return scores(said, np.where(known, right.astype(np.float64), np.nan))


def test_too_few_labels_give_no_figure():
    """Below the smallest number there is no corrected figure, but how many labels are missing."""
    labels = np.full(100, np.nan)
    labels[:12] = 1.0
    found = corrected_mean(scores(np.ones(100), labels))
    assert (found.estimate, found.interval, found.labelled) == (None, None, 12)
    assert found.missing == FEWEST_LABELS - 12
    both = corrected_difference(scores(np.ones(100), labels), scores(np.zeros(100), labels))
    assert both.estimate is None
    assert both.missing == 2 * (FEWEST_LABELS - 12)


def test_no_answers_are_no_error():
    """Without any answer nothing is known, and nothing fails."""
    found = corrected_mean(scores(np.zeros(0), np.zeros(0)))
    assert math.isnan(found.raw)
    assert found.missing == FEWEST_LABELS


def test_a_judge_that_is_always_wrong_is_turned_round():
    """Only the sorting by the judge matters: a judge that says the opposite tells as much."""
    right = np.arange(200) % 4 != 0
    labels = np.where(np.arange(200) < 80, right.astype(float), np.nan)
    straight = corrected_mean(scores(right.astype(float), labels))
    opposite = corrected_mean(scores((~right).astype(float), labels))
    assert straight.estimate == pytest.approx(0.75)
    assert opposite.estimate == pytest.approx(straight.estimate)
    assert opposite.interval == straight.interval


def test_a_judge_that_says_one_thing_leaves_the_labels():
    """If the judge calls everything right, the corrected rate is that of the labels."""
    labels = np.where(np.arange(300) < 60, (np.arange(300) % 3 == 0).astype(float), np.nan)
    found = corrected_mean(scores(np.ones(300), labels))
    assert found.raw == 1.0
    assert found.estimate == pytest.approx(1 / 3)


def test_labels_without_a_disagreement_still_leave_a_width():
    """If all labels agree with the judge, errors may exist that were not met."""
    judged = np.repeat([1.0, 0.0], 500)
    labels = np.where(np.arange(1000) % 20 == 0, judged, np.nan)
    found = corrected_mean(scores(judged, labels))
    assert found.estimate == pytest.approx(0.5)
    assert found.interval is not None
    assert found.interval.high - found.interval.low > 0.1


def test_unequal_probabilities_are_weighted():
    """Answers that were likelier to be labelled count less, each for those like it."""
    judged = np.ones(200)
    labels = np.full(200, np.nan)
    labels[:40], labels[100:140] = 0.0, 1.0
    weights = np.where(np.arange(200) < 100, 1.0, 9.0)
    found = corrected_mean(scores(judged, labels, weights))
    assert found.estimate == pytest.approx(0.9)
    rare = np.repeat([1.0, 0.0], [37, 3])
    assert effective_count(rare, np.where(rare == 1, 1.0, 3.0)) < 20


@pytest.mark.parametrize("rare_weight", [1 / 3, 1.0, 3.0])
def test_labels_count_as_much_as_the_answers_they_stand_for(rare_weight: float):
    """With many labels the width is that of the weighted mean, whichever labels count more."""
    values = np.repeat([0.0, 1.0], [100, 900])
    weights = np.where(values == 0, rare_weight, 1.0)
    found = corrected_mean(scores(np.ones(1000), values, weights))
    assert found.estimate is not None
    assert found.interval is not None
    moves = weights * (values - found.estimate)
    error = math.sqrt(float(moves @ moves))
    width = found.interval.high - found.interval.low
    equal = math.sqrt(found.estimate * (1 - found.estimate) / 1000)  # no draw is worth more labels
    assert width == pytest.approx(2 * 1.96 * max(error / weights.sum(), equal), rel=0.06)


@pytest.mark.parametrize(
    ("rate", "errors", "labels"), [(0.95, (0.7, 0.99), 500), (0.8, (0.99, 0.7), 200)]
)
def test_intervals_of_unequal_draws_hold_and_are_no_wider_than_needed(
    rate: float, errors: tuple[float, float], labels: int
):
    """They contain the rate in 93 to 99 % of runs, if seldom drawn answers are wrong and if not."""
    rng = np.random.default_rng(17)
    covered = 0
    for _ in range(250):
        right = rng.random(1000) < rate
        said = np.where(right, rng.random(1000) < errors[0], rng.random(1000) >= errors[1])
        other = right == (rng.random(1000) < 0.85)
        size = np.where(other == said, 1.0, 3.0)
        chance = np.minimum(1.0, size * labels / size.sum())
        known = np.where(rng.random(1000) < chance, right, np.nan)
        interval = corrected_mean(scores(said.astype(float), known, 1 / chance)).interval
        assert interval is not None
        covered += interval.low <= rate <= interval.high
    assert 0.93 * 250 <= covered <= 0.99 * 250


def checked(
    rng: np.random.Generator, n: int, labels: int, *, sure: float, unsure: float
) -> tuple[JudgedScores, Floats]:
    """A check that is right in these shares, and labels that a fifth of unsure answers get twice as often."""
    doubts = rng.random(n) < 0.2
    right = (rng.random(n) < 0.7).astype(np.float64)
    agrees = rng.random(n) < np.where(doubts, unsure, sure)
    sizes = np.where(doubts, 2.0, 1.0)
    chance = np.minimum(1.0, sizes * labels / sizes.sum())
    known = rng.random(n) < chance
    side = JudgedScores(
        judged=np.where(agrees, right, 1 - right),
        labels=np.where(known, right, np.nan),
        weights=1 / chance,
        unsure=doubts,
    )
    return side, right


@pytest.mark.parametrize(("sure", "unsure"), [(0.97, 0.75), (0.9, 0.5), (0.99, 0.97)])
def test_intervals_hold_if_a_check_is_unsure_of_some_answers(sure: float, unsure: float):
    """In 200 simulated runs the interval contains the rate in about 95 %, with 80 labels."""
    rng = np.random.default_rng(23)
    held = 0
    for _ in range(200):
        side, _ = checked(rng, 800, 80, sure=sure, unsure=unsure)
        interval = corrected_mean(side).interval
        assert interval is not None
        held += interval.low <= 0.7 <= interval.high
    assert held >= 0.92 * 200


def test_a_stratum_with_few_labels_stays_in_its_group():
    """Four labels of unsure answers are too few for a mean of their own."""
    judged, unsure = np.ones(200), np.arange(200) < 20
    labels = np.where(np.arange(200) % 2 == 0, (np.arange(200) % 3 > 0).astype(float), np.nan)
    labels[8:20] = np.nan
    known = JudgedScores(judged=judged, labels=labels, weights=np.ones(200), unsure=unsure)
    assert corrected_mean(known) == corrected_mean(scores(judged, labels))


def test_labels_of_unsure_answers_say_nothing_about_sure_ones():
    """All unsure answers are wrong and all sure ones right, however many of each have labels."""
    unsure = np.arange(400) < 100
    labels = np.where(unsure, 0.0, 1.0)
    labels[60:100] = labels[120:] = np.nan
    side = JudgedScores(judged=np.ones(400), labels=labels, weights=np.ones(400), unsure=unsure)
    assert corrected_mean(side).estimate == pytest.approx(0.75)


def test_graded_scores_are_put_into_groups_with_labels():
    """A judge with many scores is corrected by groups of neighbouring scores."""
    rng = np.random.default_rng(3)
    judged = rng.random(400)
    truth = np.clip(judged - 0.2, 0, 1)
    labels = np.where(np.arange(400) < 120, truth, np.nan)
    found = corrected_mean(scores(judged, labels))
    assert found.estimate == pytest.approx(truth.mean(), abs=0.03)
    assert found.interval is not None
    assert found.interval.high < found.raw


def test_the_difference_of_equal_sides_is_nothing():
    """A variant compared with itself differs by 0, and labels of the same questions cancel out."""
    rng = np.random.default_rng(5)
    side = simulated(rng, rng.random(400) < 0.7, (0.9, 0.8), 100)
    found = corrected_difference(side, side)
    assert found.estimate == 0.0
    assert found.interval is not None
    assert found.interval.high - found.interval.low < 0.05


@pytest.mark.parametrize(
    ("rate", "errors", "labels"),
    [(0.8, (0.8, 0.9), 50), (0.5, (0.99, 0.99), 50), (0.9, (0.7, 0.95), 200)],
)
def test_corrected_intervals_hold_where_the_judge_alone_fails(
    rate: float, errors: tuple[float, float], labels: int
):
    """In 200 simulated runs the interval misses the truth about as rarely as it promises.

    The whole table is made by ``bench/judge_coverage.py``.
    """
    rng = np.random.default_rng(7)
    held = alone = 0
    for _ in range(200):
        side = simulated(rng, rng.random(500) < rate, errors, labels)
        found = corrected_mean(side).interval
        raw = mean_interval(side.judged)
        assert found is not None
        assert raw is not None
        held += found.low <= rate <= found.high
        alone += raw.low <= rate <= raw.high
    assert held >= 0.92 * 200
    if errors != (0.99, 0.99):
        assert alone < 0.5 * 200


def test_a_difference_made_by_the_judge_alone_is_not_believed():
    """If the judge is kinder to one variant, its difference is wrong and the corrected one holds."""
    rng = np.random.default_rng(11)
    held = alone = 0
    for _ in range(150):
        right = rng.random(400) < 0.7
        base = simulated(rng, right, (0.8, 0.9), 60)
        cand = simulated(rng, right ^ (rng.random(400) < 0.1), (0.95, 0.6), 60)
        truth = float(0.1 * (1 - 2 * 0.7))
        found = corrected_difference(base, cand)
        assert found.interval is not None
        held += found.interval.low <= truth <= found.interval.high
        changes = cand.judged - base.judged
        alone += abs(changes.mean() - truth) <= 1.96 * changes.std() / 20
    assert held >= 0.92 * 150
    assert alone == 0


def repeated(side: JudgedScores, times: int) -> JudgedScores:
    """The same answers and labels several times, as if each question were asked so often."""
    return JudgedScores(
        judged=np.repeat(side.judged, times),
        labels=np.repeat(side.labels, times),
        weights=np.repeat(side.weights, times),
        questions=np.repeat(np.arange(len(side.judged)), times),
    )


def test_answers_to_one_question_are_no_further_questions():
    """Each answer twenty times, all labelled: the interval is hardly narrower than for one each."""
    rng = np.random.default_rng(21)
    base, cand = (simulated(rng, rng.random(60) < 0.7, (0.9, 0.9), 60) for _ in range(2))
    once, often = corrected_mean(base), corrected_mean(repeated(base, 20))
    assert often.estimate == pytest.approx(once.estimate)
    differences = [
        corrected_difference(base, cand),
        corrected_difference(repeated(base, 20), repeated(cand, 20)),
    ]
    for single, many in ((once, often), differences):
        assert single.interval is not None
        assert many.interval is not None
        width = single.interval.high - single.interval.low
        assert many.interval.high - many.interval.low > 0.9 * width


def test_one_question_shows_no_corrected_rate():
    """Labels of answers to a single question say nothing about other questions."""
    one = JudgedScores(
        judged=np.tile([0.0, 1.0], 20),
        labels=np.tile([0.0, 1.0], 20),
        weights=np.ones(40),
        questions=np.zeros(40, np.intp),
    )
    interval = corrected_mean(one).interval
    assert interval is not None
    assert (interval.low, interval.high) == (0.0, 1.0)
