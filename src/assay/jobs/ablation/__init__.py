"""Ablation: what does each component of a pipeline contribute?"""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.ablation.deciding_metric import has_value, plain_primary
    from assay.jobs.ablation.plain_run import PlainRunOptions
    from assay.jobs.ablation.plain_run import prepare as prepare_plain_run
    from assay.jobs.ablation.preparation import AblationOptions, prepare, prepare_experiment
    from assay.jobs.ablation.preset import presets_text
    from assay.jobs.ablation.spec import SPEC
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AblationOptions": "preparation",
            "PlainRunOptions": "plain_run",
            "SPEC": "spec",
            "has_value": "deciding_metric",
            "plain_primary": "deciding_metric",
            "prepare": "preparation",
            "prepare_experiment": "preparation",
            "prepare_plain_run": "plain_run:prepare",
            "presets_text": "preset",
        },
    )

__all__ = [
    "SPEC",
    "AblationOptions",
    "PlainRunOptions",
    "has_value",
    "plain_primary",
    "prepare",
    "prepare_experiment",
    "prepare_plain_run",
    "presets_text",
]
