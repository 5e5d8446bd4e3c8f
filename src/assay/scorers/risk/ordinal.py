"""Scores of ordered classes: weighted kappa, and accuracy weighted by the cost of errors.

Every function takes one confusion matrix or an array of them and returns a value for each.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from assay.scorers.risk.classification import share
from assay.scorers.risk.confusion import Floats, parsed_part, predicted_counts, total, true_counts

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


def _kappa(matrices: Floats, power: int) -> Floats:
    counts = parsed_part(matrices)
    true, predicted = true_counts(counts), predicted_counts(counts)
    classes = np.arange(counts.shape[-1])
    # The weights need no division by C - 1, because it cancels out.
    weights = np.abs(classes[:, np.newaxis] - classes).astype(np.float64) ** power
    by_chance = np.einsum("...i,...j,ij->...", true, predicted, weights)
    observed = np.einsum("...ij,ij->...", counts, weights) * total(counts)
    return 1 - share(observed, by_chance)
