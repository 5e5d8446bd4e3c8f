"""Read ``config.v1.json``: several documents with questions that form one benchmark.

The file comes with the benchmark, so a key that is not known is ignored, with a note. Values are
read as they are meant: a weight may be text, and null is a missing key.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import fields

from assay.config import NAME_PATTERN, Document, parse_document
from assay.data.foreign_value import as_number, as_text
from assay.data.ignored_field import ignored_fields_note
from assay.data.line import read_text
from assay.errors import ConfigError

_UNFIT: Final = re.compile(r"[^\w.-]+")


class DatasetConfig(Struct, frozen=True, kw_only=True):
    """A document and its questions. ``kind`` is a free text that appears in the report."""

    id: Annotated[str, Meta(pattern=r"^\w[\w.-]*$(?!\n)", description="Names its results file.")]
    pdf: Annotated[str, Meta(min_length=1)]
    questions: Annotated[str, Meta(min_length=1)]
    kind: str = ""
    weight: Annotated[float, Meta(ge=0)] = 1.0


class BenchmarkConfig(Struct, frozen=True, kw_only=True):
    """The content of ``config.v1.json``, and a note about keys that are ignored."""

    name: Annotated[str, Meta(pattern=NAME_PATTERN)]
    datasets: Annotated[list[DatasetConfig], Meta(min_length=1)]
    description: str = ""
    note: str = ""


def load_benchmark(path: Path) -> Document[BenchmarkConfig]:
    """Read a configuration.

    Raises:
        ConfigError: a value is wrong; the message gives its line.
        DatasetError: the file cannot be read.
    """
    text = read_text(path)
    # JSON is valid YAML except for tabs. In JSON, tabs can only occur between tokens.
    document = parse_document(
        text.replace("\t", " "), BenchmarkConfig, path, lambda raw: _as_meant(raw, path)
    )
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


def _as_meant(raw: Any, path: Path) -> Any:
    """The content without unknown keys, and with the usual types."""
    if not isinstance(raw, dict):
        return raw
    ignored: dict[str, None] = {}
    content = _known(raw, BenchmarkConfig, ignored)
    content["name"] = _file_name(content.get("name", path.stem))
    sets = content.get("datasets")
    if isinstance(sets, list):
        content["datasets"] = [_dataset(entry, ignored) for entry in sets]
    names = [field.name for kind in (BenchmarkConfig, DatasetConfig) for field in fields(kind)]
    content["note"] = ignored_fields_note(ignored, names)
    return content


def _dataset(entry: Any, ignored: dict[str, None]) -> Any:
    if not isinstance(entry, dict):
        return entry
    content = _known(entry, DatasetConfig, ignored)
    if "id" in content:
        content["id"] = _file_name(content["id"])
    if isinstance(content.get("weight"), str):
        weight = as_number(content["weight"])
        content["weight"] = content["weight"] if weight is None else weight
    return content


def _known(entry: dict[Any, Any], kind: type[Struct], ignored: dict[str, None]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)} - {"note"}
    ignored.update(dict.fromkeys(str(key) for key in entry if key not in names))
    return {key: value for key, value in entry.items() if key in names and value is not None}


def _file_name(value: Any) -> Any:
    """A name as a part of a file name: other characters than letters and digits become ``_``.

    >>> _file_name("годовой отчёт (2023)"), _file_name(7)
    ('годовой_отчёт_2023', '7')
    """
    text = as_text(value)
    if text is None or "/" in text or "\\" in text:
        return value
    return _UNFIT.sub("_", text).strip("_") or text
