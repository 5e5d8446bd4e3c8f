"""Ablation: what does each component of a pipeline contribute?"""

from assay.jobs.ablation.handler import JOB, SPEC, AblationHandler
from assay.jobs.ablation.preset import presets_text
from assay.jobs.ablation.run import (
    Ablation,
    ExperimentChoice,
    Overrides,
    check_experiments,
    choose_experiments,
    close_system,
    describe,
    prepare_ablation,
    run_ablation,
)
from assay.jobs.ablation.variant import Layout, lay_out_variants

__all__ = [
    "JOB",
    "SPEC",
    "Ablation",
    "AblationHandler",
    "ExperimentChoice",
    "Layout",
    "Overrides",
    "check_experiments",
    "choose_experiments",
    "close_system",
    "describe",
    "lay_out_variants",
    "prepare_ablation",
    "presets_text",
    "run_ablation",
]
