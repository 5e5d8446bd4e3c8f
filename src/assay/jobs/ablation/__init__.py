"""Ablation: what does each component of a pipeline contribute?"""

from assay.jobs.ablation.run import Ablation
from assay.jobs.ablation.handler import AblationHandler
from assay.jobs.ablation.run import ExperimentChoice
from assay.jobs.ablation.handler import JOB
from assay.jobs.ablation.variant import Layout
from assay.jobs.ablation.run import Overrides
from assay.jobs.ablation.handler import SPEC
from assay.jobs.ablation.run import check_experiments
from assay.jobs.ablation.run import choose_experiments
from assay.jobs.ablation.run import close_system
from assay.jobs.ablation.run import describe
from assay.jobs.ablation.variant import lay_out_variants
from assay.jobs.ablation.run import prepare_ablation
from assay.jobs.ablation.preset import presets_text
from assay.jobs.ablation.run import run_ablation

__all__ = [
    "Ablation",
    "AblationHandler",
    "ExperimentChoice",
    "JOB",
    "Layout",
    "Overrides",
    "SPEC",
    "check_experiments",
    "choose_experiments",
    "close_system",
    "describe",
    "lay_out_variants",
    "prepare_ablation",
    "presets_text",
    "run_ablation",
]
