import numpy as np
import pytest

from assay.scorers.risk.classification import (
    accuracy,
    f_beta,
    macro_mean,
    precision,
    recall,
)
from assay.scorers.risk.confusion import parsed_part, row_shares, total, unparsed
from assay.scorers.risk.ordinal import (
    RISK_SCORES,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_accuracy,
)

EMPTY = np.zeros((3, 4))
ONE_CLASS = np.array([[0.0, 0, 0, 0], [0, 5, 0, 0], [0, 0, 0, 0]])


def test_unparsed_has_its_own_column():
    """What could not be read is counted for its true class, never as a class."""
    matrix = [[1, 0, 1], [1, 0, 1]]
    assert (total(np.array(matrix, dtype=float)), unparsed(matrix)) == (4, 2)
    assert parsed_part(np.array(matrix, dtype=float)).tolist() == [[1, 0], [1, 0]]
    assert row_shares(matrix) == [[0.5, 0.0, 0.5], [0.5, 0.0, 0.5]]


def test_unparsed_is_wrong_missed_and_worth_nothing():
    """It lowers accuracy, recall and weighted accuracy, and leaves precision and kappa alone."""
    parsed = np.array([[4.0, 1, 0, 0], [1, 3, 1, 0], [0, 1, 4, 0]])
    more = np.array([[4.0, 1, 0, 5], [1, 3, 1, 0], [0, 1, 4, 0]])
    assert accuracy(parsed) == pytest.approx(11 / 15)
    assert accuracy(more) == pytest.approx(11 / 20)
    assert (recall(parsed)[0], recall(more)[0]) == (0.8, 0.4)
    assert weighted_accuracy(more) == pytest.approx(weighted_accuracy(parsed) * 15 / 20)
    assert precision(parsed).tolist() == precision(more).tolist()
    assert linear_weighted_kappa(parsed) == linear_weighted_kappa(more)


def test_each_of_the_nine_cells_is_worth_what_the_table_says():
    """Weighted accuracy by hand: one clause in one cell scores the cell."""
    expected = {
        (0, 0): 1.0,
        (0, 1): 0.4,
        (0, 2): 0.0,
        (1, 0): 0.8,
        (1, 1): 1.0,
        (1, 2): 0.4,
        (2, 0): 0.5,
        (2, 1): 0.8,
        (2, 2): 1.0,
        (0, 3): 0.0,
        (1, 3): 0.0,
        (2, 3): 0.0,
    }
    for (i, j), worth in expected.items():
        matrix = np.zeros((3, 4))
        matrix[i, j] = 1
        assert weighted_accuracy(matrix) == worth


def test_weighted_accuracy_by_hand():
    """A whole matrix: (2·1 + 1·0.4 + 3·0.8 + 1·0.4 + 2·0.5 + 4·1) / 15, two of them unparsed."""
    matrix = np.array([[2.0, 1, 0, 1], [3, 0, 1, 0], [2, 0, 4, 1]])
    assert weighted_accuracy(matrix) == pytest.approx(10.2 / 15)
    assert weighted_accuracy(matrix, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) == accuracy(matrix)
    assert RISK_SCORES[0][2] == 0.0


def test_nothing_to_count_is_undefined():
    """Without cases every metric is undefined, not zero."""
    for metric in (accuracy, weighted_accuracy, linear_weighted_kappa):
        assert np.isnan(metric(EMPTY))
    for by_class in (precision, recall, f_beta):
        assert np.isnan(by_class(EMPTY)).all()
        assert np.isnan(macro_mean(by_class(EMPTY)))


def test_kappa_of_one_class_alone_is_undefined():
    """Where chance alone would be right always, there is nothing to do better than."""
    assert np.isnan(linear_weighted_kappa(ONE_CLASS))
    assert np.isnan(quadratic_weighted_kappa(ONE_CLASS))
    assert accuracy(ONE_CLASS) == 1.0
    assert macro_mean(f_beta(ONE_CLASS)) == 1.0


def test_a_class_that_is_never_said_has_no_precision_but_an_f1_of_zero():
    """Undefined precision is left out of its mean; the missed class still pulls F1 down."""
    matrix = np.array([[0.0, 2, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]])
    assert np.isnan(precision(matrix)[0])
    assert macro_mean(precision(matrix)) == pytest.approx((0.5 + 1.0) / 2)
    assert f_beta(matrix)[0] == 0.0
    assert macro_mean(f_beta(matrix)) == pytest.approx((0.0 + 2 / 3 + 1.0) / 3)
