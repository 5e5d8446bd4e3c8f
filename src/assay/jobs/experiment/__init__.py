"""Experiments of ``experiments.yaml``: choosing them, and expanding each into variants."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.experiment.choice import (
        ExperimentChoice,
        all_experiments,
        choose_experiments,
        refuse_same_names,
    )
    from assay.jobs.experiment.layout import Layout, differs_in_order_only
    from assay.jobs.experiment.primary import primary_metric
    from assay.jobs.experiment.stop_setting import (
        describe_early_stop,
        early_stop,
        early_stop_fields,
    )
    from assay.jobs.experiment.variant import lay_out_variants
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "ExperimentChoice": "choice",
            "Layout": "layout",
            "all_experiments": "choice",
            "choose_experiments": "choice",
            "describe_early_stop": "stop_setting",
            "differs_in_order_only": "layout",
            "early_stop": "stop_setting",
            "early_stop_fields": "stop_setting",
            "lay_out_variants": "variant",
            "primary_metric": "primary",
            "refuse_same_names": "choice",
        },
    )

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
