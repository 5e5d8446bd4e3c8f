"""The true rate behind a judge's rate, if its errors were measured on other answers.

Sensitivity and specificity are taken to be the same for the answers that were labelled and for
those that were only judged. If the labelled answers are a random part of the judged ones,
``corrected_mean`` needs no such assumption and has a narrower interval.
"""

import math

from msgspec import Struct

from assay.stats.gaussian import normal_quantile
from assay.stats.interval import Interval, check_level


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
