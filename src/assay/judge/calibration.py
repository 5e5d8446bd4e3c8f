"""How far a judge can be trusted: its errors on labelled answers, and corrected rates."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.judge.labelled_answers import LabelCounts, Sample
from assay.stats.agreement import cohen_kappa, kappa_interval
from assay.stats.corrected import Corrected, JudgedScores, corrected_difference, corrected_mean
from assay.stats.interval import Interval, with_width
from assay.stats.judge_error import (
    ErrorCounts,
    JudgeErrors,
    best_threshold,
    errors_differ,
    judge_errors,
    lang_reiczigel,
    rogan_gladen,
)
from assay.stats.mean_interval import mean_interval
from assay.stats.scores import is_repeated

JUDGE_PREFIX: Final = "judge."
"""How the name of a judge begins in what is said about it; the name of a check has no such word."""
SIGNIFICANT: Final = 0.05
FEWEST_UNLABELLED: Final = 50
"""Rogan and Gladen's rate needs this many answers that it is about."""
FEWEST_OF_A_KIND: Final = 15
"""It also needs this many labels of right answers, and of wrong ones (docs/evidence/judge-coverage.md)."""


class JudgeAgreement(Struct, frozen=True, kw_only=True):
    """The errors of a judge on a group of labelled answers, and its kappa with people."""

    group: str
    labelled: int
    errors: JudgeErrors
    kappa: float | None = None
    kappa_interval: Interval | None = None


class TrueRate(Struct, frozen=True, kw_only=True):
    """Rogan and Gladen's rate of ``answers`` answers, with the interval of Lang and Reiczigel.

    If something is missing there is no rate: labels of answers that people call right
    (``missing_right``) or wrong (``missing_wrong``), or answers (``missing_answers``).
    ``interval`` alone is missing if all of it lies outside of the scale from 0 to 1.
    ``is_unequal`` if the labels have unequal probabilities, and ``is_guess`` if the judge is not
    better than a guess: then there is no rate either.
    """

    answers: int
    rate: float | None = None
    interval: Interval | None = None
    missing_right: int = 0
    missing_wrong: int = 0
    missing_answers: int = 0
    is_unequal: bool = False
    is_guess: bool = False


class VariantRate(Struct, frozen=True, kw_only=True):
    """The rate of a variant: by the judge alone, and corrected.

    ``corrected`` is about all judged answers. ``rogan_gladen_of_unlabelled_answers`` is about the
    answers without a label only, so it differs from the rate of the variant even if the judge never
    errs; ``rogan_gladen_by_labels_of_other_runs`` is about all judged answers. At most one of these
    two is there.
    """

    variant: str
    corrected: Corrected
    raw_interval: Interval | None
    rogan_gladen_of_unlabelled_answers: TrueRate | None = None
    rogan_gladen_by_labels_of_other_runs: TrueRate | None = None


class VariantDifference(Struct, frozen=True, kw_only=True):
    """The corrected difference between a variant and the baseline."""

    variant: str
    base: str
    corrected: Corrected


class Threshold(Struct, frozen=True, kw_only=True):
    """The threshold that the labels suggest, with the errors of the judge at it."""

    threshold: float
    gain: float
    errors: JudgeErrors


def is_check(name: str) -> bool:
    """Whether scores of this name are those of an offline check.

    >>> is_check("answer_contained"), is_check("judge.correct")
    (True, False)
    """
    return not name.startswith(JUDGE_PREFIX)


class Calibration(Struct, frozen=True, kw_only=True):
    """What ``assay judge check`` says of a ``judge``, or of an offline check.

    ``errors_differ`` is the p-value of the hypothesis that the judge errs alike in all variants.
    ``certainty`` are the sure and the unsure answers of a check; nothing if it is sure of all.
    If the run ``stops_early``, differences have no interval: its answers chose the questions.
    """

    judge: str
    threshold: float
    counts: LabelCounts
    drawn: int
    drawn_labelled: int
    overall: JudgeAgreement
    variants: tuple[JudgeAgreement, ...]
    languages: tuple[JudgeAgreement, ...]
    certainty: tuple[JudgeAgreement, ...] = ()
    errors_differ: float | None
    rates: tuple[VariantRate, ...]
    differences: tuple[VariantDifference, ...]
    suggested: Threshold | None = None
    stops_early: bool = False

    @property
    def by_check(self) -> bool:
        """Whether an offline check is compared with the labels, and no judge."""
        return is_check(self.judge)

    @property
    def is_biased(self) -> bool:
        """Whether the judge alone must not compare the variants: its errors differ between them."""
        return self.errors_differ is not None and self.errors_differ < SIGNIFICANT


def calibrate(
    judge: str,
    sample: Sample,
    *,
    threshold: float = 0.5,
    baseline: str = "",
    elsewhere: ErrorCounts | None = None,
    stops_early: bool = False,
) -> Calibration:
    """Hold a judge against labels. ``elsewhere`` are its errors on labelled answers of other runs."""
    joined = sample.joined()
    questions = sample.question_numbers()
    variants = sample.variant_numbers()
    languages = np.array(sample.languages * len(sample.sides))
    labelled = joined.labelled & np.isfinite(joined.judged)
    unsure = sample.unsure()
    said, right = joined.judged >= threshold, joined.labels > 0.5

    def agreement(group: str, mask: NDArray[np.bool_]) -> JudgeAgreement:
        inside = labelled & mask
        return _agreement(
            group, said[inside], right[inside], joined.weights[inside], questions[inside]
        )

    names = list(sample.sides)
    base = baseline if baseline in sample.sides else names[0] if names else ""
    return Calibration(
        judge=judge,
        threshold=threshold,
        counts=sample.counts,
        drawn=sample.drawn,
        drawn_labelled=sample.drawn_labelled,
        overall=agreement("all", np.ones(len(labelled), dtype=bool)),
        variants=tuple(agreement(name, variants == number) for number, name in enumerate(names)),
        languages=tuple(
            agreement(name, languages == name) for name in sorted(set(sample.languages))
        ),
        certainty=(agreement("sure", ~unsure), agreement("unsure", unsure)) if unsure.any() else (),
        errors_differ=errors_differ(said[labelled], right[labelled], variants[labelled]),
        rates=tuple(_rate(name, side, threshold, elsewhere) for name, side in sample.sides.items()),
        differences=_differences(sample.sides, base, stops_early=stops_early),
        suggested=_suggested(joined.chosen(labelled)),
        stops_early=stops_early,
    )


def _agreement(
    group: str,
    said: NDArray[np.bool_],
    right: NDArray[np.bool_],
    weights: NDArray[np.float64],
    questions: NDArray[np.intp],
) -> JudgeAgreement:
    tables = np.zeros((len(said), 2, 2))
    # each answer stands for those that could have been drawn in its place
    tables[np.arange(len(said)), said.astype(int), right.astype(int)] = weights / (
        weights.mean() if len(said) else 1.0
    )
    return JudgeAgreement(
        group=group,
        labelled=len(said),
        errors=judge_errors(said, right, weights),
        kappa=cohen_kappa(tables.sum(axis=0)) if len(said) else None,
        kappa_interval=kappa_interval(tables, questions) if len(said) else None,
    )


def _rate(
    name: str, side: JudgedScores, threshold: float, elsewhere: ErrorCounts | None
) -> VariantRate:
    known = side.chosen(np.isfinite(side.judged))
    judged = known.judged
    return VariantRate(
        variant=name,
        corrected=corrected_mean(side),
        raw_interval=mean_interval(
            judged, clusters=known.questions if is_repeated(known.questions) else None
        ),
        rogan_gladen_of_unlabelled_answers=_unlabelled_rate(side, threshold)
        if elsewhere is None
        else None,
        rogan_gladen_by_labels_of_other_runs=_true_rate(judged >= threshold, elsewhere)
        if elsewhere is not None
        else None,
    )


def error_counts(side: JudgedScores, threshold: float) -> ErrorCounts:
    """The errors of a yes/no judge as counts, each answer weighted as it was drawn."""
    known = side.chosen(side.labelled & np.isfinite(side.judged))
    found = judge_errors(known.judged >= threshold, known.labels > 0.5, known.weights)
    yes, no = found.sensitivity, found.specificity
    return ErrorCounts(
        yes=yes.n, yes_found=(yes.rate or 0.0) * yes.n, no=no.n, no_found=(no.rate or 0.0) * no.n
    )


def _unlabelled_rate(side: JudgedScores, threshold: float) -> TrueRate | None:
    """The rate of the answers that have no label; ``None`` if all have one.

    They are like the labelled ones only if all answers were equally likely to be drawn.
    """
    rest = np.isfinite(side.judged) & ~side.labelled
    weights = side.weights[side.labelled]
    if not rest.any():
        return None
    if len(weights) and np.ptp(weights) > 1e-9:
        return TrueRate(answers=int(rest.sum()), is_unequal=True)
    return _true_rate(side.judged[rest] >= threshold, error_counts(side, threshold))


def _true_rate(said: NDArray[np.bool_], errors: ErrorCounts) -> TrueRate:
    """The rate of the answers of which the judge said this, with its errors on other answers."""
    n, yes = len(said), int(said.sum())
    found = TrueRate(
        answers=n,
        missing_right=max(0, math.ceil(FEWEST_OF_A_KIND - errors.yes)),
        missing_wrong=max(0, math.ceil(FEWEST_OF_A_KIND - errors.no)),
        missing_answers=max(0, FEWEST_UNLABELLED - n),
    )
    if found.missing_right or found.missing_wrong or found.missing_answers:
        return found
    rate = rogan_gladen(yes / n, errors.yes_found / errors.yes, errors.no_found / errors.no)
    interval = lang_reiczigel(yes, n, errors)
    if rate is None or interval is None:
        return TrueRate(answers=n, is_guess=True)
    # an interval that lies outside of the scale is cut to one of its ends
    return TrueRate(answers=n, rate=rate, interval=with_width(interval, size=1.0))


def _differences(
    sides: Mapping[str, JudgedScores], base: str, *, stops_early: bool
) -> tuple[VariantDifference, ...]:
    found = {name: corrected_difference(sides[base], side) for name, side in sides.items()}
    return tuple(
        VariantDifference(
            variant=name,
            base=base,
            corrected=replace(corrected, interval=None) if stops_early else corrected,
        )
        for name, corrected in found.items()
        if name != base
    )


def _suggested(labelled: JudgedScores) -> Threshold | None:
    """The best threshold of a judge with more than two scores."""
    if len(np.unique(labelled.judged)) < 3:
        return None
    right = labelled.labels > 0.5
    found = best_threshold(labelled.judged, right, labelled.weights)
    if found is None:
        return None
    return Threshold(
        threshold=found[0],
        gain=found[1],
        errors=judge_errors(labelled.judged >= found[0], right, labelled.weights),
    )


class JudgesCompared(Struct, frozen=True, kw_only=True):
    """Two judges on the same answers: how often both, one and neither says yes."""

    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    kappa: float | None
    kappa_interval: Interval | None


def compare_judges(
    names: tuple[str, str], scores: Sequence[tuple[float, float, str]], threshold: float
) -> JudgesCompared:
    """Compare two judges; each entry has both scores of an answer, and its question."""
    values = np.array([[one, other] for one, other, _ in scores]).reshape(-1, 2) >= threshold
    _, questions = np.unique([question for *_, question in scores], return_inverse=True)
    tables = np.zeros((len(values), 2, 2))
    if len(values):
        tables[np.arange(len(values)), values[:, 0].astype(int), values[:, 1].astype(int)] = 1.0
    table = tables.sum(axis=0).astype(int)
    return JudgesCompared(
        first=names[0],
        second=names[1],
        n=len(values),
        both=int(table[1, 1]),
        only_first=int(table[1, 0]),
        only_second=int(table[0, 1]),
        neither=int(table[0, 0]),
        kappa=cohen_kappa(tables.sum(axis=0)) if len(values) else None,
        kappa_interval=kappa_interval(tables, questions) if len(values) else None,
    )
