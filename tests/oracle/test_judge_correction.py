"""Corrections of a judge against second derivations: SciPy's distributions, regression, loops."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray
from sklearn.metrics import roc_curve

from assay.stats.corrected import (
    JudgedScores,
    corrected_difference,
    corrected_mean,
    labels_for_difference,
    labels_needed,
)
from assay.stats.judge_error import (
    ErrorCounts,
    best_threshold,
    errors_differ,
    judge_errors,
    lang_reiczigel,
    rogan_gladen,
)

Z = scipy.stats.norm.ppf(0.975)


def random_side(seed: int, n: int = 300, labels: int = 80) -> JudgedScores:
    """Yes/no scores of a judge with errors, and labels of a random part."""
    rng = np.random.default_rng(seed)
    right = rng.random(n) < rng.uniform(0.2, 0.9)
    wrong = rng.random(n) < rng.uniform(0.02, 0.3)
    known = rng.permutation(n) < labels
    return JudgedScores(
        judged=(right ^ wrong).astype(float),
        labels=np.where(known, right.astype(float), np.nan),
        weights=np.ones(n),
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_corrected_rate_is_the_regression_estimator(seed: int):
    """It equals mean prediction + mean residual of a regression of the labels on the judge."""
    side = random_side(seed)
    known = np.isfinite(side.labels)
    design = np.column_stack([np.ones(len(side.judged)), side.judged])
    slope, *_ = np.linalg.lstsq(design[known], side.labels[known], rcond=None)
    predicted = design @ slope
    expected = predicted.mean() + (side.labels[known] - predicted[known]).mean()
    assert corrected_mean(side).estimate == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(8))
def test_the_interval_is_made_of_beta_quantiles(seed: int):
    """Each group has the ends of beta variables; their distances are added as squares."""
    side = random_side(seed)
    estimate, down, up = by_loops(side)
    found = corrected_mean(side)
    assert found.estimate == pytest.approx(estimate[0])
    assert found.interval is not None
    between = Z**2 * estimate[1]
    assert found.interval.low == pytest.approx(
        max(0, estimate[0] - math.sqrt(down + between)), abs=2e-3
    )
    assert found.interval.high == pytest.approx(
        min(1, estimate[0] + math.sqrt(up + between)), abs=2e-3
    )


def by_loops(side: JudgedScores) -> tuple[tuple[float, float], float, float]:
    """The estimate with the variance between the groups, and the squared distances to both ends."""
    parts = []
    for value in (0.0, 1.0):
        inside = side.judged == value
        labels = side.labels[inside & np.isfinite(side.labels)]
        yes, n = labels.sum(), len(labels)
        low = scipy.stats.beta.ppf(0.025, yes, n - yes + 0.5) if yes else 0.0
        high = scipy.stats.beta.ppf(0.975, yes + 0.5, n - yes) if yes < n else 1.0
        parts.append((inside.mean(), yes / n, low, high))
    estimate = sum(share * mean for share, mean, *_ in parts)
    (_, no_mean, *_), (yes_share, yes_mean, *_) = parts
    between = yes_share * (1 - yes_share) * (yes_mean - no_mean) ** 2 / len(side.judged)
    down = sum((share * (mean - low)) ** 2 for share, mean, low, _ in parts)
    up = sum((share * (high - mean)) ** 2 for share, mean, _, high in parts)
    return (estimate, between), down, up


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_strata_share_the_half_item_by_their_answers(seed: int):
    """Sure and unsure answers of a group have beta variables of their own."""
    side, rng = random_side(seed, 400, 240), np.random.default_rng(seed)
    unsure = rng.random(400) < 0.3
    estimate = down = up = 0.0
    for value, doubt in itertools.product((0.0, 1.0), (False, True)):
        group = side.judged == value
        inside = group & (unsure == doubt)
        labels = side.labels[inside & np.isfinite(side.labels)]
        assert len(labels) >= 5
        yes, n, share = labels.sum(), len(labels), inside.mean()
        extra = 0.5 * inside.sum() / group.sum()
        low = scipy.stats.beta.ppf(0.025, yes, n - yes + extra) if yes else 0.0
        high = scipy.stats.beta.ppf(0.975, yes + extra, n - yes) if yes < n else 1.0
        estimate += share * yes / n
        down += (share * (yes / n - low)) ** 2
        up += (share * (high - yes / n)) ** 2
    found = corrected_mean(
        JudgedScores(judged=side.judged, labels=side.labels, weights=side.weights, unsure=unsure)
    )
    assert found.estimate == pytest.approx(estimate)
    assert found.interval is not None
    levels = [
        side.labels[(side.judged == judged) & (unsure == doubt) & np.isfinite(side.labels)].mean()
        for judged, doubt in zip(side.judged, unsure, strict=True)
    ]
    between = Z**2 * np.var(levels) / 400
    assert found.interval.low == pytest.approx(estimate - math.sqrt(down + between), abs=2e-3)
    assert found.interval.high == pytest.approx(estimate + math.sqrt(up + between), abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_the_difference_joins_both_sides(seed: int):
    """Its estimate is that of the sides; its ends join theirs and the spread of the questions."""
    base, cand = random_side(seed), random_side(seed + 100)
    (one, _), one_down, one_up = by_loops(base)
    (other, _), other_down, other_up = by_loops(cand)
    found = corrected_difference(base, cand)
    assert found.estimate == pytest.approx(other - one)
    levels = level_of(cand) - level_of(base)
    sampling = Z**2 * levels.var() / len(levels)
    likeness = correlation(base, cand)
    assert found.interval is not None
    down = other_down + one_up - 2 * likeness * math.sqrt(other_down * one_up)
    up = other_up + one_down - 2 * likeness * math.sqrt(other_up * one_down)
    assert found.interval.low == pytest.approx(other - one - math.sqrt(down + sampling), abs=3e-3)
    assert found.interval.high == pytest.approx(other - one + math.sqrt(up + sampling), abs=3e-3)


def level_of(side: JudgedScores) -> NDArray[np.float64]:
    """The mean label of the group of each answer."""
    means = [np.nanmean(side.labels[side.judged == value]) for value in (0.0, 1.0)]
    return np.array([means[int(value)] for value in side.judged])


def correlation(base: JudgedScores, cand: JudgedScores) -> float:
    """The correlation of what each label moves the two estimates by."""
    moves = []
    for side in (base, cand):
        move = np.zeros(len(side.judged))
        levels = level_of(side)
        for value in (0.0, 1.0):
            inside = side.judged == value
            known = inside & np.isfinite(side.labels)
            move[known] = inside.mean() / known.sum() * (side.labels[known] - levels[known])
        moves.append(move)
    return float(moves[0] @ moves[1] / math.sqrt((moves[0] @ moves[0]) * (moves[1] @ moves[1])))


@pytest.mark.parametrize(
    ("rate", "sensitivity", "specificity"),
    list(itertools.product((0.0, 0.3, 0.9, 1.0), (0.6, 0.8, 1.0), (0.55, 0.7, 0.99))),
)
def test_rogan_and_gladen_turn_the_errors_back(rate: float, sensitivity: float, specificity: float):
    """The rate that a judge sees, turned back, is the rate itself."""
    apparent = rate * sensitivity + (1 - rate) * (1 - specificity)
    assert rogan_gladen(apparent, sensitivity, specificity) == pytest.approx(rate, abs=1e-12)


def test_a_judge_that_guesses_gives_no_rate():
    """If the judge says yes as often to wrong answers, nothing can be turned back."""
    assert rogan_gladen(0.5, 0.4, 0.6) is None
    guess = ErrorCounts(yes=50, yes_found=25, no=50, no_found=25)
    assert lang_reiczigel(50, 100, guess) is None
    assert lang_reiczigel(0, 0, ErrorCounts(yes=5, yes_found=5, no=5, no_found=5)) is None


@pytest.mark.parametrize("seed", range(10))
def test_lang_and_reiczigel_follow_from_numerical_derivatives(seed: int):
    """The half width is the delta method on the adjusted shares, with derivatives by differences."""
    rng = np.random.default_rng(seed)
    n, yes, no = rng.integers(100, 1000), rng.integers(20, 200), rng.integers(20, 200)
    counts = ErrorCounts(
        yes=int(yes), yes_found=int(yes * 0.85), no=int(no), no_found=int(no * 0.8)
    )
    said = int(n * 0.55)
    sizes = np.array([n + Z**2, yes + 2, no + 2])
    shares = np.array([said + Z**2 / 2, counts.yes_found + 1, counts.no_found + 1]) / sizes

    def rate(values: NDArray[np.float64]) -> float:
        return float((values[0] + values[2] - 1) / (values[1] + values[2] - 1))

    steps = np.eye(3) * 1e-6
    slopes = np.array([(rate(shares + step) - rate(shares - step)) / 2e-6 for step in steps])
    half = Z * math.sqrt(float(slopes**2 @ (shares * (1 - shares) / sizes)))
    spread = shares * (1 - shares) / sizes
    shift = 2 * Z**2 * (rate(shares) * spread[1] - (1 - rate(shares)) * spread[2])
    found = lang_reiczigel(said, int(n), counts)
    assert found is not None
    assert found.low == pytest.approx(max(0, rate(shares) + shift - half), abs=1e-6)
    assert found.high == pytest.approx(min(1, rate(shares) + shift + half), abs=1e-6)


def test_errors_that_differ_agree_with_the_exact_distribution():
    """With one kind of label and two groups, all exchanges can be counted."""
    judged = np.array([True] * 18 + [False] * 2 + [True] * 9 + [False] * 8)
    labels = np.ones(37, dtype=bool)
    groups = np.array([0] * 20 + [1] * 17)
    table = np.array([[2, 18], [8, 9]])
    observed = scipy.stats.chi2_contingency(table, correction=False).statistic
    exact = sum(
        scipy.stats.hypergeom.pmf(count, 37, 10, 20)
        for count in range(11)
        if scipy.stats.chi2_contingency(
            [[count, 20 - count], [10 - count, 7 + count]], correction=False
        ).statistic
        >= observed - 1e-9
    )
    assert errors_differ(judged, labels, groups) == pytest.approx(exact, abs=0.01)
    assert errors_differ(labels, labels, groups) is None
    assert errors_differ(judged, labels, np.zeros(37, dtype=int)) is None


@pytest.mark.parametrize("seed", range(6))
def test_the_best_threshold_is_that_of_the_curve(seed: int):
    """It reaches the largest distance between both rates of scikit-learn's curve."""
    rng = np.random.default_rng(seed)
    labels = rng.random(60) < 0.5
    values = np.round(np.clip(rng.normal(0.4 + 0.2 * labels, 0.2), 0, 1), 1)
    weights = rng.uniform(1, 5, 60)
    false, true, _ = roc_curve(labels, values, sample_weight=weights, drop_intermediate=False)
    found = best_threshold(values, labels, weights)
    assert found is not None
    assert found[1] == pytest.approx((true - false).max())
    assert best_threshold(values, np.ones(60, dtype=bool), weights) is None


def test_the_errors_of_a_judge_are_the_weighted_shares():
    """Sensitivity and specificity are those of a plain loop over the answers."""
    rng = np.random.default_rng(1)
    judged, labels = rng.random(50) < 0.6, rng.random(50) < 0.5
    weights = rng.uniform(1, 4, 50)
    found = judge_errors(judged, labels, weights)
    yes = sum(w for w, label in zip(weights, labels, strict=True) if label)
    hits = sum(w for w, said, label in zip(weights, judged, labels, strict=True) if said and label)
    assert found.sensitivity.rate == pytest.approx(hits / yes)
    assert found.hits + found.misses + found.false_alarms + found.rejections == 50


def test_the_planned_number_of_labels_gives_the_width():
    """With the planned number, the interval of a typical run is about as wide as wanted."""
    needed = labels_needed(0.6, 0.9, 0.2, 2000, 0.12)
    assert needed is not None
    judged = np.repeat([1.0, 0.0], [1200, 800])
    labels = np.full(2000, np.nan)
    yes, no = round(0.6 * needed), round(0.4 * needed)
    labels[:yes] = (np.arange(yes) < 0.9 * yes).astype(float)
    labels[1200 : 1200 + no] = (np.arange(no) < 0.2 * no).astype(float)
    interval = corrected_mean(
        JudgedScores(judged=judged, labels=labels, weights=np.ones(2000))
    ).interval
    assert interval is not None
    assert interval.high - interval.low == pytest.approx(0.12, abs=0.015)


@pytest.mark.parametrize(("width", "unsure"), [(0.2, 0.2), (0.1, 0.2), (0.15, 0.0)])
def test_the_planned_number_of_labels_gives_a_difference_the_width(width: float, unsure: float):
    """Labels drawn as assay draws them, as many as planned, give intervals as wide as wanted on average."""
    rng = np.random.default_rng(2)
    n, level = 1000, rng.random(1000)
    sides = []
    for rate in (0.75, 0.65):
        doubtful = rng.random(n) < unsure
        right = level < rate
        errs = rng.random(n) < np.where(doubtful, 0.3, 0.05)
        sides.append((right, right ^ errs, doubtful))
    chances = [np.zeros(n) for _ in sides]
    for chance, (right, said, doubtful) in zip(chances, sides, strict=True):
        for group in np.unique(2 * said + doubtful):
            inside = 2 * said + doubtful == group
            chance[inside] = right[inside].mean()
    needed = labels_for_difference(chances[0], chances[1], width)
    assert needed is not None
    widths = []
    for _ in range(20):
        interval = corrected_difference(*[_drawn(rng, *side, needed) for side in sides]).interval
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert np.mean(widths) == pytest.approx(width, rel=0.12)


def _drawn(
    rng: np.random.Generator,
    right: NDArray[np.bool_],
    said: NDArray[np.bool_],
    doubtful: NDArray[np.bool_],
    count: int,
) -> JudgedScores:
    """A side with labels of randomly drawn answers, unsure ones twice as often."""
    sizes = np.where(doubtful, 2.0, 1.0)
    chance = sizes * count / sizes.sum()
    drawn = np.argsort(rng.random(len(right)) / chance)[:count]
    labels = np.full(len(right), np.nan)
    labels[drawn] = right[drawn]
    return JudgedScores(
        judged=said.astype(float), labels=labels, weights=1 / chance, unsure=doubtful
    )
