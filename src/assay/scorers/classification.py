"""Accuracy, precision, recall and F of classes, from a confusion matrix.

For class k: TP is the cell (k, k), FP the rest of column k, FN the rest of row k, unparsed
replies included. What has nothing to be a share of is ``None``, undefined, and macro means
are over the classes where the score is defined, as scikit-learn has them with
``zero_division=nan``.
"""

from collections.abc import Iterable

from assay.scorers.confusion import Matrix, total


def accuracy(matrix: Matrix) -> float | None:
    """Right verdicts / all cases, unparsed ones being wrong; ``None`` without cases.

    >>> accuracy([[1, 1, 0], [0, 1, 1]])
    0.5
    """
    cases = total(matrix)
    return sum(matrix[k][k] for k in range(len(matrix))) / cases if cases else None


def precision(matrix: Matrix, k: int) -> float | None:
    """TP / (TP + FP); ``None`` where class k was never said.

    >>> precision([[1, 1, 0], [0, 1, 1]], 1), precision([[0, 1, 0], [0, 1, 1]], 0)
    (0.5, None)
    """
    said = sum(row[k] for row in matrix)
    return matrix[k][k] / said if said else None


def recall(matrix: Matrix, k: int) -> float | None:
    """TP / (TP + FN), unparsed replies among the FN; ``None`` where class k never was true.

    >>> recall([[1, 1, 0], [0, 1, 1]], 1), recall([[0, 0, 0], [0, 1, 1]], 0)
    (0.5, None)
    """
    true = sum(matrix[k])
    return matrix[k][k] / true if true else None


def f_beta(matrix: Matrix, k: int, beta: float = 1.0) -> float | None:
    """(1 + β²) TP / ((1 + β²) TP + β² FN + FP), which is (1 + β²) P R / (β² P + R).

    Recall weighs β times as much as precision. 0.0 where class k is never hit although it is
    true or said of something; ``None`` where it is neither.

    >>> f_beta([[2, 1, 1], [2, 0, 0]], 0), round(f_beta([[2, 1, 1], [1, 0, 0]], 0, 2), 4)
    (0.5, 0.5263)
    """
    hits = (1 + beta**2) * matrix[k][k]
    missed = sum(matrix[k]) - matrix[k][k]
    false = sum(row[k] for row in matrix) - matrix[k][k]
    whole = hits + beta**2 * missed + false
    return hits / whole if whole else None


def macro_precision(matrix: Matrix) -> float | None:
    """The mean of the classes' precisions; see the module on undefined ones.

    >>> macro_precision([[1, 1, 0], [0, 1, 1]])
    0.75
    """
    return _mean(precision(matrix, k) for k in range(len(matrix)))


def macro_recall(matrix: Matrix) -> float | None:
    """The mean of the classes' recalls; see the module on undefined ones.

    >>> macro_recall([[1, 1, 0], [0, 1, 1]])
    0.5
    """
    return _mean(recall(matrix, k) for k in range(len(matrix)))


def macro_f1(matrix: Matrix) -> float | None:
    """The mean of the classes' F1; see the module on undefined ones.

    >>> round(macro_f1([[1, 1, 0], [0, 1, 1]]), 4)
    0.5833
    """
    return _mean(f_beta(matrix, k) for k in range(len(matrix)))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
