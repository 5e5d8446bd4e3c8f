"""Configuration: YAML files are read into frozen structs; errors name the file and line."""

from typing import TYPE_CHECKING

from assay.config.cluster import ClusterOptions, read_cluster_options
from assay.config.document import Document, load_document, parse_document
from assay.config.experiment import Defaults, EarlyStopSettings, Experiment, RunSettings
from assay.config.file import ExperimentFile
from assay.config.judge import JudgeConfig
from assay.config.model import Averages, ModelConfig, Price
from assay.config.name import NAME_PATTERN, check_name
from assay.config.redact import RedactConfig, RedactMode
from assay.config.schema import experiments_schema
from assay.config.system import (
    CommandConfig,
    HttpConfig,
    OpenAIConfig,
    PassagesOrder,
    PythonConfig,
    ReferenceConfig,
    ReplayConfig,
    ReviewerConfig,
    SystemConfig,
)
from assay.config.workspace import Workspace
from assay.registry import lazy_door
from assay.suggestion import nearest

if TYPE_CHECKING:
    from assay.config.yaml_tree import parse_yaml, yaml_text
else:  # PyYAML is slow to import
    __getattr__ = lazy_door(__name__, {"parse_yaml": "yaml_tree", "yaml_text": "yaml_tree"})

__all__ = [
    "NAME_PATTERN",
    "Averages",
    "ClusterOptions",
    "CommandConfig",
    "Defaults",
    "Document",
    "EarlyStopSettings",
    "Experiment",
    "ExperimentFile",
    "HttpConfig",
    "JudgeConfig",
    "ModelConfig",
    "OpenAIConfig",
    "PassagesOrder",
    "Price",
    "PythonConfig",
    "RedactConfig",
    "RedactMode",
    "ReferenceConfig",
    "ReplayConfig",
    "ReviewerConfig",
    "RunSettings",
    "SystemConfig",
    "Workspace",
    "check_name",
    "experiments_schema",
    "load_document",
    "nearest",
    "parse_document",
    "parse_yaml",
    "read_cluster_options",
    "yaml_text",
]
