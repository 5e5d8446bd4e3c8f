import pytest

from assay.scorers.classification import (
    accuracy,
    f_beta,
    macro_f1,
    macro_precision,
    macro_recall,
    precision,
    recall,
)
from assay.scorers.confusion import parsed_part, row_shares, total, unparsed
from assay.scorers.ordinal import (
    RISK_SCORES,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_accuracy,
)

EMPTY = [[0, 0, 0, 0]] * 3
ONE_CLASS = [[0, 0, 0, 0], [0, 5, 0, 0], [0, 0, 0, 0]]


def test_unparsed_has_its_own_column():
    """What could not be read is counted for its true class, never as a class."""
    matrix = [[1, 0, 1], [1, 0, 1]]
    assert (total(matrix), unparsed(matrix)) == (4, 2)
    assert parsed_part(matrix) == [[1, 0], [1, 0]]
    assert row_shares(matrix) == [[0.5, 0.0, 0.5], [0.5, 0.0, 0.5]]


def test_unparsed_is_wrong_missed_and_worth_nothing():
    """It lowers accuracy, recall and weighted accuracy, and leaves precision and kappa alone."""
    parsed = [[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 4, 0]]
    more = [[4, 1, 0, 5], [1, 3, 1, 0], [0, 1, 4, 0]]
    assert accuracy(parsed) == pytest.approx(11 / 15)
    assert accuracy(more) == pytest.approx(11 / 20)
    assert (recall(parsed, 0), recall(more, 0)) == (0.8, 0.4)
    before, after = weighted_accuracy(parsed), weighted_accuracy(more)
    assert before is not None
    assert after == pytest.approx(before * 15 / 20)
    assert precision(parsed, 0) == precision(more, 0)
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
        matrix = [[int((i, j) == (row, column)) for column in range(4)] for row in range(3)]
        assert weighted_accuracy(matrix) == worth


def test_weighted_accuracy_by_hand():
    """A whole matrix: (2·1 + 1·0.4 + 3·0.8 + 1·0.4 + 2·0.5 + 4·1) / 15, two of them unparsed."""
    matrix = [[2, 1, 0, 1], [3, 0, 1, 0], [2, 0, 4, 1]]
    assert weighted_accuracy(matrix) == pytest.approx(10.2 / 15)
    assert weighted_accuracy(matrix, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) == accuracy(matrix)
    assert RISK_SCORES[0][2] == 0.0


def test_nothing_to_count_is_undefined():
    """Without cases every metric is undefined, not zero."""
    for metric in (accuracy, weighted_accuracy, linear_weighted_kappa, macro_f1, macro_recall):
        assert metric(EMPTY) is None
    assert [f_beta(EMPTY, k) for k in range(3)] == [None] * 3


def test_kappa_of_one_class_alone_is_undefined():
    """Where chance alone would be right always, there is nothing to do better than."""
    assert linear_weighted_kappa(ONE_CLASS) is None
    assert quadratic_weighted_kappa(ONE_CLASS) is None
    assert accuracy(ONE_CLASS) == 1.0
    assert macro_f1(ONE_CLASS) == 1.0


def test_a_class_that_is_never_said_has_no_precision_but_an_f1_of_zero():
    """Undefined precision is left out of its mean; the missed class still pulls F1 down."""
    matrix = [[0, 2, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]]
    assert precision(matrix, 0) is None
    assert macro_precision(matrix) == pytest.approx((0.5 + 1.0) / 2)
    assert f_beta(matrix, 0) == 0.0
    assert macro_f1(matrix) == pytest.approx((0.0 + 2 / 3 + 1.0) / 3)
