"""Every switch changes what it should, and nothing before it."""

from typing import Any

import pytest

from assay.rag.settings import ONLY_WHEN, PipelineSettings
from tests.rag.conftest import QUESTION, RecordingIndex, Trace

ORDER = ("expand", "hyde", "drift_filter", "search", "fusion", "rerank", "passages", "generate")

# the setting, its other value, and the first stage whose input it changes
SWITCHES = [
    ("query_fusion_enabled", False, "expand"),
    ("query_variants_count", 2, "expand"),
    ("hyde_enabled", False, "hyde"),
    ("hyde_max_words", 4, "hyde"),
    ("drift_filter_enabled", False, "drift_filter"),
    ("drift_sim_threshold", 0.0, "drift_filter"),
    ("hyde_drift_sim_threshold", 1.0, "drift_filter"),
    ("search_dim", 128, "search"),
    ("dense_weight", 0.1, "search"),
    ("lexical_weight", 0.9, "search"),
    ("fusion_per_query_top_k", 5, "search"),
    ("rrf_enabled", False, "fusion"),
    ("fusion_max_candidates", 8, "fusion"),
    ("llm_rerank_candidate_pool", 4, "rerank"),
    ("llm_rerank_enabled", False, "rerank"),
    ("top_k", 3, "passages"),
    ("repack_strategy", "forward", "passages"),
    ("repack_strategy", "none", "passages"),
    ("citation_style", "page", "generate"),
]


@pytest.mark.parametrize(("name", "value", "first"), SWITCHES)
def test_a_switch_changes_its_stage_and_nothing_before_it(
    index: RecordingIndex, name: str, value: Any, first: str
):
    """Upstream stages get the same input to the letter; the stage itself gets another."""
    base, changed = Trace(index, {}), Trace(index, {name: value})
    for stage in ORDER[: ORDER.index(first)]:
        assert base.given.get(stage) == changed.given.get(stage), stage
    assert base.given.get(first) != changed.given.get(first)


def test_every_setting_is_held_by_a_test():
    """A new setting cannot be added without saying what it changes."""
    held = {name for name, _, _ in SWITCHES} | {"fast_mode", "rrf_k"}
    assert held == set(PipelineSettings.__struct_fields__)


def test_rrf_k_shapes_the_fused_scores_only(index: RecordingIndex):
    """Searches are the same; with a small k the first ranks count for more."""
    base, changed = Trace(index, {}), Trace(index, {"rrf_k": 1})
    assert base.given["search"] == changed.given["search"]
    assert changed.given["fusion"]["top_score"] > base.given["fusion"]["top_score"]


def test_fast_mode_embeds_searches_and_answers(index: RecordingIndex):
    """No expansion, no HyDE, no fusion, no rerank, no repack: one search with the question."""
    fast = Trace(index, {"fast_mode": True})
    assert [stage.name for stage in fast.answer.stages] == [
        "embed",
        "search",
        "generate",
        "guardrail",
    ]
    assert [search["text"] for search in fast.searches] == [QUESTION]
    assert set(fast.given) - {"search", "drift_filter", "fusion", "passages"} == {"generate"}


@pytest.mark.parametrize("name", sorted(ONLY_WHEN))
def test_what_is_declared_without_effect_has_none_in_fast_mode(index: RecordingIndex, name: str):
    """``only_when`` tells the truth: in fast mode these settings change nothing."""
    values = {switch: value for switch, value, _ in SWITCHES} | {"rrf_k": 1}
    base = Trace(index, {"fast_mode": True})
    changed = Trace(index, {"fast_mode": True, name: values[name]})
    assert base.given == changed.given
    assert base.answer.text == changed.answer.text


def test_search_dim_and_weights_work_in_fast_mode(index: RecordingIndex):
    """The dimension and the weights are the switches of fast mode."""
    changed = Trace(index, {"fast_mode": True, "search_dim": 128, "dense_weight": 0.5})
    assert changed.searches[0]["dim"] == 128
    assert changed.searches[0]["dense_weight"] == 0.5


def test_repack_orders_the_same_passages(index: RecordingIndex):
    """Reverse puts the best last, forward first, none in the order before reranking."""
    by_strategy = {
        strategy: Trace(index, {"repack_strategy": strategy}).given["passages"]
        for strategy in ("reverse", "forward", "none")
    }
    assert by_strategy["reverse"] == by_strategy["forward"][::-1]
    assert sorted(by_strategy["none"]) == sorted(by_strategy["forward"])
    pool = Trace(index, {}).given["rerank"]
    assert by_strategy["none"] == sorted(by_strategy["none"], key=pool.index)


def test_the_drift_filter_drops_what_has_nothing_to_do_with_the_question(index: RecordingIndex):
    """The stray wording is dropped and named; near ones are searched."""
    trace = Trace(index, {})
    assert trace.stages["drift_filter"].detail["dropped"] == ["zebra quartz xylophone"]
    assert "zebra quartz xylophone" not in trace.given["drift_filter"]
    without = Trace(index, {"drift_filter_enabled": False})
    assert "zebra quartz xylophone" in without.given["drift_filter"]


def test_a_stage_that_is_off_says_why(index: RecordingIndex):
    """A skipped stage carries its reason, so that a row explains itself."""
    trace = Trace(index, {"hyde_enabled": False, "llm_rerank_enabled": False})
    assert trace.stages["hyde"].skipped == "hyde_enabled is off"
    assert trace.stages["rerank"].skipped == "llm_rerank_enabled is off"
