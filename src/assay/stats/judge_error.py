"""How often a yes/no judge is wrong, measured on labelled answers."""

import math
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.interval import ROUNDING, Interval, check_level, normal_quantile, wilson_ends
from assay.stats.resample import Floats, stream

DRAWS: Final = 10_000
Flags = NDArray[np.bool_]


class Share(Struct, frozen=True, kw_only=True):
    """A share of labelled answers: ``count`` of ``n``, and the weighted ``rate``.

    ``rate`` and ``interval`` are ``None`` if ``n`` is 0.
    """

    count: int
    n: int
    rate: float | None = None
    interval: Interval | None = None


class JudgeErrors(Struct, frozen=True, kw_only=True):
    """The four counts of labelled answers, and what follows from them.

    ``hits`` and ``misses`` are right by their label, and the judge said yes or no; ``false_alarms``
    and ``rejections`` are wrong by their label, and the judge said yes or no. ``sensitivity`` is
    the share of the former that the judge called right, ``specificity`` the share of the latter
    that it called wrong.
    """

    hits: int
    misses: int
    false_alarms: int
    rejections: int
    sensitivity: Share
    specificity: Share


def judge_errors(judged: Flags, labels: Flags, weights: Floats, level: float = 0.95) -> JudgeErrors:
    """The errors of a judge: what it said and what people said about the same answers.

    ``weights`` is one divided by the probability with which each answer was drawn.

    >>> said, right = np.array([True, True, False, False]), np.array([True, True, True, False])
    >>> found = judge_errors(said, right, np.ones(4))
    >>> found.hits, found.misses, round(found.sensitivity.rate, 3), found.specificity.rate
    (2, 1, 0.667, 1.0)
    """
    return JudgeErrors(
        hits=int((judged & labels).sum()),
        misses=int((~judged & labels).sum()),
        false_alarms=int((judged & ~labels).sum()),
        rejections=int((~judged & ~labels).sum()),
        sensitivity=weighted_share(judged[labels], weights[labels], level),
        specificity=weighted_share(~judged[~labels], weights[~labels], level),
    )


def weighted_share(flags: Flags, weights: Floats, level: float = 0.95) -> Share:
    """The weighted share of true flags, with Wilson's interval for as many items as they tell.

    >>> share = weighted_share(np.array([True, False]), np.array([3.0, 1.0]))
    >>> share.rate, round(share.interval.low, 2)
    (0.75, 0.2)
    """
    count, n = int(flags.sum()), len(flags)
    if not n:
        return Share(count=0, n=0)
    rate = float(np.average(flags, weights=weights))
    z = normal_quantile((1 + level) / 2)
    low, high = wilson_ends(rate, effective_count(flags.astype(np.float64), weights), z)
    interval = Interval(
        low=0.0 if count == 0 else low,
        high=1.0 if count == n else high,
        level=level,
        method="wilson",
    )
    return Share(count=count, n=n, rate=rate, interval=interval)


def effective_count(labels: Floats, weights: Floats) -> float:
    """How many equally likely labels have the design-based variance of these, at most all of them.

    ``m (1 - m) / Σ (w / Σ w)² (x - m)²`` with the weighted mean ``m`` (E. L.
    Korn and B. I. Graubard, Survey Methodology 24, 1998). If all
    labels are alike, they show no variance, and it is Kish's ``(Σ w)² / Σ w²``.

    >>> labels, weights = np.repeat([1.0, 0.0], [37, 3]), np.repeat([1.0, 3.0], [37, 3])
    >>> round(effective_count(labels, np.ones(40)), 6), round(effective_count(labels, weights), 1)
    (40.0, 17.6)
    """
    shares = weights / weights.sum()
    mean = float(shares @ labels)
    variance = float(shares**2 @ (labels - mean) ** 2)
    spread = mean * (1 - mean)
    is_alike = np.ptp(labels) < ROUNDING or spread <= 0
    count = 1 / float(shares @ shares) if is_alike else spread / variance
    return min(max(count, 1.0), float(len(labels)))


def errors_differ(
    judged: Flags, labels: Flags, groups: NDArray[np.integer], *, seed: int = 0
) -> float | None:
    """The p-value of the hypothesis that the judge errs alike in all groups (variants).

    Among the answers that people called right, and among those they called wrong, the errors are
    exchanged between the groups at random; ``(count + 1) / (draws + 1)`` is the share of exchanges
    whose chi-square statistic, summed over both, is at least as large. ``None`` if there are fewer
    than two groups, or no error at all.

    >>> judged, labels = np.tile([True, False], 20), np.ones(40, dtype=bool)
    >>> errors_differ(judged, labels, np.tile([0, 1], 20)) < 0.001
    True
    """
    size = int(groups.max()) + 1 if len(groups) else 0
    wrong = judged != labels
    if len(np.unique(groups)) < 2 or not wrong.any():
        return None
    rng = stream(seed, "judge errors")
    observed, drawn = 0.0, np.zeros(DRAWS)
    for value in (True, False):
        inside = labels == value
        sizes = np.bincount(groups[inside], minlength=size)
        errors = np.bincount(groups[inside & wrong], minlength=size)
        total = int(errors.sum())
        if not total or total == int(sizes.sum()):
            continue
        observed += float(_chi_square(errors[None], sizes)[0])
        drawn += _chi_square(rng.multivariate_hypergeometric(sizes, total, DRAWS), sizes)
    return float((np.count_nonzero(drawn >= observed - 1e-9) + 1) / (DRAWS + 1))


def _chi_square(errors: NDArray[np.integer], sizes: NDArray[np.integer]) -> Floats:
    """The statistic of each row of errors; groups without answers do not count."""
    share = errors.sum(axis=1, keepdims=True) / sizes.sum()
    expected = sizes * share
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(sizes > 0, (errors - expected) ** 2 / (expected * (1 - share)), 0.0)
    return np.asarray(terms.sum(axis=1), dtype=np.float64)


def best_threshold(scores: Floats, labels: Flags, weights: Floats) -> tuple[float, float] | None:
    """The threshold from which a score counts as yes, and its ``sensitivity + specificity - 1``.

    It is the one with the largest value (W. J. Youden, "Index for rating diagnostic tests", Cancer
    3, 1950), half-way between two scores. ``None`` if all labels are alike. It is chosen by the
    same labels, so its value is a little too good.

    >>> best_threshold(np.array([0.1, 0.3, 0.8]), np.array([False, False, True]), np.ones(3))
    (0.55, 1.0)
    """
    yes, no = float(weights[labels].sum()), float(weights[~labels].sum())
    if not yes or not no:
        return None
    distinct = np.unique(scores)
    middles = (distinct[1:] + distinct[:-1]) / 2
    candidates = np.append(distinct[0], middles)
    best, most = float(candidates[0]), -math.inf
    for candidate in candidates.tolist():
        said = scores >= candidate
        value = (
            float(weights[labels & said].sum()) / yes + float(weights[~labels & ~said].sum()) / no
        )
        if value - 1 > most + 1e-12:
            best, most = candidate, value - 1
    return best, most


# The true rate behind a judge's rate, if its errors were measured on other answers.
#
# Sensitivity and specificity are taken to be the same for the answers that were labelled and for
# those that were only judged. If the labelled answers are a random part of the judged ones,
# ``corrected_mean`` needs no such assumption and has a narrower interval.


class ErrorCounts(Struct, frozen=True, kw_only=True):
    """How a yes/no judge did on labelled answers.

    ``yes`` answers are right by their label, the judge called ``yes_found`` of them right; ``no``
    answers are wrong, and the judge called ``no_found`` of them wrong. Counts may be fractions.
    """

    yes: float
    yes_found: float
    no: float
    no_found: float


def rogan_gladen(apparent: float, sensitivity: float, specificity: float) -> float | None:
    """The rate that a judge with these errors turns into the ``apparent`` one.

    ``(apparent + specificity - 1) / (sensitivity + specificity - 1)``, at least 0 and at most 1
    (W. J. Rogan and B. Gladen, "Estimating prevalence from the results of a screening test",
    American Journal of Epidemiology 107, 1978). ``None`` if the judge is not better than a guess.

    >>> round(rogan_gladen(0.62, 0.9, 0.8), 3)
    0.6
    """
    informative = sensitivity + specificity - 1
    if informative <= 0:
        return None
    return min(max((apparent + specificity - 1) / informative, 0.0), 1.0)


def lang_reiczigel(
    judged_yes: float, judged: float, errors: ErrorCounts, level: float = 0.95
) -> Interval | None:
    """The interval of Rogan and Gladen's rate, with the errors of both samples.

    With ``n' = n + z²`` and ``p' = (yes + z²/2) / n'`` for the judged answers, and ``n' = n + 2``,
    ``p' = (found + 1) / n'`` for sensitivity and specificity (Z. Lang and J. Reiczigel, "Confidence
    limits for prevalence of disease adjusted for estimated sensitivity and specificity",
    Preventive Veterinary Medicine 113, 2014)::

        rate + 2 z² (rate · se(1-se)/n_se - (1-rate) · sp(1-sp)/n_sp)
             ± z √(p(1-p)/n + rate² · se(1-se)/n_se + (1-rate)² · sp(1-sp)/n_sp) / (se + sp - 1)

    ``None`` if nothing was judged, or if the judge is not better than a guess.

    >>> errors = ErrorCounts(yes=60, yes_found=54, no=40, no_found=32)
    >>> interval = lang_reiczigel(620, 1000, errors)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.486, 0.709)
    """
    check_level(level)
    if judged <= 0:
        return None
    z = normal_quantile((1 + level) / 2)
    n = judged + z * z
    apparent = (judged_yes + z * z / 2) / n
    sensitivity = (errors.yes_found + 1) / (errors.yes + 2)
    specificity = (errors.no_found + 1) / (errors.no + 2)
    informative = sensitivity + specificity - 1
    if informative <= 0:
        return None
    rate = (apparent + specificity - 1) / informative
    missed = sensitivity * (1 - sensitivity) / (errors.yes + 2)
    invented = specificity * (1 - specificity) / (errors.no + 2)
    centre = rate + 2 * z * z * (rate * missed - (1 - rate) * invented)
    variance = apparent * (1 - apparent) / n + rate**2 * missed + (1 - rate) ** 2 * invented
    half = z * math.sqrt(variance) / informative
    low, high = (min(max(end, 0.0), 1.0) for end in (centre - half, centre + half))
    return Interval(low=low, high=high, level=level, method="lang-reiczigel")
