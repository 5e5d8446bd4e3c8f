"""The difference between two variants in one metric: its size, its interval and its verdict."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from assay.records import Estimand
from assay.stats.decision import Decision
from assay.stats.interval import Interval
from assay.stats.resample import chosen_values, cluster_count
from assay.words.message import Message, joined

SHARE = {"p50": 0.5, "p95": 0.95}
"""The kinds of metric that are percentiles, and the share of values below each."""

EffectVerdict = Literal["better", "worse", "unclear", "too few", "equivalent", "undecided"]
"""The last two are those of a sequential comparison (``assay.stats.decision``)."""
Test = Literal["", "mcnemar-mid-p", "permutation", "question-permutation", "cluster-permutation"]
Family = Literal["primary", "quality", "latency"]


Unit = Literal["item", "question", "document"]


class Method(Struct, frozen=True, kw_only=True, eq=False):
    """How intervals and tests are computed: those of values and of differences alike.

    ``units`` is the number of each item's unit, counted from 0, or ``None`` if items are the units
    (see ``method_of_units``). ``estimand`` is ``None`` if the documents are unknown.
    """

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    units: NDArray[np.integer] | None = None
    unit: Unit = "item"
    estimand: Estimand | None = None

    def units_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The units of the chosen items, or ``None`` if items are the units."""
        return None if self.units is None else chosen_values(self.units, chosen)

    def has_units(self, chosen: NDArray[np.bool_], fewest: int) -> bool:
        """Whether the chosen items have at least so many questions, if those are the units.

        Related answers may say no more than one of them would, so an interval that needs some
        values needs as many questions.
        """
        units = self.units_of(chosen) if self.unit == "question" else None
        return units is None or cluster_count(units) >= fewest


class Effect(Struct, frozen=True, kw_only=True):
    """``variant - baseline`` over the ``n`` items for which both have a value.

    - ``family``: the comparisons that are corrected together: those of the primary metric, of
      all other quality metrics, or of latency;
    - ``interval``: the interval of the test. It leaves out 0 exactly if ``p_adjusted`` is below
      one minus its level, and all intervals of a family hold at once;
    - ``plain_interval``: the interval of this difference alone, as if nothing else were compared;
    - ``gained``, ``lost``: the numbers of items whose value increased and decreased;
    - ``units``: the number of units (questions or documents, as ``unit`` says) among the items, if
      items are not the units;
    - ``at_most``: if nothing changed, the largest share of such units that would;
    - ``p_value``: the result of ``test`` for this comparison alone;
    - ``p_adjusted``: the p-value corrected for all comparisons of the family. It decides the
      verdict;
    - ``needed``: the number of units that must differ before the family can show anything, if all of
      them change in the same direction;
    - ``detectable``: the smallest true difference that another run of this size shows with a
      probability of 80%, for planning it.

    A value is ``None`` if it is undefined. ``note`` is a remark for the reader. ``decision`` is that
    of a run that stopped early; there is no test then, and the interval holds at any time. Such an
    effect is about the pairs up to the decision; ``recorded_difference`` is that of all ``recorded_n``
    pairs.
    """

    variant: str
    baseline: str
    metric: str
    n: int
    family: Family = "quality"
    difference: float | None = None
    interval: Interval | None = None
    plain_interval: Interval | None = None
    gained: int | None = None
    lost: int | None = None
    p_value: float | None = None
    test: Test = ""
    p_adjusted: float | None = None
    needed: int | None = None
    detectable: float | None = None
    verdict: EffectVerdict = "unclear"
    note: Message | str = ""
    decision: Decision | UnsetType = UNSET
    units: int | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET
    at_most: float | UnsetType = UNSET
    recorded_n: int | UnsetType = UNSET
    recorded_difference: float | UnsetType | None = UNSET


def with_note(effect: Effect, note: Message) -> Effect:
    """The effect with ``note`` added to its notes."""
    return msgspec.structs.replace(effect, note=joined([effect.note, note]))


# Correction for multiple comparisons.


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values: each may be compared directly with the significance level.

    Of ``m`` p-values in ascending order, the i-th becomes the maximum of ``(m - j + 1) p_j``
    over ``j ≤ i``, and at most 1. ``None`` means that there was no test: it stays ``None`` and
    is not counted. S. Holm, "A simple sequentially rejective multiple test procedure", 1979.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        adjusted[index] = highest
    return adjusted
