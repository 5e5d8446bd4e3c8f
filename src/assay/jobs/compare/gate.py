"""The comparison itself: pairs, the difference, what changed, and the verdict."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, Key, named
from assay.jobs.compare.compatibility import check_compatible
from assay.jobs.compare.journal_rows import texts
from assay.jobs.compare.pair import (
    Pair,
    QuestionPair,
    Standing,
    compare_pair,
    pair_questions,
    value_of,
)
from assay.records import Metric
from assay.scorers.quality import weighted_score
from assay.stats import SHARE, Effect, Method, cluster_numbers, paired_effect, with_verdicts

DUST: Final = 1e-9
"""Smaller differences of means come of rounding."""
_DIGITS: Final = 12


class Limits(Struct, frozen=True, kw_only=True):
    """What the gate lets pass. ``epsilon``: a question's change counts if it is larger."""

    min_delta: float = 0.0
    max_regressions: int = 0
    max_failed: int = 0
    epsilon: float = 1e-9
    allow_missing: bool = False
    require_significant: bool = False
    strict_hashes: bool = True


class Comparison(Struct, frozen=True, kw_only=True):
    """What the gate found. ``delta`` is candidate - base, ``gain`` the same with better up.

    Both are of the weighted score where questions have weights, else of the plain mean (or
    percentile) that ``effect`` is about. The two faults say why it did not pass, if it did not.
    """

    metric: Metric
    base: ComparedRun
    cand: ComparedRun
    limits: Limits
    delta: float
    gain: float
    base_value: float
    cand_value: float
    base_weighted: float | None
    cand_weighted: float | None
    effect: Effect
    regressions: int
    delta_fault: str
    regression_fault: str
    items: tuple[QuestionPair, ...]
    notes: tuple[str, ...]

    @property
    def faults(self) -> list[str]:
        """Why the gate did not let the candidate pass."""
        return [fault for fault in (self.delta_fault, self.regression_fault) if fault]

    @property
    def passed(self) -> bool:
        """Whether the candidate may pass."""
        return not self.faults

    def standing(self, *wanted: Standing) -> list[QuestionPair]:
        """The items that stand so, worst first, then by id."""
        found = [item for item in self.items if item.standing in wanted]
        return sorted(found, key=lambda item: (item.gain or 0.0, item.id))


def compare(base: ComparedRun, cand: ComparedRun, limits: Limits | None = None) -> Comparison:
    """Compare two runs question by question; ``UseError`` where that would mean nothing."""
    limits = limits or Limits()
    _refuse_contradiction(limits)
    notes = check_compatible(
        base, cand, strict_hashes=limits.strict_hashes, max_failed=limits.max_failed
    )
    metric, pairs = cand.metric, pair_questions(base, cand)
    items = tuple(compare_pair(name, pair, metric, limits.epsilon) for name, pair in pairs.items())
    both = [pair for pair in pairs.values() if None not in {value_of(one) for one in pair}]
    if not both:
        raise UseError(f"no question has a value of {metric.name} in both runs")
    before, after = (np.array([value_of(pair[side]) for pair in both]) for side in (0, 1))
    values = _summed(metric, before), _summed(metric, after)
    effect = _effect(metric, before, after, _clusters([pair[0] for pair in both]))
    weighted = _weighted({**cand.group_weights, **base.group_weights}, both, metric)
    delta = weighted[1] - weighted[0] if weighted else effect.difference or 0.0
    delta = round(delta, _DIGITS) + 0.0  # no negative zero
    gain = (-delta if metric.better == "lower" else delta) + 0.0
    regressions = _regressions(items, metric, limits)
    return Comparison(
        metric=metric,
        base=base,
        cand=cand,
        limits=limits,
        delta=delta,
        gain=gain,
        base_value=values[0],
        cand_value=values[1],
        base_weighted=weighted[0] if weighted else None,
        cand_weighted=weighted[1] if weighted else None,
        effect=effect,
        regressions=regressions,
        delta_fault=_delta_fault(gain, effect, metric, limits),
        regression_fault=_regression_fault(regressions, limits),
        items=items,
        notes=(*notes, *_notes(items, effect, limits)),
    )


def _refuse_contradiction(limits: Limits) -> None:
    if not (math.isfinite(limits.min_delta) and math.isfinite(limits.epsilon)):
        raise UseError("--min-delta and --epsilon must be finite numbers")
    if limits.require_significant and limits.min_delta > 0:
        raise UseError(
            "--min-delta above 0 asks for a rise, --require-significant fails on a drop only: "
            "give one of them"
        )


def with_texts(found: Comparison, most: int = 0) -> Comparison:
    """The same with question and answers beside what changed; of the worst ``most``, 0: of all."""
    changed = found.standing("worse", "missing", "better")
    chosen = {item.id for item in (changed[:most] if most else changed)}
    base_keys, cand_keys = named(found.base, found.cand)
    before = _texts(found.base, [base_keys[name] for name in chosen if name in base_keys])
    after = _texts(found.cand, [cand_keys[name] for name in chosen if name in cand_keys])
    items = []
    for item in found.items:
        if item.id in chosen:
            question, then = before.get(base_keys.get(item.id, ("", "")), ("", ""))
            asked, now = after.get(cand_keys.get(item.id, ("", "")), ("", ""))
            item = replace(  # noqa: PLW2901 - the same item, told in full
                item, question=asked or question, answer_before=then, answer_after=now
            )
        items.append(item)
    return replace(found, items=tuple(items))


def _texts(side: ComparedRun, keys: Sequence[Key]) -> Mapping[Key, tuple[str, str]]:
    if side.journal is not None:
        return texts(side.journal, side.variant or "", keys)
    return {key: (side.items[key].question, side.items[key].answer) for key in keys}


def _clusters(trials: Sequence[ComparedCase | None]) -> NDArray[np.integer[Any]] | None:
    """Items of one document move together; numbered where enough documents are told apart."""
    numbers: dict[str, int] = {}
    found = []
    for place, trial in enumerate(trials):
        source = trial.source if trial is not None else None
        found.append(numbers.setdefault(source or f"\0{place}", len(numbers)))
    return cluster_numbers(np.array(found))


def _effect(
    metric: Metric,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    clusters: NDArray[np.integer[Any]] | None,
) -> Effect:
    is_yes_no = bool(np.isin(before, (0, 1)).all() and np.isin(after, (0, 1)).all())
    if metric.kind == "rate" and not is_yes_no:  # repeated runs make shares of yes and no
        metric = replace(metric, kind="mean")
    effect = paired_effect(metric, "candidate", "base", after, before, Method(clusters=clusters))
    return with_verdicts([effect], [metric])[0]


def _summed(metric: Metric, values: NDArray[np.float64]) -> float:
    if metric.kind in SHARE:
        return float(np.quantile(values, SHARE[metric.kind]))
    return math.fsum(values.tolist()) / len(values)


def _weighted(
    group_weights: Mapping[str, float], pairs: Sequence[Pair], metric: Metric
) -> tuple[float, float] | None:
    """Both weighted scores over the same questions by the base's weights.

    Of several data sets each has its own, and they are weighed by theirs. ``None`` where
    nothing has a weight, or all of them are 0.
    """
    trials = [(one, two) for one, two in pairs if one is not None and two is not None]
    has_weights = any(trial.weight is not None for pair in trials for trial in pair)
    if metric.kind in SHARE or not (has_weights or group_weights):
        return None
    scores: list[float] = []
    for side in (0, 1):
        groups: dict[str, list[tuple[float, float]]] = {}
        for pair in trials:
            weight = pair[0].weight if pair[0].weight is not None else pair[1].weight
            value = pair[side].value
            assert value is not None
            groups.setdefault(pair[0].group, []).append((value, 1.0 if weight is None else weight))
        of_groups = {name: weighted_score(found) for name, found in groups.items()}
        score = weighted_score(
            (found, group_weights.get(name, 1.0))
            for name, found in of_groups.items()
            if found is not None
        )
        if score is None:
            return None
        scores.append(score)
    return scores[0], scores[1]


def _regressions(items: Sequence[QuestionPair], metric: Metric, limits: Limits) -> int:
    """Questions that became worse, and those that are gone.

    A percentile is not a matter of single questions, and what noise may explain does not
    count where significance is required: then only those that are gone do.
    """
    gone = 0 if limits.allow_missing else sum(item.standing == "missing" for item in items)
    if metric.kind in SHARE or limits.require_significant:
        return gone
    return gone + sum(item.standing == "worse" for item in items)


def _delta_fault(gain: float, effect: Effect, metric: Metric, limits: Limits) -> str:
    if gain >= limits.min_delta - DUST:
        return ""
    if limits.require_significant and not is_shown_drop(effect, metric):
        return ""
    wanted = f", a change of at least {limits.min_delta:+g} for the better is wanted"
    if gain >= 0:
        return f"{metric.name} became better by {gain:.6g} only{wanted}"
    return f"{metric.name} became worse by {-gain:.6g}{wanted if limits.min_delta else ''}"


def _regression_fault(regressions: int, limits: Limits) -> str:
    if regressions <= limits.max_regressions:
        return ""
    questions = "question" if regressions == 1 else "questions"
    return f"{regressions} {questions} regressed, {limits.max_regressions} allowed"


def is_shown_drop(effect: Effect, metric: Metric) -> bool:
    """Whether the candidate is worse by more than noise explains.

    By the test's verdict; a percentile has no test, and its whole interval must be on the
    worse side.
    """
    if metric.kind not in SHARE:
        return effect.verdict == "worse"
    if effect.interval is None or effect.verdict == "too few":
        return False
    return effect.interval.low > 0 if metric.better == "lower" else effect.interval.high < 0


def _notes(items: Sequence[QuestionPair], effect: Effect, limits: Limits) -> list[str]:
    moved = any(item.standing in {"worse", "better"} for item in items)
    notes = [effect.note] if effect.note and moved else []
    if limits.require_significant:
        if effect.verdict == "too few":
            notes.append("too few questions differ to tell a drop from noise: it cannot fail")
        notes.append("single questions that became worse do not count with --require-significant")
    missing = sum(item.standing == "missing" for item in items)
    if missing and limits.allow_missing:
        notes.append(f"{missing} questions without a value in the candidate do not count")
    return notes
