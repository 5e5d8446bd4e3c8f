"""How many labels an interval of a wanted width needs."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.judge.calibration import is_check
from assay.judge.labelled_answers import Sample
from assay.stats.corrected import FEWEST_LABELS, JudgedScores, labels_for_difference, labels_needed
from assay.stats.resample import Floats

USUAL: Final = (0.85, 0.15)
"""The share of right answers among those that a judge calls right and wrong, if nothing is known."""
FEWEST_KNOWN: Final = 5
"""With fewer labels of a kind, the usual share is assumed."""


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
    before, after = (_chances(side.chosen(both), threshold) for _, side in (base, cand))
    needed = labels_for_difference(before.chances, after.chances, width)
    return DifferencePlan(
        variant=cand[0],
        base=base[0],
        pairs=int(both.sum()),
        needed=None if needed is None else min(int(both.sum()), max(needed, FEWEST_LABELS)),
        assumed=before.assumed or after.assumed,
    )


class _Chances(NamedTuple):
    """The chance that each answer is right, by what the judge says of it."""

    chances: Floats
    assumed: bool


def _chances(side: JudgedScores, threshold: float) -> _Chances:
    """The chances by the labels of answers of which the judge says the same, as surely.

    Where labels are too few, sure and unsure answers are put together, or the usual chance is taken.
    """
    said = side.judged >= threshold
    doubtful = np.zeros(len(said), np.bool_) if side.unsure is None else side.unsure
    chances, assumed = np.zeros(len(said)), False
    for group, usual in ((said, USUAL[0]), (~said, USUAL[1])):
        parts = [group & ~doubtful, group & doubtful]
        if min(int((part & side.labelled).sum()) for part in parts) < FEWEST_KNOWN:
            parts = [group]
        for part in parts:
            share = _share(side, part)
            chances[part] = usual if share is None else share
            assumed = assumed or (share is None and bool(part.any()))
    return _Chances(chances, assumed)


def _share(side: JudgedScores, group: NDArray[np.bool_]) -> float | None:
    """The share of right answers in a group by its labels; ``None`` if there are too few of them."""
    known = group & side.labelled
    labels = side.labels[known]
    if len(labels) < FEWEST_KNOWN:
        return None
    mean = float(np.average(labels, weights=side.weights[known]))
    return (mean * len(labels) + 0.5) / (len(labels) + 1)


def _variant_plan(name: str, side: JudgedScores, width: float, threshold: float) -> VariantPlan:
    side = side.chosen(np.isfinite(side.judged))
    said = side.judged >= threshold
    shares, assumed = [], False
    for group, usual in ((said, USUAL[0]), (~said, USUAL[1])):
        known = _share(side, group)
        shares.append(usual if known is None else known)
        assumed = assumed or (known is None and bool(group.any()))
    n = len(said)
    share = float(said.mean()) if n else 0.0
    needed = labels_needed(share, shares[0], shares[1], n, width) if n else None
    return VariantPlan(
        variant=name,
        answers=n,
        labelled=int(side.labelled.sum()),
        needed=None if needed is None else min(n, max(needed, FEWEST_LABELS)),
        assumed=assumed,
    )
