"""Scores of ordered classes: weighted kappa, and accuracy weighted by what an error costs."""

from collections.abc import Callable, Sequence
from typing import Final

from assay.scorers.confusion import Matrix, parsed_part, total

RISK_SCORES: Final = (
    (1.0, 0.4, 0.0),
    (0.8, 1.0, 0.4),
    (0.5, 0.8, 1.0),
)
"""What a verdict (column) is worth by what is true (row), high, medium, low: a risk played down
costs more than one played up."""


def weighted_accuracy(
    matrix: Matrix, scores: Sequence[Sequence[float]] = RISK_SCORES
) -> float | None:
    """Σ count × score / all cases; an unparsed reply scores 0. ``None`` without cases.

    >>> weighted_accuracy([[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]])
    0.475
    """
    cases = total(matrix)
    if not cases:
        return None
    # the unparsed column has no score beside it, so that zip leaves it out
    won = sum(
        count * score
        for row, worth in zip(matrix, scores, strict=True)
        for count, score in zip(row, worth, strict=False)
    )
    return won / cases


def linear_weighted_kappa(matrix: Matrix) -> float | None:
    """Cohen's kappa with weights |i - j| / (C - 1): 1 - Σ w O / Σ w E.

    O are the counts, E what the same rows and columns would give by chance. Over the parsed
    replies alone: an unparsed one is at no distance from any class, so it counts in accuracy
    and recall and its number stands beside kappa. ``None`` where nothing is parsed, or where
    all that is true and all that is said is one and the same class (Σ w E = 0). After J. Cohen,
    "Weighted kappa", Psychological Bulletin 70 (1968).

    >>> round(linear_weighted_kappa([[3, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]]), 4)
    0.7826
    """
    return _kappa(matrix, abs)


def quadratic_weighted_kappa(matrix: Matrix) -> float | None:
    """As ``linear_weighted_kappa`` with the weights squared: two classes off costs fourfold.

    >>> round(quadratic_weighted_kappa([[3, 1, 0, 2], [0, 2, 0, 0], [0, 1, 3, 0]]), 4)
    0.8571
    """
    return _kappa(matrix, lambda steps: steps * steps)


def _kappa(matrix: Matrix, distance: Callable[[int], float]) -> float | None:
    counts = parsed_part(matrix)
    classes = range(len(counts))
    true = [sum(row) for row in counts]
    said = [sum(row[j] for row in counts) for j in classes]
    cases = sum(true)
    # weights need no division by C - 1: it cancels
    by_chance = sum(distance(i - j) * true[i] * said[j] for i in classes for j in classes)
    if not by_chance:
        return None
    observed = sum(distance(i - j) * counts[i][j] for i in classes for j in classes)
    return 1 - observed * cases / by_chance
