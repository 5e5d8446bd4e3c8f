"""How many labels give an interval of a wanted width in four of five runs.

The labels are simulated: the chance that an answer is right is drawn from what the labels so far say
about answers like it, and the interval is that of ``assay.stats.corrected``. This is the assurance
of A. O'Hagan, J. W. Stevens and M. J. Campbell ("Assurance in clinical trial design", Pharmaceutical
Statistics 4, 2005). Where labels are too few, the usual errors of a judge are assumed.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.judge.calibration import is_check
from assay.judge.draw import UNSURE, probabilities
from assay.judge.labelled_answers import Sample
from assay.stats.corrected import FEWEST_LABELS, JudgedScores, label_distances
from assay.stats.interval import normal_quantile
from assay.stats.judge_error import effective_count
from assay.stats.resample import Floats, quantile, stream

USUAL: Final = (0.85, 0.15)
"""The share of right answers among those that a judge calls right and wrong, if nothing is known."""
FEWEST_KNOWN: Final = 5
"""With fewer labels of a kind, the usual share is assumed."""
ASSURANCE: Final = 0.8
"""The share of runs in which the planned labels give the wanted width."""
LEVEL: Final = 0.95
_DRAWS: Final = 300
_NO_LABEL: Final = 1e-6
_CLOSE: Final = 1.02
"""How much larger than needed the number of labels may be."""


class VariantPlan(Struct, frozen=True, kw_only=True):
    """The labels of a variant: how many there are, and how many give the wanted width.

    ``needed`` is ``None`` if not even labels for all answers give it. ``assumed`` if the errors of
    the judge are a guess, because there are too few labels yet.
    """

    variant: str
    answers: int
    labelled: int
    needed: int | None
    assumed: bool

    @property
    def missing(self) -> int | None:
        """How many labels are still missing."""
        return None if self.needed is None else max(0, self.needed - self.labelled)


class DifferencePlan(Struct, frozen=True, kw_only=True):
    """How many labels of each side give the difference to ``base`` an interval of the wanted width.

    ``pairs`` is the number of questions with a score on both sides; the rest as of a variant.
    """

    variant: str
    base: str
    pairs: int
    needed: int | None
    assumed: bool


class LabelPlan(Struct, frozen=True, kw_only=True):
    """What ``assay labels plan`` says."""

    judge: str
    width: float
    variants: tuple[VariantPlan, ...]
    differences: tuple[DifferencePlan, ...] = ()

    @property
    def by_check(self) -> bool:
        """Whether the labels are for an offline check, and not for a judge."""
        return is_check(self.judge)


def plan_labels(
    judge: str,
    sample: Sample,
    *,
    width: float,
    threshold: float,
    baseline: str = "",
    base: Sample | None = None,
) -> LabelPlan:
    """How many labels each variant needs for an interval of this width, and each difference.

    Variants are compared with those of the same name in the run ``base``, or with its only one;
    without a ``base`` with the ``baseline`` of their own run.
    """
    return LabelPlan(
        judge=judge,
        width=width,
        variants=tuple(
            _variant_plan(name, side, width, threshold) for name, side in sample.sides.items()
        ),
        differences=tuple(_difference_plans(sample, base, baseline, width, threshold)),
    )


def _difference_plans(
    sample: Sample, base: Sample | None, baseline: str, width: float, threshold: float
) -> Iterator[DifferencePlan]:
    other = sample if base is None else base
    places = {item: number for number, item in enumerate(other.items)}
    shared = [number for number, item in enumerate(sample.items) if item in places]
    theirs = [places[sample.items[number]] for number in shared]
    for name, side in sample.sides.items():
        before = _before(name, list(other.sides), baseline if base is None else name)
        if before is None or (base is None and before == name):
            continue
        yield plan_difference(
            (before, other.sides[before].chosen(np.array(theirs, np.intp))),
            (name, side.chosen(np.array(shared, np.intp))),
            width=width,
            threshold=threshold,
        )


def _before(name: str, known: Sequence[str], wanted: str) -> str | None:
    """The variant with which another one is compared: the wanted one, or the only possible one."""
    others = known if len(known) == 1 else [each for each in known if each != name]
    return wanted if wanted in known else others[0] if len(others) == 1 else None


def plan_difference(
    base: tuple[str, JudgedScores],
    cand: tuple[str, JudgedScores],
    *,
    width: float,
    threshold: float = 0.5,
) -> DifferencePlan:
    """How many labels of each side a difference needs; both sides have the same questions, by name."""
    both = np.isfinite(base[1].judged) & np.isfinite(cand[1].judged)
    before, after = (_kinds(side.chosen(both), threshold) for _, side in (base, cand))
    return DifferencePlan(
        variant=cand[0],
        base=base[0],
        pairs=int(both.sum()),
        needed=_fewest(
            lambda count: _difference_width(before, after, count), (before, after), width
        ),
        assumed=before.assumed or after.assumed,
    )


def _variant_plan(name: str, side: JudgedScores, width: float, threshold: float) -> VariantPlan:
    side = side.chosen(np.isfinite(side.judged))
    kinds = _kinds(side, threshold)
    return VariantPlan(
        variant=name,
        answers=len(side.judged),
        labelled=int(side.labelled.sum()),
        needed=_fewest(lambda count: _rate_width(kinds, count), (kinds,), width),
        assumed=kinds.assumed,
    )


class _Kinds(Struct, frozen=True, kw_only=True, eq=False):
    """The answers of a side by kind: of the same kind are those of which the judge says the same, as surely.

    ``kind`` is the kind of each answer. The others have a value for each kind: its number of
    ``answers``, how likely these are drawn (``size``), their ``labels`` and the right ones (``yes``)
    so far, how many equal labels each label is worth (``worth``), and, as a row for each draw, the
    ``chance`` that an answer is right.
    """

    kind: NDArray[np.intp]
    answers: NDArray[np.int64]
    size: Floats
    labels: NDArray[np.int64]
    yes: Floats
    worth: Floats
    chance: Floats
    assumed: bool


def _kinds(side: JudgedScores, threshold: float) -> _Kinds:
    """The kinds of a side; where labels are too few, the chances are those of the same verdict."""
    said = (side.judged >= threshold).astype(np.intp)
    unsure = np.zeros(len(said), np.bool_) if side.unsure is None else side.unsure
    known, kind = np.unique(2 * said + unsure, return_inverse=True)
    rng = stream(0, "label plan")
    columns: list[tuple[float, ...]] = []
    chances, assumed = [], False
    for number in known.tolist():
        verdict, is_unsure = divmod(number, 2)
        inside = (said == verdict) & (unsure == bool(is_unsure))
        alike = [group & side.labelled for group in (inside, said == verdict)]
        enough = next((group for group in alike if group.sum() >= FEWEST_KNOWN), None)
        own, mean, each_worth = 0, 0.0, 1.0
        if enough is None:
            chances.append(np.full(_DRAWS, USUAL[0] if verdict else USUAL[1]))
            assumed = True
        else:
            values, weights = side.labels[enough], side.weights[enough]
            count, mean = (
                effective_count(values, weights),
                float(np.average(values, weights=weights)),
            )
            chances.append(rng.beta(count * mean + 0.5, count * (1 - mean) + 0.5, _DRAWS))
            each_worth = count / len(values)
            own = len(values) if enough is alike[0] else 0
        columns.append((inside.sum(), own, own * mean, each_worth, is_unsure))
    answers, labels, yes, worth, doubts = np.array(columns, np.float64).reshape(-1, 5).T
    return _Kinds(
        kind=kind,
        answers=answers.astype(np.int64),
        size=np.where(doubts > 0, UNSURE, 1.0),
        labels=labels.astype(np.int64),
        yes=yes,
        worth=worth,
        chance=np.array(chances).T,
        assumed=assumed,
    )


def _simulated(kinds: _Kinds, count: int, side: str) -> tuple[Floats, Floats]:
    """The mean label of each kind if ``count`` answers are labelled, and how many labels it has."""
    rng = stream(0, "label plan", side)
    chances = probabilities(kinds.size[kinds.kind], count)
    drawn = [chances[kinds.kind == number].max() for number in range(len(kinds.answers))]
    shape = kinds.chance.shape
    labels = np.maximum(rng.binomial(kinds.answers, drawn, shape), kinds.labels)
    yes = kinds.yes + rng.binomial(labels - kinds.labels, kinds.chance)
    means = np.where(labels > 0, yes / np.maximum(labels, 1), kinds.chance)
    return means, np.where(labels > 0, labels * kinds.worth, _NO_LABEL)


def _rate_width(kinds: _Kinds, count: int) -> Floats:
    """The widths of the intervals of a rate that ``count`` labels give."""
    shares = kinds.answers / kinds.answers.sum()
    means, sizes = _simulated(kinds, count, "")
    down, up = label_distances(shares, means, sizes, LEVEL)
    estimate = means @ shares
    half = _half((means**2) @ shares - estimate**2, len(kinds.kind))
    low, high = estimate - np.hypot(down, half), estimate + np.hypot(up, half)
    return np.asarray(np.minimum(high, 1.0) - np.maximum(low, 0.0), dtype=np.float64)


def _difference_width(before: _Kinds, after: _Kinds, count: int) -> Floats:
    """The widths of the intervals of a difference that ``count`` labels of each side give."""
    n = len(before.kind)
    sides = []
    for name, kinds in (("before", before), ("after", after)):
        means, sizes = _simulated(kinds, count, name)
        sides.append((means, *label_distances(kinds.answers / n, means, sizes, LEVEL)))
    pairs = np.zeros((len(before.answers), len(after.answers)))
    np.add.at(pairs, (before.kind, after.kind), 1 / n)
    (base, base_down, base_up), (cand, cand_down, cand_up) = sides
    changes = cand[:, None, :] - base[:, :, None]
    squares = np.sum(pairs * changes**2, axis=(1, 2)) - np.sum(pairs * changes, axis=(1, 2)) ** 2
    half = _half(squares, n)
    down = np.hypot(np.hypot(cand_down, base_up), half)
    up = np.hypot(np.hypot(cand_up, base_down), half)
    return np.asarray(down + up, dtype=np.float64)


def _half(variance: Floats, n: int) -> Floats:
    """Half the width that the choice of the questions adds."""
    z = normal_quantile((1 + LEVEL) / 2)
    return np.asarray(z * np.sqrt(np.maximum(variance, 0.0) / n), dtype=np.float64)


def _fewest(widths: Callable[[int], Floats], sides: Sequence[_Kinds], width: float) -> int | None:
    """The smallest number of labels whose intervals are narrow enough, ``None`` if there is none.

    Widths fall nearly with the root of the number of labels, which gives the next number to try.
    """
    n, labelled = len(sides[0].kind), min(int(each.labels.sum()) for each in sides)

    def found(count: int) -> float:
        return quantile(widths(count), ASSURANCE)

    if not n or width <= 0 or found(n) > width:
        return None
    low, high = min(n, max(labelled, FEWEST_LABELS)), n
    reached = found(low)
    if reached <= width:
        return low
    count = low
    while high > math.ceil(low * _CLOSE):
        count = round(count * (reached / width) ** 2)
        count = min(max(count, low + max(1, (high - low) // 10)), high - max(1, (high - low) // 10))
        reached = found(count)
        low, high = (low, count) if reached <= width else (count, high)
    return high
