"""The effects of a run that stopped early: decisions in place of tests.

A p-value of a fixed number of questions is not valid if the number depended on the answers. So the
primary metric has the interval and the decision of its sequence, and the other metrics have a
difference only.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from assay.records import Metric
from assay.stats.analysis import Analysis
from assay.stats.decision import (
    UNKNOWN,
    Decision,
    Decisions,
    RecordedDecision,
    ScoreRange,
    StopRule,
)
from assay.stats.effect import Effect
from assay.stats.interval import Interval
from assay.stats.scores import ABSENT, SCORED, SKIPPED, SPARED, Scores

_ROUNDED: Final = 1000
"""Differences of shares are printed in tenths of a point."""
_SLACK: Final = 1.2e-4
"""How exactly the ends of a sequence are known, in tenths of a point."""


def decisions_of(
    scores: Scores,
    metric: Metric,
    baseline: str,
    rule: StopRule,
    order: Sequence[int],
    score_of: Callable[[Metric, object], ScoreRange | None],
    recorded: Mapping[str, RecordedDecision],
    *,
    sizes: Sequence[int] = (),
) -> Decisions:
    """The decisions of a recorded run; ``order`` are the places of the items as they were asked.

    ``recorded`` are the decisions by which cases of a variant were spared. ``sizes`` are the numbers of
    questions of the documents in this order, if whole documents count.
    """
    names = [scores.items[place] for place in order]
    decisions = Decisions(rule, baseline, scores.variants, names, recorded, sizes=sizes)
    for row, variant in enumerate(scores.variants):
        values = scores.values[metric.field][row]
        for place in order:
            status = int(scores.status[row, place])
            if status in {ABSENT, SPARED}:
                continue  # the sequence ends here, if it is not decided before
            score: ScoreRange | None = UNKNOWN
            if status == SCORED:
                value = float(values[place])
                score = None if np.isnan(value) else score_of(metric, value)
            elif status == SKIPPED:
                score = None
            decisions.note(scores.items[place], variant, score)
    return decisions


def with_decisions(
    analysis: Analysis, decisions: Decisions, metric: Metric, level: float
) -> Analysis:
    """The analysis with decisions on the metric in place of all tests."""
    found = {name: comparison.end() for name, comparison in decisions.comparisons.items()}
    share = level / max(len(found), 1)
    sign = -1.0 if metric.better == "lower" else 1.0
    effects = tuple(
        _decided(effect, found[effect.variant], sign, 1 - share)
        if effect.metric == metric.name and effect.baseline == decisions.baseline
        else untested(effect)
        for effect in analysis.effects
    )
    return msgspec.structs.replace(
        analysis, effects=effects, comparisons=dict.fromkeys(analysis.comparisons, 0)
    )


def without_tests(analysis: Analysis) -> Analysis:
    """The analysis with differences only, if the answers decided which questions were asked."""
    return msgspec.structs.replace(
        analysis,
        effects=tuple(map(untested, analysis.effects)),
        comparisons=dict.fromkeys(analysis.comparisons, 0),
    )


def untested(effect: Effect) -> Effect:
    """The effect without what is valid only for a number of questions that was fixed in advance."""
    return msgspec.structs.replace(
        effect,
        interval=None,
        plain_interval=None,
        p_value=None,
        p_adjusted=None,
        test="",
        needed=None,
        detectable=None,
        verdict="unclear",
    )


def rounded_outwards(low: float, high: float) -> tuple[float, float]:
    """The ends of an interval as they are printed: no text claims more than was computed.

    >>> rounded_outwards(-0.26112, -0.00041), rounded_outwards(0.05, 0.05)
    ((-0.262, 0.0), (0.05, 0.05))
    """
    ends = math.floor(low * _ROUNDED + _SLACK), math.ceil(high * _ROUNDED - _SLACK)
    return ends[0] / _ROUNDED, ends[1] / _ROUNDED


def _decided(effect: Effect, decision: Decision, sign: float, level: float) -> Effect:
    """The effect with its decision; in the metric's own direction, as all other differences."""
    low, high = rounded_outwards(*sorted((sign * decision.low, sign * decision.high)))
    return msgspec.structs.replace(
        untested(effect),
        n=decision.pairs,
        difference=None if decision.difference is None else sign * decision.difference,
        interval=Interval(low=low, high=high, level=level, method="betting"),
        verdict=decision.verdict,
        decision=decision,
        recorded_n=effect.n,
        recorded_difference=effect.difference,
    )
