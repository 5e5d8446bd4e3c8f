"""The top level of ``experiments.yaml``."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from assay.config.experiment import Defaults, Experiment
from assay.config.judge import JudgeConfig
from assay.config.model import ModelConfig
from assay.config.redact import RedactConfig, RedactMode
from assay.config.system import SystemConfig


class ExperimentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults, the named models, systems, judges and baselines, and the experiments."""

    defaults: Defaults = field(default_factory=Defaults)
    models: dict[str, ModelConfig] = field(default_factory=dict)
    systems: dict[str, SystemConfig] = field(default_factory=dict)
    judges: dict[str, JudgeConfig] = field(default_factory=dict)
    baselines: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="Named blocks of settings that an experiment can use as its baseline."),
    ] = field(default_factory=dict)
    redact: Annotated[
        RedactConfig | RedactMode,
        Meta(description="Mask personal data and secrets: off, outputs, calls, or more settings."),
    ] = "off"
    experiments: list[Experiment] = []
