"""What the first line of a results file says of the test, under any of its known names."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any


def planned_lengths(metadata: Mapping[str, Any]) -> set[int]:
    """The context lengths that the test was planned with."""
    given = metadata.get("context_lengths")
    return {int(length) for length in given} if isinstance(given, Sequence) else set()


def only_length(metadata: Mapping[str, Any]) -> int | None:
    """The length that all rows share, for files whose rows do not say it."""
    given = metadata.get("context_length")
    if isinstance(given, int):
        return given
    several = planned_lengths(metadata)
    return several.pop() if len(several) == 1 else None


def model_name(metadata: Mapping[str, Any]) -> str:
    """The model, else the system; empty where the file does not say."""
    config = metadata.get("config")
    for holder in (metadata, config if isinstance(config, Mapping) else {}):
        for name in ("model_name", "model", "system"):
            if isinstance(holder.get(name), str) and holder[name]:
                return str(holder[name])
    return ""


def data_set_name(metadata: Mapping[str, Any]) -> str:
    """The question set's name, else the novel's; empty where the file does not say.

    >>> data_set_name({"question_set_path": "data/lamps.jsonl"})
    'lamps'
    """
    for name in ("data_set", "question_set_path", "questions_path", "novel_path", "novel"):
        if isinstance(metadata.get(name), str) and metadata[name]:
            return PurePosixPath(metadata[name].replace("\\", "/")).stem
    return ""
