"""The normal distribution, without SciPy: loading that costs more than most analyses."""

import math
from statistics import NormalDist

_STANDARD = NormalDist()
_NEAREST = 1e-15


def normal_cdf(z: float) -> float:
    """The share of a standard normal below ``z``.

    >>> round(normal_cdf(1.959964), 4)
    0.975
    """
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(share: float) -> float:
    """The point with ``share`` below it; 0 and 1 are taken for the nearest number inside.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return _STANDARD.inv_cdf(min(max(share, _NEAREST), 1 - _NEAREST))


def two_sided(z: float) -> float:
    """The chance of a standard normal at least as far from 0 as ``z``.

    >>> round(two_sided(1.959964), 4), two_sided(0)
    (0.05, 1.0)
    """
    return math.erfc(abs(z) / math.sqrt(2))
