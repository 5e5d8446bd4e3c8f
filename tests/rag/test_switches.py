"""Every setting changes the input of its stage, and of no earlier stage."""

from typing import Any

import pytest

from assay.rag.pipeline import ONLY_WHEN, PipelineSettings
from assay.systems.reference import CUT_SETTINGS
from tests.rag.conftest import QUESTION, RecordingIndex, Trace

ORDER = ("expand", "hyde", "drift_filter", "search", "fusion", "rerank", "passages", "generate")

# The setting, a value other than its default, and the first stage whose input it changes.
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
    """Earlier stages get exactly the same input; the input of the stage itself changes."""
    base, changed = Trace(index, {}), Trace(index, {name: value})
    for stage in ORDER[: ORDER.index(first)]:
        assert base.inputs.get(stage) == changed.inputs.get(stage), stage
    assert base.inputs.get(first) != changed.inputs.get(first)


def test_every_setting_is_held_by_a_test():
    """Every setting of the pipeline is tested in this file.

    Those that cut the documents anew change the corpus and no stage; tests of respanned questions
    hold them.
    """
    tested = {name for name, _, _ in SWITCHES} | {"fast_mode", "rrf_k", *CUT_SETTINGS}
    assert tested == set(PipelineSettings.__struct_fields__)


def test_rrf_k_shapes_the_fused_scores_only(index: RecordingIndex):
    """``rrf_k`` does not change the searches; with a small k the fused scores are higher."""
    base, changed = Trace(index, {}), Trace(index, {"rrf_k": 1})
    assert base.inputs["search"] == changed.inputs["search"]
    assert changed.inputs["fusion"]["top_score"] > base.inputs["fusion"]["top_score"]


def test_fast_mode_embeds_searches_and_answers(index: RecordingIndex):
    """Fast mode makes one search with the question, without any of the optional stages."""
    fast = Trace(index, {"fast_mode": True})
    assert [stage.name for stage in fast.answer.stages] == [
        "embed",
        "search",
        "generate",
        "guardrail",
    ]
    assert [search["text"] for search in fast.searches] == [QUESTION]
    assert set(fast.inputs) - {"search", "drift_filter", "fusion", "passages"} == {"generate"}


@pytest.mark.parametrize("name", sorted(ONLY_WHEN))
def test_what_is_declared_without_effect_has_none_in_fast_mode(index: RecordingIndex, name: str):
    """The settings in ``ONLY_WHEN`` change nothing in fast mode."""
    values = {switch: value for switch, value, _ in SWITCHES} | {"rrf_k": 1}
    base = Trace(index, {"fast_mode": True})
    changed = Trace(index, {"fast_mode": True, name: values[name]})
    assert base.inputs == changed.inputs
    assert base.answer.text == changed.answer.text


def test_search_dim_and_weights_work_in_fast_mode(index: RecordingIndex):
    """The dimension and the weights are used in fast mode."""
    changed = Trace(index, {"fast_mode": True, "search_dim": 128, "dense_weight": 0.5})
    assert changed.searches[0]["dim"] == 128
    assert changed.searches[0]["dense_weight"] == 0.5


def test_repack_orders_the_same_passages(index: RecordingIndex):
    """``reverse`` puts the best last, ``forward`` first, ``none`` keeps the order before reranking."""
    by_strategy = {
        strategy: Trace(index, {"repack_strategy": strategy}).inputs["passages"]
        for strategy in ("reverse", "forward", "none")
    }
    assert by_strategy["reverse"] == by_strategy["forward"][::-1]
    assert sorted(by_strategy["none"]) == sorted(by_strategy["forward"])
    pool = Trace(index, {}).inputs["rerank"]
    assert by_strategy["none"] == sorted(by_strategy["none"], key=pool.index)


def test_the_drift_filter_drops_what_has_nothing_to_do_with_the_question(index: RecordingIndex):
    """A wording that is not related to the question is dropped and named in the stage."""
    trace = Trace(index, {})
    assert trace.stages["drift_filter"].detail["dropped"] == ["zebra quartz xylophone"]
    assert "zebra quartz xylophone" not in trace.inputs["drift_filter"]
    without = Trace(index, {"drift_filter_enabled": False})
    assert "zebra quartz xylophone" in without.inputs["drift_filter"]


def test_a_stage_that_is_off_says_why(index: RecordingIndex):
    """A stage that is switched off is reported with the name of its setting."""
    trace = Trace(index, {"hyde_enabled": False, "llm_rerank_enabled": False})
    assert trace.stages["hyde"].skipped == "hyde_enabled is off"
    assert trace.stages["rerank"].skipped == "llm_rerank_enabled is off"
