"""A row of a depth result as it lies in the file: the published names, and ours, all optional."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

MOST_QUESTION: Final = 600
MOST_ANSWER: Final = 600
"""Characters of a question and of an answer that are kept: enough to read, not a whole novel."""


class RowPosition(Struct, gc=False):
    """Where the evidence lies in the novel, in tokens; ``end_pos`` is past the last."""

    start_pos: int
    end_pos: int


class DepthRow(Struct):
    """One line. ``metadata`` stands alone, on the first."""

    key: str | None = None
    question_id: str | int | None = None
    config: str | None = None
    status: str = ""
    error: Any = None
    question: str | None = None
    choice: Mapping[str, Any] | Sequence[Any] | None = None
    correct_answer: Any = None
    model_answer: Any = None
    answer: Any = None
    parsing_status: str | None = None
    position: RowPosition | None = None
    score: float | None = None
    depth: float | None = None
    depth_bin: str | None = None
    test_context_length: int | None = None
    closed_book: bool | None = None
    closed_book_correct: bool | None = None
    metadata: Mapping[str, Any] | None = None

    @property
    def failed(self) -> bool:
        """Whether there is no answer because something broke."""
        return self.status == "failed" or (self.status != "skipped" and self.error is not None)

    @property
    def parsed(self) -> bool:
        """Whether an answer could be read from the reply; a file that does not say means yes."""
        return self.parsing_status in {None, "success"}

    def choices(self) -> tuple[tuple[str, str], ...]:
        """The letters with their texts."""
        if self.choice is None:
            return ()
        if isinstance(self.choice, Mapping):
            return tuple((str(letter), str(text)) for letter, text in self.choice.items())
        return tuple((chr(97 + place), str(text)) for place, text in enumerate(self.choice))


def answer_text(row: DepthRow) -> str:
    """What the model answered, for people to read: the letters, else the text of its reply.

    >>> answer_text(DepthRow(model_answer=["a", "c"]))
    'a, c'
    >>> answer_text(DepthRow(model_answer=[], answer="I cannot tell."))
    'I cannot tell.'
    """
    return cut(as_list(row.model_answer) or as_list(row.answer), MOST_ANSWER)


def as_list(value: Any) -> str:
    """Letters or accepted texts as one line; nothing where there is none.

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
    """Text of at most so many characters; where some went, an ellipsis says so.

    >>> cut("abcdef", 4), cut("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= most else text[: most - 1] + "…"
