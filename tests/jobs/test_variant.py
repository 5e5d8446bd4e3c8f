"""Experiments are expanded into complete variants; errors name the file and the line."""

from pathlib import Path

import pytest

from assay.config.document import ExperimentFile, parse_document, presets
from assay.errors import ConfigError
from assay.jobs.experiment import NORMAL_BASELINE, lay_out_variants
from assay.records import Question
from assay.runs.plan import Layout
from assay.systems.protocol import Setting
from assay.systems.reference import CUT_SETTINGS, declared_settings
from assay.systems.scripted import ScriptedSystem


def system(**settings: Setting) -> ScriptedSystem:
    """A system that declares these settings, or those of the reference pipeline."""

    def reply(question: Question, case_settings: object) -> str:
        return "yes"

    return ScriptedSystem(reply, settings=settings or declared_settings(2048))


def layout(yaml: str, of: ScriptedSystem | None = None) -> Layout:
    """The variants of the experiment whose keys are ``yaml``, indented by four spaces."""
    text = f"experiments:\n  - name: x\n{yaml}"
    document = parse_document(text, ExperimentFile, Path("e.yaml"))
    return lay_out_variants(document, 0, of or system())


def refusal(yaml: str, of: ScriptedSystem | None = None) -> str:
    """The error message about the experiment."""
    with pytest.raises(ConfigError) as caught:
        layout(yaml, of)
    return str(caught.value)


def names(expanded: Layout) -> list[str]:
    """The names of the variants in order."""
    return [variant.name for variant in expanded.variants]


def values(expanded: Layout, setting: str) -> list[object]:
    """The value of one setting in each variant."""
    return [variant.settings.get(setting) for variant in expanded.variants]


def test_the_seed_shape_is_accepted_as_written():
    """``{ dim: 128, name: fast_dim_128 }`` sets search_dim, and the rest is the fast baseline."""
    expanded = layout(
        "    baseline: fast\n"
        "    ablation_variable: search_dim\n"
        "    variants:\n"
        "      - { dim: 128, name: fast_dim_128 }\n"
        "      - { dim: 2048, name: fast_dim_2048 }\n"
        "    include_normal_baseline: true\n"
    )
    assert names(expanded) == ["fast_dim_128", "fast_dim_2048", NORMAL_BASELINE]
    assert values(expanded, "search_dim") == [128, 2048, None]
    assert values(expanded, "fast_mode") == [True, True, False]
    assert expanded.ordered == {"fast_dim_128": 128, "fast_dim_2048": 2048}


def test_values_make_variants_and_their_names():
    """A switch becomes two variants; the one equal to the baseline is compared with."""
    expanded = layout("    ablation_variable: hyde_enabled\n    values: [false, true]\n")
    assert names(expanded) == ["hyde_off", "hyde_on"]
    assert expanded.baseline == "hyde_on"
    assert expanded.ordered == {}


def test_a_variable_alone_is_tried_at_all_it_can_be():
    """Without ``values``, a switch is tried on and off, and a setting with all its choices."""
    assert names(layout("    ablation_variable: rrf\n")) == ["rrf_on", "rrf_off"]
    expanded = layout("    ablation_variable: repack_strategy\n")
    assert values(expanded, "repack_strategy") == ["reverse", "forward", "none"]


def test_all_other_settings_are_equal_and_complete():
    """Variants differ only in the variable, and have every setting of the system.

    How documents are cut is a setting only if an experiment names it: answers that were recorded
    before it could be one stay valid.
    """
    expanded = layout("    ablation_variable: hyde_enabled\n")
    on, off = (dict(variant.settings) for variant in expanded.variants)
    assert on.keys() == declared_settings(2048).keys() - set(CUT_SETTINGS)
    assert {name for name in on if on[name] != off[name]} == {"hyde_enabled"}


def test_two_settings_may_change_together_when_both_are_named():
    """A list of variables allows settings that belong together, for example hybrid weights."""
    expanded = layout(
        "    ablation_variable: [dense_weight, lexical_weight]\n"
        "    variants:\n"
        "      - { name: dense, dense_weight: 1.0, lexical_weight: 0.0 }\n"
        "      - { name: default, dense_weight: 0.8, lexical_weight: 0.2 }\n"
    )
    assert expanded.baseline == "default"


def test_a_variant_that_changes_more_is_refused_at_its_line():
    """The message has the file, the line, both settings, and how to correct it."""
    message = refusal(
        "    ablation_variable: hyde_enabled\n"
        "    variants:\n"
        "      - { name: on, hyde_enabled: true }\n"
        "      - { name: off, hyde_enabled: false, rrf_enabled: false }\n"
    )
    start = "e.yaml:6: experiment 'x': variant 'off' changes rrf_enabled besides"
    assert message.startswith(start)
    assert "allow_multiple: true" in message


def test_saying_the_baseline_again_is_no_second_change():
    """A variant may repeat the value that a setting has in the baseline."""
    expanded = layout(
        "    ablation_variable: hyde_enabled\n"
        "    variants:\n"
        "      - { name: on, hyde_enabled: true, rrf_enabled: true }\n"
        "      - { name: off, hyde_enabled: false }\n"
    )
    assert names(expanded) == ["on", "off"]


def test_allow_multiple_lets_it_pass():
    """With ``allow_multiple`` a variant may change several settings."""
    expanded = layout(
        "    ablation_variable: hyde_enabled\n"
        "    allow_multiple: true\n"
        "    variants:\n"
        "      - { name: on, hyde_enabled: true }\n"
        "      - { name: off, hyde_enabled: false, rrf_enabled: false }\n"
    )
    assert values(expanded, "rrf_enabled") == [True, False]


@pytest.mark.parametrize(
    ("yaml", "line", "reason"),
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
            "has one variant, so there is nothing to compare",
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
            "makes its variants from 'components'",
        ),
        ("    components: [hyde_enabled]\n", 3, "'components' belong to a design"),
        (
            "    design: leave_one_out\n    baseline: fast\n    components: [hyde_enabled]\n",
            5,
            "hyde_enabled has no effect with fast_mode: on",
        ),
    ],
)
def test_errors_have_file_and_line(yaml: str, line: int, reason: str):
    """Each error message begins with the file and the line, then says what is wrong."""
    message = refusal(yaml)
    assert message.startswith(f"e.yaml:{line}: experiment 'x': "), message
    assert reason in message


def test_a_dimension_that_is_fast_only_needs_the_fast_baseline():
    """A setting that needs fast_mode is refused without it; the reference pipeline has none."""
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
    """The full pipeline is the baseline; every other variant lacks one component."""
    expanded = layout("    design: leave_one_out\n    components: [hyde_enabled, rrf_enabled]\n")
    assert names(expanded) == ["full", "without_hyde", "without_rrf"]
    assert values(expanded, "hyde_enabled") == [True, False, True]
    assert expanded.baseline == "full"


def test_add_one_adds_each_component_to_the_bare_pipeline():
    """The bare pipeline is the baseline; every other variant has one component."""
    expanded = layout("    design: add_one\n    components: [hyde_enabled, rrf_enabled]\n")
    assert names(expanded) == ["bare", "with_hyde", "with_rrf"]
    assert values(expanded, "rrf_enabled") == [False, False, True]
    assert expanded.baseline == "bare"


def test_factorial_tries_every_combination():
    """Every combination is a variant; a component may define its values for off and on."""
    expanded = layout(
        "    design: factorial\n"
        "    components:\n"
        "      hyde_enabled: [false, true]\n"
        "      repack_strategy: [none, reverse]\n"
    )
    assert names(expanded) == ["none", "repack_strategy", "hyde", "hyde+repack_strategy"]
    assert values(expanded, "repack_strategy") == ["none", "reverse", "none", "reverse"]
    assert expanded.switched["hyde"] == {"hyde_enabled": True, "repack_strategy": False}


def test_the_baseline_is_the_variant_with_the_declared_defaults():
    """A system that starts with reranking is compared with it, whichever value is listed first."""
    of = system(rerank=Setting(kind=bool, initial=True), depth=Setting(kind=int, initial=3))
    first = layout("    ablation_variable: rerank\n    values: [false, true]\n", of)
    assert first.baseline == "rerank_on"
    other = layout("    ablation_variable: depth\n    values: [9, 3]\n", of)
    assert other.baseline == "depth_3"
    none = layout("    ablation_variable: depth\n    values: [9, 5]\n", of)
    assert none.baseline == "depth_9"


def test_a_named_block_can_be_the_baseline():
    """An experiment may start from the settings of a block under ``baselines``."""
    text = (
        "baselines:\n  lean: { hyde: false, query_fusion_enabled: false }\n"
        "experiments:\n  - { name: x, baseline: lean, ablation_variable: rrf_enabled }\n"
    )
    document = parse_document(text, ExperimentFile, Path("e.yaml"))
    expanded = lay_out_variants(document, 0, system())
    assert values(expanded, "hyde_enabled") == [False, False]


def test_a_system_that_takes_anything_gets_what_the_file_says():
    """If a system declares no settings, none is refused and no default is added."""

    def reply(question: Question, settings: object) -> str:
        return "yes"

    anything = ScriptedSystem(reply, settings=None)
    expanded = layout(
        "    variants:\n      - { name: a, t: 1 }\n      - { name: b, t: 2 }\n", anything
    )
    assert values(expanded, "t") == [1, 2]


def test_every_preset_suits_the_reference_pipeline():
    """All presets can be expanded for the reference pipeline."""
    document = presets()
    counts = {
        experiment.name: len(lay_out_variants(document, number, system()).variants)
        for number, experiment in enumerate(document.value.experiments)
    }
    assert counts == {
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


LABELLED = "    ablation_variable: drift_filter_study\n    variants:\n"


def test_a_label_stands_for_the_one_setting_that_the_variants_change():
    """Whether or not the system says which settings it has; the baseline's own do not count."""
    variants = (
        "      - { drift_filter_enabled: true, fast_mode: false, name: on }\n"
        "      - { drift_filter_enabled: false, name: off }\n"
    )
    of_any = ScriptedSystem(lambda question, settings: "yes")
    plain = variants.replace(" fast_mode: false,", "")
    assert layout(LABELLED + plain, of_any).variables == ("drift_filter_enabled",)
    declared = system(drift_filter_enabled=Setting(kind=bool), fast_mode=Setting(kind=bool))
    assert layout(LABELLED + variants, declared).variables == ("drift_filter_enabled",)


def test_a_label_cannot_stand_for_two_settings():
    """The message names them and what to write; allow_multiple says that both are meant."""
    variants = "      - { hyde_enabled: false, name: a }\n      - { rrf_enabled: false, name: b }\n"
    assert "the variants change hyde_enabled and rrf_enabled" in refusal(LABELLED + variants)
    both = layout(LABELLED + variants + "    allow_multiple: true\n")
    assert both.variables == ("hyde_enabled", "rrf_enabled")


def test_what_a_system_starts_from_decides_whether_a_setting_has_an_effect():
    """A value that is not known refuses nothing."""
    depth = Setting(kind=int, only_when={"deep": True})
    yaml = "    ablation_variable: depth\n    values: [1, 2]\n"
    shallow = system(deep=Setting(kind=bool, initial=False), depth=depth)
    assert "depth has no effect with deep: off; set deep: on" in refusal(yaml, shallow)
    for deep in (Setting(kind=bool, initial=True), Setting(kind=bool)):
        assert names(layout(yaml, system(deep=deep, depth=depth))) == ["depth_1", "depth_2"]


def test_the_mistakes_of_all_variants_are_reported_together():
    """Each faulty variant has a line of its own."""
    message = refusal(
        "    ablation_variable: hyde_enabled\n"
        "    variants:\n"
        "      - { hyde_enabledd: true, name: a }\n"
        "      - { hyde_enabled: maybe, name: b }\n"
        "      - { hyde_enabled: true, rrf_k: 3, name: c }\n"
    )
    assert [line.split(":")[1] for line in message.splitlines()] == ["5", "6", "7"]
