"""A row of depth results as in the file, with published and assay's field names, all optional."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

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
