"""Compares kappa, F-beta and macro scores with scikit-learn on random confusion matrices."""

import math
import warnings

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    fbeta_score,
    precision_recall_fscore_support,
)

from assay.jobs.contract.classification import (
    Floats,
    accuracy,
    f_beta,
    linear_weighted_kappa,
    macro_mean,
    macro_mean_of_all,
    parsed_part,
    precision,
    quadratic_weighted_kappa,
    recall,
)
from assay.jobs.contract.score import CELLS, COUNTED, review_metrics

LABELS = [0, 1, 2]
UNPARSED = 3


def random_matrices(count: int, seed: int) -> list[list[list[int]]]:
    """Small and large matrices; in some, a class is absent, never predicted, or the only one."""
    rng = np.random.default_rng(seed)
    matrices = []
    for number in range(count):
        matrix = rng.integers(0, rng.choice([2, 4, 30]), size=(3, 4))
        match number % 6:
            case 1:
                matrix[rng.integers(3)] = 0
            case 2:
                matrix[:, rng.integers(3)] = 0
            case 3:
                matrix[:] = 0
                matrix[rng.integers(3), rng.integers(4)] = 7
            case 4:
                matrix[:, 3] = 0
            case _:
                pass
        matrices.append(matrix.tolist())
    return matrices


MATRICES = random_matrices(300, seed=20)


def labels_of(matrix: list[list[int]], columns: int = 4) -> tuple[list[int], list[int]]:
    """The cases that a matrix counts, as the list of true and the list of predicted labels."""
    cases = [(i, j) for i in LABELS for j in range(columns) for _ in range(matrix[i][j])]
    return [i for i, _ in cases], [j for _, j in cases]


def counts(matrix: list[list[int]]) -> Floats:
    """A matrix as an array, which is the input of the scorers."""
    return np.array(matrix, dtype=np.float64)


def same(actual: float, expected: float) -> bool:
    """Whether two values are equal, or both undefined."""
    return actual == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_kappa_is_scikit_learns(weights: str):
    """Kappa of the parsed cases equals scikit-learn's, also for matrices with empty classes."""
    kappa = {"linear": linear_weighted_kappa, "quadratic": quadratic_weighted_kappa}[weights]
    undefined = 0
    for matrix in MATRICES:
        true, predicted = labels_of(matrix, columns=3)
        value = float(kappa(counts(matrix)))
        if not true:
            assert math.isnan(value)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn warns if kappa is undefined
            expected = cohen_kappa_score(true, predicted, labels=LABELS, weights=weights)
        assert same(value, expected), matrix
        undefined += math.isnan(value)
    assert 0 < undefined < len(MATRICES) / 2


def test_precision_recall_and_f_are_scikit_learns():
    """Values for each class and macro means agree; an unparsed reply is a fourth label."""
    for matrix in MATRICES:
        true, predicted = labels_of(matrix)
        if not true:
            continue
        actual = [metric(counts(matrix)) for metric in (precision, recall, f_beta)]
        expected = precision_recall_fscore_support(
            true, predicted, labels=LABELS, average=None, zero_division=np.nan
        )
        for actual_values, expected_values in zip(actual, expected, strict=False):
            assert all(map(same, actual_values, expected_values)), matrix
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            macro = precision_recall_fscore_support(
                true, predicted, labels=LABELS, average="macro", zero_division=np.nan
            )
            macro_of_all = precision_recall_fscore_support(
                true, predicted, labels=LABELS, average="macro", zero_division=0
            )
        assert all(map(same, map(macro_mean, actual), macro[:3])), matrix
        assert all(map(same, map(macro_mean_of_all, actual), macro_of_all[:3])), matrix


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_f_beta_is_scikit_learns(beta: float):
    """F-beta agrees for each class, with recall weighing less, as much and more."""
    for matrix in MATRICES:
        true, predicted = labels_of(matrix)
        if not true:
            continue
        expected = fbeta_score(
            true, predicted, beta=beta, labels=LABELS, average=None, zero_division=np.nan
        )
        assert all(map(same, f_beta(counts(matrix), beta), expected)), matrix


def test_accuracy_and_the_matrix_are_scikit_learns():
    """Accuracy and the matrix of the parsed cases agree; an unparsed reply is never correct."""
    for matrix in MATRICES:
        true, predicted = labels_of(matrix)
        if not true:
            assert math.isnan(accuracy(counts(matrix)))
            continue
        assert accuracy(counts(matrix)) == pytest.approx(accuracy_score(true, predicted))
        parsed_true, parsed_predicted = labels_of(matrix, columns=3)
        if parsed_true:
            expected = confusion_matrix(parsed_true, parsed_predicted, labels=LABELS)
            assert parsed_part(counts(matrix)).tolist() == expected.tolist()


def test_metrics_of_many_totals_at_once_are_those_of_each():
    """The metrics of one set of clauses do not depend on how many sets are computed together."""
    rng = np.random.default_rng(4)
    counted = rng.integers(0, 4, size=(len(MATRICES), len(COUNTED)))
    totals = np.hstack([np.array(MATRICES).reshape(-1, CELLS), counted]).astype(float)
    together = review_metrics(totals)
    for number in range(len(totals)):
        alone = review_metrics(totals[number : number + 1])
        assert alone.keys() == together.keys()
        for name, value in alone.items():
            np.testing.assert_array_equal(value, together[name][number : number + 1], name)
