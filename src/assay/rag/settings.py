"""Every switch of the reference pipeline. The names are public API: variants set them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from assay.errors import UseError

SEARCH_DIMS = (128, 256, 512, 1024, 2048)

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]


class PipelineSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A complete choice. Fast mode uses only ``search_dim``, the weights and the styles.

    ``search_dim`` ``None`` searches the whole dimension. ``repack_strategy``: ``reverse``
    puts the most relevant passage last, next to the question; ``forward`` first; ``none``
    keeps the retriever's own order from before reranking.
    """

    fast_mode: bool = False
    search_dim: Literal[128, 256, 512, 1024, 2048] | None = None
    drift_filter_enabled: bool = True
    drift_sim_threshold: Share = 0.3
    hyde_drift_sim_threshold: Share = 0.2
    query_fusion_enabled: bool = True
    query_variants_count: Count = 3
    hyde_enabled: bool = True
    hyde_max_words: Count = 80
    rrf_enabled: bool = True
    rrf_k: Count = 60
    dense_weight: Share = 0.8
    lexical_weight: Share = 0.2
    fusion_per_query_top_k: Count = 50
    fusion_max_candidates: Count = 120
    llm_rerank_enabled: bool = True
    llm_rerank_candidate_pool: Count = 30
    repack_strategy: Literal["reverse", "forward", "none"] = "reverse"
    top_k: Count | None = None
    citation_style: Literal["index", "page"] = "index"


ONLY_WHEN: Mapping[str, Mapping[str, Any]] = {
    **{
        name: {"fast_mode": False}
        for name in (
            "drift_filter_enabled",
            "query_fusion_enabled",
            "hyde_enabled",
            "rrf_enabled",
            "fusion_per_query_top_k",
            "fusion_max_candidates",
            "llm_rerank_enabled",
            "repack_strategy",
        )
    },
    "drift_sim_threshold": {"fast_mode": False, "drift_filter_enabled": True},
    "hyde_drift_sim_threshold": {
        "fast_mode": False,
        "drift_filter_enabled": True,
        "hyde_enabled": True,
    },
    "query_variants_count": {"fast_mode": False, "query_fusion_enabled": True},
    "hyde_max_words": {"fast_mode": False, "hyde_enabled": True},
    "rrf_k": {"fast_mode": False, "rrf_enabled": True},
    "llm_rerank_candidate_pool": {"fast_mode": False, "llm_rerank_enabled": True},
}
"""Which other settings must hold for one to have any effect."""


def read_settings(given: Mapping[str, Any]) -> PipelineSettings:
    """A complete choice from a variant's settings; wrong values are one clear line."""
    try:
        settings = msgspec.convert(dict(given), PipelineSettings)
    except msgspec.ValidationError as error:
        raise UseError(f"settings of the reference pipeline: {error}") from None
    if settings.dense_weight + settings.lexical_weight <= 0:
        raise UseError("dense_weight and lexical_weight cannot both be 0")
    return settings
