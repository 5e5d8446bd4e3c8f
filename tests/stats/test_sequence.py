"""A comparison that may be looked at after every question."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.sequence import SHARES, PairedRange, bounds_at, first_rejection, log_capital

differences = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=60)


def paired(values: list[float]) -> PairedRange:
    """Differences that are all known."""
    array = np.array(values, dtype=np.float64)
    return PairedRange(array, array)


def capital_by_hand(values: list[float], mean: Fraction, size: int | None) -> list[Fraction]:
    """The same game with fractions, one bet after the other, and no logarithm."""
    purses = [Fraction(1, len(SHARES))] * len(SHARES)
    history, total = [], Fraction(0)
    for number, value in enumerate(map(Fraction, values)):
        rest = mean if size is None else (size * mean - total) / (size - number)
        total += value
        bets = [Fraction(float(share)) / rest for share in SHARES]
        purses = [
            purse * (1 + bet * (value - rest)) for purse, bet in zip(purses, bets, strict=True)
        ]
        history.append(sum(purses, Fraction(0)))
    return history


@pytest.mark.parametrize("size", [None, 40])
def test_the_capital_is_that_of_a_game_played_by_hand(size: int | None) -> None:
    """A second derivation gives the same capital after each bet."""
    values = np.random.default_rng(3).choice([0.0, 0.25, 0.5, 1.0], size=25).tolist()
    by_hand = capital_by_hand(values, Fraction(1, 2), size)
    capital = log_capital(np.array(values), 0.5, size)
    assert np.exp(capital) == pytest.approx([float(amount) for amount in by_hand], rel=1e-9)


def test_the_game_is_fair_when_the_claim_is_true() -> None:
    """Over all orders of a set, and over all draws from it, the mean of the capital is 1."""
    values = np.array([0.0, 0.25, 1.0, 0.5, 0.25])
    rng = np.random.default_rng(5)
    orders = np.array([rng.permutation(values) for _ in range(1200)])
    without = np.array([np.exp(log_capital(o, values.mean(), 5)[3]) for o in orders])
    draws = rng.choice(values, size=(1200, 4))
    with_replacement = np.array([np.exp(log_capital(d, values.mean(), None)[-1]) for d in draws])
    for capital in (without, with_replacement):
        assert abs(capital.mean() - 1) < 4 * capital.std() / math.sqrt(len(capital))


@given(differences)
@settings(max_examples=25, deadline=None)
def test_the_interval_holds_the_mean_of_what_was_seen_and_never_grows(values: list[float]) -> None:
    """More pairs only narrow it."""
    low, high = bounds_at(paired(values), 0.05, None)
    assert -1 <= low < np.mean(values) + 1e-6 <= high + 2e-6
    shorter = bounds_at(paired(values[: len(values) // 2]), 0.05, None)
    assert shorter[0] <= low + 1e-6
    assert shorter[1] >= high - 1e-6


@given(differences, st.sampled_from([-0.3, 0.0, 0.2]))
@settings(max_examples=25, deadline=None)
def test_a_claim_is_rejected_when_the_interval_leaves_it(values: list[float], claim: float) -> None:
    """Both functions give the same decision."""
    above, below = first_rejection(paired(values), claim, 0.05, None)
    low, high = bounds_at(paired(values), 0.05, None)
    assert (above is not None) == (low > claim - 1e-6)
    assert (below is not None) == (high < claim + 1e-6)


def test_a_whole_set_is_known() -> None:
    """Once every question of the set was asked, nothing is uncertain."""
    values = [1.0, 0.0, 0.0, -1.0, 1.0, 0.0]
    low, high = bounds_at(paired(values), 0.05, len(values))
    assert low == pytest.approx(np.mean(values), abs=1e-6)
    assert high == pytest.approx(np.mean(values), abs=1e-6)


def test_other_side_is_a_mirror() -> None:
    """Bets on a smaller mean are those on a larger one with the signs changed."""
    values = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], p=[0.1, 0.5, 0.4], size=80)
    low, high = bounds_at(paired(values.tolist()), 0.1, None)
    mirrored = bounds_at(paired((-values).tolist()), 0.1, None)
    assert (low, high) == pytest.approx((-mirrored[1], -mirrored[0]), abs=1e-6)


@given(differences, st.integers(0, 59), st.sampled_from([None, 100]))
@settings(max_examples=25, deadline=None)
def test_a_failed_pair_only_widens(values: list[float], failed: int, size: int | None) -> None:
    """Not knowing a difference never decides anything earlier."""
    pairs = paired(values)
    least, most = pairs.least.copy(), pairs.most.copy()
    least[failed % len(values)], most[failed % len(values)] = -1.0, 1.0
    low, high = bounds_at(pairs, 0.05, size)
    wider = bounds_at(PairedRange(least, most), 0.05, size)
    assert wider[0] <= low + 1e-6
    assert wider[1] >= high - 1e-6


def test_no_pairs_say_nothing() -> None:
    """Before the first pair every mean is possible."""
    assert first_rejection(paired([]), 0.0, 0.05, None) == (None, None)
    assert bounds_at(paired([]), 0.05, None) == pytest.approx((-1.0, 1.0), abs=1e-6)


@pytest.mark.parametrize("size", [None, 200])
def test_looking_after_every_pair_errs_no_more_often_than_the_level(size: int | None) -> None:
    """Among 600 runs without a difference, fewer than 10 % ever show one at a level of 10 %."""
    rng = np.random.default_rng(11)
    errors = 0
    for _ in range(600):
        changed = rng.choice([20, 60, 120]) // 2
        values = np.zeros(200)
        values[:changed], values[changed : 2 * changed] = 1.0, -1.0
        values = rng.permutation(values) if size else rng.choice(values, size=200)
        errors += first_rejection(paired(values.tolist()), 0.0, 0.1, size) != (None, None)
    assert errors < 60


def test_documents_of_unequal_sizes_are_a_fair_game_about_the_mean_over_questions() -> None:
    """Large documents have other differences than small ones; the claim is about all questions."""
    sizes, means = np.array([1.0, 2.0, 10.0]), np.array([0.9, 0.5, 0.2])
    mean = float(sizes @ means / sizes.sum())
    rng = np.random.default_rng(6)
    chosen = rng.integers(0, 3, size=(2000, 8))
    capital = np.array(
        [np.exp(log_capital(means[each], mean, None, sizes[each] / 10)[-1]) for each in chosen]
    )
    assert abs(capital.mean() - 1) < 4 * capital.std() / math.sqrt(len(capital))


def test_the_interval_of_documents_holds_the_mean_over_questions() -> None:
    """The mean of the documents' means, -0.1, is another number, and is rejected."""
    sizes = np.tile([1.0, 10.0], 200)
    means = np.tile([-0.5, 0.3], 200)
    low, high = bounds_at(PairedRange(means, means, sizes / 10), 0.05, None)
    assert low < (sizes @ means) / sizes.sum() < high
    assert low > means.mean()


def test_what_is_undefined_says_nothing() -> None:
    """A question without a value changes no claim, wherever it stands."""
    values = np.random.default_rng(8).choice([-1.0, 0.0, 1.0], 60)
    shares = np.ones(60)
    shares[[3, 17, 40]] = 0.0
    known = values[shares > 0]
    assert bounds_at(PairedRange(values, values, shares), 0.05, None) == bounds_at(
        PairedRange(known, known), 0.05, None
    )


def test_a_whole_set_is_known_over_its_defined_questions() -> None:
    """How many have no value is not known in advance, and need not be."""
    values = np.array([0.5, -1.0, 0.0, 0.25])
    shares = np.array([1.0, 0.0, 1.0, 1.0])
    assert bounds_at(PairedRange(values, values, shares), 0.05, 4) == pytest.approx(
        (0.25, 0.25), abs=1e-6
    )


def test_a_set_with_undefined_questions_is_a_fair_game() -> None:
    """Over all orders of the set, the mean of the capital is 1 under the true claim."""
    values, shares = np.array([0.1, 0.9, 0.4, 0.7, 0.2]), np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    mean = float(values[shares > 0].mean())
    rng = np.random.default_rng(7)
    orders = [rng.permutation(5) for _ in range(2000)]
    capital = np.array([np.exp(log_capital(values[o], mean, 5, shares[o])[3]) for o in orders])
    assert abs(capital.mean() - 1) < 4 * capital.std() / math.sqrt(len(capital))
