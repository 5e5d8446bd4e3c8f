"""The experiments with a reviewer that come with assay, and what is compared without one."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from assay.config import Document, ExperimentFile, parse_document
from assay.jobs.experiment import ExperimentChoice, Layout, lay_out_variants
from assay.records import Variant
from assay.systems import System, local_copy
from assay.systems.reviewer import Reviewer

PRESETS: Final = "presets_review.yaml"
VARIANT: Final = "review"
"""The only variant of a system whose settings are not those of the reviewer."""
_OF_RULES: Final = frozenset({"rules_enabled", "law_lookup_enabled"})


def review_presets() -> Document[ExperimentFile]:
    """The experiments with a reviewer that come with assay; they run on any clauses."""
    text = files("assay.config").joinpath(PRESETS).read_text(encoding="utf-8")
    return parse_document(text, ExperimentFile, Path("assay", PRESETS))


def is_preset(choice: ExperimentChoice) -> bool:
    """Whether the experiment comes with assay, and not from a file of the user."""
    return choice.document.path == Path("assay", PRESETS)


def lay_out_preset(choice: ExperimentChoice, system: System, *, is_named: bool) -> Layout:
    """The variants of a preset for this system.

    The presets compare parts of the reviewer that comes with assay. Another system is asked once
    for each clause, unless the user named the preset and the system declares the same settings.
    A reviewer without rules has none to leave out.
    """
    file, experiment = choice.document.value, choice.experiment
    variables = experiment.ablation_variable or []
    reviewer = local_copy(system)
    if not isinstance(reviewer, Reviewer):
        if is_named and set(variables) <= (system.settings or {}).keys():
            return lay_out_variants(choice.document, choice.number, system)
        return Layout(variants=(Variant(name=VARIANT),), baseline=VARIANT)
    if reviewer.has_rules:
        return lay_out_variants(choice.document, choice.number, system)
    kept = replace(
        experiment,
        ablation_variable=[name for name in variables if name not in _OF_RULES],
        variants=[variant for variant in experiment.variants if not _OF_RULES & variant.keys()],
    )
    document = replace(choice.document, value=replace(file, experiments=[kept]))
    return lay_out_variants(document, 0, system)
