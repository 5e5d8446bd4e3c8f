"""The row of an ablation: the fields of the published format."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from assay.journal import Row
from assay.records import GoldSpan


class AblationRow(Row, kw_only=True):
    """What an ablation adds to a row. The fields from ``citation_numbers`` on are scores.

    ``passages_known`` is false if the reply does not say what was retrieved. ``prompt_order`` is
    true if the order of passages without ranks is not their rank. ``ranks_known`` is false if only
    some passages have a rank, or two have the same. ``more_than_top_k`` is true if there are more
    passages than were asked for. ``gold_spans`` are stretches of documents that are gold, and
    ``gold_span_share`` is the share of them that must be covered. Other rows do not have these fields.
    """

    fast_mode: Any = None
    dim: Any = None
    gold_chunk_ids: Sequence[str] = ()
    gold_spans: Sequence[GoldSpan] | UnsetType = UNSET
    gold_span_share: float | UnsetType = UNSET
    citation_style: str | UnsetType = UNSET
    answerable: bool | UnsetType = UNSET
    passages_known: bool | UnsetType = UNSET
    prompt_order: bool | UnsetType = UNSET
    ranks_known: bool | UnsetType = UNSET
    more_than_top_k: bool | UnsetType = UNSET
    evaluation: Mapping[str, Any] | UnsetType = UNSET
    citation_numbers: Sequence[int] | UnsetType = UNSET
    citation_range_ok: bool | UnsetType | None = UNSET
    cite_ok: bool | UnsetType | None = UNSET
    cited_chunk_ids: Sequence[str] | UnsetType = UNSET
    retrieved_chunk_ids: Sequence[str] | UnsetType | None = UNSET
    gold_metrics: Mapping[str, Any] | UnsetType = UNSET
    abstained: bool | UnsetType = UNSET
