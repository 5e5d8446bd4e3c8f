"""Accuracy, precision, recall and F of classes, from confusion matrices.

For class k: TP is the cell (k, k), FP the rest of column k, FN the rest of row k, unparsed
replies included. What has nothing to be a share of is NaN, undefined, and macro means are over
the classes where the score is defined, as scikit-learn has them with ``zero_division=nan``.

Every function takes one matrix or an array of many, and returns a value for each of them.
"""

import numpy as np

from assay.scorers.risk.confusion import Floats, said_counts, total, true_counts


def share(part: Floats, whole: Floats) -> Floats:
    """Part / whole; NaN where the whole is 0.

    >>> share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    shares: Floats = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)
    return shares


def accuracy(matrices: Floats) -> Floats:
    """Right verdicts / all cases, unparsed ones being wrong; NaN without cases.

    >>> accuracy(np.array([[1.0, 1, 0], [0, 1, 1]])).tolist()
    0.5
    """
    return share(_hits(matrices).sum(axis=-1), total(matrices))


def precision(matrices: Floats) -> Floats:
    """TP / (TP + FP) of each class; NaN where the class was never said.

    >>> precision(np.array([[1.0, 1, 0], [0, 1, 1]])).tolist()
    [1.0, 0.5]
    >>> precision(np.array([[0.0, 1, 0], [0, 1, 1]])).tolist()
    [nan, 0.5]
    """
    return share(_hits(matrices), said_counts(matrices))


def recall(matrices: Floats) -> Floats:
    """TP / (TP + FN) of each class, unparsed replies among the FN; NaN where it never was true.

    >>> recall(np.array([[0.0, 0, 0], [0, 1, 1]])).tolist()
    [nan, 0.5]
    """
    return share(_hits(matrices), true_counts(matrices))


def f_beta(matrices: Floats, beta: float = 1.0) -> Floats:
    """(1 + β²) TP / ((1 + β²) TP + β² FN + FP), which is (1 + β²) P R / (β² P + R), of each class.

    Recall weighs β times as much as precision. 0.0 where a class is never hit although it is
    true or said of something; NaN where it is neither.

    >>> f_beta(np.array([[2.0, 1, 1], [2, 0, 0]])).tolist()
    [0.5, 0.0]
    """
    # (1 + β²) TP + β² FN + FP = β² (TP + FN) + (TP + FP)
    return share(
        (1 + beta**2) * _hits(matrices), beta**2 * true_counts(matrices) + said_counts(matrices)
    )


def macro_mean(values: Floats) -> Floats:
    """The mean over the classes, the last axis; those where the score is undefined are left out.

    >>> macro_mean(np.array([1.0, np.nan, 0.5])).tolist()
    0.75
    """
    known = np.isfinite(values)
    return share(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1))


def _hits(matrices: Floats) -> Floats:
    return np.diagonal(matrices, axis1=-2, axis2=-1)
