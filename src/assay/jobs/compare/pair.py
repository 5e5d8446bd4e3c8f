"""Questions in pairs: what each is in the base, what in the candidate."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, named
from assay.records import Metric

Standing = Literal["worse", "missing", "better", "same", "not compared", "added"]
Pair: TypeAlias = tuple[ComparedCase | None, ComparedCase | None]
"""A question in the base and in the candidate; ``None`` where it is not there."""
_DIGITS: Final = 12


class QuestionPair(Struct, frozen=True, kw_only=True, gc=False):
    """One question in both runs. ``gain`` is positive where it became better.

    ``missing``: the base has a value and the candidate none. ``not compared``: a case failed,
    or neither run has a value. ``added``: only the candidate has one. ``reason`` says more.
    """

    id: str
    standing: Standing
    before: float | None = None
    after: float | None = None
    gain: float | None = None
    reason: str = ""
    question: str = ""
    answer_before: str = ""
    answer_after: str = ""


def pair_questions(base: ComparedRun, cand: ComparedRun) -> dict[str, Pair]:
    """Every question of either side by name; in order of names, so that no order of rows counts."""
    theirs, ours = named(base, cand)
    return {
        name: (
            base.items[theirs[name]] if name in theirs else None,
            cand.items[ours[name]] if name in ours else None,
        )
        for name in sorted({*theirs, *ours})
    }


def value_of(trial: ComparedCase | None) -> float | None:
    """What a case scored, ``None`` where it did not."""
    return trial.value if trial is not None and trial.status == "scored" else None


def compare_pair(name: str, pair: Pair, metric: Metric, epsilon: float = 0.0) -> QuestionPair:
    """How one question fared; a change of ``epsilon`` or less is none."""
    base, cand = pair
    before, after = value_of(base), value_of(cand)
    if before is not None and after is not None:
        change = round(after - before, _DIGITS)
        gain = -change if metric.better == "lower" else change
        standing: Standing = "same"
        if abs(gain) > epsilon:
            standing = "better" if gain > 0 else "worse"
        return QuestionPair(id=name, standing=standing, before=before, after=after, gain=gain + 0.0)
    standing, reason = _unpaired(base, cand, metric)
    return QuestionPair(id=name, standing=standing, before=before, after=after, reason=reason)


def _unpaired(
    base: ComparedCase | None, cand: ComparedCase | None, metric: Metric
) -> tuple[Standing, str]:
    """Where a question without two values stands, and why."""
    if cand is None:
        return "missing", "not in the candidate"
    if base is None:
        return "added", "not in the base"
    failed = [who for who, one in (("base", base), ("candidate", cand)) if one.status == "failed"]
    if failed:
        return "not compared", f"failed in the {' and the '.join(failed)}"
    if value_of(base) is not None:
        return "missing", f"{_absence(cand, metric)} in the candidate"
    if value_of(cand) is not None:
        return "added", f"{_absence(base, metric)} in the base"
    if base.status == cand.status == "skipped":
        return "not compared", "skipped in both runs"
    return "not compared", f"no {metric.name} in either run"


def _absence(trial: ComparedCase, metric: Metric) -> str:
    return "skipped" if trial.status == "skipped" else f"{metric.name} is undefined"
