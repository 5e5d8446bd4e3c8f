"""Questions with several draws: their means, their spread, pass@k, and what a table says."""

import itertools
from math import comb

import numpy as np
import pytest

from assay.records import Metric
from assay.stats.analysis import analyse
from assay.stats.repeat import chances, draw_means, majority_at_k, pass_at_k, spread
from assay.stats.scores import FAILED, SCORED, Scores

RIGHT = Metric(name="right", field="right", kind="rate")
LATE = Metric(name="late", field="late", kind="p95", unit="s", better="lower")


def draws_of(answers: list[list[float]], status: list[list[int]] | None = None) -> Scores:
    """Scores of one variant with the answers of each question."""
    names = [
        f"q{question:02}" + (f"::run={draw}" if draw > 1 else "")
        for question, listed in enumerate(answers)
        for draw in range(1, len(listed) + 1)
    ]
    numbers = np.repeat(np.arange(len(answers)), [len(listed) for listed in answers])
    flat = np.array([list(itertools.chain(*answers))])
    ended = (
        np.full(flat.shape, SCORED)
        if status is None
        else np.array([list(itertools.chain(*status))])
    )
    return Scores(
        items=names,
        variants=("v",),
        status=ended.astype(np.uint8),
        values={"right": flat, "late": np.arange(flat.size, dtype=np.float64)[None]},
        questions=numbers,
        draws=numbers,
    )


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_and_majority_are_means_over_all_subsets(n: int):
    """Brute force over the subsets of size k gives the same numbers."""
    for right in range(n + 1):
        answers = [1] * right + [0] * (n - right)
        for k in range(1, n + 1):
            subsets = list(itertools.combinations(answers, k))
            assert len(subsets) == comb(n, k)
            passed = [any(subset) for subset in subsets]
            votes = [(sum(s) > k / 2) + 0.5 * (sum(s) == k / 2) for s in subsets]
            assert pass_at_k(n, right, k) == pytest.approx(np.mean(passed))
            assert majority_at_k(n, right, k) == pytest.approx(np.mean(votes))


def test_impossible_numbers_are_refused():
    """More right answers than draws, or more than all draws, have no probability."""
    for n, right, k in ((2, 3, 1), (2, 1, 3), (2, 1, 0)):
        with pytest.raises(ValueError, match="draws"):
            pass_at_k(n, right, k)


def test_a_question_with_too_few_answers_has_no_chance():
    """An undefined value is no wrong answer: the question is left out for this k."""
    values = np.array([1.0, np.nan, 0.0, 1.0])
    passed, majority = chances(values, np.array([0, 0, 1, 1]), 2)
    assert np.isnan(passed[0])
    assert passed[1] == 1.0
    assert majority[1] == 0.5


@pytest.mark.parametrize(
    ("values", "questions"),
    [
        ([], []),
        ([1.0], [0]),
        ([1.0, 0.0], [0, 0]),
        ([1.0, 0.0], [0, 1]),
        ([np.nan] * 4, [0, 0, 1, 1]),
    ],
)
def test_there_is_no_spread_if_the_two_variances_cannot_be_told_apart(
    values: list[float], questions: list[int]
):
    """One question, or one answer to each, says nothing about the other variance."""
    assert spread(np.array(values), np.array(questions, dtype=np.int64)) is None


def test_equal_answers_have_no_share():
    """Without any variance, nothing is said about where it comes from."""
    found = spread(np.ones(6), np.array([0, 0, 1, 1, 2, 2]))
    assert found is not None
    assert found.between_share is None


def test_the_standard_error_is_that_of_the_means_of_questions():
    """For balanced draws it is the sample standard deviation of the means over √a."""
    rng = np.random.default_rng(0)
    values = (rng.normal(size=(40, 1)) + rng.normal(size=(40, 5))).ravel()
    found = spread(values, np.repeat(np.arange(40), 5))
    assert found is not None
    means = values.reshape(40, 5).mean(axis=1)
    assert found.error() == pytest.approx(means.std(ddof=1) / np.sqrt(40))
    assert found.error(questions=2) == pytest.approx(found.error() / np.sqrt(2))
    assert found.error(questions=2) < found.error(draws=2) < found.error()


def test_a_question_counts_once_however_often_it_was_answered():
    """The mean is that of the questions' means, and n is their number."""
    answers = [[1.0, 1.0, 1.0], [0.0], [1.0, 0.0]]
    (row,) = analyse(draws_of(answers), [RIGHT, LATE], baseline=None).variants
    assert row.cells["right"].value == pytest.approx(0.5)
    assert row.cells["right"].n == 3
    assert row.cells["late"].n == 6
    assert row.tally.scored == 6


def test_a_failed_draw_is_left_out_of_the_mean_of_its_question():
    """A question with one scored draw counts as much as another."""
    status = [[SCORED, FAILED], [SCORED, SCORED], [FAILED, FAILED]]
    scores = draws_of([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]], status)
    (row,) = analyse(scores, [RIGHT], baseline=None).variants
    assert (row.cells["right"].value, row.cells["right"].n) == (0.5, 2)
    assert (row.tally.scored, row.tally.failed) == (3, 3)


def test_draws_that_always_agree_say_no_more_than_one_of_them():
    """Values, intervals and tests are those of the run with one draw."""
    once = np.array(
        [[1, 0, 1, 1, 0, 1, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1, 0, 0, 0, 0]], dtype=np.float64
    )
    names = [f"q{number}" for number in range(10)]
    single = Scores(
        items=names,
        variants=("a", "b"),
        status=np.full(once.shape, SCORED, dtype=np.uint8),
        values={"right": once},
    )
    numbers = np.tile(np.arange(10), 3)
    thrice = Scores(
        items=[*names, *(f"{name}::run={draw}" for draw in (2, 3) for name in names)],
        variants=("a", "b"),
        status=np.full((2, 30), SCORED, dtype=np.uint8),
        values={"right": np.tile(once, 3)},
        questions=numbers,
        draws=numbers,
    )
    one, three = (analyse(each, [RIGHT], baseline="a") for each in (single, thrice))
    assert three.effects == one.effects
    assert [row.cells for row in three.variants] == [row.cells for row in one.variants]


def test_means_of_draws_are_those_of_each_case():
    """A case without a defined value has no mean."""
    means = draw_means(np.array([1.0, np.nan, np.nan]), np.array([0, 0, 1]))
    assert means[0] == 1.0
    assert np.isnan(means[1])


@pytest.mark.parametrize(("share", "draws"), [(0.8, 3), (0.3, 5)])
def test_intervals_of_runs_with_draws_hold_their_promise(share: float, draws: int):
    """With related draws of 40 questions, at least 93 % of the intervals contain the true rate.

    Each question has a chance of its own to be answered correctly, from a beta distribution.
    """
    rng = np.random.default_rng(7)
    rate, total = 0.6, 1 / share - 1
    hits, trials = 0, 400
    for _ in range(trials):
        chance = rng.beta(rate * total, (1 - rate) * total, size=40)
        answers = (rng.uniform(size=(40, draws)) < chance[:, None]).astype(np.float64)
        (row,) = analyse(draws_of(answers.tolist()), [RIGHT], baseline=None).variants
        interval = row.cells["right"].interval
        assert interval is not None
        hits += interval.low <= rate <= interval.high
    assert hits / trials >= 0.93
