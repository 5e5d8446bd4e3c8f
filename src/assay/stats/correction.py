"""Correction for many comparisons."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjustment: each value may be held against the level as it stands.

    In rising order the i-th of ``m`` becomes the largest of ``(m - j + 1) p_j`` for ``j ≤ i``,
    at most 1. ``None`` is no comparison: it stays and is not counted. S. Holm, "A simple
    sequentially rejective multiple test procedure", 1979.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        adjusted[place] = highest
    return adjusted
