"""Read ``config.v1.json``: several documents with questions that form one benchmark."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from assay.config import Document, parse_document
from assay.data.line import read_text
from assay.errors import ConfigError


class DatasetConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document and its questions. ``kind`` is a free text that appears in the report."""

    id: Annotated[str, Meta(pattern=r"^\w[\w.-]*$(?!\n)", description="Names its results file.")]
    pdf: Annotated[str, Meta(min_length=1)]
    questions: Annotated[str, Meta(min_length=1)]
    kind: str = ""
    weight: Annotated[float, Meta(ge=0)] = 1.0


class BenchmarkConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``config.v1.json``."""

    name: Annotated[str, Meta(pattern=r"^\w[\w.-]*$(?!\n)")]
    datasets: Annotated[list[DatasetConfig], Meta(min_length=1)]
    description: str = ""


def load_benchmark(path: Path) -> Document[BenchmarkConfig]:
    """Read a configuration.

    Raises:
        ConfigError: a key or value is wrong; the message gives its line.
        DatasetError: the file cannot be read.
    """
    text = read_text(path)
    # JSON is valid YAML except for tabs. In JSON, tabs can only occur between tokens.
    document = parse_document(text.replace("\t", " "), BenchmarkConfig, path)
    first: dict[str, int] = {}
    for index, dataset in enumerate(document.value.datasets):
        if first.setdefault(dataset.id, index) != index:
            where = document.where("datasets", index, "id")
            raise ConfigError(f"{where}: two data sets have the id {dataset.id!r}")
    if not any(dataset.weight for dataset in document.value.datasets):
        raise ConfigError(
            f"{document.where('datasets')}: all weights are 0, so there is no score; "
            "set at least one above 0"
        )
    return document
