"""The statistic of the sign flips, Student's t, and what skewed changes take from them.

The statistic of ``n`` changes is ``T = |Σ d| / √Σ d²``, a monotone function of Student's t. Flipped
signs make every sample symmetric. If the changes are skewed (many questions win a little, few lose
much), a mean of 0 is often far from 0 in the direction away from the rare changes, because few of
them, or none, are in the sample. Such a mean needs a larger t: ``c + γ (2 c² + 1) / 6 √n`` instead
of ``c``, the first term of the expansion of the studentised bootstrap (P. Hall, Annals of Statistics
16, 1988; N. J. Johnson, JASA 73, 1978, corrects t in the same way). A mean in the direction of the
skew needs no more than ``c``, and less is not asked.
"""

import math

from assay.stats.mean import skew_reach


def flip_statistic(t: float, units: int) -> float:
    """The statistic of ``units`` changes that have this t statistic.

    >>> round(flip_statistic(2.046, 20), 2)
    1.9
    """
    return t * math.sqrt(units / (units - 1 + t * t))


def student_statistic(statistic: float, units: int) -> float:
    """The t statistic of ``units`` changes whose statistic of the sign flips is ``statistic``.

    >>> round(student_statistic(1.9, 20), 3)
    2.046
    """
    return statistic * math.sqrt((units - 1) / (units - statistic * statistic))


def skewed_demand(statistic: float, skew: float, units: int) -> float:
    """The statistic that a mean against the skew needs, where ``statistic`` would be enough.

    >>> round(skewed_demand(1.9, -3.0, 30), 2), skewed_demand(1.9, 0.0, 30)
    (2.53, 1.9)
    """
    if skew == 0 or statistic * statistic >= units:
        return statistic
    t = student_statistic(statistic, units)
    return flip_statistic(t + skew_reach(abs(skew), units, t), units)


def without_skew(statistic: float, skew: float, units: int) -> float:
    """What is left of the statistic of a mean against the skew; ``skewed_demand`` reversed.

    It is 0 if skew alone explains the mean.

    >>> round(without_skew(2.5319, -3.0, 30), 2), without_skew(0.05, -3.0, 30)
    (1.9, 0.0)
    """
    if skew == 0 or statistic * statistic >= units:
        return statistic
    t = student_statistic(statistic, units)
    slope = abs(skew) / (6 * math.sqrt(units))
    if t <= slope:
        return 0.0
    # the positive root of 2 slope c² + c + slope = t, in the form that is exact for small slopes
    left = 2 * (t - slope) / (1 + math.sqrt(1 + 8 * slope * (t - slope)))
    return flip_statistic(left, units)
