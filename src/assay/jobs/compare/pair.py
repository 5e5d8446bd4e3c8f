"""Pairs of questions: the same question in the base and in the candidate."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, keys_by_name
from assay.records import Metric

Standing = Literal["worse", "missing", "better", "same", "not compared", "added"]
Pair: TypeAlias = tuple[ComparedCase | None, ComparedCase | None]
"""A question in the base and in the candidate; None if the run does not have it."""
_DIGITS: Final = 12


class QuestionPair(Struct, frozen=True, kw_only=True, gc=False):
    """One question in both runs. ``gain`` is positive if the question became better.

    ``unsure`` says in which run the check is unsure of the answer. The standing is ``missing`` if only the base has a value for the question; ``added`` if only the
    candidate has it; and ``not compared`` if a case failed or is not
    judged yet, or neither run has a value. ``reason`` then gives the details.
    """

    id: str
    standing: Standing
    before: float | None = None
    after: float | None = None
    gain: float | None = None
    unsure: Literal["", "base", "candidate", "both"] = ""
    reason: str = ""
    question: str = ""
    answer_before: str = ""
    answer_after: str = ""


def pair_questions(base: ComparedRun, cand: ComparedRun) -> dict[str, Pair]:
    """Every question of either run by name, sorted, so that the order of rows has no effect."""
    base_keys, cand_keys = keys_by_name(base, cand)
    return {
        name: (
            base.items[base_keys[name]] if name in base_keys else None,
            cand.items[cand_keys[name]] if name in cand_keys else None,
        )
        for name in sorted({*base_keys, *cand_keys})
    }


def value_of(case: ComparedCase | None) -> float | None:
    """The value of a scored case; None if the case is missing, not scored or undefined."""
    return case.value if case is not None and case.status == "scored" else None


def unsure_side(pair: Pair) -> Literal["", "base", "candidate", "both"]:
    """In which run the check is unsure of the answer."""
    base, cand = (case is not None and case.at_least is not None for case in pair)
    if base and cand:
        return "both"
    return "base" if base else "candidate" if cand else ""


def compare_pair(name: str, pair: Pair, metric: Metric, epsilon: float = 0.0) -> QuestionPair:
    """The comparison of one question; a change of at most ``epsilon`` does not count."""
    base, cand = pair
    before, after = value_of(base), value_of(cand)
    if before is not None and after is not None:
        change = round(after - before, _DIGITS)
        gain = -change if metric.better == "lower" else change
        standing: Standing = "same"
        if abs(gain) > epsilon:
            standing = "better" if gain > 0 else "worse"
        return QuestionPair(
            id=name,
            standing=standing,
            before=before,
            after=after,
            gain=gain + 0.0,
            unsure=unsure_side(pair),
        )
    standing, reason = _unpaired(base, cand, metric)
    return QuestionPair(id=name, standing=standing, before=before, after=after, reason=reason)


def _unpaired(
    base: ComparedCase | None, cand: ComparedCase | None, metric: Metric
) -> tuple[Standing, str]:
    """The standing of a question that does not have two values, and the reason."""
    if cand is None:
        standing: Standing = "not compared" if value_of(base) is None else "missing"
        return standing, "not in the candidate"
    if base is None:
        return "added", "not in the base"
    sides = (("base", base), ("candidate", cand))
    failed = [name for name, case in sides if case.status == "failed"]
    if failed:
        return "not compared", f"failed in the {' and the '.join(failed)}"
    unjudged = [name for name, case in sides if case.status == "answered"]
    if unjudged:
        return "not compared", f"not judged yet in the {' and the '.join(unjudged)}"
    spared = [name for name, case in sides if case.status == "spared"]
    if spared:
        return "not compared", f"spared by an early decision in the {' and the '.join(spared)}"
    if value_of(base) is not None:
        return "missing", f"{_absence(cand, metric)} in the candidate"
    if value_of(cand) is not None:
        return "added", f"{_absence(base, metric)} in the base"
    if base.status == cand.status == "skipped":
        return "not compared", "skipped in both runs"
    return "not compared", f"no {metric.name} in either run"


def _absence(case: ComparedCase, metric: Metric) -> str:
    return "skipped" if case.status == "skipped" else f"{metric.name} is undefined"
