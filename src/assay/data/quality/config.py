"""``config.v1.json``: several documents, each with its questions, measured as one benchmark."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from assay.config import Document, parse_document
from assay.data.line import read_text
from assay.errors import ConfigError


class DatasetConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document and its questions. ``kind`` is a word of the user's own for the report."""

    id: Annotated[str, Meta(pattern=r"^\w[\w.-]*$(?!\n)", description="Names its results file.")]
    pdf: Annotated[str, Meta(min_length=1)]
    questions: Annotated[str, Meta(min_length=1)]
    kind: str = ""
    weight: Annotated[float, Meta(ge=0)] = 1.0


class BenchmarkConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    name: Annotated[str, Meta(pattern=r"^\w[\w.-]*$(?!\n)")]
    datasets: Annotated[list[DatasetConfig], Meta(min_length=1)]
    description: str = ""


def load_benchmark(path: Path) -> Document[BenchmarkConfig]:
    """Read a configuration; wrong keys and values are named with their line."""
    text = read_text(path)
    # JSON is YAML but for tabs, which JSON may have between its parts and nowhere else
    document = parse_document(text.replace("\t", " "), BenchmarkConfig, path)
    first: dict[str, int] = {}
    for place, dataset in enumerate(document.value.datasets):
        if first.setdefault(dataset.id, place) != place:
            where = document.where("datasets", place, "id")
            raise ConfigError(f"{where}: two data sets have the id {dataset.id!r}")
    if not any(dataset.weight for dataset in document.value.datasets):
        raise ConfigError(f"{document.where('datasets')}: all weights are 0, so there is no score")
    return document
