"""Measures of correctness that moved the other way than the metric which decides.

A gate that compares by one metric can pass a candidate whose answers became wrong: short answers
share more words with the expected ones, whether they are right or not. The reader is told.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.pair import pair_questions, value_of
from assay.jobs.compare.tested import aggregate_value, tested_effect
from assay.jobs.compare.unit import units_of


class Movement(Struct, frozen=True, kw_only=True):
    """A measure of correctness that changed by more than noise, over the pairs that have both."""

    metric: str
    base: float
    candidate: float
    pairs: int
    p: float
    verdict: Literal["better", "worse"]

    def is_contrary(self, gain: float) -> bool:
        """Whether it moved against a gain; no gain and no loss hides a loss."""
        return gain >= 0 if self.verdict == "worse" else gain < 0

    def sentence(self, compared: str) -> str:
        """What a reader of the comparison by another metric must know."""
        p_text = "p < 0.0001" if self.p < 0.0001 else f"p = {self.p:.4f}"
        values = f"{self.base:.4f} → {self.candidate:.4f}, {p_text}"
        did = "did not" if self.verdict == "worse" else "became worse"
        return (
            f"{self.metric} became {self.verdict} by more than noise ({values}), while {compared} "
            f"{did}: look at both before you trust this verdict"
        )


def movements(base: ComparedRun, cand: ComparedRun) -> Iterator[Movement]:
    """The other measures of correctness that changed by more than noise.

    There are none for runs whose answers decided how many questions were asked: they have no test.
    """
    if base.stops_early or cand.stops_early:
        return
    after = {each.metric.name: each for each in cand.others}
    for before in base.others:
        other = after.get(before.metric.name)
        if other is None or before.metric.name == cand.metric.name:
            continue
        sides = (
            replace(base, items={key: before.items[key] for key in base.items}),
            replace(cand, items={key: other.items[key] for key in cand.items}),
        )
        pairs = {
            name: pair
            for name, pair in pair_questions(*sides).items()
            if None not in {value_of(case) for case in pair}
        }
        if not pairs:
            continue
        values = [np.array([value_of(pair[side]) for pair in pairs.values()]) for side in (0, 1)]
        method = units_of(*sides, pairs).method
        effect = tested_effect(before.metric, values[0], values[1], method)
        p_value, verdict = effect.p_adjusted, effect.verdict
        if p_value is not None and verdict in {"better", "worse"}:
            yield Movement(
                metric=before.metric.name,
                base=aggregate_value(before.metric, values[0]),
                candidate=aggregate_value(before.metric, values[1]),
                pairs=effect.n,
                p=p_value,
                verdict="better" if verdict == "better" else "worse",
            )
