"""Facts about a test from the first line of a results file, under any of their known names."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from assay.data.foreign_value import as_items
from assay.jobs.depth.map.loose_row import read_depth_bin, read_length


def planned_lengths(metadata: Mapping[str, Any]) -> set[int]:
    """The context lengths that the test was planned with; empty if the file does not say."""
    lengths = [read_length(length) for length in as_items(metadata.get("context_lengths"))]
    return {length for length in lengths if length}


def depth_labels(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """The depths that the test was planned with, as labels; empty if the file does not say."""
    labels = [read_depth_bin(label) for label in as_items(metadata.get("depth_bins"))]
    return tuple(label for label in labels if label)


def only_length(metadata: Mapping[str, Any]) -> int | None:
    """The context length of all rows, for files whose rows do not have it; None if unknown."""
    length = read_length(metadata.get("context_length"))
    if length:
        return length
    lengths = planned_lengths(metadata)
    return lengths.pop() if len(lengths) == 1 else None


def model_name(metadata: Mapping[str, Any]) -> str:
    """The name of the model, else of the system; empty if the file does not say."""
    config = metadata.get("config")
    for holder in (metadata, config if isinstance(config, Mapping) else {}):
        for name in ("model_name", "model", "system"):
            if isinstance(holder.get(name), str) and holder[name]:
                return str(holder[name])
    return ""


def data_set_name(metadata: Mapping[str, Any]) -> str:
    """The name of the question set, else of the novel; empty if the file does not say.

    >>> data_set_name({"question_set_path": "data/lamps.jsonl"})
    'lamps'
    """
    for name in ("data_set", "question_set_path", "questions_path", "novel_path", "novel"):
        if isinstance(metadata.get(name), str) and metadata[name]:
            return PurePosixPath(metadata[name].replace("\\", "/")).stem
    return ""
