"""Sign flips: exact where few rows differ, drawn otherwise, and the same in any order."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.stats.flip import Flips
from assay.stats.resample import stream


def flips(rows: NDArray[np.float64], resamples: int = 999, seed: int = 0) -> Flips:
    """The flips of some rows, with a stream of their own."""
    return Flips.of_rows(rows, resamples=resamples, rng=stream(seed))


def test_few_rows_are_counted_and_many_are_drawn():
    """Up to 13 rows that differ, the p-value is a share of all combinations."""
    exact, drawn = flips(np.ones((13, 1))), flips(np.ones((14, 1)))
    assert (exact.is_exact, drawn.is_exact) == (True, False)
    assert exact.p_value(0) == 1 / 2**13
    assert drawn.p_value(0) == 0.5 / 1000
    assert flips(np.vstack([np.ones((6, 1)), np.zeros((99, 1))])).p_value(0) == 1 / 2**6


def test_a_significant_statistic_is_above_the_critical_one():
    """A corrected p-value below a level means: the statistic is above the critical one, never below."""
    rng = np.random.default_rng(0)
    for seed in range(60):
        rows = rng.choice([-0.5, 0.0, 0.5, 1.0], size=(int(rng.integers(4, 40)), 4))
        test = flips(rows, seed=seed)
        for alpha in (0.01, 0.05, 0.2, 0.4):
            for column in range(4):
                observed, is_small = test.observed[column], test.p_adjusted(column) < alpha
                assert observed > test.critical(alpha) if is_small else True
                assert is_small or observed <= test.critical(alpha) or not test.is_exact


def test_the_critical_value_is_the_last_that_is_not_significant():
    """Of nine equal changes, seven and two are not enough, eight and one are."""
    test = flips(np.ones((9, 1)))
    assert test.critical(0.05) == pytest.approx(5 / 3)
    assert test.critical(0.001) == pytest.approx(3)


def test_correction_counts_what_is_different_only():
    """A copy costs nothing, an independent column costs, and no p-value becomes smaller."""
    rng = np.random.default_rng(1)
    column, other = rng.normal(0.3, 1, (40, 1)), rng.normal(0, 1, (40, 1))
    alone = flips(column).p_adjusted(0)
    assert flips(np.hstack([column, column])).p_adjusted(0) == alone
    assert flips(np.hstack([column, -2 * column])).p_adjusted(0) == alone
    together = flips(np.hstack([column, other]))
    assert together.p_adjusted(0) > together.p_value(0)
    assert alone == flips(column).p_value(0)


def test_nothing_depends_on_the_order_of_a_single_test():
    """Shuffled or negated differences give the same p-value."""
    rng = np.random.default_rng(2)
    column = rng.normal(0.3, 1, (40, 1))
    assert flips(column).p_value(0) == flips(-rng.permutation(column)).p_value(0)


def test_columns_of_zeros_have_no_say():
    """A column without differences has the statistic 0, and nothing at all has the p-value 1."""
    test = flips(np.hstack([np.ones((7, 1)), np.zeros((7, 1))]))
    assert test.observed[1] == 0
    assert test.p_adjusted(0) == 1 / 2**7
    assert flips(np.zeros((3, 1))).p_value(0) == 0.5


def test_normal_draws_agree_with_flips():
    """For many rows, statistics drawn with their correlation have the p-values of flipped rows."""
    rng = np.random.default_rng(3)
    rows = rng.normal(0.02, 1, (8_000, 3))
    rows[:, 2] = 0.7 * rows[:, 1] + 0.3 * rows[:, 2]
    drawn = Flips.of_rows(rows, resamples=9_999, rng=stream(1))
    limit = Flips.of_products(drawn.observed, rows.T @ rows, resamples=9_999, rng=stream(2))
    assert limit.critical(0.05) == pytest.approx(drawn.critical(0.05), abs=0.06)
    for column in range(3):
        assert limit.p_value(column) == pytest.approx(drawn.p_value(column), abs=0.02)
        assert limit.p_adjusted(column) == pytest.approx(drawn.p_adjusted(column), abs=0.02)
