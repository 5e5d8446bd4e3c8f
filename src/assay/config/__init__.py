"""Configuration: YAML files into frozen structs, every mistake named by file and line."""

from assay.config.document import Document, load_document, parse_document
from assay.config.experiment import Defaults, Experiment, RunSettings
from assay.config.file import ExperimentFile
from assay.config.model import Averages, ModelConfig, Price
from assay.config.system import SystemConfig
from assay.config.workspace import Workspace

__all__ = [
    "Averages",
    "Defaults",
    "Document",
    "Experiment",
    "ExperimentFile",
    "ModelConfig",
    "Price",
    "RunSettings",
    "SystemConfig",
    "Workspace",
    "load_document",
    "parse_document",
]
