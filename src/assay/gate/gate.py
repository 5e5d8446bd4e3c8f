"""The comparison: pairs of questions, the difference, what changed, and the verdict."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.gate.compared_run import ComparedCase, ComparedRun, Key, keys_by_name
from assay.gate.compatibility import check_compatible
from assay.gate.contrary import Movement, aggregate_value, movements, tested_effect, units_of
from assay.gate.correction import Correction, uncorrected
from assay.gate.journal_rows import (
    QuestionPair,
    RowPair,
    Standing,
    compare_pair,
    pair_questions,
    read_texts,
    unsure_side,
    value_of,
)
from assay.gate.margin import (
    Margin,
    MarginResult,
    PairedSpread,
    margin_result,
    paired_spread,
    refuse_size,
    refuse_together,
    with_unseen,
)
from assay.gate.shared import (
    have_other_questions,
    may_have_other_questions,
    refuse_reworded,
    without_reworded,
)
from assay.jobs.quality.score import weighted_score
from assay.records import Metric
from assay.stats.corrected import Corrected
from assay.stats.effect import SHARE, Effect
from assay.stats.interval import Interval
from assay.stats.sequential import untested
from assay.words.message import Message, message, message_n

# The weights of questions and data sets: weighted scores, and the weight of each pair in them.

FEWEST_EQUAL: Final = 6
"""So many questions of equal weight must be behind a weighted score to tell a change from noise."""


def weighted_scores(
    group_weights: Mapping[str, float], pairs: Sequence[RowPair], metric: Metric
) -> tuple[float, float] | None:
    """The weighted scores of base and candidate, over the same questions, with the base's weights.

    With several data sets, each data set has its weighted score, and these are averaged with the
    weights of the data sets. Returns None if nothing has a weight, if all weights are 0, or if
    the metric is a percentile.
    """
    complete = [(base, cand) for base, cand in pairs if base is not None and cand is not None]
    has_weights = any(case.weight is not None for pair in complete for case in pair)
    if metric.kind in SHARE or not (has_weights or group_weights):
        return None
    scores: list[float] = []
    for index in (0, 1):
        groups: dict[str, list[tuple[float, float]]] = {}
        for pair in complete:
            weight = pair[0].weight if pair[0].weight is not None else pair[1].weight
            value = pair[index].value
            assert value is not None
            groups.setdefault(pair[0].group, []).append((value, 1.0 if weight is None else weight))
        group_scores = {name: weighted_score(values) for name, values in groups.items()}
        score = weighted_score(
            (group_score, group_weights.get(name, 1.0))
            for name, group_score in group_scores.items()
            if group_score is not None
        )
        if score is None:
            return None
        scores.append(score)
    return scores[0], scores[1]


def pair_weights(
    group_weights: Mapping[str, float], pairs: Sequence[RowPair]
) -> NDArray[np.float64] | None:
    """The weight of each pair in the weighted score, with the mean 1; None if all are equal.

    The weight of a question is divided by those of its data set, and multiplied by that of the data
    set, so that the mean of weighted values is the weighted score. A data set without weight counts
    nothing.
    """
    groups = [case.group for case, _ in pairs if case is not None]
    own = [_weight(pair) for pair in pairs]
    totals: dict[str, float] = {}
    for group, weight in zip(groups, own, strict=True):
        totals[group] = totals.get(group, 0.0) + weight
    weights = np.array(
        [
            weight / totals[group] * group_weights.get(group, 1.0) if totals[group] else 0.0
            for group, weight in zip(groups, own, strict=True)
        ]
    )
    weights *= len(weights) / weights.sum()
    return None if np.allclose(weights, 1.0, rtol=0.0, atol=1e-12) else weights


def weight_notes(weights: NDArray[np.float64] | None) -> list[Message | str]:
    """What the test is about, and whether few questions have most of the weight.

    ``(Σ w)² / Σ w²`` questions of equal weight say as much (L. Kish, "Survey sampling", 1965).
    """
    if weights is None:
        return []
    notes: list[Message | str] = [message("the test and its interval are about the weighted score")]
    equal = weights.sum() ** 2 / (weights @ weights)
    if equal < FEWEST_EQUAL <= len(weights):
        notes.append(
            message(
                "few questions have most of the weight: they say as much as {n} equal ones, so noise may explain any change",
                n=f"{equal:.1f}",
            )
        )
    return notes


def _weight(pair: RowPair) -> float:
    """The weight of the base, or else of the candidate; 1 if neither has one."""
    given = (case.weight for case in pair if case is not None)
    return next((weight for weight in given if weight is not None), 1.0)


ROUNDING_ERROR: Final = 1e-9
"""Differences of means that are smaller than this are rounding errors."""
_DIGITS: Final = 12


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of the gate. A question counts as changed if it changed by more than ``epsilon``.

    ``strict_hashes`` refuses runs with other documents, questions, weights or judging. ``margin`` is
    the largest loss that does not matter, and ``equivalent`` the largest difference; a larger one must
    be ruled out (``assay.gate.margin``), unless ``pass_if_unclear``. Then single questions that became
    worse count only if ``max_regressions`` is given.
    """

    min_delta: float = 0.0
    max_regressions: int | None = None
    max_failed: int = 0
    epsilon: float = 1e-9
    allow_missing: bool = False
    require_significant: bool = False
    strict_hashes: bool = True
    margin: float | None = None
    equivalent: float | None = None
    pass_if_unclear: bool = False

    @property
    def asked(self) -> Margin | None:
        """What is asked about the size of the difference; ``None`` without a margin."""
        if self.equivalent is not None:
            return Margin(kind="equivalent", size=self.equivalent)
        return None if self.margin is None else Margin(kind="not worse", size=self.margin)

    @property
    def allowed_regressions(self) -> int:
        """How many questions may be worse or have no value; by default none."""
        return self.max_regressions or 0

    @property
    def counts_worse(self) -> bool:
        """Whether single questions that became worse count: noise may explain them."""
        is_asked = self.asked is not None and self.max_regressions is None
        return not self.require_significant and not is_asked


class Unsure(Struct, frozen=True, kw_only=True):
    """What answers that the check is unsure of leave open: how many, and the difference at most.

    ``low`` counts those of the base as right and those of the candidate as wrong, ``high`` the other
    way round. A question to which both runs gave the same answer is not among them: whatever it is
    worth, it is worth the same in both.
    """

    base: int
    candidate: int
    low: float
    high: float

    @property
    def leaves_sign_open(self) -> bool:
        """Whether the candidate may be better or worse, as these answers are decided."""
        return self.low < 0 < self.high


class Comparison(Struct, frozen=True, kw_only=True):
    """The result of a comparison.

    ``delta`` is the candidate's value minus the base's value. ``gain`` is the same difference
    with the sign chosen so that a positive value is better. Both refer to the weighted score if
    questions have weights, otherwise to the mean (or percentile); ``effect`` tests the same.
    ``unsure`` is what the check leaves open; ``None`` if it is sure of every answer.
    ``delta_fault`` and ``regression_fault`` say why the candidate did not pass; they are empty
    if it passed. ``movements`` are other measures of correctness that changed by more than noise.
    ``is_weighted`` if questions have unequal weights.
    ``correction`` says how the difference was corrected by labels of people; if it was,
    ``delta`` and ``gain`` are the corrected difference. ``pairs`` says how much the pairs vary, and
    ``margin`` whether the loss or the difference is larger than the limits allow, if they say.
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
    is_weighted: bool = False
    effect: Effect
    regressions: int
    delta_fault: Message | str
    regression_fault: Message | str
    items: tuple[QuestionPair, ...]
    notes: tuple[Message | str, ...]
    movements: tuple[Movement, ...] = ()
    correction: Correction | None = None
    unsure: Unsure | None = None
    pairs: PairedSpread
    margin: MarginResult | None = None

    @property
    def tested_name(self) -> Message | str:
        """What is compared: the metric, its weighted mean, or its value corrected by labels."""
        if self.correction is not None and self.correction.used == "corrected":
            return message("{metric}, corrected by labels,", metric=self.metric.name)
        return _name(self.metric, is_weighted=self.is_weighted)

    @property
    def faults(self) -> list[Message | str]:
        """The reasons why the candidate did not pass; empty if it passed."""
        return [fault for fault in (self.delta_fault, self.regression_fault) if fault]

    @property
    def passed(self) -> bool:
        """Whether the candidate passed."""
        return not self.faults

    @property
    def contrary(self) -> list[Movement]:
        """The measures of correctness that moved the other way than the compared metric.

        Answers that became better explain why others became slower, so that is no contradiction.
        """
        return [
            each
            for each in self.movements
            if each.is_contrary(self.gain, passed=self.passed)
            and (each.verdict == "worse" or self.metric.family == "quality")
        ]

    @property
    def open_sign(self) -> Unsure | None:
        """The unsure answers, if the sign of the difference depends on them and no label settles it."""
        is_settled = self.correction is not None and self.correction.used == "corrected"
        found = None if is_settled else self.unsure
        return found if found is not None and found.leaves_sign_open else None

    @property
    def warnings(self) -> list[Message | str]:
        """What a reader must know before the verdict is trusted."""
        return [each.sentence(self.metric.name) for each in self.contrary]

    def items_with(self, *standings: Standing) -> list[QuestionPair]:
        """The items with one of these standings, the worst first, then by id."""
        items = [item for item in self.items if item.standing in standings]
        return sorted(items, key=lambda item: (item.gain or 0.0, item.id))


def _no_pair(base: ComparedRun, cand: ComparedRun, metric: Metric) -> str:
    """Why nothing can be compared, and a metric that both runs have, if there is one."""
    shared = {each.metric.name for each in base.others} & {each.metric.name for each in cand.others}
    known = [each.metric.name for each in cand.others if each.metric.name in shared]
    hint = f"; compare another one, for example --metric {known[0]}" if known else ""
    return f"no question has a value of {metric.name} in both runs{hint}"


def compare(base: ComparedRun, cand: ComparedRun, limits: Limits | None = None) -> Comparison:
    """Compare two runs question by question; raises ``UseError`` if they are not comparable."""
    limits = limits or Limits()
    _refuse_contradiction(limits)
    notes = check_compatible(
        base, cand, strict_hashes=limits.strict_hashes, max_failed=limits.max_failed
    )
    if may_have_other_questions(base, cand):
        base, cand, shared = without_reworded(base, cand)
        if limits.strict_hashes:
            refuse_reworded(shared)
        if shared.reworded or have_other_questions(base, cand):
            notes.append(shared.sentence)
    metric, pairs = cand.metric, pair_questions(base, cand)
    items = tuple(compare_pair(name, pair, metric, limits.epsilon) for name, pair in pairs.items())
    complete = {
        name: pair for name, pair in pairs.items() if None not in {value_of(case) for case in pair}
    }
    both = list(complete.values())
    if not both:
        raise UseError(_no_pair(base, cand, metric))
    before, after = (np.array([value_of(pair[index]) for pair in both]) for index in (0, 1))
    values = aggregate_value(metric, before), aggregate_value(metric, after)
    method = (units := units_of(base, cand, complete)).method
    group_weights = {**cand.group_weights, **base.group_weights}
    weighted = weighted_scores(group_weights, both, metric)
    weights = pair_weights(group_weights, both) if weighted else None
    effect = tested_effect(metric, before, after, method, weights)
    if base.stops_early or cand.stops_early:
        effect = untested(effect)
    delta = weighted[1] - weighted[0] if weighted else effect.difference or 0.0
    delta = round(delta, _DIGITS) + 0.0  # turns -0.0 into 0.0
    gain = (-delta if metric.better == "lower" else delta) + 0.0
    regressions = _regressions(items, metric, limits)
    spread = paired_spread(metric, before, after, method, weights)
    name = _name(metric, is_weighted=weights is not None)
    margin = None
    if limits.asked is not None:
        refuse_size(limits.asked, is_score=spread.is_score)
        interval = with_unseen(effect.interval, effect.difference, weights, spread)
        margin = margin_result(limits.asked, metric, interval, effect.difference, spread)
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
        is_weighted=weights is not None,
        effect=effect,
        regressions=regressions,
        delta_fault=_delta_fault(gain, effect, metric, limits, name)
        if margin is None
        else margin_fault(margin, metric, limits, name),
        regression_fault=_regression_fault(regressions, limits),
        items=items,
        notes=(*notes, *_notes(items, effect, limits), *units.notes, *weight_notes(weights)),
        movements=tuple(movements(base, cand)),
        unsure=None if weights is not None else _unsure(base, cand, complete),
        pairs=spread,
        margin=margin,
    )


def _unsure(base: ComparedRun, cand: ComparedRun, pairs: Mapping[str, RowPair]) -> Unsure | None:
    """What the unsure answers of these pairs leave open."""
    alike = _same_answers(
        base, cand, [name for name, pair in pairs.items() if unsure_side(pair) == "both"]
    )
    both = [pair for name, pair in pairs.items() if name not in alike]
    cases = [[case for pair in both if (case := pair[side]) is not None] for side in (0, 1)]
    counts = [sum(case.at_least is not None for case in side) for side in cases]
    if not any(counts):
        return None

    def bound(case: ComparedCase, *, high: bool) -> float:
        end = case.at_most if high else case.at_least
        return end if end is not None else case.value or 0.0

    ends = [
        sum(
            bound(after, high=high) - bound(before, high=not high)
            for before, after in zip(*cases, strict=True)
        )
        / len(pairs)
        for high in (False, True)
    ]
    return Unsure(base=counts[0], candidate=counts[1], low=ends[0], high=ends[1])


def _same_answers(base: ComparedRun, cand: ComparedRun, names: Sequence[str]) -> set[str]:
    """Those of these questions to which both runs gave the same answer, word for word."""
    if not names:
        return set()
    keys = [{name: keys[name] for name in names} for keys in keys_by_name(base, cand)]
    before, after = (
        _read_texts(run, list(each.values())) for run, each in zip((base, cand), keys, strict=True)
    )
    answers = [
        {name: texts.get(each[name], ("", ""))[1] for name in names}
        for texts, each in zip((before, after), keys, strict=True)
    ]
    return {name for name in names if answers[0][name] and answers[0][name] == answers[1][name]}


def with_correction(comparison: Comparison, correction: Correction) -> Comparison:
    """The comparison with its correction by labels; the corrected difference decides.

    A corrected difference has no weights of questions, so it cannot stand for a weighted one. Labels
    that are too few to contradict a shown loss do not overrule it.
    """
    if comparison.is_weighted and correction.used == "corrected":
        correction = uncorrected(comparison.metric, message("the questions have weights"))
    found = correction.difference
    if correction.used != "corrected" or found is None or found.estimate is None:
        return replace(comparison, correction=correction)
    metric, limits = comparison.metric, comparison.limits
    delta = round(found.estimate, _DIGITS) + 0.0
    gain = (-delta if metric.better == "lower" else delta) + 0.0
    corrected = replace(comparison, correction=correction, delta=delta, gain=gain, delta_fault="")
    name = corrected.tested_name
    if limits.asked is not None:
        margin = _corrected_margin(limits.asked, metric, correction, found)
        has_lost = comparison.margin is not None and comparison.margin.outcome == "failed"
        corrected = replace(
            corrected, margin=margin, delta_fault=margin_fault(margin, metric, limits, name)
        )
        is_open = margin.outcome != "failed"
    else:
        has_lost = bool(comparison.delta_fault) and is_shown_drop(comparison.effect, metric)
        if gain < limits.min_delta - ROUNDING_ERROR and (
            _is_shown_worse(found.interval, metric) or not limits.require_significant
        ):
            fault = change_fault(name, gain, limits.min_delta)
            corrected = replace(corrected, delta_fault=fault)
        is_open = not corrected.delta_fault
    if has_lost and is_open and correction.is_undecided:
        return _undecided(comparison, correction)
    return corrected


def _corrected_margin(
    asked: Margin, metric: Metric, correction: Correction, found: Corrected
) -> MarginResult:
    """What the corrected interval says; more labels may be what is lacking."""
    pairs = PairedSpread(units=found.n, unit="question", is_score=True)
    result = margin_result(asked, metric, found.interval, found.estimate, pairs)
    has_too_few = correction.needed is not None and 2 * correction.needed > found.labelled
    is_labelled = result.outcome == "unclear" and has_too_few
    return replace(result, labels=correction.needed if is_labelled else None, is_corrected=True)


def _undecided(comparison: Comparison, correction: Correction) -> Comparison:
    """The comparison whose loss counts, because the labels are too few to contradict it."""
    found = correction.difference
    assert found is not None
    assert found.interval is not None
    ends = f"{found.estimate:+.4f} [{found.interval.low:+.4f}, {found.interval.high:+.4f}]"
    few = (
        message(
            "the labels are too few to contradict it (corrected {value}, not even labels of all answers would decide)",
            value=ends,
        )
        if correction.needed is None
        else message(
            "the labels are too few to contradict it (corrected {value}, about {n} of each side would decide)",
            value=ends,
            n=correction.needed,
        )
    )
    return replace(
        comparison,
        correction=uncorrected(comparison.metric, few, found, correction.needed),
        delta_fault=message("{fault}, and {few}", fault=comparison.delta_fault, few=few),
    )


def _is_shown_worse(interval: Interval | None, metric: Metric) -> bool:
    """Whether the whole interval of a difference is on the worse side."""
    if interval is None:
        return False
    return interval.low > 0 if metric.better == "lower" else interval.high < 0


def _refuse_contradiction(limits: Limits) -> None:
    if not (math.isfinite(limits.min_delta) and math.isfinite(limits.epsilon)):
        raise UseError("--min-delta and --epsilon must be finite numbers")
    if limits.require_significant and limits.min_delta > 0:
        raise UseError(
            "--min-delta above 0 requires a rise, but --require-significant fails only on a "
            "drop: give one of them"
        )
    asked = limits.asked
    if limits.margin is not None and limits.equivalent is not None:
        raise UseError("--margin and --equivalent ask for different things: give one of them")
    if asked is None and limits.pass_if_unclear:
        raise UseError("--pass-if-unclear needs --margin or --equivalent")
    if asked is not None and not (math.isfinite(asked.size) and asked.size > 0):
        raise UseError(f"{asked.option} must be above 0, such as 0.03 for 3 points of 100")
    if asked is not None and limits.require_significant:
        refuse_together(asked.option, "--require-significant")
    if asked is not None and limits.min_delta:
        refuse_together(asked.option, "--min-delta")


def with_texts(comparison: Comparison, most: int = 0) -> Comparison:
    """The comparison with the question and both answers added to the items that changed.

    The texts are added to the ``most`` worst items only; if ``most`` is 0, to all of them.
    """
    changed = comparison.items_with("worse", "missing", "better")
    chosen = {item.id for item in (changed[:most] if most else changed)}
    base_keys, cand_keys = keys_by_name(comparison.base, comparison.cand)
    before = _read_texts(comparison.base, [base_keys[name] for name in chosen if name in base_keys])
    after = _read_texts(comparison.cand, [cand_keys[name] for name in chosen if name in cand_keys])
    items = []
    for item in comparison.items:
        if item.id in chosen:
            base_question, base_answer = before.get(base_keys.get(item.id, ("", "")), ("", ""))
            cand_question, cand_answer = after.get(cand_keys.get(item.id, ("", "")), ("", ""))
            item = replace(  # noqa: PLW2901 - the same item with its texts
                item,
                question=cand_question or base_question,
                answer_before=base_answer,
                answer_after=cand_answer,
            )
        items.append(item)
    return replace(comparison, items=tuple(items))


def _read_texts(run: ComparedRun, keys: Sequence[Key]) -> Mapping[Key, tuple[str, str]]:
    if run.journal is not None:
        return read_texts(run, keys)
    return {key: (run.items[key].question, run.items[key].answer) for key in keys}


def _regressions(items: Sequence[QuestionPair], metric: Metric, limits: Limits) -> int:
    """The number of questions that became worse or have no value in the candidate.

    Questions that became worse do not count for a percentile, which does not depend on single
    questions, nor if significance is required or a margin is given, because noise may explain them.
    """
    missing = 0 if limits.allow_missing else sum(item.standing == "missing" for item in items)
    if metric.kind in SHARE or not limits.counts_worse:
        return missing
    return missing + sum(item.standing == "worse" for item in items)


def _name(metric: Metric, *, is_weighted: bool) -> Message | str:
    return message("weighted {metric}", metric=metric.name) if is_weighted else metric.name


def margin_fault(
    margin: MarginResult, metric: Metric, limits: Limits, name: Message | str
) -> Message | str:
    """Why the candidate does not pass a margin; empty if it does."""
    is_passed = margin.outcome == "passed"
    if is_passed or (margin.outcome == "unclear" and limits.pass_if_unclear):
        return ""
    return margin.sentence(metric, name)


def _delta_fault(
    gain: float, effect: Effect, metric: Metric, limits: Limits, name: Message | str
) -> Message | str:
    if gain >= limits.min_delta - ROUNDING_ERROR:
        return ""
    if limits.require_significant and not is_shown_drop(effect, metric):
        return ""
    return change_fault(name, gain, limits.min_delta)


def change_fault(name: Message | str, gain: float, min_delta: float) -> Message:
    """That something became worse, or better by less than is required."""
    if gain >= 0:
        return message(
            "{metric} became better by only {gain} (--min-delta is {limit})",
            metric=name,
            gain=f"{gain:.6g}",
            limit=f"{min_delta:g}",
        )
    if not min_delta:
        return message("{metric} became worse by {gain}", metric=name, gain=f"{-gain:.6g}")
    return message(
        "{metric} became worse by {gain} (--min-delta is {limit})",
        metric=name,
        gain=f"{-gain:.6g}",
        limit=f"{min_delta:g}",
    )


def _regression_fault(regressions: int, limits: Limits) -> Message | str:
    if regressions <= limits.allowed_regressions:
        return ""
    return message_n(
        "{n} question regressed, {limit} allowed",
        "{n} questions regressed, {limit} allowed",
        regressions,
        limit=limits.allowed_regressions,
    )


def is_shown_drop(effect: Effect, metric: Metric) -> bool:
    """Whether the candidate is worse by more than noise explains.

    The verdict of the test decides. There is no test for a percentile; its whole confidence
    interval must be on the worse side.
    """
    if metric.kind not in SHARE:
        return effect.verdict == "worse"
    return effect.verdict != "too few" and _is_shown_worse(effect.interval, metric)


def _notes(items: Sequence[QuestionPair], effect: Effect, limits: Limits) -> list[Message | str]:
    has_changes = any(item.standing in {"worse", "better"} for item in items)
    notes = [effect.note] if effect.note and has_changes else []
    if limits.require_significant:
        if effect.verdict == "too few":
            notes.append(
                message(
                    "too few questions differ to distinguish a drop from noise, so a drop cannot fail"
                )
            )
        notes.append(
            message("with --require-significant, single questions that became worse do not count")
        )
    missing = sum(item.standing == "missing" for item in items)
    if missing and limits.allow_missing:
        notes.append(
            message_n(
                "{n} question without a value in the candidate does not count",
                "{n} questions without a value in the candidate do not count",
                missing,
            )
        )
    return notes
