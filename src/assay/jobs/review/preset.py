"""The experiments with a reviewer that come with assay."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from assay.config import Document, ExperimentFile, parse_document

PRESETS: Final = "presets_review.yaml"


def review_presets() -> Document[ExperimentFile]:
    """The experiments with a reviewer that come with assay; they run on any clauses."""
    text = files("assay.config").joinpath(PRESETS).read_text(encoding="utf-8")
    return parse_document(text, ExperimentFile, Path("assay", PRESETS))
