"""The whole of ``experiments.yaml``."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from assay.config.experiment import Defaults, Experiment
from assay.config.model import ModelConfig
from assay.config.system import SystemConfig


class ExperimentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Defaults, the models and systems that can be named, and the experiments."""

    defaults: Defaults = field(default_factory=Defaults)
    models: dict[str, ModelConfig] = field(default_factory=dict)
    systems: dict[str, SystemConfig] = field(default_factory=dict)
    baselines: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="Blocks of settings that an experiment can name as its baseline."),
    ] = field(default_factory=dict)
    experiments: list[Experiment] = []
