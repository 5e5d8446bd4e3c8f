"""The confusion matrix: what was true against what was said, unparsed replies apart.

A reply from which no class could be read is no class: it has a column of its own, the last.
It is wrong for accuracy, and its clause is missed for the recall of its true class.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""One matrix, or many along the leading axes; or values, one for each matrix."""

Matrix: TypeAlias = Sequence[Sequence[float]]
"""Rows are what is true, columns what was said: a column a class, then, where there is one
more column than rows, the unparsed. Numbers may be weights as well as counts."""


def total(matrices: Floats) -> Floats:
    """How many cases there are, the unparsed among them.

    >>> total(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    3.0
    """
    return np.asarray(matrices.sum(axis=(-2, -1)))


def unparsed(matrix: Matrix) -> float:
    """How many cases have no class read from their reply.

    >>> unparsed([[1, 1, 0], [0, 0, 1]]), unparsed([[1, 1], [0, 0]])
    (1, 0)
    """
    return sum(sum(row[len(matrix) :]) for row in matrix)


def parsed_part(matrices: Floats) -> Floats:
    """The square part: only cases whose reply could be read.

    >>> parsed_part(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    return matrices[..., : matrices.shape[-2]]


def true_counts(matrices: Floats) -> Floats:
    """How often each class is true, the unparsed cases included: the sums of the rows.

    >>> true_counts(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    [2.0, 1.0]
    """
    # several times as fast as sum() over so short an axis
    sums: Floats = np.einsum("...ij->...i", matrices)
    return sums


def said_counts(matrices: Floats) -> Floats:
    """How often each class is said: the sums of the columns.

    >>> said_counts(np.array([[1.0, 1, 0], [0, 0, 1]])).tolist()
    [1.0, 1.0]
    """
    sums: Floats = np.einsum("...ij->...j", parsed_part(matrices))
    return sums


def row_shares(matrix: Matrix) -> list[list[float | None]]:
    """Each cell as a share of its row; ``None`` in the row of a class that never was true.

    >>> row_shares([[3, 1, 0], [0, 0, 0]])
    [[0.75, 0.25, 0.0], [None, None, None]]
    """
    sums = [sum(row) for row in matrix]
    return [
        [cell / whole if whole else None for cell in row]
        for row, whole in zip(matrix, sums, strict=True)
    ]
