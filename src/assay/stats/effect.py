"""The difference between two variants in one metric: its size, its interval and its verdict."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from assay.stats.decision import Decision
from assay.stats.interval import Interval
from assay.stats.resample import chosen_values
from assay.words.message import Message, joined

SHARE = {"p50": 0.5, "p95": 0.95}
"""The kinds of metric that are percentiles, and the share of values below each."""

EffectVerdict = Literal["better", "worse", "unclear", "too few", "equivalent", "undecided"]
"""The last two are those of a sequential comparison (``assay.stats.decision``)."""
Test = Literal["", "mcnemar-exact", "permutation", "question-permutation", "cluster-permutation"]
Family = Literal["primary", "quality", "latency"]


class Method(Struct, frozen=True, kw_only=True, eq=False):
    """How intervals and tests are computed.

    ``clusters`` is the number of each item's document, or with ``by_question`` of its question,
    counted from 0 (see ``method_of_units``). It is ``None`` if tests flip single items.
    ``documents`` is the number of each item's document for intervals, which need fewer documents;
    by default intervals have the units of the tests. ``few_documents`` is the number of documents
    that nearly all items are about, if there are so few that nothing is said about new ones; else 0.
    """

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    clusters: NDArray[np.integer] | None = None
    documents: NDArray[np.integer] | None = None
    by_question: bool = False
    few_documents: int = 0

    @property
    def has_wider_intervals(self) -> bool:
        """Whether plain intervals are about new documents, and tests are about questions."""
        return self.documents is not None and (self.clusters is None or self.by_question)

    def clusters_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The clusters of the chosen items, or ``None`` if tests flip items."""
        return None if self.clusters is None else chosen_values(self.clusters, chosen)

    def documents_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The units of the chosen items, or ``None`` if intervals are about items.

        Items are units too if each of the chosen ones is a question of its own.
        """
        if self.documents is not None:
            return chosen_values(self.documents, chosen)
        units = self.clusters_of(chosen)
        if units is None or (self.by_question and len(np.unique(units)) == len(units)):
            return None
        return units

    def can_tell(self, chosen: NDArray[np.bool_], fewest: int) -> bool:
        """Whether the chosen items have at least so many questions, if questions are the units.

        Related answers may say no more than one answer to each question would, so an interval that
        needs some values needs as many questions.
        """
        units = self.clusters_of(chosen) if self.by_question else None
        return units is None or len(np.unique(units)) >= fewest


class Effect(Struct, frozen=True, kw_only=True):
    """``variant - baseline`` over the ``n`` items for which both have a value.

    - ``family``: the comparisons that are corrected together: those of the primary metric, of
      all other quality metrics, or of latency;
    - ``interval``: the interval of the test. It leaves out 0 exactly if ``p_adjusted`` is below
      one minus its level, and all intervals of a family hold at once;
    - ``plain_interval``: the interval of this difference alone, as if nothing else were compared;
    - ``gained``, ``lost``: the numbers of items whose value increased and decreased;
    - ``questions``: the number of questions among the items, if some are in several items and
      whole questions are flipped;
    - ``p_value``: the result of ``test`` for this comparison alone;
    - ``p_adjusted``: the p-value corrected for all comparisons of the family. It decides the
      verdict;
    - ``needed``: the number of items (or questions, or documents) that must differ before the family can show
      anything, if all of them change in the same direction;
    - ``detectable``: the smallest true difference that such a run shows with a probability of
      80%, at the level that the test really uses;
    - ``documents``: the number of documents that the items are about, if it is one or two: nothing
      is then said about new ones.

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
    questions: int | UnsetType = UNSET
    documents: int | UnsetType = UNSET
    recorded_n: int | UnsetType = UNSET
    recorded_difference: float | UnsetType | None = UNSET

    @property
    def is_local(self) -> bool:
        """Whether a difference is shown for the documents of this run, but not for new ones."""
        if self.verdict not in {"better", "worse"}:
            return False
        if self.documents is not UNSET:
            return True
        plain = self.plain_interval
        if plain is None or plain.method != "cluster-t" or self.test == "cluster-permutation":
            return False
        return plain.low <= 0 <= plain.high


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
