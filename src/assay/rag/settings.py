"""All settings of the reference pipeline. Their names are public API: variants set them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from assay.errors import UseError

SEARCH_DIMS = (128, 256, 512, 1024, 2048)

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]


class PipelineSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of one variant.

    Fast mode uses only ``search_dim``, the two weights, ``top_k`` and ``citation_style``. With
    ``search_dim`` ``None`` all dimensions are searched. ``repack_strategy`` is the order of the
    passages: ``reverse`` puts the most relevant passage last, ``forward`` puts it first, and
    ``none`` keeps the order from before reranking. ``chunk_tokens``, ``chunk_overlap`` and
    ``chunker`` cut the documents in another way than ``assay ingest`` did.
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
    chunk_tokens: Count | None = None
    chunk_overlap: Annotated[int, Meta(ge=0)] | None = None
    chunker: Literal["headings", "plain"] | None = None


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
"""For each setting, the values of other settings that are needed for it to have an effect."""


def read_settings(values: Mapping[str, Any]) -> PipelineSettings:
    """The settings of a variant; settings that it does not name have their default.

    Raises:
        UseError: a name or value is not valid, or both search weights are 0.
    """
    try:
        settings = msgspec.convert(dict(values), PipelineSettings)
    except msgspec.ValidationError as error:
        raise UseError(f"settings of the reference pipeline: {error}") from None
    if settings.dense_weight + settings.lexical_weight <= 0:
        raise UseError("dense_weight and lexical_weight cannot both be 0")
    return settings
