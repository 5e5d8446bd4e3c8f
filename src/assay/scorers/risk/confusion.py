"""The confusion matrix: true classes in rows, predicted classes in columns.

A reply from which no class could be parsed is counted in an extra column, the last one. It
counts as wrong for accuracy and as missed for the recall of its true class.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
