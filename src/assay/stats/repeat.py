"""Questions that were asked several times: means, where the variance comes from, and pass@k.

The answers to one question are a random sample of what the system answers to it, and the questions
are a random sample of questions: the one-way random-effects model. Its two variances say whether
more questions or more draws would make a value more certain.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.resample import Floats


def draw_means(values: NDArray[np.floating], draws: NDArray[np.integer]) -> Floats:
    """The mean of the defined values of each case; NaN if none is defined.

    ``draws`` has the number of each value's case, counted from 0.

    >>> draw_means(np.array([1.0, 0.0, np.nan, 1.0]), np.array([0, 0, 1, 2])).tolist()
    [0.5, nan, 1.0]
    """
    known = np.isfinite(values)
    cases = int(draws.max(initial=-1)) + 1
    counts = np.bincount(draws[known], minlength=cases)
    sums = np.bincount(draws[known], values[known].astype(np.float64), minlength=cases)
    means: Floats = np.divide(sums, counts, out=np.full(cases, np.nan), where=counts > 0)
    return means


class Spread(Struct, frozen=True, kw_only=True):
    """Where the variance of an answer comes from: ``between`` questions, and ``within`` them.

    ``questions`` have ``answers`` together. ``inverse_sum`` is the sum of 1 / draws over the
    questions: with it, the standard error of the mean of the questions' means follows.
    """

    questions: int
    answers: int
    between: float
    within: float
    inverse_sum: float

    @property
    def between_share(self) -> float | None:
        """The share of the variance of one answer that is between questions; ``None`` without any.

        It is the intraclass correlation of two draws of a question.
        """
        total = self.between + self.within
        return self.between / total if total > 0 else None

    def error(self, *, questions: float = 1.0, draws: float = 1.0) -> float:
        """The standard error of the mean, with so many times the questions and draws of each.

        ``√((σ_b² + σ_w² · mean(1 / draws)) / questions)``.

        >>> spread = Spread(questions=50, answers=150, between=0.2, within=0.05, inverse_sum=50 / 3)
        >>> round(spread.error(), 4), round(spread.error(questions=2), 4), round(spread.error(draws=2), 4)
        (0.0658, 0.0465, 0.0645)
        """
        of_draws = self.within * self.inverse_sum / self.questions / draws
        return math.sqrt((self.between + of_draws) / (self.questions * questions))


def spread(values: NDArray[np.floating], questions: NDArray[np.integer]) -> Spread | None:
    """The variances between and within questions; ``None`` if they cannot be told apart.

    It is the ANOVA estimator for unbalanced data, ``σ_w² = MSW`` and ``σ_b² = (MSB - MSW) / n₀`` with
    ``n₀ = (N - Σ nᵢ² / N) / (a - 1)``; a negative ``σ_b²`` counts as 0. S. R. Searle, G. Casella and
    C. E. McCulloch, "Variance components", Wiley 1992, section 3.6. It is undefined for fewer than
    two questions, and if no question has two values. NaN is left out.

    >>> found = spread(np.array([1.0, 1.0, 0.0, 1.0, 0.0, 0.0]), np.array([0, 0, 1, 1, 2, 2]))
    >>> round(found.between, 4), round(found.within, 4), round(found.between_share, 2)
    (0.1667, 0.1667, 0.5)
    """
    known = np.isfinite(values)
    answers = np.asarray(values, dtype=np.float64)[known]
    _, places, counts = np.unique(questions[known], return_inverse=True, return_counts=True)
    total, groups = len(answers), len(counts)
    if groups < 2 or total == groups:
        return None
    sizes = counts.astype(np.float64)
    means = np.bincount(places, answers) / sizes
    within = float(np.sum((answers - means[places]) ** 2)) / (total - groups)
    between_square = float(sizes @ (means - answers.mean()) ** 2) / (groups - 1)
    weight = (total - float(sizes @ sizes) / total) / (groups - 1)
    return Spread(
        questions=groups,
        answers=total,
        between=max(0.0, (between_square - within) / weight),
        within=within,
        inverse_sum=float((1 / sizes).sum()),
    )


# Right or wrong: what k answers to a question would give, from the n that there are.


def pass_at_k(draws: int, right: int, k: int) -> float:
    """The probability that at least one of ``k`` of the draws is right: ``1 - C(n-c, k) / C(n, k)``.

    It is the unbiased estimator of M. Chen and others, "Evaluating large language models trained on
    code", arXiv:2107.03374, 2021. ``k`` is at most ``draws``.

    >>> [round(pass_at_k(3, 1, k), 3) for k in (1, 2, 3)]
    [0.333, 0.667, 1.0]
    """
    _check(draws, right, k)
    return 1 - math.comb(draws - right, k) / math.comb(draws, k)


def majority_at_k(draws: int, right: int, k: int) -> float:
    """The probability that more than half of ``k`` of the draws are right; a tie counts as half.

    It is the mean over all subsets of size ``k``, ``Σ C(c, j) C(n-c, k-j) / C(n, k)`` over the j
    above k / 2, and half of the term at k / 2: the unbiased estimator for ``k`` new draws (the U
    statistic of W. Hoeffding, Annals of Mathematical Statistics 19, 1948). All wrong answers count as
    one answer: whether they agree with each other is not known.

    >>> [round(majority_at_k(3, 2, k), 3) for k in (1, 2, 3)]
    [0.667, 0.667, 1.0]
    """
    _check(draws, right, k)
    ways = [math.comb(right, j) * math.comb(draws - right, k - j) for j in range(k + 1)]
    more = sum(ways[k // 2 + 1 :])
    tied = ways[k // 2] if k % 2 == 0 else 0
    return (2 * more + tied) / (2 * math.comb(draws, k))


def _check(draws: int, right: int, k: int) -> None:
    if not (1 <= k <= draws and 0 <= right <= draws):
        raise ValueError(f"no {k} of {draws} draws with {right} right")


def chances(
    values: NDArray[np.floating], draws: NDArray[np.integer], k: int
) -> tuple[Floats, Floats]:
    """pass@k and majority@k of each case; NaN for a case with fewer than ``k`` defined values.

    ``values`` are 1 or 0, and ``draws`` has the number of each value's case, counted from 0.

    >>> passed, majority = chances(np.array([1.0, 0.0, 1.0]), np.array([0, 0, 1]), 2)
    >>> passed.tolist(), majority.tolist()
    ([1.0, nan], [0.5, nan])
    """
    known = np.isfinite(values)
    cases = int(draws.max(initial=-1)) + 1
    counts = np.bincount(draws[known], minlength=cases).tolist()
    right = np.bincount(draws[known & (values == 1)], minlength=cases).tolist()
    return (
        _of_each(pass_at_k, counts, right, k),
        _of_each(majority_at_k, counts, right, k),
    )


def _of_each(
    chance: Callable[[int, int, int], float], counts: Sequence[int], right: Sequence[int], k: int
) -> Floats:
    found = [chance(n, c, k) if n >= k else math.nan for n, c in zip(counts, right, strict=True)]
    return np.array(found, dtype=np.float64)
