"""The experiments that come with assay."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from assay.config.document import Document, ExperimentFile, parse_document

PRESETS: Final = "presets.yaml"


def presets() -> Document[ExperimentFile]:
    """The experiments that come with assay, as a parsed document."""
    return parse_document(presets_text(), ExperimentFile, Path("assay", PRESETS))


def presets_text() -> str:
    """The text of the YAML file with the experiments that come with assay."""
    return files("assay.config").joinpath(PRESETS).read_text(encoding="utf-8")
