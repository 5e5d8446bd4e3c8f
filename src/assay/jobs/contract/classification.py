"""Accuracy, precision, recall and F scores of classes, from confusion matrices.

For class k: TP is the cell (k, k), FP the rest of column k, and FN the rest of row k, including
unparsed replies. A ratio with a zero denominator is undefined and returned as NaN. There are two
macro means: over all classes, where an undefined score counts as 0 (scikit-learn with
``zero_division=0`` and all labels), and over the classes with a defined score (with
``zero_division=nan``).

Every function takes one matrix or an array of matrices and returns a value for each matrix.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

# The confusion matrix: true classes in rows, predicted classes in columns.
#
# A reply from which no class could be parsed is counted in an extra column, the last one. It
# counts as wrong for accuracy and as missed for the recall of its true class.

Floats: TypeAlias = NDArray[np.float64]
"""One matrix, or several along the leading axes; or one value for each matrix."""

Matrix: TypeAlias = Sequence[Sequence[float]]
"""Rows are true classes and columns are predicted classes, in the same order. If there is one
more column than rows, the last column has the unparsed replies. Cells may be counts or weights."""


def total(matrices: Floats) -> Floats:
    """The number of cases, including unparsed ones.

    >>> total(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    3.0
    """
    return np.asarray(matrices.sum(axis=(-2, -1)))


def unparsed(matrix: Matrix) -> float:
    """The number of cases whose reply could not be parsed.

    >>> unparsed([[1, 1, 0], [0, 0, 1]]), unparsed([[1, 1], [0, 0]])
    (1, 0)
    """
    return sum(sum(row[len(matrix) :]) for row in matrix)


def parsed_part(matrices: Floats) -> Floats:
    """The square part of a matrix: only the cases whose reply could be parsed.

    >>> parsed_part(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    return matrices[..., : matrices.shape[-2]]


def true_counts(matrices: Floats) -> Floats:
    """How often each class is true, including unparsed cases: the sums of the rows.

    >>> true_counts(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    [2.0, 1.0]
    """
    # For such a short axis, einsum() is several times as fast as sum().
    sums: Floats = np.einsum("...ij->...i", matrices)
    return sums


def predicted_counts(matrices: Floats) -> Floats:
    """How often each class is predicted: the sums of the columns.

    >>> predicted_counts(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    [1.0, 1.0]
    """
    sums: Floats = np.einsum("...ij->...j", parsed_part(matrices))
    return sums


def row_shares(matrix: Matrix) -> list[list[float | None]]:
    """Each cell as a share of its row; ``None`` in the row of a class that is never true.

    >>> row_shares([[3, 1, 0], [0, 0, 0]])
    [[0.75, 0.25, 0.0], [None, None, None]]
    """
    sums = [sum(row) for row in matrix]
    return [
        [cell / row_sum if row_sum else None for cell in row]
        for row, row_sum in zip(matrix, sums, strict=True)
    ]


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


# Scores of ordered classes: weighted kappa, and accuracy weighted by the cost of errors.
#
# Every function takes one confusion matrix or an array of them and returns a value for each.

Worth = Sequence[Sequence[float]]

RISK_SCORES: Final = (
    (1.0, 0.4, 0.0),
    (0.8, 1.0, 0.4),
    (0.5, 0.8, 1.0),
)
"""The score of a verdict (column) for a true level (row), in the order high, medium, low.
Underestimating a risk costs more than overestimating it."""


def weighted_accuracy(matrices: Floats, scores: Worth = RISK_SCORES) -> Floats:
    """Σ count × score / all cases. An unparsed reply scores 0. NaN without cases.

    >>> weighted_accuracy(np.array([[1.0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]])).tolist()
    0.475
    """
    score_sums = (parsed_part(matrices) * np.asarray(scores, dtype=np.float64)).sum(axis=(-2, -1))
    return share(score_sums, total(matrices))


def linear_weighted_kappa(matrices: Floats) -> Floats:
    """Cohen's kappa with weights w = |i - j| / (C - 1): 1 - Σ w O / Σ w E.

    C is the number of classes, O are the observed counts, and E are the counts expected by
    chance from the same row and column sums. Only parsed replies count, because an unparsed
    reply has no distance from any class; it lowers accuracy and recall instead, and summaries
    show the number of unparsed replies next to kappa.

    NaN if no reply is parsed, or if all true and all predicted classes are the same class
    (Σ w E = 0). Source: J. Cohen, "Weighted kappa", Psychological Bulletin 70 (1968).

    >>> matrix = np.array([[3.0, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]])
    >>> round(float(linear_weighted_kappa(matrix)), 4)
    0.7826
    """
    return _kappa(matrices, 1)


def quadratic_weighted_kappa(matrices: Floats) -> Floats:
    """Like ``linear_weighted_kappa``, but with squared weights.

    An error of two classes costs four times as much as an error of one class.

    >>> matrix = np.array([[3.0, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]])
    >>> round(float(quadratic_weighted_kappa(matrix)), 4)
    0.8571
    """
    return _kappa(matrices, 2)


def chance_agreement(matrices: Floats, power: int) -> Floats:
    """The share of agreement that kappa expects by chance, with these weights: 1 - Σ w E.

    >>> round(float(chance_agreement(np.array([[3.0, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]]), 1)), 2)
    0.54
    """
    counts = parsed_part(matrices)
    furthest = (counts.shape[-1] - 1) ** power
    return 1 - share(_by_chance(counts, power) / furthest, total(counts) ** 2)


def _kappa(matrices: Floats, power: int) -> Floats:
    counts = parsed_part(matrices)
    observed = np.einsum("...ij,ij->...", counts, _distances(counts, power)) * total(counts)
    return 1 - share(observed, _by_chance(counts, power))


def _by_chance(counts: Floats, power: int) -> Floats:
    sums: Floats = np.einsum(
        "...i,...j,ij->...",
        true_counts(counts),
        predicted_counts(counts),
        _distances(counts, power),
    )
    return sums


def _distances(counts: Floats, power: int) -> Floats:
    # The weights of kappa need no division by C - 1, because it cancels out.
    classes = np.arange(counts.shape[-1])
    distances: Floats = np.abs(classes[:, np.newaxis] - classes).astype(np.float64) ** power
    return distances
