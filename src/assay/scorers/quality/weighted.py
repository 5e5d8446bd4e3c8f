"""The mean of scores by their weights, which comparing two runs needs without the scores' rules."""

from collections.abc import Iterable
from math import fsum
from typing import Final

DIGITS: Final = 12  # so that 0.7 · 0.5 + 0.3 gives 0.65, not 0.6499999999999999


def weighted_score(scores: Iterable[tuple[float, float]]) -> float | None:
    """``Σ score · weight / Σ weight`` of (score, weight) pairs; ``None`` if Σ weight is 0.

    >>> weighted_score([(1.0, 3.0), (0.5, 1.0)]), weighted_score([])
    (0.875, None)
    """
    pairs = list(scores)
    total = fsum(weight for _, weight in pairs)
    if total <= 0:
        return None
    return round(fsum(score * weight for score, weight in pairs) / total, DIGITS)
