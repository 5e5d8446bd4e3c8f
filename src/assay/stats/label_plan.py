"""How many labels give a corrected rate an interval of a wanted width."""

import math
from bisect import bisect_left

import numpy as np

from assay.stats.gaussian import normal_quantile
from assay.stats.resample import Floats


def labels_needed(
    share: float, right_if_yes: float, right_if_no: float, n: int, width: float, level: float = 0.95
) -> int | None:
    """The number of labels, drawn at random, for an interval of the corrected rate of this width.

    With the share ``a`` that the judge calls right among ``n`` answers, and the shares ``p`` and
    ``q`` of right answers among those that it calls right and wrong, the variance is::

        a(1-a)(p-q)² / n + (a p(1-p) + (1-a) q(1-q)) / labels

    ``None`` if the width cannot be reached, because the answers themselves are too few.

    >>> labels_needed(0.6, 0.9, 0.2, 1000, 0.15)
    88
    >>> labels_needed(0.6, 0.9, 0.2, 50, 0.05) is None
    True
    """
    z = normal_quantile((1 + level) / 2)
    wanted = (width / (2 * z)) ** 2
    questions = share * (1 - share) * (right_if_yes - right_if_no) ** 2 / n
    inside = share * right_if_yes * (1 - right_if_yes)
    inside += (1 - share) * right_if_no * (1 - right_if_no)
    if wanted <= questions:
        return None
    needed = math.ceil(inside / (wanted - questions))
    return needed if needed <= n else None


def labels_for_difference(
    before: Floats, after: Floats, width: float, level: float = 0.95
) -> int | None:
    """The number of labels of each side for an interval of the corrected difference of this width.

    ``before`` and ``after`` are the chances that the answers of each pair are right, the same for all
    answers of a group. With ``n`` pairs and ``m`` labels of each side the variance is::

        Var(after - before) / n + sum of a² r(1-r) / (a m + 1)

    over the groups of both sides: ``a`` is the share of a group, ``r = (a m p + 1/2) / (a m + 1)`` the
    chance ``p`` with the half item that the interval adds at each end of the scale. ``None`` if the
    width cannot be reached, because the pairs themselves are too few.

    >>> before, after = np.repeat([0.9, 0.2], [600, 400]), np.repeat([0.9, 0.2], [500, 500])
    >>> labels_for_difference(before, after, 0.1), labels_for_difference(before, after, 0.2)
    (403, 97)
    >>> labels_for_difference(before[:100], after[:100], 0.01) is None
    True
    """
    n, z = len(before), normal_quantile((1 + level) / 2)
    if not n:
        return None
    groups = [np.unique(side, return_counts=True) for side in (before, after)]
    chances = np.concatenate([values for values, _ in groups])
    shares = np.concatenate([counts for _, counts in groups]) / n
    rest = (width / (2 * z)) ** 2 - float(np.var(after - before)) / n

    def variance(labels: int) -> float:
        items = shares * labels + 1
        mean = (shares * labels * chances + 0.5) / items
        return float(np.sum(shares**2 * mean * (1 - mean) / items))

    return (
        1 + bisect_left(range(1, n + 1), -rest, key=lambda m: -variance(m))
        if variance(n) <= rest
        else None
    )
