"""The difference between two runs that a judge or a check scored, corrected by labels of people."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.gate.compared_run import ComparedRun, Key
from assay.judge.calibration import JUDGE_PREFIX
from assay.judge.label_plan import plan_difference
from assay.records import Metric
from assay.stats.corrected import Corrected, JudgedScores, corrected_difference
from assay.words.message import Message, joined, message

EARLY: Final = message(
    "a run stopped early: its answers decided which questions were asked, so no corrected difference holds"
)

Labelled = tuple[float, float, float, bool]
"""The score, the label and its weight, NaN if there is none, and whether the score is unsure."""


class Correction(Struct, frozen=True, kw_only=True):
    """Which difference the gate used: ``corrected``, or ``judge alone`` (``check alone``) and why.

    ``difference`` is the corrected one, if there is one. If it is undecided, or the gate has a margin,
    ``needed`` is the number of labels of each side that would make its interval narrower than the
    difference by the judge or the check alone in four of five runs, so that it cannot contain both that
    difference and 0, or narrower than the margin on both sides; ``None`` if there are too few questions
    for this.
    """

    used: str
    reason: Message | str
    difference: Corrected | None = None
    needed: int | None = None

    @property
    def is_undecided(self) -> bool:
        """Whether the labels contradict neither the judge or the check alone nor that nothing changed."""
        found = self.difference
        if self.used != "corrected" or found is None or found.interval is None:
            return False
        low, high = found.interval.low, found.interval.high
        return low <= 0 <= high and low <= found.raw <= high


class JudgedSide(Struct, frozen=True, kw_only=True):
    """One run with its scores and its labels, by item."""

    run: ComparedRun
    labelled: Mapping[Key, Labelled]
    has_repetitions: bool


def correct(base: JudgedSide, cand: JudgedSide, *, margin: float | None = None) -> Correction:
    """The corrected difference if the labels allow one; ``margin`` is that of the gate."""
    metric = base.run.metric
    if base.has_repetitions or cand.has_repetitions:
        return uncorrected(metric, message("questions were asked several times"))
    if base.run.stops_early or cand.run.stops_early:
        return uncorrected(metric, EARLY)
    keys = sorted(base.labelled.keys() & cand.labelled.keys())
    scores = _scores(base, keys), _scores(cand, keys)
    found = corrected_difference(*scores)
    if found.estimate is None:
        missing = message("{n} labels of randomly drawn answers are missing", n=found.missing)
        reason = joined([missing, message("assay labels plan draws them")])
        return uncorrected(metric, reason, found)
    if not _is_finite(found):
        broken = message(
            "the corrected difference is not a number; check the weights of the labels"
        )
        return uncorrected(metric, broken)
    reason = message("{n} labels of randomly drawn answers", n=found.labelled)
    correction = Correction(used="corrected", reason=reason, difference=found)
    if margin is None and not correction.is_undecided:
        return correction
    width = abs(found.raw) if margin is None else 2 * margin
    plan = plan_difference(("base", scores[0]), ("candidate", scores[1]), width=width)
    return replace(correction, needed=plan.needed)


def uncorrected(
    metric: Metric,
    reason: Message | str,
    difference: Corrected | None = None,
    needed: int | None = None,
) -> Correction:
    """That the difference by the judge or the check alone is used, and why."""
    used = "judge alone" if metric.name.startswith(JUDGE_PREFIX) else "check alone"
    return Correction(used=used, reason=reason, difference=difference, needed=needed)


def _is_finite(found: Corrected) -> bool:
    ends = (found.interval.low, found.interval.high) if found.interval is not None else ()
    return all(value is not None and math.isfinite(value) for value in (found.estimate, *ends))


def _scores(side: JudgedSide, keys: list[Key]) -> JudgedScores:
    columns = np.array([side.labelled[key] for key in keys], np.float64).reshape(-1, 4).T
    _, questions = np.unique([question for question, _ in keys], return_inverse=True)
    return JudgedScores(
        judged=columns[0],
        labels=columns[1],
        weights=columns[2],
        questions=questions,
        unsure=columns[3] == 1,
    )
