"""Experiments of ``experiments.yaml``: choosing them, and expanding each into variants."""

from assay.jobs.experiment.choice import (
    ExperimentChoice,
    all_experiments,
    choose_experiments,
    refuse_same_names,
)
from assay.jobs.experiment.primary import primary_metric
from assay.jobs.experiment.variant import Layout, lay_out_variants

__all__ = [
    "ExperimentChoice",
    "Layout",
    "all_experiments",
    "choose_experiments",
    "lay_out_variants",
    "primary_metric",
    "refuse_same_names",
]
