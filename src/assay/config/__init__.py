"""Configuration: YAML files into frozen structs, every mistake named by file and line."""

from assay.config.document import Document, load_document, parse_document
from assay.config.experiment import Defaults, Experiment, ExperimentFile, RunSettings
from assay.config.workspace import Workspace

__all__ = [
    "Defaults",
    "Document",
    "Experiment",
    "ExperimentFile",
    "RunSettings",
    "Workspace",
    "load_document",
    "parse_document",
]
