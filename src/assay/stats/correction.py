"""Correction for multiple comparisons."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values: each may be compared directly with the significance level.

    Of ``m`` p-values in ascending order, the i-th becomes the maximum of ``(m - j + 1) p_j``
    over ``j ≤ i``, and at most 1. ``None`` means that there was no test: it stays ``None`` and
    is not counted. S. Holm, "A simple sequentially rejective multiple test procedure", 1979.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        adjusted[index] = highest
    return adjusted
