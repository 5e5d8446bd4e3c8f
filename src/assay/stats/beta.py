"""Quantiles of the beta distribution without SciPy, and Jeffreys' interval of a share."""

import math

import numpy as np

from assay.stats.interval import normal_quantile
from assay.stats.resample import Floats

_STEPS = 200
_CLOSE = 1e-10
_NEAR = 1e-6
_LEAST = 1e-300

_log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])


def beta_cdf(x: Floats, a: Floats, b: Floats) -> Floats:
    """The probability that beta variables with these shapes are below ``x``.

    The continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions, by the
    method of W. J. Lentz (Applied Optics 15, 1976).

    >>> beta_cdf(np.array([0.5, 0.2]), np.array([2.0, 1.0]), np.array([2.0, 1.0])).round(6).tolist()
    [0.5, 0.2]
    """
    is_late = x > (a + 1) / (a + b + 2)
    x = np.clip(np.where(is_late, 1 - x, x), _LEAST, 1 - 1e-16)
    a, b = np.where(is_late, b, a), np.where(is_late, a, b)
    c, d = np.ones_like(x), 1 - (a + b) * x / (a + 1)
    d = 1 / np.where(np.abs(d) < _LEAST, _LEAST, d)
    total = d.copy()
    for m in range(1, _STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 + term * d, 1 + term / c
            d = 1 / np.where(np.abs(d) < _LEAST, _LEAST, d)
            c = np.where(np.abs(c) < _LEAST, _LEAST, c)
            total *= d * c
        if np.abs(d * c - 1).max(initial=0.0) < _CLOSE:
            break
    front = _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b) + a * np.log(x) + b * np.log1p(-x)
    below = np.exp(front) * total / a
    return np.asarray(np.where(is_late, 1 - below, below), dtype=np.float64)


def beta_quantile(share: Floats, a: Floats, b: Floats) -> Floats:
    """The values that beta variables with these shapes are below with these probabilities.

    Newton's steps between the logits of the value and of its probability, which is nearly a line; a
    step out of the bracket is replaced by one that halves it.

    >>> beta_quantile(np.array([0.975]), np.array([8.5]), np.array([2.5])).round(3).tolist()
    [0.956]
    """
    low, high = np.zeros_like(a), np.ones_like(a)
    z = np.array([normal_quantile(each) for each in share])
    odds = a / b * np.exp(z * np.sqrt((a + b) / (a * b)))
    value = np.clip(odds / (1 + odds), _CLOSE, 1 - _CLOSE)
    constant = _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b)
    for _ in range(_STEPS):
        below = beta_cdf(value, a, b)
        low, high = np.where(below < share, value, low), np.where(below < share, high, value)
        with np.errstate(all="ignore"):
            slope = (
                np.exp(constant + a * np.log(value) + b * np.log1p(-value)) / below / (1 - below)
            )
            gap = np.log(share / (1 - share) / below * (1 - below))
            odds = value / (1 - value) * np.exp(gap / slope)
            following = odds / (1 + odds)
        is_close = np.abs(following - value) < _NEAR
        is_inside = is_close | ((following > low) & (following < high))
        following = np.where(is_inside, following, (low + high) / 2)
        if is_close.all():
            return np.asarray(following, dtype=np.float64)
        value = following
    return np.asarray(value, dtype=np.float64)


def jeffreys_ends(mean: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    """Both ends of Jeffreys' intervals of shares, each found among ``n`` items; ``n`` may be a fraction.

    The quantiles of a beta variable with the shapes ``n mean + 1/2`` and ``n (1 - mean) + 1/2``; if no
    item (or every one) counts, one end is 0 (or 1). L. D. Brown, T. T. Cai and A. DasGupta, "Interval
    estimation for a binomial proportion", Statistical Science 16 (2001).

    >>> low, high = jeffreys_ends(np.array([0.8, 1.0]), np.array([10.0, 10.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.497, 0.783], [0.956, 1.0])
    """
    counts = np.stack([n * mean + 0.5, n * (1 - mean) + 0.5]).reshape(2, -1)
    different, places = np.unique(counts.round(9), axis=1, return_inverse=True)
    yes, no = np.tile(different, 2)
    tails = np.repeat([(1 - level) / 2, (1 + level) / 2], len(yes) // 2)
    ends = beta_quantile(tails, yes, no).reshape(2, -1)[:, places.ravel()].reshape(2, *mean.shape)
    low = np.where(mean <= 0, 0.0, np.minimum(ends[0], mean))
    high = np.where(mean >= 1, 1.0, np.maximum(ends[1], mean))
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
