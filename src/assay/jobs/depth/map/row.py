"""A row of depth results as in the file, with published and assay's field names, all optional."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.foreign_value import as_flag, as_items, as_number, as_text, as_whole_number
from assay.jobs.depth.question_row import read_position

MOST_QUESTION: Final = 600
MOST_ANSWER: Final = 600
"""The maximum numbers of characters of a question and of an answer that are kept."""


PARSED: Final = frozenset({"success", "regex_extracted"})
UNPARSED: Final = frozenset({"parsing_error"})
NO_ANSWER: Final = frozenset({"timeout", "error", "context_build_error"})
"""The values of ``parsing_status`` in published files; the last are failures, not answers."""


class RowPosition(Struct, gc=False):
    """The position of the evidence in the novel, in tokens; ``end_pos`` is exclusive."""

    start_pos: int
    end_pos: int


class DepthRow(Struct):
    """One line of the file. Only the first line has ``metadata``, and no other field."""

    key: str | None = None
    question_id: str | int | None = None
    config: str | None = None
    status: str = ""
    error: Any = None
    question: str | None = None
    question_type: str | None = None
    choice: Mapping[str, Any] | Sequence[Any] | None = None
    correct_answer: Any = None
    model_answer: Any = None
    answer: Any = None
    parsing_status: str | None = None
    position: RowPosition | None = None
    score: float | None = None
    metrics: Any = None
    depth: float | None = None
    depth_bin: str | None = None
    test_context_length: int | None = None
    context_length: int | None = None
    closed_book: bool | None = None
    closed_book_correct: bool | None = None
    metadata: Mapping[str, Any] | None = None

    @property
    def failed(self) -> bool:
        """Whether there is no answer because of an error.

        Published rows say so in ``parsing_status``, and have a score of 0 that means nothing.
        """
        has_error = bool(self.error) or self.parsing_status in NO_ANSWER
        return self.status == "failed" or (self.status != "skipped" and has_error)

    @property
    def parsed(self) -> bool:
        """Whether an answer could be parsed from the reply; true if the file does not say.

        A reply with an unknown status was parsed if there is an answer.
        """
        if self.parsing_status is None or self.parsing_status in PARSED:
            return True
        return self.parsing_status not in UNPARSED and bool(self.model_answer)

    @property
    def unknown_status(self) -> str | None:
        """The status of parsing, if it is not a known one."""
        known = self.parsing_status is None or self.parsing_status in PARSED | UNPARSED | NO_ANSWER
        return None if known else self.parsing_status

    @property
    def share(self) -> float | None:
        """The depth from 0 to 1; other tools may write it in percent. None: not known.

        >>> DepthRow(depth=75).share, DepthRow(depth=0.25).share, DepthRow(depth=-5).share
        (0.75, 0.25, None)
        """
        if self.depth is None or not 0 <= self.depth <= 100:
            return None
        return self.depth / 100 if self.depth > 1 else self.depth

    def choices(self) -> tuple[tuple[str, str], ...]:
        """The letters of the choices with their texts."""
        if self.choice is None:
            return ()
        if isinstance(self.choice, Mapping):
            return tuple((str(letter), str(text)) for letter, text in self.choice.items())
        return tuple((chr(97 + index), str(text)) for index, text in enumerate(self.choice))


def answer_text(row: DepthRow) -> str:
    """The model's answer for display: the letters, else the text of its reply.

    >>> answer_text(DepthRow(model_answer=["a", "c"]))
    'a, c'
    >>> answer_text(DepthRow(model_answer=[], answer="I cannot tell."))
    'I cannot tell.'
    """
    return cut(as_list(row.model_answer) or as_list(row.answer), MOST_ANSWER)


def as_list(value: Any) -> str:
    """Letters or accepted texts on one line; empty if there are none.

    >>> as_list(["b", "d"]), as_list("Paris"), as_list(None)
    ('b, d', 'Paris', '')
    """
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return as_list(value.get("text"))
    if isinstance(value, str) or not isinstance(value, Sequence):
        return str(value)
    return ", ".join(str(part) for part in value)


def cut(text: str, most: int) -> str:
    """The text shortened to ``most`` characters, with an ellipsis if it was cut.

    >>> cut("abcdef", 4), cut("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


# Read a row of depth results whose fields have other types than usual.
#
# Other tools write numbers as text, ``NaN``, a depth in percent or a position as two numbers. Such a
# row is read as it is meant. A field that cannot be understood is left out, so that a row without a
# score is counted as one.


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


# Facts about a test from the first line of a results file, under any of their known names.


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
