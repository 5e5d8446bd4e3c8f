"""The mean of what people would say about all answers, from a judge of all and labels of some.

A judge scores every answer, people label a random part of them. Within each group of answers to
which the judge gave the same score, the mean label ``m_k`` is estimated from the labels, and the
groups are added up with their shares ``a_k`` among all judged answers: ``Σ a_k m_k``. The judge only
sorts the answers, so a judge with a constant error costs nothing, and one that guesses does no harm.

- The estimate is the prediction-powered one (A. N. Angelopoulos and others, "Prediction-powered
  inference", Science 382, 2023) in its stratified form (A. Fisch and others, "Stratified
  prediction-powered inference", 2024), which survey sampling knows as poststratification.
- Each ``m_k`` has Jeffreys' interval for as many equal labels as would have its design-based variance
  (E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of
  positive counts estimated from survey data", Survey Methodology 24, 1998).
- The distances to their ends are added as squares, with the variance between the groups for the choice
  of questions: MOVER (G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures",
  Statistics in Medicine 27, 2008). The plain normal interval covers too rarely if few labels contradict
  the judge.
- If questions have several answers, both distances are multiplied by the root of the design effect (L.
  Kish, "Survey sampling", 1965), with Student's t for so many questions.

The figures are about further questions like these; ``docs/evidence/judge-coverage.md`` shows how often
the intervals contain the true value, and what the plain one does.
"""

import math
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.beta import jeffreys_ends
from assay.stats.interval import (
    ROUNDING,
    Interval,
    check_level,
    normal_quantile,
    t_quantile,
    with_width,
)
from assay.stats.judge_error import effective_count
from assay.stats.mean_interval import is_yes_no
from assay.stats.resample import Floats, cluster_sums
from assay.stats.scores import is_repeated

FEWEST_LABELS: Final = 30
"""With fewer labels no corrected figure is given; they are counted as Kish does (``_missing``)."""
FEWEST_IN_GROUP: Final = 10
"""Neighbouring scores of a judge with more than two are put together until a group has this many
labels."""
FEWEST_IN_STRATUM: Final = 5
"""A group is divided into sure and unsure answers if both have this many labels."""


class JudgedScores(Struct, frozen=True, kw_only=True, eq=False):
    """What a judge and people say about the same answers, one value for each.

    ``judged`` is the score of the judge, ``labels`` that of people, NaN for an answer without a
    label; both are between 0 and 1. ``weights`` is one divided by the probability with which an
    answer was drawn for labelling; it counts for labelled answers only. ``questions`` is the number
    of each answer's question, or ``None`` if every answer is to another question. ``unsure`` says
    which scores only lean to their value, or is ``None`` if none does.
    """

    judged: Floats
    labels: Floats
    weights: Floats
    questions: NDArray[np.integer] | None = None
    unsure: NDArray[np.bool_] | None = None

    @property
    def labelled(self) -> NDArray[np.bool_]:
        """Whether each answer has a label."""
        return np.isfinite(self.labels)

    def chosen(self, mask: NDArray[np.bool_] | NDArray[np.intp]) -> "JudgedScores":
        """These answers only, by a mask or by their places."""
        return JudgedScores(
            judged=self.judged[mask],
            labels=self.labels[mask],
            weights=self.weights[mask],
            questions=None if self.questions is None else self.questions[mask],
            unsure=None if self.unsure is None else self.unsure[mask],
        )


class Corrected(Struct, frozen=True, kw_only=True):
    """A corrected mean or difference.

    ``raw`` is that of the judge alone, ``n`` the number of judged answers or pairs, ``labelled``
    the number of labels that were used. ``estimate`` and ``interval`` are ``None`` if ``missing``
    labels are missing. ``interval`` is also ``None`` if both sides of a difference are alike.
    """

    raw: float
    n: int
    labelled: int
    estimate: float | None = None
    interval: Interval | None = None
    missing: int = 0

    @property
    def is_small(self) -> bool:
        """Whether labels are missing although every answer has one: there are too few answers."""
        return self.missing > 0 and self.labelled >= self.n > 0


class _Side(Struct, frozen=True, kw_only=True, eq=False):
    """An estimate, how far its ends are off because of the labels, and the parts of its items.

    ``level_of`` is the mean label of the group of each item, ``influence`` the deviation of each
    labelled item from it, as much as it moves the estimate.
    """

    estimate: float
    down: float
    up: float
    level_of: Floats
    influence: Floats


def corrected_mean(scores: JudgedScores, level: float = 0.95) -> Corrected:
    """The mean label that all judged answers would have.

    >>> judged = np.repeat([1.0, 0.0], 100)
    >>> labels = np.full(200, np.nan)
    >>> labels[:20], labels[20:25], labels[100:125] = 1.0, 0.0, 0.0
    >>> found = corrected_mean(JudgedScores(judged=judged, labels=labels, weights=np.ones(200)))
    >>> round(found.raw, 3), round(found.estimate, 3)
    (0.5, 0.4)
    >>> round(found.interval.low, 2), round(found.interval.high, 2)
    (0.29, 0.49)
    """
    check_level(level)
    scores = scores.chosen(np.isfinite(scores.judged))
    n, labelled = len(scores.judged), int(scores.labelled.sum())
    raw = float(scores.judged.mean()) if n else math.nan
    missing = _missing(scores)
    if missing:
        return Corrected(raw=raw, n=n, labelled=labelled, missing=missing)
    side = _side(scores, level)
    half = _half(side.level_of, level)
    stretch = _stretch(side.level_of, side.influence, scores.questions, level)
    interval = Interval(
        low=max(side.estimate - stretch * math.hypot(side.down, half), 0.0),
        high=min(side.estimate + stretch * math.hypot(side.up, half), 1.0),
        level=level,
        method="prediction-powered",
    )
    return Corrected(raw=raw, n=n, labelled=labelled, estimate=side.estimate, interval=interval)


def corrected_difference(base: JudgedScores, cand: JudgedScores, level: float = 0.95) -> Corrected:
    """The mean difference ``cand - base`` of the labels that all pairs of answers would have.

    Both sides have the same questions in the same order. Each side is corrected by its own
    labels, so a judge whose errors differ between the sides does not bias the difference. If a
    question is labelled on both sides, the correlation of the deviations is taken into account.

    >>> judged = np.repeat([1.0, 0.0], 100)
    >>> labels = np.tile([1.0, 0.0, np.nan, np.nan], 50)
    >>> side = JudgedScores(judged=judged, labels=labels, weights=np.ones(200))
    >>> corrected_difference(side, side).estimate
    0.0
    """
    check_level(level)
    both = np.isfinite(base.judged) & np.isfinite(cand.judged)
    base, cand = base.chosen(both), cand.chosen(both)
    n = len(base.judged)
    labelled = int(base.labelled.sum()) + int(cand.labelled.sum())
    raw = float(np.mean(cand.judged - base.judged)) if n else math.nan
    missing = _missing(base) + _missing(cand)
    if missing:
        return Corrected(raw=raw, n=n, labelled=labelled, missing=missing)
    before, after = _side(base, level), _side(cand, level)
    estimate = after.estimate - before.estimate
    levels, influence = after.level_of - before.level_of, after.influence - before.influence
    half, likeness = _half(levels, level), _correlation(before.influence, after.influence)
    stretch = _stretch(levels, influence, base.questions, level)
    down = stretch * math.hypot(_joined(after.down, before.up, likeness), half)
    up = stretch * math.hypot(_joined(after.up, before.down, likeness), half)
    interval = Interval(
        low=max(estimate - down, -1.0),
        high=min(estimate + up, 1.0),
        level=level,
        method="prediction-powered",
    )
    return Corrected(
        raw=raw,
        n=n,
        labelled=labelled,
        estimate=estimate,
        interval=with_width(interval, size=1.0),
    )


def _missing(scores: JudgedScores) -> int:
    """How many labels are missing; unequal ones count as ``(Σ w)² / Σ w²`` (Kish).

    So a label that outweighs all others, by a slip in its probability, does not decide alone.
    """
    weights = scores.weights[scores.labelled]
    if len(weights) < FEWEST_LABELS:
        return FEWEST_LABELS - len(weights)
    shares = weights / weights.max()
    count = float(shares.sum() ** 2 / (shares @ shares))
    return max(0, math.ceil(FEWEST_LABELS - count - 1e-9)) if math.isfinite(count) else 1


def _side(scores: JudgedScores, level: float) -> _Side:
    n = len(scores.judged)
    level_of, influence = np.zeros(n), np.zeros(n)
    strata = _strata(scores)
    shares, means, sizes = np.zeros((3, len(strata)))
    for number, inside in enumerate(strata):
        labelled = inside & scores.labelled
        labels, weights = scores.labels[labelled], scores.weights[labelled]
        shares[number] = inside.mean()
        means[number] = mean = float(np.average(labels, weights=weights))
        sizes[number] = effective_count(labels, weights)
        level_of[inside] = mean
        influence[labelled] = inside.mean() * weights / weights.sum() * (labels - mean)
    down, up = label_distances(shares, means, sizes, level)
    return _Side(
        estimate=float(shares @ means),
        down=float(down),
        up=float(up),
        level_of=level_of,
        influence=influence,
    )


def label_distances(
    shares: Floats, means: Floats, sizes: Floats, level: float
) -> tuple[Floats, Floats]:
    """How far the ends of ``Σ shares · means`` are off because of the labels, over the last axis.

    ``sizes`` is the number of labels of each stratum.
    """
    low, high = jeffreys_ends(means, sizes, level)
    down, up = (np.sum((shares * off) ** 2, axis=-1) for off in (means - low, high - means))
    return np.sqrt(down), np.sqrt(up)


def _strata(scores: JudgedScores) -> list[NDArray[np.bool_]]:
    """The answers of each stratum: a group, or its sure and its unsure answers apart."""
    groups, strata = _groups(scores), []
    for group in np.unique(groups):
        inside = groups == group
        unsure = np.zeros_like(inside) if scores.unsure is None else scores.unsure
        parts = [inside & ~unsure, inside & unsure]
        if min(np.count_nonzero(part & scores.labelled) for part in parts) < FEWEST_IN_STRATUM:
            parts = [inside]
        strata += parts
    return strata


def _groups(scores: JudgedScores) -> NDArray[np.intp]:
    """The number of each answer's group: answers with the same score of the judge.

    A group must have labels: a group of a yes/no judge at least one, groups of other judges
    enough for a mean. Neighbours are put together until they have them.
    """
    distinct, places = np.unique(scores.judged, return_inverse=True)
    labels = np.bincount(places, scores.labelled, len(distinct))
    fewest = 1 if is_yes_no(distinct) else FEWEST_IN_GROUP
    number = np.zeros(len(distinct), dtype=np.intp)
    current, inside = 0, 0.0
    for place in range(len(distinct)):
        rest = labels[place:].sum()
        if inside >= fewest and rest >= fewest:
            current, inside = current + 1, 0.0
        number[place] = current
        inside += labels[place]
    return number[places]


def _half(values: Floats, level: float) -> float:
    """Half the width that the choice of the questions adds."""
    return normal_quantile((1 + level) / 2) * math.sqrt(float(np.var(values)) / len(values))


def _stretch(
    values: Floats, influence: Floats, questions: NDArray[np.integer] | None, level: float
) -> float:
    """By how much related answers to one question widen the interval; 1 if there are none.

    It is ``t / z √deff`` for ``k`` questions, where the design effect compares the variance of sums
    by question with that of single answers. It is infinite for a single question.
    """
    if not is_repeated(questions):
        return 1.0
    assert questions is not None
    moves = (values - values.mean()) / len(values) + influence
    sums, sizes = cluster_sums(moves, questions)
    k = len(sums)
    if k < 2:
        return math.inf
    alone = float(moves @ moves)
    together = k / (k - 1) * float(sums @ sums)
    # without any variance, all answers to a question may be alike
    effect = together / alone if alone > ROUNDING**2 else float(sizes @ sizes / sizes.sum())
    share = (1 + level) / 2
    return t_quantile(share, k - 1) / normal_quantile(share) * math.sqrt(max(effect, 1.0))


def _correlation(before: Floats, after: Floats) -> float:
    squares = float(before @ before) * float(after @ after)
    return float(before @ after) / math.sqrt(squares) if squares > 0 else 0.0


def _joined(one: float, other: float, correlation: float) -> float:
    squares = one * one + other * other
    rest = squares - 2 * correlation * one * other
    # the root of a rounding error would be large
    return math.sqrt(rest) if rest > ROUNDING * squares else 0.0
