"""How many labels give a corrected rate an interval of a wanted width."""

import math

from assay.stats.gaussian import normal_quantile


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
