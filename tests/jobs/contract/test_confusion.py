import numpy as np
import pytest

from assay.jobs.contract.classification import (
    RISK_SCORES,
    accuracy,
    f_beta,
    linear_weighted_kappa,
    macro_mean,
    parsed_part,
    precision,
    quadratic_weighted_kappa,
    recall,
    row_shares,
    total,
    unparsed,
    weighted_accuracy,
)

EMPTY = np.zeros((3, 4))
ONE_CLASS = np.array([[0.0, 0, 0, 0], [0, 5, 0, 0], [0, 0, 0, 0]])


def test_unparsed_has_its_own_column():
    """Unparsed replies count in the row of their true class and are no class themselves."""
    matrix = [[1, 0, 1], [1, 0, 1]]
    assert (total(np.array(matrix, dtype=float)), unparsed(matrix)) == (4, 2)
    assert parsed_part(np.array(matrix, dtype=float)).tolist() == [[1, 0], [1, 0]]
    assert row_shares(matrix) == [[0.5, 0.0, 0.5], [0.5, 0.0, 0.5]]


def test_unparsed_is_wrong_missed_and_worth_nothing():
    """Unparsed replies lower accuracy, recall and weighted accuracy, not precision and kappa."""
    parsed = np.array([[4.0, 1, 0, 0], [1, 3, 1, 0], [0, 1, 4, 0]])
    with_unparsed = np.array([[4.0, 1, 0, 5], [1, 3, 1, 0], [0, 1, 4, 0]])
    assert accuracy(parsed) == pytest.approx(11 / 15)
    assert accuracy(with_unparsed) == pytest.approx(11 / 20)
    assert (recall(parsed)[0], recall(with_unparsed)[0]) == (0.8, 0.4)
    assert weighted_accuracy(with_unparsed) == pytest.approx(weighted_accuracy(parsed) * 15 / 20)
    assert precision(parsed).tolist() == precision(with_unparsed).tolist()
    assert linear_weighted_kappa(parsed) == linear_weighted_kappa(with_unparsed)


def test_each_cell_has_the_score_of_the_table():
    """The weighted accuracy of a single clause is the score of its cell; unparsed scores 0."""
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
    for (i, j), score in expected.items():
        matrix = np.zeros((3, 4))
        matrix[i, j] = 1
        assert weighted_accuracy(matrix) == score


def test_weighted_accuracy_by_hand():
    """For 15 clauses, two unparsed: (2·1 + 1·0.4 + 3·0.8 + 1·0.4 + 2·0.5 + 4·1) / 15."""
    matrix = np.array([[2.0, 1, 0, 1], [3, 0, 1, 0], [2, 0, 4, 1]])
    assert weighted_accuracy(matrix) == pytest.approx(10.2 / 15)
    assert weighted_accuracy(matrix, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) == accuracy(matrix)
    assert RISK_SCORES[0][2] == 0.0


def test_nothing_to_count_is_undefined():
    """Without cases every metric is undefined (NaN), not zero."""
    for metric in (accuracy, weighted_accuracy, linear_weighted_kappa):
        assert np.isnan(metric(EMPTY))
    for by_class in (precision, recall, f_beta):
        assert np.isnan(by_class(EMPTY)).all()
        assert np.isnan(macro_mean(by_class(EMPTY)))


def test_kappa_of_a_single_class_is_undefined():
    """If there is only one class, chance is always correct and kappa is undefined."""
    assert np.isnan(linear_weighted_kappa(ONE_CLASS))
    assert np.isnan(quadratic_weighted_kappa(ONE_CLASS))
    assert accuracy(ONE_CLASS) == 1.0
    assert macro_mean(f_beta(ONE_CLASS)) == 1.0


def test_a_class_that_is_never_predicted_has_no_precision_but_an_f1_of_zero():
    """An undefined precision is left out of the mean, but the missed class lowers the mean F1."""
    matrix = np.array([[0.0, 2, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]])
    assert np.isnan(precision(matrix)[0])
    assert macro_mean(precision(matrix)) == pytest.approx((0.5 + 1.0) / 2)
    assert f_beta(matrix)[0] == 0.0
    assert macro_mean(f_beta(matrix)) == pytest.approx((0.0 + 2 / 3 + 1.0) / 3)
