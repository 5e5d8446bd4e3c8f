"""Compares kappa with scikit-learn, alpha with a second derivation and a published example."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from assay.stats.agreement import alpha_interval, cohen_kappa, kappa_interval, krippendorff_alpha

CLASSES = 4
SEEDS = range(60)
Ratings = list[list[int | None]]


def pair_table(first: list[int], second: list[int]) -> np.ndarray:
    """How often each pair of classes was chosen."""
    table = np.zeros((CLASSES, CLASSES))
    np.add.at(table, (first, second), 1)
    return table


def class_counts(ratings: Ratings, classes: int) -> np.ndarray:
    """How many people chose each class, by thing; a row of ``ratings`` is a person."""
    counts = np.zeros((len(ratings[0]), classes))
    for person in ratings:
        for thing, chosen in enumerate(person):
            if chosen is not None:
                counts[thing, chosen] += 1
    return counts


def alpha_by_pairs(ratings: Ratings) -> float | None:
    """Alpha derived from single pairs of values, without a table of coincidences."""
    things = [
        [each for each in column if each is not None] for column in zip(*ratings, strict=True)
    ]
    things = [values for values in things if len(values) > 1]
    values = [value for each in things for value in each]
    observed = sum(
        sum(a != b for a, b in permutations(each, 2)) / (len(each) - 1) for each in things
    )
    pairs = list(permutations(values, 2))
    expected = sum(a != b for a, b in pairs)
    if not expected:
        return None
    return 1 - (observed / len(values)) / (expected / len(pairs))


def random_ratings(seed: int) -> Ratings:
    """What several people chose, with gaps, more or less in agreement."""
    random = np.random.default_rng(seed)
    people, things = int(random.integers(2, 6)), int(random.integers(1, 30))
    truth = random.integers(0, random.integers(1, CLASSES + 1), things)
    ratings: Ratings = []
    for _ in range(people):
        chosen = np.where(random.random(things) < 0.6, truth, random.integers(0, CLASSES, things))
        gaps = random.random(things) < 0.3
        ratings.append([None if gap else int(each) for each, gap in zip(chosen, gaps, strict=True)])
    return ratings


def test_kappa_is_that_of_scikit_learn():
    """Two people who agree more or less, with all classes, with few, and with one only."""
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        things = int(random.integers(1, 40))
        first = random.integers(0, random.integers(1, CLASSES + 1), things)
        second = np.where(random.random(things) < 0.5, first, random.integers(0, CLASSES, things))
        kappa = cohen_kappa(pair_table(list(first), list(second)))
        if len({*first, *second}) == 1:
            assert kappa is None, seed
        else:
            expected = cohen_kappa_score(first, second, labels=range(CLASSES))
            assert kappa == pytest.approx(expected), seed


def test_alpha_is_that_of_single_pairs():
    """Any number of people, with gaps."""
    for seed in SEEDS:
        ratings = random_ratings(seed)
        expected = alpha_by_pairs(ratings)
        actual = krippendorff_alpha(class_counts(ratings, CLASSES))
        assert actual == (None if expected is None else pytest.approx(expected)), seed


def test_alpha_of_the_published_example():
    """Four observers, twelve units, gaps: Krippendorff (2011), section C, gives 0.743."""
    _ = None
    ratings: Ratings = [
        [0, 1, 2, 2, 1, 0, 3, 0, 1, _, _, _],
        [0, 1, 2, 2, 1, 1, 3, 0, 1, 4, _, 2],
        [_, 2, 2, 2, 1, 2, 3, 1, 1, 4, 0, _],
        [0, 1, 2, 2, 1, 3, 3, 0, 1, 4, 0, _],
    ]
    alpha = krippendorff_alpha(class_counts(ratings, 5))
    assert alpha == pytest.approx(0.743, abs=0.0005)
    assert alpha_by_pairs(ratings) == pytest.approx(alpha)


def test_nothing_to_compare_is_undefined():
    """No label, one person only, and one class only have no value and no interval."""
    one_class = np.array([[2.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    for counts in (np.zeros((0, 4)), np.eye(4), one_class):
        assert krippendorff_alpha(counts) is None
        assert alpha_interval(counts, np.arange(len(counts))) is None
    assert cohen_kappa(np.zeros((2, 2))) is None
    assert kappa_interval(np.zeros((0, 2, 2)), np.arange(0)) is None


def two_people(random: np.random.Generator, questions: int, each: int) -> tuple[np.ndarray, ...]:
    """Pairs of people with three classes of equal shares and 80 % of agreement: kappa is 0.7.

    A disagreement is about a question, so all its answers share it.
    """
    truth = random.integers(0, 3, questions)
    differs = random.random(questions) < 0.2
    other = np.where(differs, (truth + random.integers(1, 3, questions)) % 3, truth)
    return np.repeat(truth, each), np.repeat(other, each), np.repeat(np.arange(questions), each)


@pytest.mark.parametrize("each", [1, 4])
def test_intervals_contain_the_truth_as_often_as_they_say(each: int):
    """Also if four answers of a question share its difficulty; that of alpha as well."""
    random, runs = np.random.default_rng(5), 100
    hits = {"kappa": 0, "alpha": 0}
    for _ in range(runs):
        first, second, question = two_people(random, 60, each)
        tables = np.zeros((len(first), 3, 3))
        tables[np.arange(len(first)), first, second] = 1
        counts = tables.sum(axis=1) + tables.sum(axis=2)
        kappa = kappa_interval(tables, question)
        alpha = alpha_interval(counts, question)
        assert kappa is not None
        assert alpha is not None
        hits["kappa"] += kappa.low <= 0.7 <= kappa.high
        hits["alpha"] += alpha.low <= 0.7 <= alpha.high
    assert min(hits.values()) >= 0.89 * runs, hits


def test_kappa_of_independent_answers_has_the_standard_error_of_statsmodels():
    """With one answer for each question the width is that of the asymptotic standard error."""
    for seed in range(20):
        first, second, question = two_people(np.random.default_rng(seed), 400, 1)
        tables = np.zeros((400, 3, 3))
        tables[np.arange(400), first, second] = 1
        expected = cohens_kappa(tables.sum(axis=0))
        interval = kappa_interval(tables, question)
        assert interval is not None
        width = 2 * stats.t.ppf(0.975, 399) * expected.std_kappa
        assert interval.high - interval.low == pytest.approx(width, rel=0.03)
        assert (interval.low + interval.high) / 2 == pytest.approx(expected.kappa, abs=0.01)


def test_the_ends_of_kappa_are_wilson_s_for_its_share_of_agreement():
    """The share has the variance of the jackknife, the items that this variance amounts to, and the quantile of t."""
    first, second, question = two_people(np.random.default_rng(2), 30, 2)
    tables = np.zeros((60, 3, 3))
    tables[np.arange(60), first, second] = 1
    whole = tables.sum(axis=0)
    without = [cohen_kappa_score(first[question != q], second[question != q]) for q in range(30)]
    chance = float(whole.sum(axis=0) @ whole.sum(axis=1)) / 60**2
    share = float(np.trace(whole)) / 60
    variance = 29 / 30 * np.sum((without - np.mean(without)) ** 2) * (1 - chance) ** 2
    items, t = share * (1 - share) / variance, stats.t.ppf(0.975, 29)
    low, high = proportion_confint(share * items, items, 2 * stats.norm.sf(t), method="wilson")
    interval = kappa_interval(tables, question)
    assert interval is not None
    assert interval.low == pytest.approx((low - chance) / (1 - chance), abs=1e-6)
    assert interval.high == pytest.approx((high - chance) / (1 - chance), abs=1e-6)


def test_perfect_agreement_has_an_interval():
    """Ten questions without a disagreement do not show that there is none."""
    tables = np.zeros((10, 2, 2))
    tables[:5, 0, 0] = tables[5:, 1, 1] = 1
    interval = kappa_interval(tables, np.arange(10))
    assert interval is not None
    share = 10 / (10 + stats.t.ppf(0.975, 9) ** 2)
    assert (interval.method, interval.high) == ("jackknife", 1.0)
    assert interval.low == pytest.approx((share - 0.5) / 0.5, abs=1e-6)
    counts = tables.sum(axis=1) + tables.sum(axis=2)
    alpha = alpha_interval(counts, np.arange(10))
    assert alpha is not None
    assert alpha.low == pytest.approx(interval.low, abs=0.05)
