"""Ablation: what does each component of a pipeline contribute?"""

from assay.jobs.ablation.plain_run import PlainRunOptions
from assay.jobs.ablation.plain_run import prepare as prepare_plain_run
from assay.jobs.ablation.preparation import AblationOptions, prepare, prepare_experiment
from assay.jobs.ablation.preset import presets_text
from assay.jobs.ablation.spec import SPEC

__all__ = [
    "SPEC",
    "AblationOptions",
    "PlainRunOptions",
    "prepare",
    "prepare_experiment",
    "prepare_plain_run",
    "presets_text",
]
