"""Scores of ordered classes: weighted kappa, and accuracy weighted by what an error costs.

Every function takes one confusion matrix or an array of many, and returns a value for each.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from assay.scorers.risk.classification import share
from assay.scorers.risk.confusion import Floats, parsed_part, said_counts, total, true_counts

RISK_SCORES: Final = (
    (1.0, 0.4, 0.0),
    (0.8, 1.0, 0.4),
    (0.5, 0.8, 1.0),
)
"""What a verdict (column) is worth by what is true (row), high, medium, low: a risk played down
costs more than one played up."""


def weighted_accuracy(matrices: Floats, scores: Sequence[Sequence[float]] = RISK_SCORES) -> Floats:
    """Σ count × score / all cases; an unparsed reply scores 0. NaN without cases.

    >>> weighted_accuracy(np.array([[1.0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]])).tolist()
    0.475
    """
    won = (parsed_part(matrices) * np.asarray(scores, dtype=np.float64)).sum(axis=(-2, -1))
    return share(won, total(matrices))


def linear_weighted_kappa(matrices: Floats) -> Floats:
    """Cohen's kappa with weights |i - j| / (C - 1): 1 - Σ w O / Σ w E.

    O are the counts, E what the same rows and columns would give by chance. Over the parsed
    replies alone: an unparsed one is at no distance from any class, so it counts in accuracy
    and recall and its number stands beside kappa. NaN where nothing is parsed, or where
    all that is true and all that is said is one and the same class (Σ w E = 0). After J. Cohen,
    "Weighted kappa", Psychological Bulletin 70 (1968).

    >>> matrix = np.array([[3.0, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]])
    >>> round(float(linear_weighted_kappa(matrix)), 4)
    0.7826
    """
    return _kappa(matrices, 1)


def quadratic_weighted_kappa(matrices: Floats) -> Floats:
    """As ``linear_weighted_kappa`` with the weights squared: two classes off costs fourfold.

    >>> matrix = np.array([[3.0, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]])
    >>> round(float(quadratic_weighted_kappa(matrix)), 4)
    0.8571
    """
    return _kappa(matrices, 2)


def _kappa(matrices: Floats, power: int) -> Floats:
    counts = parsed_part(matrices)
    true, said = true_counts(counts), said_counts(counts)
    classes = np.arange(counts.shape[-1])
    # weights need no division by C - 1: it cancels
    weights = np.abs(classes[:, np.newaxis] - classes).astype(np.float64) ** power
    by_chance = np.einsum("...i,...j,ij->...", true, said, weights)
    observed = np.einsum("...ij,ij->...", counts, weights) * total(counts)
    return 1 - share(observed, by_chance)
