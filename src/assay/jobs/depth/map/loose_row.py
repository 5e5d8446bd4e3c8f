"""Read a row of depth results whose fields have other types than usual.

Other tools write numbers as text, ``NaN``, a depth in percent or a position as two numbers. Such a
row is read as it is meant. A field that cannot be understood is left out, so that a row without a
score is counted as one.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from assay.data.foreign_value import as_flag, as_number, as_text, as_whole_number
from assay.data.novel import read_position
from assay.jobs.depth.map.row import DepthRow


def read_loose_row(line: bytes) -> DepthRow:
    """The row of a line.

    Raises:
        ValueError: the line is not a JSON object.
    """
    content = json.loads(line)
    if not isinstance(content, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - the content is wrong, not the call
    read = {name: _READERS.get(name, _as_it_is)(value) for name, value in content.items()}
    return msgspec.convert(
        {name: value for name, value in read.items() if value is not None}, DepthRow
    )


def read_length(value: Any) -> int | None:
    """A context length; ``k`` stands for a thousand tokens.

    >>> read_length("32k"), read_length("64000"), read_length(4000.0)
    (32000, 64000, 4000)
    """
    if isinstance(value, str) and value.strip().lower().endswith("k"):
        thousands = as_number(value.strip()[:-1])
        return None if thousands is None else as_whole_number(thousands * 1000)
    return as_whole_number(value)


def read_depth_bin(value: Any) -> str | None:
    """The label of a depth; a number is in percent.

    >>> read_depth_bin(25), read_depth_bin("25%"), read_depth_bin("0.25")
    ('25%', '25%', '0.25')
    """
    number = None if isinstance(value, str) else as_number(value)
    return as_text(value) if number is None else f"{number:g}%"


def _as_it_is(value: Any) -> Any:
    return value


def _text_or_nothing(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _score(value: Any) -> float | None:
    return float(value) if isinstance(value, bool) else as_number(value)


def _position(value: Any) -> Any:
    position = read_position(value)
    return None if position is None else msgspec.to_builtins(position)


def _object(value: Any) -> Any:
    return value if isinstance(value, Mapping) else None


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("question", "question_type", "parsing_status"), as_text),
    **dict.fromkeys(("key", "config", "status"), _text_or_nothing),
    **dict.fromkeys(("test_context_length", "context_length"), read_length),
    **dict.fromkeys(("closed_book", "closed_book_correct"), as_flag),
    "question_id": as_text,
    "position": _position,
    "score": _score,
    "depth": as_number,
    "depth_bin": read_depth_bin,
    "metadata": _object,
}
