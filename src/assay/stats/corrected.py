"""The mean of what people would say about all answers, from a judge of all and labels of some.

A judge scores every answer, people label a random part of them. Within each group of answers to
which the judge gave the same score, the mean label ``m_k`` is estimated from the labels, and the
groups are added up with their shares ``a_k`` among all judged answers::

    Σ a_k m_k

This is prediction-powered inference (A. N. Angelopoulos and others, "Prediction-powered
inference", Science 382, 2023) in its stratified form (A. Fisch and others, "Stratified
prediction-powered inference", 2024): the judge only sorts the answers, so a judge with a constant
error costs nothing, and a judge that guesses does no harm: what is left is the mean of the labels.

The plain interval of the former, ``± z √variance``, covers too rarely if few labels contradict the
judge. Here each ``m_k`` has an interval that has a width even if all labels agree (half an item
at the end of the scale is added, and a label counts as much as the answers it stands for, see
``bounded.py``), and the distances to its ends are added as squares, with the variance between the
groups for the choice of questions (G. Y. Zou and A. Donner, "Construction of confidence limits about
effect measures", Statistics in Medicine 27, 2008). Both errors are thus in the interval: that of the
questions and that of the labels.

Scores of a check may be unsure. A group with enough labels of sure and of unsure answers is divided
into these two strata. They share the half item by the answers that they have, so dividing a group
allows for no more errors that no label met than the whole group does.

The figures are about further questions like these; ``docs/evidence/judge-coverage.md`` shows how often the intervals
contain the true value.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.stats.interval import (
    ROUNDING,
    Interval,
    bounded_mean_ends,
    check_level,
    normal_quantile,
    t_quantile,
    with_width,
)
from assay.stats.mean_interval import is_yes_no
from assay.stats.resample import Floats, cluster_sums
from assay.stats.scores import is_repeated

FEWEST_LABELS: Final = 30
"""With fewer labels no corrected figure is given."""
FEWEST_IN_GROUP: Final = 10
"""Neighbouring scores of a judge with more than two are put together until a group has this many
labels."""
FEWEST_IN_STRATUM: Final = 5
"""A group is divided into sure and unsure answers if both have this many labels."""
_EXTRA_ITEM: Final = 0.5
"""How much of an item is added at each end of the scale: with half an item the interval of a share
is nearly Jeffreys', which covers at least 93 % here (``bench/judge_coverage.py``)."""


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
    ``worth`` is the number of equally likely labels that the labels weigh as,
    if it is this that is too small.
    """

    raw: float
    n: int
    labelled: int
    estimate: float | None = None
    interval: Interval | None = None
    missing: int = 0
    worth: float | None = None

    @property
    def is_small(self) -> bool:
        """Whether labels are missing although every answer has one: there are too few answers."""
        return self.missing > 0 and self.worth is None and self.labelled >= self.n > 0


class _Parts(Struct, frozen=True, kw_only=True, eq=False):
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
    (0.29, 0.5)
    """
    check_level(level)
    scores = scores.chosen(np.isfinite(scores.judged))
    n, labelled = len(scores.judged), int(scores.labelled.sum())
    raw = float(scores.judged.mean()) if n else math.nan
    missing, worth = _missing(scores)
    if missing:
        return Corrected(raw=raw, n=n, labelled=labelled, missing=missing, worth=worth)
    parts = _parts(scores, level)
    sampling = _sampling(parts.level_of, level)
    related = _related(parts.level_of, parts.influence, scores.questions, level)
    low = parts.estimate - max(math.hypot(parts.down, sampling), related)
    high = parts.estimate + max(math.hypot(parts.up, sampling), related)
    interval = Interval(
        low=max(low, 0.0), high=min(high, 1.0), level=level, method="prediction-powered"
    )
    return Corrected(raw=raw, n=n, labelled=labelled, estimate=parts.estimate, interval=interval)


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
    sides = _missing(base), _missing(cand)
    missing = sum(side[0] for side in sides)
    if missing:
        light = [side[1] for side in sides if side[1] is not None]
        return Corrected(
            raw=raw, n=n, labelled=labelled, missing=missing, worth=min(light, default=None)
        )
    before, after = _parts(base, level), _parts(cand, level)
    estimate = after.estimate - before.estimate
    sampling = _sampling(after.level_of - before.level_of, level)
    likeness = _correlation(before.influence, after.influence)
    down = _joined(after.down, before.up, likeness)
    up = _joined(after.up, before.down, likeness)
    related = _related(
        after.level_of - before.level_of, after.influence - before.influence, base.questions, level
    )
    interval = Interval(
        low=max(estimate - max(math.hypot(down, sampling), related), -1.0),
        high=min(estimate + max(math.hypot(up, sampling), related), 1.0),
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


def _missing(scores: JudgedScores) -> tuple[int, float | None]:
    """How many labels are missing, and what the labels weigh as if there are enough of them.

    A few labels with very large weights decide alone, however many others there are. The number
    that counts is Kish's ``(Σ w)² / Σ w²``: it does not depend on what the labels say, so that
    leaving a figure out does not choose among figures. (L. Kish, "Survey Sampling", 1965.)
    """
    weights = scores.weights[scores.labelled]
    if len(weights) < FEWEST_LABELS:
        return FEWEST_LABELS - len(weights), None
    shares = weights / weights.max()
    worth = float(shares.sum() ** 2 / (shares @ shares))
    if worth >= FEWEST_LABELS - 1e-9:
        return 0, None
    # a weight that is no number counts as no label
    worth = worth if math.isfinite(worth) else 0.0
    return math.ceil(FEWEST_LABELS - worth), worth


def _parts(scores: JudgedScores, level: float) -> _Parts:
    n = len(scores.judged)
    level_of, influence = np.zeros(n), np.zeros(n)
    estimate = down = up = 0.0
    for inside, extra in _strata(scores):
        share = float(inside.mean())
        labelled = inside & scores.labelled
        labels, weights = scores.labels[labelled], scores.weights[labelled]
        mean = float(np.average(labels, weights=weights))
        low, high = _ends(labels, weights, level, extra)
        estimate += share * mean
        down += (share * (mean - low)) ** 2
        up += (share * (high - mean)) ** 2
        level_of[inside] = mean
        influence[labelled] = share * weights / weights.sum() * (labels - mean)
    return _Parts(
        estimate=estimate,
        down=math.sqrt(down),
        up=math.sqrt(up),
        level_of=level_of,
        influence=influence,
    )


def _ends(labels: Floats, weights: Floats, level: float, extra: float) -> tuple[float, float]:
    """Both ends of the interval of a stratum's mean label; ``extra`` is its part of an item."""
    sizes = (weights / weights.mean()).round(9)
    kinds, items = np.unique(np.column_stack([labels, sizes]), axis=0, return_counts=True)
    return _known_ends(tuple(map(tuple, kinds.tolist())), tuple(items.tolist()), level, extra)


@lru_cache(maxsize=65_536)
def _known_ends(
    kinds: tuple[tuple[float, float], ...], items: tuple[int, ...], level: float, extra: float
) -> tuple[float, float]:
    """The ends for labels with their weights, of which there are so many ``items``."""
    labels, weights = np.repeat(np.array(kinds), items, axis=0).T
    return bounded_mean_ends(labels, level, weights, extra)


def _strata(scores: JudgedScores) -> Iterator[tuple[NDArray[np.bool_], float]]:
    """The answers of each stratum, and its part of the extra item.

    A group is a stratum, or two if both its sure and its unsure answers have enough labels.
    """
    groups = _groups(scores)
    for group in np.unique(groups):
        inside = groups == group
        parts = (
            [inside] if scores.unsure is None else [inside & ~scores.unsure, inside & scores.unsure]
        )
        if min(np.count_nonzero(part & scores.labelled) for part in parts) < FEWEST_IN_STRATUM:
            parts = [inside]
        for part in parts:
            share = np.count_nonzero(part) / np.count_nonzero(inside)
            yield part, _EXTRA_ITEM * share


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


def _sampling(values: Floats, level: float) -> float:
    """Half the width that the choice of the questions adds."""
    return normal_quantile((1 + level) / 2) * math.sqrt(float(np.var(values)) / len(values))


def _related(
    values: Floats, influence: Floats, questions: NDArray[np.integer] | None, level: float
) -> float:
    """Half the width that related answers to one question demand; 0 if there are none.

    ``√(k / (k - 1) Σ s²)`` with the quantile of t, where ``s`` is what the answers to one of the
    ``k`` questions together move the estimate. It is infinite for a single question.
    """
    if not is_repeated(questions):
        return 0.0
    assert questions is not None
    sums, _ = cluster_sums((values - values.mean()) / len(values) + influence, questions)
    k = len(sums)
    if k < 2:
        return math.inf
    return t_quantile((1 + level) / 2, k - 1) * math.sqrt(k / (k - 1) * float(sums @ sums))


def _correlation(before: Floats, after: Floats) -> float:
    squares = float(before @ before) * float(after @ after)
    return float(before @ after) / math.sqrt(squares) if squares > 0 else 0.0


def _joined(one: float, other: float, correlation: float) -> float:
    squares = one * one + other * other
    rest = squares - 2 * correlation * one * other
    # the root of a rounding error would be large
    return math.sqrt(rest) if rest > ROUNDING * squares else 0.0


# How many labels give a corrected rate an interval of a wanted width.


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


def labels_for_difference(
    before: Floats, after: Floats, width: float, level: float = 0.95
) -> int | None:
    """The number of labels of each side for an interval of the corrected difference of this width.

    ``before`` and ``after`` are the chances that the answers of each pair are right, the same for all
    answers of a group. With ``n`` pairs and ``m`` labels of each side the variance is::

        Var(after - before) / n + sum of a² r(1-r) / (a m + 1)

    over the groups of both sides: ``a`` is the share of a group, ``r = (a m p + 1/2) / (a m + 1)`` the
    chance ``p`` with the half item that the interval adds at each end of the scale. ``None`` if the
    width cannot be reached, because the pairs themselves are too few.

    >>> before, after = np.repeat([0.9, 0.2], [600, 400]), np.repeat([0.9, 0.2], [500, 500])
    >>> labels_for_difference(before, after, 0.1), labels_for_difference(before, after, 0.2)
    (403, 97)
    >>> labels_for_difference(before[:100], after[:100], 0.01) is None
    True
    """
    n, z = len(before), normal_quantile((1 + level) / 2)
    if not n:
        return None
    groups = [np.unique(side, return_counts=True) for side in (before, after)]
    chances = np.concatenate([values for values, _ in groups])
    shares = np.concatenate([counts for _, counts in groups]) / n
    rest = (width / (2 * z)) ** 2 - float(np.var(after - before)) / n

    def variance(labels: int) -> float:
        items = shares * labels + 1
        mean = (shares * labels * chances + 0.5) / items
        return float(np.sum(shares**2 * mean * (1 - mean) / items))

    return (
        1 + bisect_left(range(1, n + 1), -rest, key=lambda m: -variance(m))
        if variance(n) <= rest
        else None
    )
