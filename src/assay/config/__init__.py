"""Configuration: YAML files into frozen structs, every mistake named by file and line."""

from assay.config.model import Averages
from assay.config.system import CommandConfig
from assay.config.experiment import Defaults
from assay.config.document import Document
from assay.config.experiment import Experiment
from assay.config.file import ExperimentFile
from assay.config.system import HttpConfig
from assay.config.model import ModelConfig
from assay.config.system import OpenAIConfig
from assay.config.model import Price
from assay.config.system import PythonConfig
from assay.config.system import ReferenceConfig
from assay.config.system import ReplayConfig
from assay.config.system import ReviewerConfig
from assay.config.experiment import RunSettings
from assay.config.system import SystemConfig
from assay.config.workspace import Workspace
from assay.config.schema import experiments_schema
from assay.config.document import load_document
from assay.config.document import nearest
from assay.config.document import parse_document

__all__ = [
    "Averages",
    "CommandConfig",
    "Defaults",
    "Document",
    "Experiment",
    "ExperimentFile",
    "HttpConfig",
    "ModelConfig",
    "OpenAIConfig",
    "Price",
    "PythonConfig",
    "ReferenceConfig",
    "ReplayConfig",
    "ReviewerConfig",
    "RunSettings",
    "SystemConfig",
    "Workspace",
    "experiments_schema",
    "load_document",
    "nearest",
    "parse_document",
]
