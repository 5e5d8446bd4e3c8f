"""Corrections of a judge against second derivations: SciPy's distributions, regression, loops."""

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
import scipy.stats
from msgspec.structs import replace
from numpy.typing import NDArray
from sklearn.metrics import roc_curve
from statsmodels.regression.linear_model import WLS

from assay.judge.draw import probabilities
from assay.judge.label_plan import plan_difference, plan_labels
from assay.judge.labelled_answers import LabelCounts, Sample
from assay.stats.beta import beta_cdf, beta_quantile
from assay.stats.corrected import (
    JudgedScores,
    corrected_difference,
    corrected_mean,
)
from assay.stats.judge_error import (
    ErrorCounts,
    best_threshold,
    effective_count,
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
        max(0, estimate[0] - math.sqrt(down + between)), abs=1e-6
    )
    assert found.interval.high == pytest.approx(
        min(1, estimate[0] + math.sqrt(up + between)), abs=1e-6
    )


def jeffreys(yes: float, n: float) -> tuple[float, float]:
    """Jeffreys' interval by SciPy's quantiles."""
    low, high = scipy.stats.beta.ppf([0.025, 0.975], yes + 0.5, n - yes + 0.5)
    return (low if yes else 0.0), (high if yes < n else 1.0)


def by_loops(side: JudgedScores) -> tuple[tuple[float, float], float, float]:
    """The estimate with the variance between the groups, and the squared distances to both ends."""
    parts = []
    for value in (0.0, 1.0):
        inside = side.judged == value
        labels = side.labels[inside & np.isfinite(side.labels)]
        yes, n = labels.sum(), len(labels)
        low, high = jeffreys(yes, n)
        parts.append((inside.mean(), yes / n, low, high))
    estimate = sum(share * mean for share, mean, *_ in parts)
    (_, no_mean, *_), (yes_share, yes_mean, *_) = parts
    between = yes_share * (1 - yes_share) * (yes_mean - no_mean) ** 2 / len(side.judged)
    down = sum((share * (mean - low)) ** 2 for share, mean, low, _ in parts)
    up = sum((share * (high - mean)) ** 2 for share, mean, _, high in parts)
    return (estimate, between), down, up


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_sure_and_unsure_answers_are_strata(seed: int):
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
        low, high = jeffreys(yes, n)
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
    assert found.interval.low == pytest.approx(estimate - math.sqrt(down + between), abs=1e-6)
    assert found.interval.high == pytest.approx(estimate + math.sqrt(up + between), abs=1e-6)


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
    assert found.interval.low == pytest.approx(other - one - math.sqrt(down + sampling), abs=1e-6)
    assert found.interval.high == pytest.approx(other - one + math.sqrt(up + sampling), abs=1e-6)


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


@pytest.mark.parametrize("seed", range(3))
def test_unequal_labels_count_as_much_as_their_variance_says(seed: int):
    """The number of labels is that of statsmodels' weighted mean with its robust variance."""
    rng = np.random.default_rng(seed)
    labels, weights = (rng.random(90) < 0.8).astype(float), rng.choice([1.0, 2.0, 6.0], 90)
    fit = WLS(labels, np.ones(90), weights=weights).fit(cov_type="HC0")
    mean, variance = fit.params[0], fit.cov_params()[0, 0]
    assert effective_count(labels, weights) == pytest.approx(min(90, mean * (1 - mean) / variance))
    assert effective_count(np.ones(90), weights) == pytest.approx(
        weights.sum() ** 2 / (weights @ weights)
    )


def test_beta_quantiles_are_those_of_scipy():
    """Also for shapes of a half, and for thousands of labels."""
    rng = np.random.default_rng(3)
    one = np.concatenate([[0.5, 0.5, 200.5], rng.uniform(0.5, 5, 200), rng.uniform(5, 4000, 200)])
    other = np.concatenate([[0.5, 200.5, 0.5], rng.permutation(one[3:])])
    for share in (0.005, 0.025, 0.5, 0.975):
        found = beta_quantile(np.full(len(one), share), one, other)
        assert found == pytest.approx(scipy.stats.beta.ppf(share, one, other), rel=1e-6, abs=1e-9)
    x = rng.random(len(one))
    assert beta_cdf(x, one, other) == pytest.approx(scipy.stats.beta.cdf(x, one, other), abs=1e-9)


def test_related_answers_widen_the_interval_by_the_design_effect():
    """It is that of statsmodels' cluster-robust variance of the moves, with t for the questions."""
    rng = np.random.default_rng(9)
    right = rng.random(60) < 0.7
    rows = np.repeat(right, 5)
    said = rows ^ (rng.random(300) < 0.1)
    side = JudgedScores(
        judged=said.astype(float),
        labels=np.where(rng.random(300) < 0.4, rows.astype(float), np.nan),
        weights=np.ones(300),
    )
    alone, related = (
        corrected_mean(each).interval
        for each in (side, replace(side, questions=np.repeat(np.arange(60), 5)))
    )
    moves = level_of(side)
    known = np.isfinite(side.labels)
    level = moves - moves.mean()
    sizes = np.array([np.mean(said == one) / np.sum(known & (said == one)) for one in (0, 1)])
    parts = level / 300 + np.where(known, sizes[said.astype(int)] * (side.labels - moves), 0.0)
    sums = np.bincount(np.repeat(np.arange(60), 5), weights=np.nan_to_num(parts))
    effect = 60 / 59 * (sums @ sums) / np.nansum(parts**2)
    stretch = math.sqrt(effect) * scipy.stats.t.ppf(0.975, 59) / Z
    estimate = corrected_mean(side).estimate
    assert stretch > 1.2
    assert alone is not None
    assert related is not None
    assert estimate is not None
    assert estimate - related.low == pytest.approx(stretch * (estimate - alone.low), rel=1e-6)
    assert related.high - estimate == pytest.approx(stretch * (alone.high - estimate), rel=1e-6)


class Truth(NamedTuple):
    """Answers, what a judge says of them, and the order in which they are drawn."""

    right: NDArray[np.bool_]
    said: NDArray[np.bool_]
    unsure: NDArray[np.bool_]
    order: NDArray[np.float64]

    def labelled(self, count: int) -> JudgedScores:
        """The scores with labels of the first so many answers."""
        sizes = np.where(self.unsure, 2.0, 1.0)
        drawn = np.argsort(self.order / sizes)[:count]
        labels = np.full(len(sizes), np.nan)
        labels[drawn] = self.right[drawn]
        return JudgedScores(
            judged=self.said.astype(float),
            labels=labels,
            weights=1 / np.maximum(probabilities(sizes, count), 1e-9),
            unsure=self.unsure,
        )


def truth(rng: np.random.Generator, level: NDArray[np.float64], rate: float) -> Truth:
    """800 answers of which this share is right, and a judge that errs more often where it is unsure."""
    right, unsure = level < rate, rng.random(800) < 0.2
    wrong = rng.random(800) < np.where(unsure, 0.4, 0.1)
    return Truth(right, right ^ wrong, unsure, rng.random(800))


@pytest.mark.parametrize(("labels", "width"), [(40, 0.25), (40, 0.15), (0, 0.2)])
def test_planned_labels_give_the_width_in_four_of_five_runs(labels: int, width: float):
    """Labels drawn as assay draws them, as many as planned after the first ones, reach the width."""
    reached, runs = 0, 40
    for seed in range(runs):
        rng = np.random.default_rng([seed, labels])
        side = truth(rng, rng.random(800), 0.75)
        sample = Sample(
            items=tuple(map(str, range(800))),
            languages=("en",) * 800,
            sides={"": side.labelled(labels)},
            counts=LabelCounts(),
        )
        (plan,) = plan_labels("check", sample, width=width, threshold=0.5).variants
        assert plan.needed is not None
        interval = corrected_mean(side.labelled(plan.needed)).interval
        assert interval is not None
        reached += interval.high - interval.low <= width
    assert reached >= 0.7 * runs


def test_planned_labels_give_a_difference_the_width_in_four_of_five_runs():
    """Both sides get as many labels as planned after 60 each, and the interval is narrow enough."""
    reached, runs, width = 0, 30, 0.2
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        level = rng.random(800)
        sides = [truth(rng, level, rate) for rate in (0.75, 0.65)]
        base, cand = (side.labelled(60) for side in sides)
        plan = plan_difference(("one", base), ("other", cand), width=width)
        assert plan.needed is not None
        interval = corrected_difference(*(side.labelled(plan.needed) for side in sides)).interval
        assert interval is not None
        reached += interval.high - interval.low <= width
    assert reached >= 0.7 * runs
