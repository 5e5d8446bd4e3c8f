"""The normal distribution without SciPy, because importing SciPy takes longer than an analysis."""

import math
from statistics import NormalDist

_STANDARD = NormalDist()
_SMALLEST_SHARE = 1e-15


def normal_cdf(z: float) -> float:
    """The probability that a standard normal variable is below ``z``.

    >>> round(normal_cdf(1.959964), 4)
    0.975
    """
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(share: float) -> float:
    """The value that a standard normal variable is below with the probability ``share``.

    For 0 and 1 the result would be infinite; they are replaced by ``1e-15`` and ``1 - 1e-15``.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return _STANDARD.inv_cdf(min(max(share, _SMALLEST_SHARE), 1 - _SMALLEST_SHARE))


def two_sided(z: float) -> float:
    """The probability that a standard normal variable is at least as far from 0 as ``z``.

    >>> round(two_sided(1.959964), 4), two_sided(0)
    (0.05, 1.0)
    """
    return math.erfc(abs(z) / math.sqrt(2))
