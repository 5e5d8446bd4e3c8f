"""Experiments of ``experiments.yaml``: choosing them, and expanding each into variants."""

from assay.jobs.experiment.choice import (
    ExperimentChoice,
    all_experiments,
    choose_experiments,
    refuse_same_names,
)
from assay.jobs.experiment.early_stop import (
    describe_early_stop,
    early_stop,
    early_stop_fields,
)
from assay.jobs.experiment.layout import Layout, differs_in_order_only
from assay.jobs.experiment.primary import primary_metric
from assay.jobs.experiment.variant import lay_out_variants

__all__ = [
    "ExperimentChoice",
    "Layout",
    "all_experiments",
    "choose_experiments",
    "describe_early_stop",
    "differs_in_order_only",
    "early_stop",
    "early_stop_fields",
    "lay_out_variants",
    "primary_metric",
    "refuse_same_names",
]
