"""Ablation: what does each component of a pipeline contribute?"""

from assay.jobs.ablation.preparation import AblationOptions, prepare, prepare_experiment
from assay.jobs.ablation.preset import presets_text
from assay.jobs.ablation.spec import SPEC

__all__ = ["SPEC", "AblationOptions", "prepare", "prepare_experiment", "presets_text"]
