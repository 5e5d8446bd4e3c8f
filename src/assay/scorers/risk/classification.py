"""Accuracy, precision, recall and F scores of classes, from confusion matrices.

For class k: TP is the cell (k, k), FP the rest of column k, and FN the rest of row k, including
unparsed replies. A ratio with a zero denominator is undefined and returned as NaN. There are two
macro means: over all classes, where an undefined score counts as 0 (scikit-learn with
``zero_division=0`` and all labels), and over the classes with a defined score (with
``zero_division=nan``).

Every function takes one matrix or an array of matrices and returns a value for each matrix.
"""

import numpy as np

from assay.scorers.risk.confusion import Floats, predicted_counts, total, true_counts


def share(part: Floats, denominator: Floats) -> Floats:
    """``part / denominator``, element by element; NaN where the denominator is 0.

    >>> share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    shares: Floats = np.full_like(part, np.nan, dtype=np.float64)
    np.divide(part, denominator, out=shares, where=np.asarray(denominator) > 0)
    return shares


def accuracy(matrices: Floats) -> Floats:
    """Correct verdicts / all cases; unparsed replies count as wrong. NaN without cases.

    >>> accuracy(np.array([[1.0, 1, 0], [0, 1, 1]])).tolist()
    0.5
    """
    return share(_hits(matrices).sum(axis=-1), total(matrices))


def precision(matrices: Floats) -> Floats:
    """TP / (TP + FP) of each class; NaN if the class was never predicted.

    >>> precision(np.array([[1.0, 1, 0], [0, 1, 1]])).tolist()
    [1.0, 0.5]
    >>> precision(np.array([[0.0, 1, 0], [0, 1, 1]])).tolist()
    [nan, 0.5]
    """
    return share(_hits(matrices), predicted_counts(matrices))


def recall(matrices: Floats) -> Floats:
    """TP / (TP + FN) of each class; NaN if the class was never true.

    Unparsed replies count as FN.

    >>> recall(np.array([[0.0, 0, 0], [0, 1, 1]])).tolist()
    [nan, 0.5]
    """
    return share(_hits(matrices), true_counts(matrices))


def f_beta(matrices: Floats, beta: float = 1.0) -> Floats:
    """The F score of each class: (1 + β²) TP / ((1 + β²) TP + β² FN + FP).

    This equals (1 + β²) P R / (β² P + R), so recall weighs β times as much as precision. The
    score is 0.0 if a class is true or predicted but never predicted correctly, and NaN if it is
    neither true nor predicted.

    >>> f_beta(np.array([[2.0, 1, 1], [2, 0, 0]])).tolist()
    [0.5, 0.0]
    """
    # (1 + β²) TP + β² FN + FP = β² (TP + FN) + (TP + FP)
    return share(
        (1 + beta**2) * _hits(matrices),
        beta**2 * true_counts(matrices) + predicted_counts(matrices),
    )


def macro_mean(values: Floats) -> Floats:
    """The mean over the last axis, the classes, without undefined (NaN) values.

    NaN if the value is undefined for every class.

    >>> macro_mean(np.array([1.0, np.nan, 0.5])).tolist()
    0.75
    """
    defined = np.isfinite(values)
    return share(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1))


def macro_mean_of_all(values: Floats) -> Floats:
    """The mean over all classes, the last axis; an undefined (NaN) value counts as 0.

    >>> macro_mean_of_all(np.array([1.0, np.nan, 0.5])).tolist()
    0.5
    """
    means: Floats = np.nan_to_num(values, nan=0.0).mean(axis=-1)
    return means


def _hits(matrices: Floats) -> Floats:
    return np.diagonal(matrices, axis1=-2, axis2=-1)
