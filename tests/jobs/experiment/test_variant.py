"""Experiments become variants: complete, one variable at a time, refused with file and line."""

from pathlib import Path

import pytest

from assay.config import ExperimentFile, parse_document
from assay.errors import ConfigError
from assay.jobs.ablation.preset import presets
from assay.jobs.experiment.variant import NORMAL_BASELINE, Layout, lay_out_variants
from assay.records import Question
from assay.systems import ScriptedSystem, Setting
from assay.systems.reference.system import declared_settings


def system(**settings: Setting) -> ScriptedSystem:
    """A system that declares these settings, or those of the reference pipeline."""

    def reply(question: Question, given: object) -> str:
        return "yes"

    return ScriptedSystem(reply, settings=settings or declared_settings(2048))


def layout(yaml: str, of: ScriptedSystem | None = None) -> Layout:
    """The variants of the one experiment that ``yaml`` holds, indented by four."""
    text = f"experiments:\n  - name: x\n{yaml}"
    document = parse_document(text, ExperimentFile, Path("e.yaml"))
    return lay_out_variants(document, 0, of or system())


def refusal(yaml: str, of: ScriptedSystem | None = None) -> str:
    """What the experiment is refused with."""
    with pytest.raises(ConfigError) as caught:
        layout(yaml, of)
    return str(caught.value)


def names(made: Layout) -> list[str]:
    """The variants' names in order."""
    return [variant.name for variant in made.variants]


def changed(made: Layout, setting: str) -> list[object]:
    """One setting's value in each variant."""
    return [variant.settings.get(setting) for variant in made.variants]


def test_the_seed_shape_is_accepted_as_written():
    """``{ dim: 128, name: fast_dim_128 }`` sets search_dim, and the rest is the fast baseline."""
    made = layout(
        "    baseline: fast\n"
        "    ablation_variable: search_dim\n"
        "    variants:\n"
        "      - { dim: 128, name: fast_dim_128 }\n"
        "      - { dim: 2048, name: fast_dim_2048 }\n"
        "    include_normal_baseline: true\n"
    )
    assert names(made) == ["fast_dim_128", "fast_dim_2048", NORMAL_BASELINE]
    assert changed(made, "search_dim") == [128, 2048, None]
    assert changed(made, "fast_mode") == [True, True, False]
    assert made.ordered == {"fast_dim_128": 128, "fast_dim_2048": 2048}


def test_values_make_variants_and_their_names():
    """A switch becomes on and off; the one that is the baseline is compared with."""
    made = layout("    ablation_variable: hyde_enabled\n    values: [false, true]\n")
    assert names(made) == ["hyde_off", "hyde_on"]
    assert made.baseline == "hyde_on"
    assert made.ordered == {}


def test_a_variable_alone_is_tried_at_all_it_can_be():
    """Without values, a switch goes on and off and a choice through its choices."""
    assert names(layout("    ablation_variable: rrf\n")) == ["rrf_on", "rrf_off"]
    made = layout("    ablation_variable: repack_strategy\n")
    assert changed(made, "repack_strategy") == ["reverse", "forward", "none"]


def test_all_other_settings_are_equal_and_complete():
    """Variants differ in the variable alone, and name every setting of the system."""
    made = layout("    ablation_variable: hyde_enabled\n")
    on, off = (dict(variant.settings) for variant in made.variants)
    assert on.keys() == declared_settings(2048).keys()
    assert {name for name in on if on[name] != off[name]} == {"hyde_enabled"}


def test_two_settings_may_change_together_when_both_are_named():
    """Hybrid weights are a pair: a list of variables declares it."""
    made = layout(
        "    ablation_variable: [dense_weight, lexical_weight]\n"
        "    variants:\n"
        "      - { name: dense, dense_weight: 1.0, lexical_weight: 0.0 }\n"
        "      - { name: default, dense_weight: 0.8, lexical_weight: 0.2 }\n"
    )
    assert made.baseline == "default"


def test_a_variant_that_changes_more_is_refused_at_its_line():
    """The message names file, line, both settings, and the ways out."""
    said = refusal(
        "    ablation_variable: hyde_enabled\n"
        "    variants:\n"
        "      - { name: on, hyde_enabled: true }\n"
        "      - { name: off, hyde_enabled: false, rrf_enabled: false }\n"
    )
    assert said.startswith("e.yaml:6: experiment 'x': variant 'off' changes rrf_enabled besides")
    assert "allow_multiple: true" in said


def test_saying_the_baseline_again_is_no_second_change():
    """A variant may spell out a setting at the value it has anyway."""
    made = layout(
        "    ablation_variable: hyde_enabled\n"
        "    variants:\n"
        "      - { name: on, hyde_enabled: true, rrf_enabled: true }\n"
        "      - { name: off, hyde_enabled: false }\n"
    )
    assert names(made) == ["on", "off"]


def test_allow_multiple_lets_it_pass():
    """Whoever means it can say so."""
    made = layout(
        "    ablation_variable: hyde_enabled\n"
        "    allow_multiple: true\n"
        "    variants:\n"
        "      - { name: on, hyde_enabled: true }\n"
        "      - { name: off, hyde_enabled: false, rrf_enabled: false }\n"
    )
    assert changed(made, "rrf_enabled") == [True, False]


@pytest.mark.parametrize(
    ("yaml", "line", "words"),
    [
        (
            "    baseline: fast\n    ablation_variable: drift_filter_enabled\n",
            2,
            "drift_filter_enabled has no effect with fast_mode: on; use baseline: normal",
        ),
        (
            "    ablation_variable: hyde_enabld\n",
            3,
            "unknown setting 'hyde_enabld'; did you mean 'hyde_enabled'?",
        ),
        (
            "    variants:\n      - { name: a, hyde: true }\n      - { name: b, hide: false }\n",
            5,
            "unknown setting 'hide'; did you mean",
        ),
        ("    baseline: fst\n", 3, "unknown baseline 'fst'; did you mean 'fast'?"),
        ("    ablation_variable: rrf_k\n", 3, "give the 'values' that rrf_k should have"),
        (
            "    ablation_variable: search_dim\n    values: [100]\n",
            4,
            "search_dim is 100, but takes one of",
        ),
        (
            "    ablation_variable: hyde_enabled\n    values: [true]\n",
            2,
            "has one variant; there is nothing to compare",
        ),
        (
            "    ablation_variable: hyde_enabled\n    values: [true, true]\n",
            2,
            "two variants are named 'hyde_on'",
        ),
        (
            "    variants:\n      - { name: a, rrf_k: 60 }\n      - { name: b, rrf_k: 60 }\n",
            2,
            "variants 'a' and 'b' have the same settings",
        ),
        (
            "    ablation_variable: hyde_enabled\n    compare_to: hyde_of\n",
            4,
            "there is no variant 'hyde_of'; did you mean 'hyde_off'?",
        ),
        ("    design: factorial\n", 3, "needs 'components'"),
        (
            "    design: add_one\n    components: [hyde_enabled]\n    values: [1]\n",
            5,
            "makes its own variants",
        ),
        ("    components: [hyde_enabled]\n", 3, "'components' belong to a design"),
        (
            "    design: leave_one_out\n    baseline: fast\n    components: [hyde_enabled]\n",
            5,
            "hyde_enabled has no effect with fast_mode: on",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_with_file_and_line(yaml: str, line: int, words: str):
    """Each refusal begins with the place and says what to write."""
    said = refusal(yaml)
    assert said.startswith(f"e.yaml:{line}: experiment 'x': "), said
    assert words in said


def test_a_dimension_that_is_fast_only_needs_the_fast_baseline():
    """The seed's rule holds for systems that declare search_dim so; this pipeline does not."""
    fast_only = system(
        fast_mode=Setting(kind=bool, default=False),
        search_dim=Setting(kind=int, only_when={"fast_mode": True}, default=1024),
    )
    yaml = "    ablation_variable: search_dim\n    values: [128, 256]\n"
    assert "search_dim has no effect with fast_mode: off; use baseline: fast" in refusal(
        yaml, fast_only
    )
    assert names(layout(f"    baseline: fast\n{yaml}", fast_only)) == ["dim_128", "dim_256"]
    assert names(layout(yaml)) == ["dim_128", "dim_256"]


def test_leave_one_out_takes_each_component_from_the_full_pipeline():
    """The full pipeline first, compared with; then it without each."""
    made = layout("    design: leave_one_out\n    components: [hyde_enabled, rrf_enabled]\n")
    assert names(made) == ["full", "without_hyde", "without_rrf"]
    assert changed(made, "hyde_enabled") == [True, False, True]
    assert made.baseline == "full"


def test_add_one_adds_each_component_to_the_bare_pipeline():
    """The bare pipeline first, compared with; then it with each."""
    made = layout("    design: add_one\n    components: [hyde_enabled, rrf_enabled]\n")
    assert names(made) == ["bare", "with_hyde", "with_rrf"]
    assert changed(made, "rrf_enabled") == [False, False, True]
    assert made.baseline == "bare"


def test_factorial_tries_every_combination():
    """Components that are no switches say what off and on mean."""
    made = layout(
        "    design: factorial\n"
        "    components:\n"
        "      hyde_enabled: [false, true]\n"
        "      repack_strategy: [none, reverse]\n"
    )
    assert names(made) == ["none", "repack_strategy", "hyde", "hyde+repack_strategy"]
    assert changed(made, "repack_strategy") == ["none", "reverse", "none", "reverse"]
    assert made.switched["hyde"] == {"hyde_enabled": True, "repack_strategy": False}


def test_a_named_block_can_be_the_baseline():
    """Blocks under ``baselines`` are settings that experiments start from."""
    text = (
        "baselines:\n  lean: { hyde: false, query_fusion_enabled: false }\n"
        "experiments:\n  - { name: x, baseline: lean, ablation_variable: rrf_enabled }\n"
    )
    document = parse_document(text, ExperimentFile, Path("e.yaml"))
    made = lay_out_variants(document, 0, system())
    assert changed(made, "hyde_enabled") == [False, False]


def test_a_system_that_takes_anything_gets_what_the_file_says():
    """Nothing is known of its settings, so nothing is refused or added."""

    def reply(question: Question, given: object) -> str:
        return "yes"

    anything = ScriptedSystem(reply, settings=None)
    made = layout("    variants:\n      - { name: a, t: 1 }\n      - { name: b, t: 2 }\n", anything)
    assert changed(made, "t") == [1, 2]


def test_every_preset_suits_the_reference_pipeline():
    """All shipped experiments can be run as they are."""
    document = presets()
    made = {
        experiment.name: len(lay_out_variants(document, number, system()).variants)
        for number, experiment in enumerate(document.value.experiments)
    }
    assert made == {
        "mrl_dimension": 6,
        "drift_filter": 2,
        "multi_query": 2,
        "hyde": 2,
        "llm_rerank": 2,
        "repack": 3,
        "rrf": 2,
        "hybrid_weights": 5,
        "mrl_dimension_normal": 5,
        "leave_one_out": 6,
    }
