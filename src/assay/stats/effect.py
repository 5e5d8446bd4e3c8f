"""The difference between two variants in one metric: its size, its interval and its verdict."""

from typing import Literal

import msgspec
import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from assay.stats.decision import Decision
from assay.stats.interval import Interval

SHARE = {"p50": 0.5, "p95": 0.95}
"""The kinds of metric that are percentiles, and the share of values below each."""

Verdict = Literal["better", "worse", "unclear", "too few", "equivalent", "undecided"]
"""The last two are those of a sequential comparison (``assay.stats.decision``)."""
Test = Literal["", "mcnemar-exact", "permutation", "cluster-permutation"]
Family = Literal["primary", "quality", "latency"]


class Method(Struct, frozen=True, kw_only=True, eq=False):
    """How intervals and tests are computed.

    ``clusters`` is the number of each item's document, counted from 0 (see
    ``cluster_numbers``), or ``None`` if tests flip items and not whole documents.
    ``documents`` is the same for intervals, which need fewer documents; by default it is
    ``clusters``.
    """

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    clusters: NDArray[np.integer] | None = None
    documents: NDArray[np.integer] | None = None

    def clusters_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The clusters of the chosen items, or ``None`` if tests flip items."""
        return None if self.clusters is None else self.clusters[chosen]

    def documents_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.integer] | None:
        """The documents of the chosen items, or ``None`` if intervals are about items."""
        return self.clusters_of(chosen) if self.documents is None else self.documents[chosen]


class Effect(Struct, frozen=True, kw_only=True):
    """``variant - baseline`` over the ``n`` items for which both have a value.

    - ``family``: the comparisons that are corrected together: those of the primary metric, of
      all other quality metrics, or of latency;
    - ``interval``: the interval of the test. It leaves out 0 exactly if ``p_adjusted`` is below
      one minus its level, and all intervals of a family hold at once;
    - ``plain_interval``: the interval of this difference alone, as if nothing else were compared;
    - ``gained``, ``lost``: the numbers of items whose value increased and decreased;
    - ``p_value``: the result of ``test`` for this comparison alone;
    - ``p_adjusted``: the p-value corrected for all comparisons of the family. It decides the
      verdict;
    - ``needed``: the number of items (or documents) that must differ before the family can show
      anything, if all of them change in the same direction;
    - ``detectable``: the smallest true difference that such a run shows with a probability of
      80%, at the level that the test really uses.

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
    verdict: Verdict = "unclear"
    note: str = ""
    decision: Decision | UnsetType = UNSET
    recorded_n: int | UnsetType = UNSET
    recorded_difference: float | UnsetType | None = UNSET

    @property
    def is_local(self) -> bool:
        """Whether a difference is shown for the documents of this run, but not for new ones."""
        plain = self.plain_interval
        if plain is None or plain.method != "cluster-t" or self.test == "cluster-permutation":
            return False
        return self.verdict in {"better", "worse"} and plain.low <= 0 <= plain.high


def with_note(effect: Effect, note: str) -> Effect:
    """The effect with ``note`` added to its notes."""
    notes = "; ".join(text for text in (effect.note, note) if text)
    return msgspec.structs.replace(effect, note=notes)
