"""A comparison that may be looked at after every question: a confidence sequence by betting.

A gambler starts with 1 and bets on each paired difference that the mean difference is larger than a
claimed one. If the claim is true, the game is fair, and the probability that the capital *ever*
reaches ``1 / a`` is at most ``a`` (J. Ville, 1939). So a claim is rejected as soon as the capital is
that large, however often somebody looks and whenever the run is stopped. A second gambler bets that
the mean is smaller. The claims that neither has rejected are an interval. See I. Waudby-Smith and A.
Ramdas, "Estimating means of bounded random variables by betting" (JRSS B 86, 2024).

Differences of scores are between -1 and 1, and ``x = (d + 1) / 2`` is between 0 and 1. Against a mean
``m`` a gambler who risks the share ``c`` of what may be risked has after each value
``1 - c + c x / m`` times his capital. Nobody knows the best ``c``: the capital is divided among eight of
them (``SHARES``), and their sum is a fair game too. The capital falls as ``m`` grows, whatever the values
are, so the claims that are not rejected are really an interval, and its ends can be found by halving.

If the claim is about a set of ``size`` questions and not about questions like these, they are drawn
without replacement: what was seen is gone, and ``m`` for the next value is the mean of the rest,
``(size · m - sum) / (size - n)``.

A difference that was not observed, because a case failed, has a smallest and a largest possible
value. Bets on a larger mean get the smallest, bets on a smaller mean the largest.

An observation may be a whole document: the mean difference of its questions, with the number of these
questions as a share ``w`` of those of the largest document. If the mean over all questions is the
claimed one, then ``w (d - claim)`` has the mean 0, so ``w x + (1 - w) m`` is bet on in place of ``x``. The
interval is about the mean over questions, whatever the sizes of documents are, and each document counts
once. A question without a defined difference has the share 0: it says nothing for or against any claim,
and the mean of a set is that of its defined questions.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from assay.stats.resample import Floats

SHARES: Final = np.array([0.02, 0.04, 0.08, 0.16, 0.3, 0.5, 0.75, 0.95])
"""Which share of the largest possible bet is staked. A small difference needs small bets: they
lose little while they wait."""

_HALVINGS: Final = 24
"""So often is the distance between the ends of all claims halved: to a ten-millionth."""


_STEPS: Final = np.concatenate((np.linspace(0, 1, 33), 1 - np.geomspace(0.5, 0.001, 32)))
"""The claims of a picture as shares of the last one: everywhere, and more of them near the end."""


class PairedRange(NamedTuple):
    """The smallest and largest possible value of each paired difference, in the order of asking.

    Both are the same where both scores are known. ``shares`` says how much of an observation each of them
    is, from 0 to 1; ``None`` if all are whole ones.
    """

    least: Floats
    most: Floats
    shares: Floats | None = None


def first_rejection(
    pairs: PairedRange, claim: float, level: float, size: int | None
) -> tuple[int | None, int | None]:
    """After how many pairs it was certain that the mean is above the claim, and below it.

    ``level`` is the probability of an error on either side together, ``size`` the number of questions
    that the claim is about, or ``None`` for questions like these.

    >>> ones = np.ones(30)
    >>> first_rejection(PairedRange(ones, ones), 0.0, 0.05, None)
    (8, None)
    """
    threshold = math.log(2 / level)
    above = log_capital((pairs.least + 1) / 2, (claim + 1) / 2, size, pairs.shares)
    below = log_capital((1 - pairs.most) / 2, (1 - claim) / 2, size, pairs.shares)
    return _first(above >= threshold), _first(below >= threshold)


def bounds_at(pairs: PairedRange, level: float, size: int | None) -> tuple[float, float]:
    """The interval for the mean difference after all of these pairs.

    >>> low, high = bounds_at(PairedRange(np.zeros(400), np.zeros(400)), 0.05, None)
    >>> round(low, 3), round(high, 3)
    (-0.014, 0.014)
    """
    threshold = math.log(2 / level)
    low = _end((pairs.least + 1) / 2, threshold, size, pairs.shares)
    high = _end((1 - pairs.most) / 2, threshold, size, pairs.shares)
    return 2 * low - 1, 1 - 2 * high


def bounds_after(
    pairs: PairedRange, level: float, size: int | None, counts: Sequence[int]
) -> list[tuple[float, float]]:
    """The interval after so many pairs each, for a picture.

    Each end is the strictest of some claims that was rejected by then, so it is never too narrow;
    after all pairs it is that of ``bounds_at``. One pass over the pairs for each claim is much less
    work than ``bounds_at`` for each count.
    """
    threshold = math.log(2 / level)
    lows = _ends_after((pairs.least + 1) / 2, threshold, size, counts, pairs.shares)
    highs = _ends_after((1 - pairs.most) / 2, threshold, size, counts, pairs.shares)
    return [(2 * low - 1, 1 - 2 * high) for low, high in zip(lows, highs, strict=True)]


def log_capital(
    values: Floats, mean: float, size: int | None, shares: Floats | None = None
) -> Floats:
    """The logarithm of the capital after each value, of who bets that the mean is larger.

    ``shares`` says how much of an observation each value is. A claim that the values have made impossible, because what is left of the set cannot have such a
    small mean, has an infinite capital against it.
    """
    if shares is not None:
        values = shares * values + (1 - shares) * mean
    means = _means_of_rest(values, mean, size)
    impossible = (means < -1e-12) | ((means <= 1e-12) & (values > 1e-12))
    ratio = np.where(means > 1e-12, values / np.maximum(means, 1e-12), 1.0)
    logs = np.log1p(SHARES[:, None] * (ratio - 1)[None, :]).cumsum(axis=1)
    top = logs.max(axis=0)
    capital: Floats = top + np.log(np.exp(logs - top).mean(axis=0))
    capital[np.logical_or.accumulate(impossible)] = np.inf
    if size is not None and len(values) == size and values.mean() > mean + 1e-12:
        capital[-1] = np.inf  # nothing is left to be drawn: the mean is known
    return capital


class CapitalWatch:
    """Says after each value whether the capital may have reached the threshold by then.

    It does the work of ``log_capital`` value by value; rounding may make it a hair too early, so
    whoever is told so asks ``first_rejection``.
    """

    def __init__(self, mean: float, threshold: float, size: int | None, *, above: bool) -> None:
        self.above = above
        self._mean = mean
        self._threshold = threshold - 1e-6
        self._size = size
        self._logs = [0.0] * len(SHARES)
        self._shares: list[float] = SHARES.tolist()
        self._sum = 0.0
        self._count = 0
        self._is_won = False

    def add(self, value: float, share: float = 1.0) -> bool:
        """Take the next value; whether the capital has ever been large enough."""
        mean = self._mean
        value = share * value + (1 - share) * mean
        if self._size is not None:
            left = self._size - self._count
            mean = (self._size * mean - self._sum) / left if left > 0 else mean
        self._sum += value
        self._count += 1
        if mean <= 1e-12:
            self._is_won = self._is_won or mean < -1e-12 or value > 1e-12
        else:
            gain = value / mean - 1
            self._logs = [
                log + math.log1p(share * gain)
                for log, share in zip(self._logs, self._shares, strict=True)
            ]
        self._is_won = self._is_won or self._count == self._size or self._is_large()
        return self._is_won

    def _is_large(self) -> bool:
        top = max(self._logs)
        if top < self._threshold:  # the mean is not larger than the largest
            return False
        total = sum(math.exp(log - top) for log in self._logs)
        return top + math.log(total / len(self._logs)) >= self._threshold


def _means_of_rest(values: Floats, mean: float, size: int | None) -> Floats:
    if size is None:
        return np.full(len(values), mean)
    seen = np.arange(len(values))
    before = np.concatenate(([0.0], values.cumsum()[:-1])) if len(values) else values
    rest: Floats = (size * mean - before) / (size - seen)
    return rest


def _end(values: Floats, threshold: float, size: int | None, shares: Floats | None) -> float:
    """The largest mean that was rejected at some time as too small, between 0 and 1."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS if len(values) else 0):
        middle = (low + high) / 2
        rejected = bool((log_capital(values, middle, size, shares) >= threshold).any())
        low, high = (middle, high) if rejected else (low, middle)
    return low


def _ends_after(
    values: Floats,
    threshold: float,
    size: int | None,
    counts: Sequence[int],
    shares: Floats | None,
) -> list[float]:
    """The largest of some claims that was rejected as too small within each count of values."""
    last = _end(values, threshold, size, shares)
    claims = np.unique(np.append(last * _STEPS, last))
    ends = np.array(
        [
            _first(log_capital(values, claim, size, shares) >= threshold) or math.inf
            for claim in claims
        ]
    )
    return [float(claims[ends <= count].max(initial=0.0)) for count in counts]


def _first(reached: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int | None:
    return int(reached.argmax()) + 1 if reached.any() else None
