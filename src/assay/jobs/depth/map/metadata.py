"""Facts about a test from the first line of a results file, under any of their known names."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any


def planned_lengths(metadata: Mapping[str, Any]) -> set[int]:
    """The context lengths that the test was planned with; empty if the file does not say."""
    lengths = metadata.get("context_lengths")
    listed = lengths if isinstance(lengths, Sequence) else ()
    return {int(length) for length in listed if isinstance(length, int | float)}


def only_length(metadata: Mapping[str, Any]) -> int | None:
    """The context length of all rows, for files whose rows do not have it; None if unknown."""
    length = metadata.get("context_length")
    if isinstance(length, int):
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
